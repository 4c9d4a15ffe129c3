"""A real directory: nothing outside is touched, nothing blocks, every failure is an answer."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import pytest
from tests.bounds import bound
from tests.spec.packages import Recording, loaded, manifest, mcp, rules, skill, stdio

from prowess.source.directory import DirectorySource
from prowess.source.judging import judge
from prowess.spec import limits
from prowess.spec.questions import Failure


@pytest.fixture
def plugin(tmp_path: Path) -> Path:
    """A valid package with a skill and a server that it ships."""
    root = tmp_path / "plugin"
    (root / "skills" / "count-lines").mkdir(parents=True)
    (root / "skills" / "count-lines" / "SKILL.md").write_text(skill("count-lines"))
    (root / "plugin.json").write_text(manifest())
    (root / "mcp.json").write_text(mcp({"good": stdio(command="./run")}))
    (root / "run").write_text("#!/bin/sh\n")
    return root


def reason(answer: object) -> str:
    assert isinstance(answer, Failure), answer
    return answer.reason


@pytest.mark.req("AP-11-1")
def test_a_plugin_loads_from_a_directory(plugin: Path) -> None:
    for target in (plugin, str(plugin), f"{plugin}/", os.path.relpath(plugin)):
        found = judge(target)
        assert loaded(found) == (["count-lines"], ["good"])
        assert rules(found) == []


@pytest.mark.req("AP-4.1-1", "AP-4.1-2")
def test_the_root_itself_may_be_reached_through_links(plugin: Path, tmp_path: Path) -> None:
    (tmp_path / "one").symlink_to("two")
    (tmp_path / "two").symlink_to(plugin)
    (plugin / "inside").symlink_to(plugin / "skills")
    assert loaded(judge(tmp_path / "one")) == (["count-lines"], ["good"])
    assert DirectorySource(tmp_path / "one").kind("inside") == "directory"


@pytest.mark.req("AP-4.1-1")
@pytest.mark.parametrize("target", ["missing", "plugin/plugin.json", "empty", "\0"])
def test_what_is_no_plugin_directory_is_a_rejected_plugin(plugin: Path, tmp_path: Path, target: str) -> None:
    (tmp_path / "empty").mkdir()
    assert rules(judge(f"{tmp_path}/{target}")) == ["package-no-manifest"]


@pytest.mark.req("AP-4.1-2", "AP-4.1-5", "AP-4.1-6", "AP-4.1-7", "AP-4.1-8")
def test_each_link_that_leaves_has_its_own_boundary(plugin: Path, tmp_path: Path) -> None:
    plugin.rename(tmp_path / "real")
    real = tmp_path / "real"
    plugin.mkdir()
    (plugin / "plugin.json").write_text(manifest())
    for name in ("skills", "mcp.json"):
        (plugin / name).symlink_to(real / name)
    assert rules(judge(plugin)) == ["skills-outside", "mcp-outside"]
    (plugin / "plugin.json").unlink()
    (plugin / "plugin.json").symlink_to(real / "plugin.json")
    assert rules(judge(plugin)) == ["manifest-outside"]
    (real / "skills" / "away").symlink_to(plugin)
    (real / "run").unlink()
    (real / "run").symlink_to("/bin/sh")
    assert rules(judge(real)) == ["skill-outside", "server-outside"]


def test_a_sibling_whose_name_begins_like_the_root_is_outside(plugin: Path, tmp_path: Path) -> None:
    (tmp_path / "plugin-two").mkdir()
    (tmp_path / "plugin-two" / "secret").write_text("x")
    source = DirectorySource(plugin)
    assert not source.confined("../plugin-two/secret")
    assert reason(source.read("../plugin-two/secret", 10)) == "outside"
    assert source.confined("../plugin/run")
    assert source.confined("skills/../..") is False


def test_what_follows_a_loop_of_links_cannot_smuggle_a_path_out(plugin: Path, tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("x")
    (plugin / "loop").symlink_to("loop")
    (plugin / "door").symlink_to(tmp_path)
    source = DirectorySource(plugin)
    assert isinstance(source.read("loop/../door/secret", 10), Failure)
    assert isinstance(source.list("loop/../door"), Failure)
    assert source.kind("loop/../door/secret") == "missing"


@pytest.mark.parametrize(
    ("links", "reached"), [(limits.LINK_HOPS, True), (limits.LINK_HOPS + 1, False), (1200, False)]
)
def test_a_chain_of_links_is_followed_as_far_as_the_kernel_does(
    plugin: Path, links: int, reached: bool
) -> None:
    (plugin / "skills").rename(plugin / "link0")
    for number in range(1, links):
        (plugin / f"link{number}").symlink_to(f"link{number - 1}")
    (plugin / "skills").symlink_to(f"link{links - 1}")
    found = judge(plugin)
    assert os.path.exists(plugin / "skills") == reached
    assert loaded(found) == (["count-lines"] if reached else [], ["good"])
    assert rules(found) == ([] if reached else ["skills-unreadable"])


def test_endless_links_to_the_root_are_a_rejected_plugin(tmp_path: Path) -> None:
    (tmp_path / "link0").symlink_to("nowhere")
    for number in range(1, 1200):
        (tmp_path / f"link{number}").symlink_to(f"link{number - 1}")
    assert rules(judge(tmp_path / "link1199")) == ["package-no-manifest"]


@pytest.mark.timeout(20)
@pytest.mark.req("AP-4.1-3", "AP-4.1-8")
@pytest.mark.parametrize(
    ("path", "rule"),
    [
        ("./" + "a/" * 400_000 + "run", "server-command-missing"),
        ("./" + "a/../" * 150_000 + "x", "server-command-missing"),
        ("./" + "a/" * 200_000 + "../" * 200_001 + "x", "server-outside"),
        ("./" + "x" * 900_000, "server-command-missing"),
    ],
    ids=["deep", "up and down", "out at the end", "one name"],
)
def test_a_path_of_absurd_length_takes_no_time(plugin: Path, path: str, rule: str) -> None:
    (plugin / "mcp.json").write_text(mcp({"good": stdio(command="./run"), "long": stdio(command=path)}))
    started = time.process_time()
    assert rules(judge(plugin)) == [rule]
    assert time.process_time() - started < bound(2)


@pytest.mark.timeout(20)
def test_many_paths_through_deep_directories_take_time_in_proportion(plugin: Path) -> None:
    here = os.open(plugin, os.O_RDONLY)
    for _ in range(200):
        os.mkdir("a", dir_fd=here)
        below = os.open("a", os.O_RDONLY, dir_fd=here)
        os.close(here)
        here = below
    os.close(here)
    servers = {str(number): stdio(command="./" + "a/" * 200 + "x") for number in range(1_500)}
    (plugin / "mcp.json").write_text(mcp(servers))
    started = time.process_time()
    assert rules(judge(plugin)) == ["server-command-missing"] * 1_500
    assert time.process_time() - started < bound(2)


def test_a_pipe_or_a_device_is_refused_without_waiting(plugin: Path) -> None:
    (plugin / "plugin.json").unlink()
    os.mkfifo(plugin / "plugin.json")
    assert rules(judge(plugin)) == ["manifest-unreadable"]
    source = DirectorySource(plugin)
    assert source.kind("plugin.json") == "other"
    assert reason(source.read("plugin.json", 10)) in {"not-file", "unreadable"}


def test_a_pipe_swapped_in_after_the_listing_does_not_block(plugin: Path) -> None:
    class Swapping(Recording):
        def read(self, path: str, limit: int) -> bytes | Failure:
            (plugin / path).unlink()
            os.mkfifo(plugin / path)
            return super().read(path, limit)

    assert rules(judge(Swapping(DirectorySource(plugin)))) == ["manifest-unreadable"]


@pytest.mark.req("AP-4.1-2", "AP-11-2")
def test_a_link_swapped_in_after_the_listing_is_not_followed_out(plugin: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.md"
    outside.write_text(skill("count-lines"))

    class Swapping(Recording):
        def read(self, path: str, limit: int) -> bytes | Failure:
            if path.endswith("SKILL.md"):
                (plugin / path).unlink()
                (plugin / path).symlink_to(outside)
            return super().read(path, limit)

    found = judge(Swapping(DirectorySource(plugin)))
    assert loaded(found) == ([], ["good"])
    assert rules(found) == ["skill-unreadable"]


@pytest.mark.req("AP-11-2")
def test_a_package_that_vanishes_meanwhile_gives_failures(plugin: Path) -> None:
    class Vanishing(Recording):
        def read(self, path: str, limit: int) -> bytes | Failure:
            answer = super().read(path, limit)
            for each in (plugin / "skills" / "count-lines" / "SKILL.md", plugin / "mcp.json"):
                each.unlink(missing_ok=True)
            return answer

    found = judge(Vanishing(DirectorySource(plugin)))
    assert loaded(found) == ([], [])
    assert rules(found) == ["mcp-unreadable"]


def test_a_file_is_read_up_to_its_limit_and_no_further(plugin: Path) -> None:
    source = DirectorySource(plugin)
    (plugin / "big").write_bytes(b"x" * 200_000)
    assert source.read("big", 200_000) == b"x" * 200_000
    assert reason(source.read("big", 199_999)) == "too-large"
    (plugin / "empty").write_bytes(b"")
    assert source.read("empty", 10) == b""
    assert isinstance(source.read("run/deeper", 10), Failure)
    assert reason(source.read("skills", 10)) in {"not-file", "unreadable"}


def test_a_directory_with_too_many_entries_is_refused(plugin: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "DIRECTORY_ENTRIES", 2)
    assert reason(DirectorySource(plugin).list("")) == "too-large"
    assert rules(judge(plugin)) == ["package-no-manifest"]


@pytest.mark.req("AP-11-2")
def test_a_file_without_permission_is_that_skills_alone(plugin: Path) -> None:
    # Judged once before privileges are dropped, so that every module is loaded by then.
    program = (
        "import os, sys\n"
        "from prowess.source.judging import judge\n"
        "judge(sys.argv[1])\n"
        "os.getuid() == 0 and os.setuid(65534)\n"
        "found = judge(sys.argv[1])\n"
        "print([s.name for s in found.plugin.skills], [(d.rule, d.subject) for d in found.diagnostics])\n"
    )
    with tempfile.TemporaryDirectory() as folder:
        os.chmod(folder, 0o755)
        root = shutil.copytree(plugin, Path(folder, "plugin"))
        (root / "skills" / "locked").mkdir()
        (root / "skills" / "locked" / "SKILL.md").write_text(skill("locked"))
        (root / "skills" / "locked" / "SKILL.md").chmod(0)
        command = [sys.executable, "-c", program, str(root)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)
    assert done.stdout.strip() == "['count-lines'] [('skill-unreadable', 'skills/locked')]", done.stderr


@pytest.mark.req("AP-5.2-5")
def test_judging_opens_no_connection_and_writes_nothing(plugin: Path) -> None:
    (plugin / "plugin.json").write_text(manifest(homepage="https://example.com/"))
    program = (
        "import sys\n"
        "from prowess.source.judging import judge\n"
        "judge(sys.argv[1])\n"
        "seen = []\n"
        "sys.addaudithook(lambda event, args: seen.append((event, args)))\n"
        "for path in sys.argv[1:]:\n"
        "    judge(path)\n"
        "opened = [args for event, args in seen if event == 'open']\n"
        "assert opened and all(args[2] & 3 == 0 for args in opened), opened\n"
        "names = {event.partition('.')[0] for event, _ in seen}\n"
        "print(sorted(names & {'socket', 'subprocess', 'ssl', 'urllib', 'http'}))\n"
    )
    other = plugin.parent / "other"
    other.mkdir()
    (other / "plugin.json").write_text(manifest(**{"$schema": "https://example.com/plugin.schema.json"}))
    done = subprocess.run(
        [sys.executable, "-c", program, str(plugin), str(other)],
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.stdout.strip() == "[]", done.stderr


def test_a_name_that_is_not_utf_8_is_skipped(plugin: Path) -> None:
    folder = os.fsencode(plugin / "skills") + b"/\xff"
    os.mkdir(folder)
    with open(folder + b"/SKILL.md", "w") as file:
        file.write(skill("a"))
    found = judge(plugin)
    assert loaded(found)[0] == ["count-lines"]
    assert rules(found) == ["skill-unreadable"]
