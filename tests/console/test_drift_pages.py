"""What changed, as pages: against what was frozen, between snapshots, of tools; and what a person decides."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.console.drifting import NASTY, OLD, SECRET, path_with_python, pinned, two_plugins, written
from tests.console.recorded import store_in
from tests.console.visiting import Page, Visitor, visiting
from tests.store.remembering import asking

from prowess.author.fixtures import digest
from prowess.author.fixtures_verifying import verify
from prowess.capability.snapshot import Snapshot
from prowess.host.storing import Store

FROZEN = "fixtures/snapshot.json"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("drifting")


@pytest.fixture(scope="module")
def store(folder: Path) -> Iterator[Store]:
    with store_in(folder) as made:
        yield made


@pytest.fixture(scope="module")
def visitor(folder: Path, store: Store) -> Iterator[Visitor]:
    config = two_plugins(folder)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", path_with_python())
        with visiting(config, store=store) as found:
            yield found


def states(page: Page) -> dict[str, str]:
    """How each plugin stands."""
    (table,) = page.find("div", id="plugins")[0].find("tbody")
    return {row.find("th")[0].text: row.find("td")[0].text for row in table.find("tr")}


def frozen_as(folder: Path, plugin: str, **changes: Any) -> Path:
    """Freeze of a plugin what it does not offer; `changes` are parts of the snapshot."""
    told = {
        "$schema": "urn:prowess:schema:snapshot:1",
        "plugin": {"name": plugin, "version": None, "spec": "1.0.0"},
        "skills": [],
        "mcpServers": [{"id": "good", "type": "stdio", "status": "connected"}],
        "tools": [],
        **changes,
    }
    file = folder / plugin / "fixtures" / "snapshot.json"
    written(file, told)
    index = {"$schema": "urn:prowess:schema:fixtures:1", "of": "plugin", "calls": [], "negatives": []}
    written(file.with_name("index.json"), {**index, "files": {"snapshot.json": digest(file.read_bytes())}})
    return file


@pytest.fixture
def thawed(folder: Path) -> Iterator[None]:
    """Whatever a test froze is gone again."""
    yield
    for each in sorted(folder.glob("*/fixtures/**/*"), reverse=True):
        each.rmdir() if each.is_dir() else each.unlink()


def test_what_was_never_frozen_says_so_and_can_be(visitor: Visitor, folder: Path, thawed: None) -> None:
    assert states(visitor.get("/drift")) == {"one": "not frozen", "two": "not frozen"}
    page = visitor.get("/drift/plugin?plugin=one")
    asked = visitor.post("/drift/freeze", page.form("/drift/freeze"))
    assert not (folder / "one" / FROZEN).exists()
    after = visitor.confirmed(asked)
    assert after.find("p", class_="good"), after.text
    stages = asyncio.run(verify(str(folder / "one")))
    assert [each.name for each in stages if not each.holds] == []
    assert states(visitor.get("/drift")) == {"one": "the same", "two": "not frozen"}


def test_changes_are_told_with_their_reach_and_frozen_after_a_yes(
    visitor: Visitor, folder: Path, thawed: None
) -> None:
    gone = {"server": "good", "name": NASTY, "inputSchema": {"type": "object"}}
    file = frozen_as(folder, "two", tools=[gone])
    before = file.read_bytes()
    assert states(visitor.get("/drift"))["two"] == "differs"
    page = visitor.get("/drift/plugin?plugin=two")
    rows = [[cell.text for cell in row.find("td")] for row in page.find("div", id="changes")[0].find("tr")]
    assert [[row[0], row[-1]] for row in rows if row] == [
        ["removed", "breaks callers"],
        ["added", "compatible"],
    ]
    assert "good/greet" in page.text
    asked = visitor.post("/drift/freeze", page.form("/drift/freeze"))
    assert "+ tool good/greet (compatible)" in asked.texts("pre")[0]
    assert file.read_bytes() == before
    assert visitor.confirmed(asked).find("p", class_="good")
    kept = Snapshot.from_json(file.read_text(), source="file")
    assert [(each.server, each.name) for each in kept.tools] == [("good", "greet")]
    index = json.loads(file.with_name("index.json").read_text())
    assert index["files"]["snapshot.json"] == digest(file.read_bytes())


def test_what_has_changed_since_it_was_shown_is_not_frozen(
    visitor: Visitor, folder: Path, thawed: None
) -> None:
    file = frozen_as(folder, "two")
    before = file.read_bytes()
    assert visitor.send("/drift/freeze", plugin="two", digest="sha256:other").status == 409
    assert visitor.send("/drift/freeze", plugin="nobody", digest="").status == 404
    assert file.read_bytes() == before


@pytest.mark.parametrize("content", [b"{", b"\xff\xfe", b'{"plugin": 7}'])
def test_a_frozen_file_that_is_none_is_a_state_of_its_plugin_alone(
    visitor: Visitor, folder: Path, thawed: None, content: bytes
) -> None:
    frozen_as(folder, "one").write_bytes(content)
    assert states(visitor.get("/drift")) == {"one": "cannot be read", "two": "not frozen"}
    page = visitor.get("/drift/plugin?plugin=one")
    assert page.find("p", class_="bad")


def test_fixtures_that_lead_elsewhere_are_not_written_to(
    visitor: Visitor, folder: Path, tmp_path: Path
) -> None:
    written(tmp_path / "index.json", {"$schema": "urn:prowess:schema:fixtures:1", "files": {}})
    link = folder / "one" / "fixtures"
    if link.exists():
        link.rmdir()
    link.symlink_to(tmp_path)
    try:
        page = visitor.get("/drift/plugin?plugin=one")
        sent = {"csrf": page.form("/display")["csrf"], "plugin": "one", "digest": _digest(visitor, "one")}
        done = visitor.confirmed(visitor.post("/drift/freeze", sent))
        assert done.status == 400
        assert not (tmp_path / "snapshot.json").exists()
    finally:
        link.unlink()


def _digest(visitor: Visitor, plugin: str) -> str:
    from prowess.console.drift_comparing import standing_of, subjects

    subject = next(each for each in subjects(visitor.host) if each.label == plugin)
    return standing_of(subject, subject.now(visitor.host)).digest


@pytest.mark.parametrize("index", ["{", "[]", '{"$schema": "urn:prowess:schema:fixtures:9", "files": {}}'])
def test_an_index_that_is_none_of_ours_is_not_written_to(
    visitor: Visitor, folder: Path, thawed: None, index: str
) -> None:
    file = frozen_as(folder, "two")
    file.with_name("index.json").write_text(index)
    before = file.read_bytes()
    page = visitor.post("/drift/freeze", visitor.get("/drift/plugin?plugin=two").form("/drift/freeze"))
    assert visitor.confirmed(page).status == 400
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    "query", ["", "?plugin=", "?plugin=%00", "?plugin=%3Cscript%3E", "?plugin=" + "x" * 3_000]
)
def test_a_plugin_that_is_not_there_is_a_page_that_says_so(visitor: Visitor, query: str) -> None:
    assert visitor.get(f"/drift/plugin{query}").status == 404


def test_any_two_snapshots_are_compared(visitor: Visitor, folder: Path, thawed: None) -> None:
    frozen_as(folder, "one")
    form = visitor.get("/drift/between").form("/drift/compared")
    assert (form["a"], form["b"]) == (f"file|one|{FROZEN}", "now|one")
    page = visitor.post("/drift/compared", form)
    assert "good/greet" in page.texts("table", class_="changes")[0]
    same = visitor.post("/drift/compared", {**form, "a": "now|one"})
    assert same.find("p", class_="good")


def test_a_pasted_snapshot_is_compared(visitor: Visitor, folder: Path) -> None:
    form = visitor.get("/drift/between").form("/drift/compared")
    text = visitor.host.snapshot("two").to_json()
    page = visitor.post("/drift/compared", {**form, "a": "pasted", "a_text": text, "b": "now|two"})
    assert page.texts("table", class_="changes"), "its servers are called by their labels there"
    many = json.loads(text)
    many["tools"] = [{"server": "s", "name": f"{n}", "inputSchema": {}} for n in range(5_000)]
    page = visitor.post(
        "/drift/compared", {**form, "a": "now|two", "b": "pasted", "b_text": json.dumps(many)}
    )
    assert len(page.find("tr")) < 120
    assert len(page.html) < 300_000
    assert "4903" in page.text


@pytest.mark.parametrize(
    ("side", "text"),
    [("pasted", ""), ("pasted", "{"), ("pasted", "[1]"), ("pasted", "x" * 60_000),
     ("file|one|../../etc/passwd", ""), ("file|one|plugin.json", ""), ("now|nobody", ""), ("odd", "")],
)  # fmt: skip
def test_what_is_no_snapshot_is_said_at_its_side(visitor: Visitor, side: str, text: str) -> None:
    form = visitor.get("/drift/between").form("/drift/compared")
    page = visitor.post("/drift/compared", {**form, "a": side, "a_text": text, "b": "now|one"})
    assert page.status == 200
    assert page.find("p", id="a_fault")
    assert not page.find("p", id="b_fault")
    assert len(page.html) < 60_000


# -- tools that changed


def test_a_tool_that_changed_is_shown_with_both_definitions_and_approved(
    visitor: Visitor, store: Store, folder: Path
) -> None:
    pinned(store, folder / "prowess.toml", "one/good")
    (link,) = [each for each in visitor.get("/drift").find("a") if "/drift/tool?" in each.attributes["href"]]
    page = visitor.get(link.attributes["href"])
    shown = page.find("pre", class_="diff")[0]
    assert [each.text for each in shown.find("span", class_="added")] == ['+ "description": "Does greet.",']
    assert "Politely" in " ".join(each.text for each in shown.find("span", class_="removed"))
    assert "\u202e" not in page.html
    assert all("src" in each.attributes for each in page.find("script"))
    asked = visitor.post("/drift/tool/approve", page.form("/drift/tool/approve"))
    assert "Does greet" in asked.texts("pre")[0]
    assert len(visitor.run(visitor.host.changed())) == 1
    assert visitor.confirmed(asked).url.endswith("/drift")
    assert visitor.run(visitor.host.changed()) == ()


def test_a_pin_is_forgotten_after_a_yes(visitor: Visitor, store: Store, folder: Path) -> None:
    pinned(store, folder / "prowess.toml", "two/good", {})
    page = visitor.get("/drift/tool?server=two/good&tool=greet")
    assert "only the digest is known" in page.text
    asked = visitor.post("/drift/tool/reset", page.form("/drift/tool/reset"))
    assert len(visitor.run(visitor.host.changed())) == 1
    visitor.confirmed(asked)
    assert visitor.run(visitor.host.changed()) == ()


def test_only_what_was_shown_is_approved(visitor: Visitor, store: Store, folder: Path) -> None:
    pinned(store, folder / "prowess.toml", "two/good")
    fields = {"server": "two/good", "tool": "greet"}
    assert visitor.send("/drift/tool/approve", **fields, digest="sha256:other").status == 409
    assert len(visitor.run(visitor.host.changed())) == 1
    for path in ("/drift/tool/approve", "/drift/tool/reset"):
        assert visitor.send(path, server="two/good", tool="nothing", digest="").status == 404
    visitor.confirmed(visitor.send("/drift/tool/reset", **fields))


def test_a_huge_definition_is_cut_and_the_page_says_so(visitor: Visitor, store: Store, folder: Path) -> None:
    pinned(store, folder / "prowess.toml", "two/good", {**OLD, "description": "\u202e words" * 200_000})
    page = visitor.get("/drift/tool?server=two/good&tool=greet")
    assert page.find("p", class_="bad")
    assert len(page.html) < 300_000
    asked = visitor.post("/drift/tool/reset", page.form("/drift/tool/reset"))
    assert len(asked.html) < 300_000
    visitor.confirmed(asked)


def test_a_secret_that_a_definition_repeats_is_masked(visitor: Visitor, store: Store, folder: Path) -> None:
    pinned(store, folder / "prowess.toml", "two/good", {**OLD, "description": f"Uses {SECRET}.", SECRET: 1})
    page = visitor.get("/drift/tool?server=two/good&tool=greet")
    asked = visitor.post("/drift/tool/reset", page.form("/drift/tool/reset"))
    assert "Uses " in page.text
    assert "Uses " in asked.text
    assert SECRET not in page.html + asked.html
    visitor.confirmed(asked)


@pytest.mark.parametrize("query", ["", "?server=one/good", "?server=%00&tool=%3Cscript%3E"])
def test_a_tool_that_does_not_wait_is_a_page_that_says_so(visitor: Visitor, query: str) -> None:
    assert visitor.get(f"/drift/tool{query}").status == 404


# -- calls that wait


def called(visitor: Visitor, **arguments: Any) -> str:
    """How a call of `greet` ends that somebody has to approve."""
    result = visitor.run(visitor.host.call_recorded("greet", arguments, server="one/good"))
    return str(getattr(result.outcome, "code", result.word))


def test_a_call_that_waits_is_let_through_once(visitor: Visitor) -> None:
    assert called(visitor, note=NASTY) == "approval-needed"
    page = visitor.get("/drift")
    assert "note" in page.find("section", class_="card")[0].text
    form = page.form("/drift/call/approve")
    asked = visitor.post("/drift/call/approve", form)
    assert called(visitor, note=NASTY) == "approval-needed"
    assert "note" in asked.texts("pre")[0]
    visitor.confirmed(asked)
    assert called(visitor, note=NASTY) not in ("approval-needed", "approval-denied")
    assert called(visitor, note=NASTY) == "approval-needed"
    visitor.confirmed(visitor.send("/drift/call/refuse", digest=form["digest"]))


def test_a_call_that_waits_is_refused(visitor: Visitor) -> None:
    assert called(visitor, note="other") == "approval-needed"
    form = visitor.get("/drift").form("/drift/call/refuse")
    visitor.confirmed(visitor.post("/drift/call/refuse", form))
    assert called(visitor, note="other") == "approval-denied"
    assert visitor.get("/drift").find("section", class_="card") == []


def test_many_hostile_calls_that_wait_fit_a_page(visitor: Visitor, store: Store) -> None:
    hostile = "\u202e<b>" * 2_000
    requests = [
        asking(
            f"sha256:{n}", tool=hostile, server=hostile, reason=hostile, arguments={"a": hostile}, expires=4e9
        )
        for n in range(150)
    ]
    for each in requests:
        visitor.run(store.approvals.ask(each))
    page = visitor.get("/drift")
    assert len(page.find("section", class_="card")) == 40
    assert len(page.html) < 300_000
    for each in requests:
        visitor.run(store.approvals.answer(each.digest, False, until=1.0))


@pytest.mark.parametrize("path", ["/drift/call/approve", "/drift/call/refuse"])
def test_a_call_that_does_not_wait_is_a_page_that_says_so(visitor: Visitor, path: str) -> None:
    assert visitor.send(path, digest="sha256:none").status == 404


def test_pages_are_there_in_chinese(visitor: Visitor) -> None:
    visitor.send("/display", language="zh")
    try:
        assert "插件与冻结快照的对比" in visitor.get("/drift").texts("h2")
        assert visitor.get("/drift/between").texts("legend") == ["之前", "现在"]
    finally:
        visitor.send("/display", language="en")


def test_with_nothing_loaded_the_page_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "plugin.json").write_text("{")
    with visiting(tmp_path, store=Store.in_memory(), keep_rejected=True) as visitor:
        assert "prowess console PATH" in visitor.get("/drift").text
        assert visitor.get("/drift/between").form("/drift/compared")["a"] == "pasted"


def test_a_snapshot_whose_name_turns_its_line_is_offered_as_it_is(visitor: Visitor, folder: Path) -> None:
    file = folder / "one" / "snapshot\u202enosj.old.json"
    written(file, {})
    try:
        page = visitor.get("/drift/between")
        named = [each for each in page.texts("option") if "nosj" in each]
        assert named and all("U+202E" in each and "\u202e" not in each for each in named)
    finally:
        file.unlink()


def test_the_title_of_a_failure_holds_nothing_that_cannot_be_seen(visitor: Visitor) -> None:
    for path in ("/calls/%E2%80%AE%E2%80%AE%E2%80%AE%E2%80%AE", "/no-such-page"):
        (title,) = visitor.get(path).texts("title")
        assert "\u202e" not in title
