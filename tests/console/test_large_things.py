"""What is long or much, of servers and of readers: a page stays one, and everybody else is answered."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Iterator
from urllib.parse import urlencode

import pytest
from tests.console import offering
from tests.console.drifting import path_with_python
from tests.console.hostility import SERVER
from tests.console.visiting import Visitor, visiting

from prowess.console.capabilities_content import MOST_BLANKS
from prowess.console.guard import MOST_OTHER_BYTES
from prowess.console.markdown import MOST_HTML, rendered
from prowess.console.workbench import MOST_VALUES
from prowess.provider import Caller
from prowess.spec.versions import SUPPORTED
from prowess.store.remembered import ApprovalRequest

BOUND = 300_000
SENT: offering.Sent = []


@pytest.fixture(scope="module")
def wordy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    root = tmp_path_factory.mktemp("wordy")
    shutil.copy(SERVER.with_name("wordy.py"), root / "server.py")
    manifest = {"$schema": SUPPORTED[-1].plugin_schema, "name": "wordy"}
    servers = {"wordy": {"type": "stdio", "command": "python", "args": ["./server.py"]}}
    (root / "plugin.json").write_text(json.dumps(manifest))
    (root / "mcp.json").write_text(json.dumps({"$schema": SUPPORTED[-1].mcp_schema, "mcpServers": servers}))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PATH", path_with_python())
        with visiting(root) as found:
            yield found


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    folder = offering.plugin(tmp_path_factory.mktemp("desk") / "desk")
    with visiting(folder, providers=[offering.tools(SENT)]) as found:
        yield found


def test_an_address_too_long_for_a_link_is_none(wordy: Visitor) -> None:
    page = wordy.get("/capabilities?kind=resources")
    assert len(page.html) < BOUND
    links = [each for row in page.find("th", class_="named") for each in row.find("a")]
    assert len(links) == 61
    assert [each.text for each in links if each.attributes.get("href")] == ["short"]


def test_what_is_too_long_to_tick_is_counted(wordy: Visitor) -> None:
    page = wordy.get("/import/from?server=wordy")
    assert len(page.html) < BOUND
    ticked = {each.attributes["value"] for each in page.find("input", name="uri")}
    assert "mem://short" in ticked
    assert not any(each.startswith("http://") for each in ticked)
    assert "61 more" in page.text


@pytest.mark.parametrize("kind", ["prompt", "template"])
def test_a_form_has_as_many_fields_as_a_page_holds(wordy: Visitor, kind: str) -> None:
    (offer,) = (each for each in wordy.host.offers if each.id == "wordy")
    (template,) = offer.templates
    asked = {"name": "ask"} if kind == "prompt" else {"template": template.uri_template}
    page = wordy.get(f"/capabilities/{kind}?{urlencode({'server': 'wordy', **asked})}")
    assert page.status == 200
    assert len(page.html) < BOUND
    fields = [each for each in page.find("input") if each.attributes.get("name", "").startswith("v:")]
    assert len(fields) == MOST_BLANKS
    assert max(len(each.attributes["name"]) for each in fields) < 300


@pytest.mark.slow
def test_many_messages_and_contents_are_shown_as_far_as_a_page_goes(wordy: Visitor) -> None:
    for page in (
        wordy.send("/capabilities/prompt/messages", server="wordy", name="ask"),
        wordy.get("/capabilities/resource?server=wordy&uri=mem%3A%2F%2Fshort"),
    ):
        assert page.status == 200
        assert len(page.html) < BOUND + 20_000
        assert "+" in page.texts("section")[-1]


def test_markdown_that_takes_too_much_is_shown_as_text() -> None:
    assert len(rendered("![](x)" * 10_000)) < MOST_HTML
    assert "<pre" in rendered("![](x)" * 10_000)
    assert "<pre" not in rendered("![](x)" * 10)


def test_an_address_in_letters_of_another_script_is_told_as_it_is() -> None:
    assert "(http://xn--80ak6aa92e.com/)" in rendered("<http://xn--80ak6aa92e.com/>")
    assert "target" not in rendered("<http://a.example/>")


def test_arguments_too_long_for_their_field_are_not_sent_back(ledger: Visitor) -> None:
    for text in ("[" + "1," * 700_000, json.dumps({"a": "x" * 200_000})):
        page = ledger.send("/capabilities/tool/call", server="ledger", name="find_invoices", arguments=text)
        assert page.status == 200
        assert len(page.html) < BOUND
        assert page.find("p", class_="warn")
    assert SENT == []


def test_only_pages_for_documents_take_large_bodies(ledger: Visitor) -> None:
    long = "x" * (MOST_OTHER_BYTES + 1)
    assert ledger.send("/capabilities/tool/call", server="ledger", name="fail", arguments=long).status == 413
    assert ledger.send("/workbench", text=long).status == 200


@pytest.mark.parametrize(
    ("path", "fields"),
    [
        ("/workbench", ["text"]),
        ("/workbench/validate", ["text"]),
        ("/workbench/validate", ["schema"]),
        ("/workbench/compare", ["old", "new"]),
    ],
)
def test_texts_of_too_many_values_hold_up_nobody(ledger: Visitor, path: str, fields: list[str]) -> None:
    share = "[" + "1," * (MOST_VALUES // len(fields)) + "1]"
    assert ledger.send(path, **dict.fromkeys(fields, share)).status == 413


def test_nobody_says_yes_to_a_waiting_call_that_cannot_be_shown_whole(ledger: Visitor) -> None:
    for digest, size in (("long", 200_000), ("short", 20)):
        now = time.time()
        asked = ApprovalRequest(
            digest=digest,
            tool="pay",
            server="ledger",
            arguments={"a": "x" * size},
            caller=Caller(),
            reason="the policy asks",
            asked=now,
            expires=now + 600,
        )
        ledger.run(ledger.host.store.approvals.ask(asked))
    assert ledger.send("/drift/call/approve", digest="long").status == 413
    assert ledger.send("/drift/call/approve", digest="short").find("form", class_="confirm")
    assert ledger.send("/drift/call/refuse", digest="long").find("form", class_="confirm")
