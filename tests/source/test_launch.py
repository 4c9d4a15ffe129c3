"""What is started: section 9's environment and expansion, and containment asked again."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.errors import ConnectionFailed
from prowess.source.launch import Launch, resolve_launch
from prowess.spec import limits
from prowess.spec.model import StdioServer
from prowess.spec.placeholders import expand

Resolve = Callable[..., Launch]


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "plugin"
    (root / "bin").mkdir(parents=True)
    (root / "data").mkdir()
    for name in ("probe", "probe token"):
        (root / "bin" / name).write_text("#!/bin/sh\n")
        (root / "bin" / name).chmod(0o755)
    (root / "bin" / "text").write_text("x")
    return root


@pytest.fixture
def resolve(root: Path, tmp_path: Path) -> Resolve:
    def ask(base: Mapping[str, str] | None = None, **fields: Any) -> Launch:
        server = StdioServer(**{"id": "it", "command": "./bin/probe", **fields})
        return resolve_launch(
            str(root), server, str(tmp_path / "state" / "it"), base or {"PATH": "/usr/bin:/bin"}
        )

    return ask


@pytest.mark.req("AP-9.2-1")
def test_a_package_that_lies_deep_in_directories_starts(tmp_path: Path) -> None:
    root = tmp_path.joinpath(*["d"] * limits.PATH_STEPS) / "plugin"
    (root / "bin").mkdir(parents=True)
    (root / "bin" / "run").write_text("#!/bin/sh\n")
    (root / "bin" / "run").chmod(0o755)
    real = os.path.realpath(root)
    for cwd, directory in {"${PLUGIN_ROOT}/bin": f"{real}/bin", "${PLUGIN_ROOT}": real, "./": real}.items():
        server = StdioServer(id="a", command="./bin/run", cwd=cwd)
        launch = resolve_launch(str(root), server, str(root.parent / "data"), {"PATH": os.defpath})
        assert (launch.argv, launch.cwd) == ((f"{real}/bin/run",), directory)


def test_placeholders_expand_in_args_env_values_and_cwd(resolve: Resolve, root: Path, tmp_path: Path) -> None:
    data = str(tmp_path / "state" / "it")
    launch = resolve(
        args=(
            "arg with spaces",
            "",
            "${PLUGIN_ROOT}",
            "${PLUGIN_DATA}",
            "a${PLUGIN_ROOT}b${PLUGIN_ROOT}",
        ),
        env={"E": "${PLUGIN_ROOT}|${PLUGIN_DATA}|${PLUGIN_ROOT}"},
        cwd="${PLUGIN_ROOT}/data",
    )
    assert launch.argv[1:] == ("arg with spaces", "", str(root), data, f"a{root}b{root}")
    assert launch.env["E"] == f"{root}|{data}|{root}"
    assert launch.cwd == str(root / "data")


@pytest.mark.req("AP-9.2-2")
def test_nothing_else_expands(resolve: Resolve, root: Path) -> None:
    literal = "${APC_UNKNOWN}|$APC_VALUE|${PLUGIN_ROOT_SUFFIX}|$PLUGIN_ROOT|${plugin_root}|$${X}|~|!id|`id`"
    (root / "bin" / "${PLUGIN_ROOT}").write_text("#!/bin/sh\n")
    (root / "bin" / "${PLUGIN_ROOT}").chmod(0o755)
    launch = resolve(
        {"APC_UNKNOWN": "x", "APC_VALUE": "y", "X": "z"},
        command="./bin/${PLUGIN_ROOT}",
        args=(literal,),
        env={"L": literal, "${PLUGIN_ROOT}": "key"},
    )
    assert launch.argv == (str(root / "bin" / "${PLUGIN_ROOT}"), literal)
    assert launch.env["L"] == literal
    assert launch.env["${PLUGIN_ROOT}"] == "key"


@pytest.mark.req("AP-9.2-1")
def test_inserted_text_is_not_scanned_again() -> None:
    text = "${PLUGIN_ROOT}${PLUGIN_DATA}${PLUGIN_${PLUGIN_ROOT}}"
    assert expand(text, root="${PLUGIN_DATA}", data="ROOT") == "${PLUGIN_DATA}ROOT${PLUGIN_${PLUGIN_DATA}}"


@pytest.mark.req("AP-9.2-1")
@given(
    st.lists(
        st.sampled_from(["${PLUGIN_ROOT}", "${PLUGIN_DATA}", "$", "{", "PLUGIN_ROOT", "}", "x", "${", "A"])
    )
)
def test_expansion_is_one_pass_over_the_text(parts: list[str]) -> None:
    text = "".join(parts)
    pieces = text.replace("${PLUGIN_DATA}", "\1").replace("${PLUGIN_ROOT}", "\0")
    assert expand(text, root="${PLUGIN_DATA}r", data="${PLUGIN_ROOT}d") == pieces.replace(
        "\0", "${PLUGIN_DATA}r"
    ).replace("\1", "${PLUGIN_ROOT}d")


@pytest.mark.req("AP-9.1-1")
def test_root_and_data_are_absolute_resolved_and_there(root: Path, tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to(root)
    server = StdioServer(id="it", command="./bin/probe")
    launch = resolve_launch(str(tmp_path / "link"), server, str(tmp_path / "state" / "deep"), {})
    assert launch.env["PLUGIN_ROOT"] == str(root) == launch.cwd
    assert launch.env["PLUGIN_DATA"] == str(tmp_path / "state" / "deep")
    assert os.access(launch.env["PLUGIN_DATA"], os.W_OK)
    assert Path(launch.env["PLUGIN_DATA"]).stat().st_mode & 0o077 == 0


@pytest.mark.req("AP-9.1-1")
def test_data_is_kept_over_starts(resolve: Resolve, tmp_path: Path) -> None:
    resolve()
    (tmp_path / "state" / "it" / "kept").write_text("x")
    resolve()
    assert (tmp_path / "state" / "it" / "kept").read_text() == "x"


@pytest.mark.req("AP-9.1-2")
def test_the_environment_is_base_then_entry_then_the_two_reserved_names(resolve: Resolve, root: Path) -> None:
    base = {"PATH": "/bin", "A": "base", "B": "base", "PLUGIN_ROOT": "base", "PLUGIN_DATA": "base"}
    launch = resolve(base, env={"A": "entry", "PATH": "/entry", "PLUGIN_ROOT": "entry"})
    assert launch.env["A"] == "entry"
    assert launch.env["B"] == "base"
    assert launch.env["PATH"] == "/entry"
    assert launch.env["PLUGIN_ROOT"] == str(root)
    assert launch.env["PLUGIN_DATA"] not in {"base", "entry"}
    assert set(launch.env) == set(base)


@pytest.mark.req("AP-9.1-2")
def test_names_that_differ_in_case_are_one_name_on_windows(
    resolve: Resolve, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    entry = {"plugin_root": "entry", "Path": "entry"}
    assert resolve({"PATH": "base"}, env=entry).env.keys() >= {"plugin_root", "PATH", "Path"}
    monkeypatch.setattr("prowess.source.launch.sys.platform", "win32")
    found = resolve({"PATH": "base"}, env=entry).env
    assert found == {"Path": "entry", "PLUGIN_ROOT": str(root), "PLUGIN_DATA": found["PLUGIN_DATA"]}


@pytest.mark.req("AP-7.2-5")
@pytest.mark.conformance("mcp.stdio.command.single-token")
def test_a_package_path_with_a_space_is_one_token(resolve: Resolve, root: Path) -> None:
    assert resolve(command="./bin/probe token", args=("x y",)).argv == (
        str(root / "bin" / "probe token"),
        "x y",
    )


@pytest.mark.req("AP-7.2-5")
def test_a_package_path_begins_at_the_root_and_not_at_cwd(resolve: Resolve, root: Path) -> None:
    assert resolve(cwd="./data").argv[0] == str(root / "bin" / "probe")


@pytest.mark.req("AP-7.2-5")
def test_a_bare_name_is_searched_in_the_clients_path_alone(
    resolve: Resolve, root: Path, tmp_path: Path
) -> None:
    tools = tmp_path / "tools"
    tools.mkdir()
    (tools / "probe").symlink_to(root / "bin" / "probe")
    assert resolve({"PATH": f"relative:{tools}"}, command="probe").argv == (str(tools / "probe"),)
    for path in ("/nowhere", "", ".", "bin", f"{root}/data"):
        with pytest.raises(ConnectionFailed, match="probe"):
            resolve({"PATH": path}, command="probe", env={"PATH": str(tools)}, cwd="${PLUGIN_ROOT}/bin")


@pytest.mark.req("AP-4.1-8")
@pytest.mark.parametrize(
    "command",
    [
        "./bin/missing",
        "./bin",
        "./bin/text",
        "./../outside",
        "./link-out",
        "./loop",
        "/bin/sh",
        "bin/probe",
        "..",
        "",
        "./\0",
    ],
)
def test_a_command_that_cannot_or_may_not_run_fails_its_connection(
    resolve: Resolve, root: Path, tmp_path: Path, command: str
) -> None:
    (tmp_path / "outside").write_text("#!/bin/sh\n")
    (tmp_path / "outside").chmod(0o755)
    (root / "link-out").symlink_to(tmp_path / "outside")
    (root / "loop").symlink_to("loop")
    with pytest.raises(ConnectionFailed) as failure:
        resolve(command=command)
    assert str(root) not in failure.value.message


@pytest.mark.req("AP-4.1-8", "AP-4.1-2")
def test_a_command_swapped_for_a_link_to_outside_is_refused(resolve: Resolve, root: Path) -> None:
    assert resolve().argv
    (root / "bin" / "probe").unlink()
    (root / "bin" / "probe").symlink_to("/bin/sh")
    with pytest.raises(ConnectionFailed):
        resolve()


def test_a_command_reached_through_a_link_inside_keeps_its_name(resolve: Resolve, root: Path) -> None:
    (root / "alias").symlink_to("bin/probe")
    assert resolve(command="./alias").argv == (str(root / "alias"),)


@pytest.mark.req("AP-7.2-6")
@pytest.mark.parametrize(
    ("cwd", "expected"),
    [
        (None, ""),
        ("./", ""),
        ("./data", "data"),
        ("./data/../bin", "bin"),
        ("${PLUGIN_ROOT}", ""),
        ("${PLUGIN_ROOT}/", ""),
        ("${PLUGIN_ROOT}/data", "data"),
        ("./inside", "data"),
    ],
)
def test_a_working_directory_in_the_root(
    resolve: Resolve, root: Path, cwd: str | None, expected: str
) -> None:
    (root / "inside").symlink_to("data")
    assert resolve(cwd=cwd).cwd == str(root / expected)


@pytest.mark.req("AP-7.2-6")
def test_a_working_directory_in_the_data_directory_is_made(resolve: Resolve, tmp_path: Path) -> None:
    data = tmp_path / "state" / "it"
    for cwd, expected in [("", ""), ("/", ""), ("/a/b", "a/b"), ("/x/../y", "y")]:
        assert resolve(cwd="${PLUGIN_DATA}" + cwd).cwd == str(data / expected)
        assert (data / expected).is_dir()


@pytest.mark.req("AP-7.2-6", "AP-4.1-8")
@pytest.mark.parametrize(
    "cwd",
    [
        "./..",
        "./missing",
        "./bin/probe",
        "./link-out",
        "./data/../../plugin-two",
        "${PLUGIN_ROOT}/..",
        "${PLUGIN_DATA}/..",
        "${PLUGIN_DATA}/a/../../b",
        "${PLUGIN_DATA}/link-out/made",
        "${PLUGIN_ROOT}x",
        "/tmp",
        "data",
        "./\0",
    ],
)
def test_a_working_directory_that_leads_out_or_is_none_fails(
    resolve: Resolve, root: Path, tmp_path: Path, cwd: str
) -> None:
    outside = tmp_path / "plugin-two"
    outside.mkdir()
    (root / "link-out").symlink_to(outside)
    (tmp_path / "state" / "it").mkdir(parents=True)
    (tmp_path / "state" / "it" / "link-out").symlink_to(outside)
    with pytest.raises(ConnectionFailed):
        resolve(cwd=cwd)
    assert not list(outside.iterdir())


@pytest.mark.req("AP-4.1-4")
def test_args_and_env_values_that_look_like_paths_are_passed_on(resolve: Resolve) -> None:
    launch = resolve(args=("./..", "../x", "/etc"), env={"A": "../.."})
    assert launch.argv[1:] == ("./..", "../x", "/etc")
    assert launch.env["A"] == "../.."


def test_a_data_directory_that_cannot_be_made_fails_the_connection(root: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    server = StdioServer(id="it", command="./bin/probe")
    for data in (tmp_path / "file", tmp_path / "file" / "deeper"):
        with pytest.raises(ConnectionFailed):
            resolve_launch(str(root), server, str(data), {})


def test_a_root_that_is_gone_fails_the_connection(tmp_path: Path) -> None:
    with pytest.raises(ConnectionFailed):
        resolve_launch(str(tmp_path / "gone"), StdioServer(id="it", command="true"), str(tmp_path / "d"), {})


@pytest.mark.req("AP-9.1-2")
def test_a_process_started_so_sees_what_was_resolved(resolve: Resolve, root: Path) -> None:
    script = root / "bin" / "show"
    script.write_text(
        f"#!{sys.executable}\nimport os, sys\nprint(os.getcwd(), sys.argv[1:], os.environ['PLUGIN_ROOT'])\n"
    )
    script.chmod(0o755)
    launch = resolve(command="./bin/show", args=("a b", ""), cwd="./data")
    done = subprocess.run(
        launch.argv, env=launch.env, cwd=launch.cwd, capture_output=True, text=True, timeout=30, check=True
    )
    assert done.stdout.strip() == f"{root / 'data'} ['a b', ''] {root}"
