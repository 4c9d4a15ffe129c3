"""The pages of packages: five hops each, what is missing and why, files at their lines, rules."""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import quote

import pytest
from tests.console.drifting import OLD, pinned, two_plugins
from tests.console.packaging import HOSTILE, house, plugin, rejected, server, skill, units
from tests.console.recorded import keep, store_in
from tests.console.visiting import Element, Page, Visitor, visiting
from tests.store.remembering import call

from prowess.console.language import words
from prowess.console.packages_facts import Facts
from prowess.console.packages_hops import NAMES, WORDS, hops
from prowess.console.packages_known import KINDS, judged_folder
from prowess.console.packages_missing import missing
from prowess.host.storing import Store
from prowess.provider import MemoryProvider
from prowess.spec.diagnostics import Reach
from prowess.spec.rules import RULES

HOPS = ["manifest", "components", "connection", "offer", "calls"]
UNIT = '''from prowess import unit


@unit
async def hello() -> str:
    """Say hello."""
    return "x"
'''
STATES = {"good", "warn", "bad", "off"}


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("house")
    house(made)
    return made


@pytest.fixture(scope="module")
def visitor(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    folder = tmp_path_factory.mktemp("kept")
    with pytest.MonkeyPatch.context() as patch:
        for each in ("STATE", "DATA", "CACHE"):
            patch.setenv(f"XDG_{each}_HOME", str(folder / each.lower()))
        with store_in(folder) as store:
            now = time.time()
            keep(
                store,
                call(server="mixed/boxes", tool="count_boxes", started=now - 60),
                call(server="mixed/boxes", tool="count_boxes", outcome="timed-out", started=now - 50),
                call(server="mixed/boxes", tool="count_boxes", started=now - 30 * 24 * 3600),
            )
            with visiting(root / "prowess.toml", keep_rejected=True, store=store) as found:
                yield found


def package_of(page: Page, name: str) -> Element:
    return next(each for each in page.find("li") if [h.text for h in each.find("h2")] == [name])


def row(page: Page, name: str) -> dict[str, str]:
    """The hops of one package by their ids, each a state."""
    links = package_of(page, name).find("a", class_="hop")
    return {
        each.attributes["href"].rpartition("#")[2]: (set(each.attributes["class"].split()) & STATES).pop()
        for each in links
    }


def ids(page: Page) -> set[str]:
    return {
        each.attributes["id"]
        for tag in ("section", "li", "tr", "h3")
        for each in page.find(tag)
        if "id" in each.attributes
    }


def test_broken_packages_come_first_and_of_them_those_that_broke_earliest(visitor: Visitor) -> None:
    assert visitor.get("/packages").texts("h2") == [
        "rejected",
        "dropped",
        "units",
        "words",
        "gone",
        "mixed",
        "sound",
    ]


@pytest.mark.parametrize(
    ("name", "states"),
    [
        ("rejected", ["bad", "off", "off", "off", "off"]),
        ("dropped", ["warn", "bad", "off", "good", "off"]),
        ("units", ["good", "bad", "good", "good", "off"]),
        ("words", ["good", "bad", "good", "good", "off"]),
        ("gone", ["good", "good", "bad", "off", "off"]),
        ("mixed", ["good", "good", "good", "bad", "warn"]),
        ("sound", ["good", "good", "good", "good", "off"]),
    ],
)
def test_each_hop_says_how_far_a_package_got(visitor: Visitor, name: str, states: list[str]) -> None:
    assert row(visitor.get("/packages"), name) == dict(zip(HOPS, states, strict=True))


def test_every_hop_leads_to_its_place(visitor: Visitor) -> None:
    page = visitor.get("/packages")
    for name in page.texts("h2"):
        assert set(row(page, name)) <= ids(visitor.get(f"/packages/{name}"))


def test_from_the_first_page_to_the_reason_of_a_missing_tool_is_one_click(visitor: Visitor) -> None:
    broken = package_of(visitor.get("/packages"), "mixed").find("a", class_="bad")
    page = visitor.get(broken[0].attributes["href"])
    offer = next(each for each in page.find("section") if each.attributes.get("id") == "offer")
    assert 'weigh_boxes: inputSchema is not of type "object"' in offer.text


@pytest.mark.parametrize(
    ("name", "kind", "package"),
    [
        ("weigh_boxes", "tool", "mixed"),
        ("pack-boxes", "skill", "dropped"),
        ("untyped", "server", "dropped"),
        ("sort-boxes", "skill", "rejected"),
        ("lose_boxes", "unit", "units"),
        ("mute", "content", "words"),
        ("gone/boxes", "server", "gone"),
    ],
)
def test_a_search_finds_what_is_missing_and_leads_to_why(
    visitor: Visitor, name: str, kind: str, package: str
) -> None:
    page = visitor.get(f"/packages?q={name}")
    found = page.find("section", class_="missing")[0].find("tbody")[0].find("tr")[0]
    cells = [each.text for each in found.find("td")]
    assert cells[1:3] == [kind, package]
    assert len(cells[3]) > 10
    href = found.find("a")[0].attributes["href"]
    target = visitor.get(href)
    assert target.status == 200
    assert href.rpartition("#")[2] in ids(target)


def test_a_search_finds_packages_by_what_they_offer(visitor: Visitor) -> None:
    assert visitor.get("/packages?q=count_boxes").texts("h2") == ["mixed"]
    assert visitor.get("/packages?q=write-letters").texts("h2") == ["sound"]
    nothing = visitor.get("/packages?q=nobody+has+this")
    assert nothing.texts("h2") == []
    assert nothing.find("p", class_="notice")


def test_a_diagnostic_leads_to_the_line_that_it_means(visitor: Visitor) -> None:
    page = visitor.get("/packages/dropped")
    links = [a.attributes["href"] for li in page.find("ul", class_="findings") for a in li.find("a")]
    to_server = next(each for each in links if "path=mcp.json" in each)
    file = visitor.get(to_server)
    marked = file.find("tr", class_="marked")
    assert [each.attributes["id"] for each in marked] == [to_server.rpartition("#")[2]]
    assert '"untyped"' in marked[0].text
    assert any(each.startswith("/packages/rules/skill-name-directory") for each in links)


def test_a_rule_has_its_page(visitor: Visitor) -> None:
    page = visitor.get("/packages/rules/server-type-missing")
    assert page.texts("h1") == ["server-type-missing"]
    assert page.find("pre")
    assert visitor.get("/packages/rules/no-such-rule").status == 404
    assert visitor.get("/packages/rules/..%2f..%2fmodel").status == 404


def test_every_reach_and_state_has_its_chinese() -> None:
    assert {*(each.word for each in Reach), *NAMES.values(), *WORDS.values(), *KINDS.values()} <= words(
        "zh"
    ).keys()
    assert RULES


def test_a_server_that_left_is_told_with_reason_hint_and_what_it_wrote(visitor: Visitor) -> None:
    page = visitor.get("/packages/gone")
    card = page.find("article")[0]
    assert card.find("code")[-1].text == "exited"
    assert "run its command by hand" in card.text
    assert "the licence of <b>boxes</b> has ended" in card.find("pre")[0].text


def test_advice_on_descriptions_is_told(visitor: Visitor) -> None:
    page = visitor.get("/packages/dropped")
    assert "Advice on descriptions" in page.texts("h3")
    assert "advice-description-vague" in page.text
    assert "Advice on descriptions" not in visitor.get("/packages/sound").texts("h3")


def test_calls_of_the_last_days_are_counted(visitor: Visitor) -> None:
    hop = package_of(visitor.get("/packages"), "mixed").find("a", class_="hop")[4]
    assert hop.text.endswith("2 calls · 1 failed")
    page = visitor.get("/packages/mixed")
    cells = page.find("section")[-1].find("td")
    assert [each.text for each in cells][:5] == ["count_boxes", "mixed/boxes", "2", "1", "0"]
    assert cells[0].find("a")[0].attributes["href"] == "/calls?tool=count_boxes&server=mixed/boxes"


def test_hostile_text_is_text(visitor: Visitor) -> None:
    for path in (
        "/packages",
        "/packages/mixed",
        "/packages?q=document.title",
        f"/packages?q={quote(HOSTILE)}",
    ):
        page = visitor.get(path)
        assert page.status == 200
        assert [each.attributes.get("src", "")[:8] for each in page.find("script")] == ["/static/"] * 2
        assert "\u202e" not in page.text
        assert "\x07" not in page.text
    assert visitor.get("/packages/mixed").find("span", class_="unseen")


def test_pages_are_said_in_chinese(visitor: Visitor) -> None:
    page = visitor.get("/packages/mixed", **{"Accept-Language": "zh-CN,zh"})
    assert "2 项被略去" in page.text
    assert "软件包" in page.texts("nav")[0]


# -- files


@pytest.mark.parametrize(
    "path",
    ["../prowess.toml", "/etc/passwd", "%00", "no-such-file", "leading-out", "a/../../rejected/plugin.json"],
)
def test_what_is_not_inside_the_package_is_not_shown(visitor: Visitor, root: Path, path: str) -> None:
    link = root / "sound" / "leading-out"
    if not link.is_symlink():
        link.symlink_to(root / "prowess.toml")
    page = visitor.get(f"/packages/sound/file?path={path}")
    assert page.status == 404
    assert "[plugins]" not in page.html


def test_what_is_no_text_is_not_shown(visitor: Visitor, root: Path) -> None:
    (root / "sound" / "data.bin").write_bytes(b"\xff\xfe\x00")
    (root / "sound" / "nul.txt").write_bytes(b"a\0b")
    (root / "sound" / "huge.txt").write_bytes(b"x" * (2 << 20))
    for name in ("data.bin", "nul.txt", "huge.txt"):
        assert visitor.get(f"/packages/sound/file?path={name}").status == 400


def test_a_long_file_is_shown_in_parts(visitor: Visitor, root: Path) -> None:
    (root / "sound" / "long.txt").write_text("".join(f"line {n} {'w' * 900}\r\n" for n in range(1, 1001)))
    page = visitor.get("/packages/sound/file?path=long.txt&line=700")
    assert len(page.html) < 400_000
    rows = page.find("tr")
    assert (rows[0].attributes["id"], rows[-1].attributes["id"]) == ("L660", "L1000")
    before = visitor.get(
        next(a for a in page.find("a") if a.attributes.get("rel") == "prev").attributes["href"]
    )
    assert before.find("tr")[0].attributes["id"] == "L260"
    after = visitor.get(
        next(a for a in before.find("a") if a.attributes.get("rel") == "next").attributes["href"]
    )
    assert after.find("tr")[0].attributes["id"] == "L660"
    for odd in ("line=-1", "line=99999999999", "line=%F0", "from=5000"):
        assert visitor.get(f"/packages/sound/file?path=long.txt&{odd}").status == 200


def test_a_folder_lists_what_is_in_it(visitor: Visitor) -> None:
    page = visitor.get("/packages/sound/file?path=")
    links = {each.text: each.attributes["href"] for each in page.find("a")}
    inside = visitor.get(visitor.get(links["skills/"]).find("main")[0].find("a")[-1].attributes["href"])
    assert inside.find("main")[0].find("a")[-1].text == "SKILL.md"


@pytest.mark.parametrize(
    "path", ["/packages/nobody", "/packages/nobody/file?path=x", "/packages/%3Cscript%3E"]
)
def test_an_unknown_package_is_a_page_that_says_so(visitor: Visitor, path: str) -> None:
    assert visitor.get(path).status == 404


# -- other houses


def test_a_rejected_package_alone_opens_and_says_why(tmp_path: Path) -> None:
    with visiting(rejected(tmp_path / "broken"), keep_rejected=True) as alone:
        assert row(alone.get("/packages"), "broken")["manifest"] == "bad"
        assert "manifest-name-invalid" in alone.get("/packages/broken").text
        assert alone.get("/packages/broken/file?path=plugin.json&line=3").find("tr", class_="marked")


def test_whoever_mends_a_file_sees_it_by_loading_the_page_again(tmp_path: Path) -> None:
    root = rejected(tmp_path / "broken")
    with visiting(root, keep_rejected=True) as alone:
        manifest = root / "plugin.json"
        manifest.write_text(manifest.read_text().replace("Not A Name", "a-name"))
        page = alone.get("/packages/broken")
        assert page.find("p", class_="warn")
        assert "manifest-name-invalid" not in page.text
        assert "sort-boxes" in page.text


def test_of_a_server_no_more_than_its_program_or_host_is_shown(tmp_path: Path) -> None:
    remote = {
        "type": "streamable-http",
        "url": "https://boxes.example:8443/mcp/hush",
        "headers": {"X": "hush"},
    }
    local = {"type": "stdio", "command": "boxes", "args": ["--key", "hush"], "env": {"KEY": "hush"}}
    with visiting(plugin(tmp_path / "boxes", {"r": remote, "l": local}), connect=False) as found:
        page = found.get("/packages/boxes")
        assert {each.text for each in page.find("code")} >= {"https://boxes.example:8443", "boxes"}
        assert "hush" not in page.html


def test_a_folder_that_goes_meanwhile_is_told(tmp_path: Path) -> None:
    folder = units(tmp_path / "units")
    with visiting(folder, connect=False) as found:
        shutil.move(folder, tmp_path / "elsewhere")
        page = found.get("/packages/units")
        assert page.status == 200
        assert page.find("p", class_="notice")


def test_the_page_of_a_large_package_stays_a_page(tmp_path: Path) -> None:
    root = plugin(tmp_path / "large", {f"s{n}": {"type": "stdio", "command": "x" * 900} for n in range(150)})
    for n in range(200):
        skill(root, f"skill-{n}", "w" * 1_000, said="w" * 60 + str(n))
        skill(root, f"sound-{n}", "w" * 1_000)
    with visiting(root, connect=False) as found:
        page = found.get("/packages/large")
        assert len(page.html) < 300_000
        assert any("more: prowess check tells all" in each for each in page.texts("p", class_="count"))
        assert len(page.find("article")) == 20


def test_a_tool_that_changed_waits_and_is_found(tmp_path: Path) -> None:
    config = two_plugins(tmp_path / "house")
    with store_in(tmp_path) as store:
        pinned(store, config, "one/good")
        with visiting(config, store=store) as found:
            page = found.get("/packages")
            assert page.texts("h2") == ["one", "two"]
            assert row(page, "one")["offer"] == "warn"
            table = found.get("/packages?q=greet").find("section", class_="missing")[0]
            assert "hidden" in table.text
            hrefs = [each.attributes["href"] for each in found.get("/packages/one").find("a")]
            assert "/drift" in hrefs
    assert OLD["name"] == "greet"


def test_of_a_server_that_is_down_the_tools_are_known_that_were_seen_before(tmp_path: Path) -> None:
    root = plugin(tmp_path / "boxes", {"s": server("named", "lift_boxes", "drop_boxes")})
    with store_in(tmp_path) as store:
        with visiting(root, store=store) as up:
            assert row(up.get("/packages"), "boxes")["offer"] == "good"
        text = (root / "mcp.json").read_text()
        (root / "mcp.json").write_text(text.replace('"named"', '"gone"'))
        with visiting(root, store=store) as down:
            table = down.get("/packages?q=lift_boxes").find("section", class_="missing")[0]
            assert "its server is down" in table.text
        (root / "mcp.json").write_text(text.replace('"lift_boxes",', ""))
        with visiting(root, store=store) as changed:
            table = changed.get("/packages?q=lift_boxes").find("section", class_="missing")[0]
            assert "no more" in table.text
        with visiting(root, store=store, connect=False) as off:
            page = off.get("/packages?q=lift_boxes")
            assert row(off.get("/packages"), "boxes") == dict(
                zip(HOPS, ["good", "good", "off", "off", "off"], strict=True)
            )
            assert "not started" in page.find("section", class_="missing")[0].text


def test_what_the_policy_denies_is_found(tmp_path: Path) -> None:
    plugin(tmp_path / "boxes", {"s": server("named", "lift_boxes")})
    config = tmp_path / "prowess.toml"
    config.write_text('[plugins]\nboxes = "boxes"\n[[policy.rules]]\naction = "deny"\ntool = "lift*"\n')
    with visiting(config, store=Store.in_memory()) as found:
        assert "denied" in found.get("/packages?q=lift_boxes").find("section", class_="missing")[0].text
        assert "1 denied" in package_of(found.get("/packages"), "boxes").text


def test_one_file_of_units_shows_that_file_alone(tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(UNIT)
    (tmp_path / "beside.py").write_text("SECRET = 1\n")
    with visiting(file) as found:
        assert found.get("/packages").texts("h2") == ["mine.py"]
        assert found.get("/packages/mine.py").status == 200
        assert found.get("/packages/mine.py/file?path=mine.py").status == 200
        assert found.get("/packages/mine.py/file?path=beside.py").status == 404
        assert found.get("/packages/mine.py/file?path=").status == 404


def test_folders_of_one_name_are_told_apart_and_have_what_is_theirs(tmp_path: Path) -> None:
    one, two = units(tmp_path / "one" / "units"), units(tmp_path / "two" / "units")
    os.rename(two / "add_boxes", two / "more_boxes")
    file = two / "more_boxes" / "schema.json"
    file.write_text(file.read_text().replace('"add_boxes"', '"more_boxes"'))
    with visiting(one, two) as found:
        assert found.get("/packages").texts("h2") == ["units", "units-2"]
        assert found.get("/packages?q=more_boxes").texts("h2") == ["units-2"]
        assert found.get("/packages/units-2/file?path=more_boxes/skill.py").status == 200


def test_a_folder_of_skills_is_a_package_that_needs_no_manifest(tmp_path: Path) -> None:
    skill(tmp_path, "write-letters", "Writes letters to customers. Use when somebody asks for a letter.")
    skill(tmp_path, "lost", "Loses letters", said="found")
    with visiting(tmp_path / "skills") as found:
        assert row(found.get("/packages"), "skills") == dict(
            zip(HOPS, ["good", "bad", "good", "good", "off"], strict=True)
        )
        (tmp_path / "skills" / "lost" / "SKILL.md").unlink()
        assert found.get("/packages/skills").find("p", class_="warn")


def test_workflows_are_a_package(tmp_path: Path) -> None:
    folder = tmp_path / "workflows"
    folder.mkdir()
    (folder / "bad.yaml").write_text("name: [")
    config = tmp_path / "prowess.toml"
    config.write_text('[workflows]\npaths = ["workflows"]\n')
    with visiting(config, connect=False) as found:
        assert row(found.get("/packages"), "workflows")["components"] == "bad"
        assert found.get("/packages/workflows/file?path=bad.yaml").status == 200


@pytest.mark.parametrize("kind", ["units", "content"])
def test_a_folder_that_is_not_there_is_a_diagnostic(tmp_path: Path, kind: str) -> None:
    found = judged_folder(kind, str(tmp_path / "gone"))  # type: ignore[arg-type]  # one of them
    assert [each.rule for each in found.judgement.diagnostics] == [f"{kind.removesuffix('s')}-unreadable"]
    assert [each.state for each in hops(found, Facts())] == ["good", "bad", "off", "off", "off"]
    assert [each.name for each in missing(found, Facts())] == ["gone"]


def test_trigger_cases_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    root = plugin(tmp_path / "letters")
    skill(root, "write-letters", "Writes letters to customers. Use when somebody asks for a letter.")
    (root / "evals").mkdir()
    (root / "evals" / "triggers.json").write_text("{")
    with visiting(root) as found:
        page = found.get("/packages/letters")
        assert any("trigger cases are not read" in each for each in page.texts("p", class_="notice"))


def test_pins_that_cannot_be_read_are_told(tmp_path: Path) -> None:
    root = plugin(tmp_path / "boxes", {"s": server("named", "lift_boxes")})
    (tmp_path / "kept.sqlite3").write_text(
        "this is no database, and long enough not to be taken for one" * 20
    )
    with store_in(tmp_path) as store, visiting(root, store=store) as found:
        assert found.get("/packages").find("p", class_="bad")
        assert found.get("/packages/boxes").find("p", class_="bad")


@pytest.mark.slow
def test_five_hundred_packages_and_five_thousand_tools_stay_a_page(tmp_path: Path) -> None:
    async def answer(arguments: object) -> object:
        return arguments

    names = [f"pack-{n:03}" for n in range(500)]
    providers = []
    for name in names:
        plugin(tmp_path / name, {"s": server("named")}, description="<b>" * 3_000)
        wires = {
            f"tool_{n}_{name}": {"description": "d" * 500, "inputSchema": {"type": "object"}}
            for n in range(10)
        }
        providers.append(MemoryProvider(f"{name}/s", {key: (wire, answer) for key, wire in wires.items()}))
    config = tmp_path / "prowess.toml"
    config.write_text("[plugins]\n" + "".join(f'{each} = "{each}"\n' for each in names))
    with visiting(config, providers=providers, store=Store.in_memory()) as found:
        page = found.get("/packages")
        assert len(page.find("ol", class_="hops")) == 100
        assert len(page.html) < 300_000
        assert found.get("/packages?q=tool_7_pack-123").texts("h2") == ["pack-123"]
        last = found.get("/packages?at=99999")
        assert last.texts("h2")[-1] == "pack-499"
