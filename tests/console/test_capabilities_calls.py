"""A tool called from its page: by its form, down the one call path, never without a yes where one is due."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from tests.console import offering
from tests.console.visiting import Page, Visitor, visiting

from prowess.call.policy import Policy, Rule
from prowess.call.running import CallResult
from prowess.console.capabilities_outcomes import MOST_KEPT, Kept, Outcomes, parts_of
from prowess.provider import Answered, MemoryProvider, ToolFailed
from prowess.store.remembered import CallRecord

CALL = "/capabilities/tool/call"
SENT: offering.Sent = []


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    folder = tmp_path_factory.mktemp("calls")
    policy = Policy(
        rules=(Rule(action="ask", tool="picture"), Rule(action="deny", tool="fail", reason="closed"))
    )
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        with visiting(
            offering.plugin(folder / "plugin"), providers=[offering.tools(SENT)], policy=policy
        ) as found:
            yield found


@pytest.fixture(autouse=True)
def nothing_sent() -> None:
    SENT.clear()


def send(visitor: Visitor, name: str, **fields: Any) -> Page:
    return visitor.send(
        CALL, server="ledger", name=name, **{f"/{key}": value for key, value in fields.items()}
    )


def raw(visitor: Visitor, name: str, text: str) -> Page:
    return visitor.send(CALL, server="ledger", name=name, arguments=text)


def outcome(page: Page) -> str:
    (found,) = page.find("section", id="outcome")
    return found.text


def test_a_tool_that_only_reads_is_called_at_once_by_its_form(visitor: Visitor) -> None:
    page = visitor.get("/capabilities/tool?server=ledger&name=find_invoices")
    fields = {**page.form(CALL), "/week": "2026-W31", "/tags": "a\r\nb", "/buyer/name": "Ann"}
    page = visitor.post(CALL, fields)
    wanted = {"week": "2026-W31", "limit": 10, "version": "v1", "tags": ["a", "b"], "buyer": {"name": "Ann"}}
    assert [("find_invoices", wanted)] == SENT
    said = outcome(page)
    assert "Answered" in said and "attempts: 1" in said
    (result,) = page.find("section", id="outcome")[0].find("pre")
    assert json.loads(result.text) == {"name": "find_invoices", "arguments": wanted}
    assert page.form(CALL)["/tags"] == "a\nb"


def test_its_record_is_of_whoever_sits_here_and_the_page_leads_to_it(visitor: Visitor) -> None:
    heard: list[CallRecord] = []
    visitor.host.path.journal.ended.append(heard.append)
    try:
        page = send(visitor, "find_invoices", week="2026-W31", version='"v1"')
    finally:
        visitor.host.path.journal.ended.remove(heard.append)
    (record,) = heard
    assert (record.tool, record.principal, record.outcome) == ("find_invoices", "local", "answered")
    assert f"/calls/{record.id}" in [each.attributes["href"] for each in page.find("a")]


def test_reading_the_page_again_calls_nothing_again(visitor: Visitor) -> None:
    page = send(visitor, "find_invoices", week="2026-W31", version='"v1"')
    assert outcome(visitor.get(page.url)) == outcome(page)
    assert len(SENT) == 1


def test_problems_stand_at_their_fields_and_nothing_is_sent(visitor: Visitor) -> None:
    page = send(visitor, "find_invoices", week="31", limit="abc", tags="a\nb\nc\nd")
    assert SENT == []
    assert page.url.endswith("#problems")
    (summary,) = page.find("div", id="problems")
    assert "4 things do not fit" in summary.text
    wrong = {
        each.attributes["name"]: each
        for each in [*page.find("input"), *page.find("textarea"), *page.find("select")]
        if each.attributes.get("aria-invalid") == "true"
    }
    assert set(wrong) == {"/week", "/limit", "/tags", "/version"}
    for each in wrong.values():
        ids = each.attributes["aria-describedby"].split()
        told = [found for id in ids for found in page.find("div", id=id)]
        assert len(told) == len(ids) and told[-1].find("p", class_="problem")
        assert f"#{each.attributes['id']}" in [link.attributes["href"] for link in summary.find("a")]
    assert page.form(CALL)["/limit"] == "abc"


def test_a_missing_member_of_a_group_is_told_at_its_field(visitor: Visitor) -> None:
    page = send(visitor, "find_invoices", week="2026-W31", version='"v1"', **{"buyer/years": "-1"})
    wrong = {each.attributes["name"] for each in page.find("input") if "aria-invalid" in each.attributes}
    assert wrong == {"/buyer/name", "/buyer/years"}


def test_text_that_should_be_json_is_told_before_anything_is_called(visitor: Visitor) -> None:
    page = send(visitor, "find_invoices", week="2026-W31", version='"v1"', filter="{a")
    (field,) = [each for each in page.find("textarea") if each.attributes.get("aria-invalid")]
    assert (field.attributes["name"], field.text) == ("/filter", "{a")
    assert SENT == []


def test_a_tool_that_may_change_something_is_asked_about_with_its_exact_arguments(visitor: Visitor) -> None:
    page = send(visitor, "pay", invoice="I-1\u202e", amount="12.50")
    assert SENT == []
    assert page.texts("h1") == ["Call this tool with just these arguments?"]
    assert '"invoice": "I-1U+202E"' in page.texts("pre")[0]
    assert '"amount": 12.5' in page.texts("pre")[0]
    assert "\u202e" not in page.find("pre")[0].text
    page = visitor.confirmed(page)
    assert SENT == [("pay", {"invoice": "I-1\u202e", "amount": 12.5})]
    assert "Answered" in outcome(page)


def test_what_does_not_fit_is_told_before_anybody_is_asked(visitor: Visitor) -> None:
    page = send(visitor, "pay", invoice="I-1", amount="-1")
    assert page.find("div", id="problems")
    assert page.find("a", href="#f2")


def test_a_yes_is_to_these_arguments_and_no_others(visitor: Visitor) -> None:
    page = send(visitor, "pay", invoice="I-1", amount="1")
    (form,) = page.find("form", class_="confirm")
    fields = {each.attributes["name"]: each.attributes["value"] for each in form.find("input")}
    fields["arguments"] = '{"invoice": "I-2", "amount": 1000}'
    page = visitor.post(CALL, fields)
    assert SENT == []
    assert page.find("form", class_="confirm")


def test_nobody_says_yes_to_arguments_that_cannot_be_shown_whole(visitor: Visitor) -> None:
    for text in ("x" * 300_000, "\u202e" * 20_000):
        page = raw(visitor, "pay", json.dumps({"invoice": text, "amount": 1}))
        assert page.status == 413
        assert not page.find("form", class_="confirm")
    assert SENT == []


def test_saying_yes_is_the_approval_that_the_policy_asks_for(visitor: Visitor) -> None:
    page = send(visitor, "delete")
    assert "destructive" in page.text and "ask:" in page.text
    page = visitor.confirmed(page)
    assert SENT == [("delete", {})]
    assert "Answered" in outcome(page)


def test_the_policy_has_a_tool_that_only_reads_asked_about_too(visitor: Visitor) -> None:
    page = send(visitor, "picture")
    assert SENT == []
    page = visitor.confirmed(page)
    said = outcome(page)
    assert "image, image/png, 11 B" in said
    assert not page.find("img")


def test_what_the_policy_denies_stays_denied(visitor: Visitor) -> None:
    page = send(visitor, "fail")
    said = outcome(page)
    assert "Refused: nothing was sent" in said and "denied" in said and "closed" in said
    assert SENT == []


def test_all_arguments_may_be_given_as_json_and_seen_as_either(visitor: Visitor) -> None:
    page = visitor.get("/capabilities/tool?server=ledger&name=find_invoices&mode=json")
    assert page.form(CALL)["arguments"] == "{}"
    page = raw(visitor, "find_invoices", '{"week": "2026-W31", "version": "v1", "state": 3}')
    assert SENT[0][1]["state"] == 3
    assert json.loads(page.form(CALL)["arguments"])["state"] == 3
    (link,) = [each for each in page.find("a") if each.text == "A field for each argument"]
    assert visitor.get(link.attributes["href"]).form(CALL)["/state"] == "3"


@pytest.mark.parametrize(
    "text", ["{", "[1]", '{"week": 1}', '"x"', "null", '{"unknown": "' + "x" * 50_000 + '"}']
)
def test_arguments_that_do_not_fit_are_told_at_the_one_field(visitor: Visitor, text: str) -> None:
    page = raw(visitor, "find_invoices", text)
    assert page.status == 200
    assert SENT == []
    (field,) = page.find("textarea", name="arguments")
    assert field.attributes["aria-invalid"] == "true"


def test_a_tool_that_is_gone_is_a_page_that_says_so(visitor: Visitor) -> None:
    assert send(visitor, "nothing").status == 404


def test_a_result_that_is_too_large_is_read_part_by_part(visitor: Visitor) -> None:
    page = send(visitor, "lines")
    (count,) = re.findall(r"Part 1 of (\d+)", page.text)
    assert len(page.html) < 300_000
    for part in range(2, int(count) + 1):
        page = visitor.post("/capabilities/tool/next", page.form("/capabilities/tool/next"))
        assert f"Part {part} of {count}" in page.text
    assert "line 2999" in page.text
    page = visitor.post("/capabilities/tool/next", page.form("/capabilities/tool/next"))
    assert page.status == 404
    assert len(SENT) == 1


def test_an_outcome_of_another_tool_is_not_shown(visitor: Visitor) -> None:
    page = send(visitor, "find_invoices", week="2026-W31", version='"v1"')
    (id,) = parse_qs(urlsplit(page.url).query)["outcome"]
    other = visitor.get(f"/capabilities/tool?server=ledger&name=pay&outcome={id}")
    assert not other.find("section", id="outcome")


def test_a_tool_that_changed_is_hidden_and_a_yes_to_what_it_was_counts_for_nothing(
    tmp_path_factory: pytest.TempPathFactory,
) -> None:
    called: list[Any] = []

    async def answer(arguments: Any) -> Any:
        called.append(arguments)
        return 1

    wire = {"description": "Pays.", "inputSchema": {"type": "object"}}
    provider = MemoryProvider("shop", {"pay": (wire, answer)})
    folder = offering.plugin(tmp_path_factory.mktemp("changed"))
    with visiting(folder, providers=[provider]) as visitor:
        visitor.get("/capabilities")
        asked = visitor.send(CALL, server="shop", name="pay")
        wire["description"] = "Pays everything."
        made = MemoryProvider("shop", {"pay": (wire, answer)})
        provider._tools = made._tools
        assert visitor.confirmed(asked).status == 409
        page = visitor.get("/capabilities/tool?server=shop&name=pay")
        assert "hidden: it changed" in page.text
        assert "/drift" in [each.attributes["href"] for each in page.find("a")]
        assert "hidden: it changed" in visitor.get("/capabilities").text
        assert "policy denies them: 1." in visitor.get("/capabilities/search").text
        page = visitor.confirmed(visitor.send(CALL, server="shop", name="pay"))
        assert "tool-changed" in outcome(page)
    assert called == []


def test_a_result_is_drawn_part_by_part() -> None:
    blocks = [
        {"type": "text", "text": "a"},
        {"type": "audio", "mimeType": "audio/wav", "data": "AAAA"},
        {"type": "resource", "resource": {"uri": "x:y", "mimeType": "text/plain", "text": "b"}},
        {"type": "resource", "resource": {"uri": "x:z", "blob": "AAA="}},
        {"type": "resource_link", "uri": "x:w", "name": "w"},
    ]
    found = [(each.text, each.about) for each in parts_of(blocks)]
    assert found[:4] == [
        ("a", ""),
        ("", "audio, audio/wav, 3 B"),
        ("b", "x:y text/plain"),
        ("", "x:z, application/octet-stream, 2 B"),
    ]
    assert json.loads(found[4][0])["uri"] == "x:w"
    assert [each.text for each in parts_of("plain")] == ["plain"]
    assert [each.text for each in parts_of([1])] == ["[\n  1\n]"]


def test_pictures_beside_a_structured_value_are_told_and_its_text_is_not_said_twice() -> None:
    content = [{"type": "text", "text": '{"a": 1}'}, offering.PICTURE]
    wire = {"content": content, "structuredContent": {"a": 1}}
    for outcome in (Answered(value={"a": 1}, wire=wire), ToolFailed(message="no", wire=wire)):
        kept = Kept(server="s", tool="t", result=CallResult(outcome=outcome, record="r"))
        assert [each.about for each in kept.parts][1:] == ["image, image/png, 11 B"]


def test_a_result_of_endless_parts_is_cut_and_says_so() -> None:
    blocks = [{"type": "text", "text": "x" * 50_000} for _ in range(30)]
    kept = Kept(server="s", tool="t", result=CallResult(outcome=Answered(value=blocks), record="r"))
    assert [each.about for each in kept.parts] == ["", "", "", "+27"]


def test_only_the_last_outcomes_are_kept() -> None:
    outcomes = Outcomes()
    ids = [outcomes.keep(Kept(server="s", tool="t", arguments=n)) for n in range(MOST_KEPT + 1)]
    assert outcomes.get(ids[0], "s", "t") is None
    kept = outcomes.get(ids[-1], "s", "t")
    assert kept is not None and kept.arguments == MOST_KEPT
    assert (kept.kind, kept.word, kept.code, kept.parts) == ("", "", "", [])
