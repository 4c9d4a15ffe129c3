"""What is on offer, in lists and one by one; nothing that others wrote does anything in a page."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from tests.console import offering
from tests.console.visiting import Element, Page, Visitor, visiting
from tests.skills_mcp.server_of_skills import ServerOfSkills

from prowess.call.policy import Policy, Rule
from prowess.capability.offer import Offer, ResourceTemplate
from prowess.console.language import words
from prowess.errors import RequestFailed
from prowess.provider import Invocation, Outcome

FEW, MANY = 120, 5_000
PAGE_BYTES = 300_000


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    folder = tmp_path_factory.mktemp("capabilities")
    policy = Policy(rules=(Rule(action="deny", tool="fail"), Rule(action="ask", tool="picture")))
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(folder / "state"))
        providers = [offering.tools([]), offering.content(folder / "content"), offering.many(FEW)]
        with visiting(offering.plugin(folder / "plugin"), providers=providers, policy=policy) as found:
            yield found


def every(element: Element) -> Iterator[Element]:
    """All elements below one."""
    for each in element.children:
        if isinstance(each, Element):
            yield each
            yield from every(each)


def harmless(page: Page) -> None:
    """No element, attribute or address of a page comes from what others wrote."""
    assert not page.find("img")
    assert all(each.attributes.get("src", "").startswith("/static/") for each in page.find("script"))
    assert not [name for each in every(page.root) for name in each.attributes if name.startswith("on")]
    assert "\u202e" not in re.sub(r'value="[^"]*"', "", page.html)
    for each in page.find("a"):
        assert each.attributes["href"].startswith(("/", "#", "https://docs.example")), each.attributes
    assert len(page.html.encode()) < PAGE_BYTES


def tool(name: str, **more: str) -> str:
    return f"/capabilities/tool?server=ledger&name={quote(name)}" + "".join(
        f"&{k}={v}" for k, v in more.items()
    )


def test_each_kind_has_its_list_and_its_number(visitor: Visitor) -> None:
    page = visitor.get("/capabilities")
    tabs = [each.text for each in page.find("nav", class_="tabs")[0].find("a")]
    assert tabs == [f"Tools {FEW + 7}", "Prompts 1", "Resources 2", "Templates 1", "Skills 1"]
    for kind, name in [
        ("prompts", "greet"),
        ("resources", "guide"),
        ("templates", "section"),
        ("skills", "write-letters"),
    ]:
        page = visitor.get(f"/capabilities?kind={kind}")
        (link,) = [each for each in page.find("tbody")[0].find("a") if name in each.text]
        assert visitor.get(link.attributes["href"]).status == 200


def test_pages_of_five_thousand_tools_are_small_and_searched(tmp_path: Path) -> None:
    with visiting(offering.plugin(tmp_path), providers=[offering.many(MANY)]) as visitor:
        page = visitor.get("/capabilities")
        harmless(page)
        assert len(page.find("tbody")[0].find("tr")) == 100
        found = visitor.get("/capabilities?q=parcel+number+4998")
        assert found.texts("td") == ["Looks up the parcel number 4998 of a city", "many"]
        assert visitor.get("/capabilities?q=nothing-says-that").texts("p", class_="count") == [f"0 of {MANY}"]
        found = visitor.get("/capabilities/search?query=parcel+number+4998&limit=50")
        harmless(found)
        assert found.find("tbody")[0].find("a")[0].text == "parcel_4998"


def test_a_list_tells_what_a_tool_says_of_itself_and_what_the_policy_says(visitor: Visitor) -> None:
    rows = {
        row.find("a")[0].text: row.find("th")[0].text for row in visitor.get("/capabilities").find("tr")[1:]
    }
    assert rows["delete"] == "delete asks first destructive"
    assert rows["fail"] == "fail denied only reads"
    assert rows["pay"] == "pay"


@pytest.mark.parametrize(
    "query",
    ["kind=nothing", "kind=tools&at=-1", "at=99999999999999", "q=%00%ff", "kind=%f0", "q=" + "x" * 5_000],
)
def test_odd_values_of_a_query_are_a_page(visitor: Visitor, query: str) -> None:
    page = visitor.get(f"/capabilities?{query}")
    assert (page.status, page.texts("h1")) == (200, ["Capabilities"])


def test_search_as_a_model_would_says_what_is_shown_why_and_what_is_left_out(visitor: Visitor) -> None:
    page = visitor.get("/capabilities/search?query=unpaid+invoices&budget=400&limit=5")
    found = visitor.run(visitor.host.search("unpaid invoices", budget=400, limit=5))
    shown, left_out = page.find("tbody")
    assert [row.find("a")[0].text for row in shown.find("tr")] == list(found.ids)
    assert [row.find("a")[0].text for row in left_out.find("tr")] == [
        each.findable.id for each in found.left_out
    ]
    first = shown.find("tr")[0]
    assert "ledger__find_invoices" in first.text
    assert "description: unpaid invoices" in first.text
    assert f"{found.shown[0].ranked.score:.2f}" in first.text
    assert f"{found.shown[0].tokens}" in first.text
    assert f"{found.tokens} of 400 tokens" in page.text
    assert found.left_out[0].left_out is not None
    assert f"and {found.left_out[0].left_out.left} were left" in left_out.text
    assert found.ranking.margin is not None
    assert f"stands before {found.ranking.margin.second} by" in page.text
    assert visitor.get(first.find("a")[0].attributes["href"]).texts("h1") == ["Find invoices"]


def test_a_skill_is_found_and_leads_to_its_page(visitor: Visitor) -> None:
    page = visitor.get("/capabilities/search?query=letters+to+customers")
    (link,) = [each for each in page.find("a") if each.text == "write-letters"]
    assert visitor.get(link.attributes["href"]).texts("h1") == ["write-letters"]


def test_a_query_that_nothing_answers_says_what_there_is(visitor: Visitor) -> None:
    page = visitor.get("/capabilities/search?query=zzgrmpf")
    assert "Nothing of" in page.text
    assert "There are:" in page.text


def test_what_no_capability_says_is_told(visitor: Visitor) -> None:
    assert "In no capability: zzgrmpf" in visitor.get("/capabilities/search?query=invoices+zzgrmpf").text


def test_before_a_query_it_says_how_much_is_searched_and_how_much_is_hidden(visitor: Visitor) -> None:
    page = visitor.get("/capabilities/search")
    assert f"Tools and skills searched: {FEW + 7}." in page.text
    assert "policy denies them: 1." in page.text


@pytest.mark.parametrize(
    "query",
    [
        "query=x&budget=-5&limit=0",
        "query=x&budget=9999999999&limit=a",
        "query=%00%ff&budget=",
        "query=" + "y " * 4_000,
    ],
)
def test_odd_values_of_a_search_are_a_page(visitor: Visitor, query: str) -> None:
    page = visitor.get(f"/capabilities/search?{query}")
    harmless(page)
    assert page.status == 200


def test_a_small_budget_says_what_is_too_large(visitor: Visitor) -> None:
    page = visitor.get("/capabilities/search?query=unpaid+invoices&budget=10&limit=2")
    assert "more than the whole budget" in page.text


def test_a_tools_page_says_what_it_is_and_where_from(visitor: Visitor) -> None:
    page = visitor.get(tool("find_invoices"))
    assert page.texts("h1") == ["Find invoices"]
    assert [each.text for each in page.find("span", class_="badge")] == ["only reads", "as it was pinned"]
    said = dict(zip(page.texts("dt"), page.texts("dd"), strict=True))
    assert said["Name"] == "find_invoices"
    assert said["Server"] == "ledger"
    assert said["Policy"] == "allow: the default of [policy]"
    assert "Find invoices of a week that are unpaid." in page.text
    assert '"anyOf"' in page.text


@pytest.mark.parametrize(
    "path",
    [
        "/capabilities/tool",
        tool("nothing"),
        "/capabilities/tool?server=nobody&name=pay",
        "/capabilities/tool?server=ledger&name=pay&version=9",
        "/capabilities/prompt?server=guides&name=nothing",
        "/capabilities/prompt",
        "/capabilities/resource?server=nobody&uri=x",
        "/capabilities/resource?server=guides",
        "/capabilities/template?server=guides&template=x{y}",
        "/capabilities/skill?name=nothing",
        "/capabilities/skill",
        "/capabilities/skill/file?name=nothing&path=SKILL.md",
        "/capabilities/skill/file?name=write-letters&path=../../plugin.json",
        "/capabilities/skill/file?name=write-letters&path=/etc/passwd",
        "/capabilities/skill/file?name=write-letters&path=%00",
        "/capabilities/skill/file?name=write-letters",
        "/capabilities/skill/served?name=nobody:nothing",
    ],
)
def test_what_is_not_there_is_a_page_that_says_so(visitor: Visitor, path: str) -> None:
    page = visitor.get(path)
    assert page.status == 404
    assert page.texts("h1")[0].startswith("There is no such ")


def test_a_hostile_tool_does_nothing(visitor: Visitor) -> None:
    page = visitor.get(tool(f"evil {offering.HOSTILE}"))
    assert page.status == 200
    harmless(page)
    harmless(visitor.get(tool(f"evil {offering.HOSTILE}", mode="json")))
    harmless(visitor.get("/capabilities/search?query=evil+alert"))


@pytest.mark.slow
def test_a_huge_tool_has_pages_of_the_usual_size(tmp_path: Path) -> None:
    with visiting(offering.plugin(tmp_path), providers=[offering.huge()]) as visitor:
        page = visitor.get("/capabilities/tool?server=huge&name=huge")
        assert page.texts("h1") == ["huge"]
        harmless(page)
        assert len(page.find("form", class_="call")[0].find("label")) > 100
        harmless(visitor.get("/capabilities/tool?server=huge&name=huge&mode=json"))
        harmless(visitor.get("/capabilities"))
        harmless(visitor.get("/capabilities/search?query=alert"))


def test_a_prompt_shows_the_messages_that_it_gives(visitor: Visitor) -> None:
    page = visitor.get("/capabilities/prompt?server=guides&name=greet")
    fields = page.form("/capabilities/prompt/messages#answer")
    assert set(fields) == {"csrf", "server", "name", "v:who", "v:tongue"}
    assert [each.attributes["value"] for each in page.find("datalist")[0].find("option")] == [
        "English",
        "中文",
    ]
    page = visitor.post(
        "/capabilities/prompt/messages", {**fields, "v:who": "<b>Ann</b>", "v:tongue": "中文"}
    )
    assert page.texts("h3") == ["user"]
    assert page.texts("pre") == ["Say hello to <b>Ann</b> in 中文."]
    harmless(page)


def test_a_prompt_that_fails_says_why(visitor: Visitor) -> None:
    page = visitor.send("/capabilities/prompt/messages", server="guides", name="greet")
    assert page.status == 200
    assert page.find("div", class_="bad")
    assert visitor.send("/capabilities/prompt/messages", server="guides", name="x").status == 404


def test_a_resource_is_rendered_and_loads_nothing(visitor: Visitor) -> None:
    (link,) = [each for each in visitor.get("/capabilities?kind=resources").find("a") if each.text == "guide"]
    page = visitor.get(link.attributes["href"])
    assert page.texts("h3") == ["The guide"]
    assert "<script>alert(1)</script>" in page.text
    assert "https://evil.example/p.png" in page.text
    harmless(page)


def test_a_resource_that_is_gone_says_so(visitor: Visitor) -> None:
    page = visitor.get("/capabilities/resource?server=guides&uri=embedded:nothing")
    assert page.status == 200
    assert page.find("div", class_="bad")


def test_a_template_has_a_field_for_each_variable(visitor: Visitor) -> None:
    (link,) = visitor.get("/capabilities?kind=templates").find("tbody")[0].find("a")
    page = visitor.get(link.attributes["href"])
    assert "v:section" in page.form("/capabilities/template#answer")
    page = visitor.get(f"{link.attributes['href']}&v:section=errors")
    assert "embedded:section/errors" in page.text
    assert page.texts("h3") == ["Errors"]
    page = visitor.get(f"{link.attributes['href']}&v:section=nothing")
    assert page.find("div", class_="bad")


def test_a_picture_in_a_resource_is_told_by_type_and_size(visitor: Visitor) -> None:
    page = visitor.get("/capabilities/resource?server=guides&uri=embedded:content/seal.png")
    assert "image/png, 6 B" in page.text
    harmless(page)


def test_a_template_that_is_none_says_so(tmp_path: Path) -> None:
    with visiting(offering.plugin(tmp_path), providers=[Templates()]) as visitor:
        page = visitor.get("/capabilities/template?server=odd&template=x:{open")
        assert page.status == 200
        assert page.find("div", class_="bad")
        page = visitor.get("/capabilities/template?server=odd&template=x:{a}{%3Fb*}&v:a=1&v:b=one%0Atwo")
        assert "x:1?b=one&b=two" in page.text


class Templates:
    """A server of templates whose suggestions and resources fail."""

    label = "odd"

    def offer(self) -> Offer:
        wires = [{"name": each, "uriTemplate": each} for each in ("x:{open", "x:{a}{?b*}")]
        templates = tuple(ResourceTemplate(server="odd", wire=each) for each in wires)
        return Offer(
            id="odd", type="memory", status="connected", templates=templates, capabilities={"completions": {}}
        )

    async def open(self) -> Offer:
        return self.offer()

    async def call(self, invocation: Invocation) -> Outcome:
        raise AssertionError("there are no tools")

    async def close(self) -> None:
        return

    async def ask(self, method: str, params: Mapping[str, Any], **given: Any) -> Mapping[str, Any]:
        raise RequestFailed("closed", number=-32603)


def test_a_skill_shows_its_text_and_its_files(visitor: Visitor) -> None:
    page = visitor.get("/capabilities/skill?name=write-letters")
    assert "<img src=x onerror=alert(1)>" in page.text
    harmless(page)
    links = {each.text: each.attributes["href"] for each in page.find("a")}
    assert links["the form"] == links["references/form.md"]
    form = visitor.get(links["the form"])
    assert form.texts("h4") == ["The form"]
    assert {each.text: each.attributes["href"] for each in form.find("a")}["it"] == links["SKILL.md"]
    assert "name: write-letters" in visitor.get(links["SKILL.md"]).texts("pre")[0]
    assert "30 B" in visitor.get(links["references/seal.bin"]).text


def test_a_skill_whose_file_is_gone_says_so(visitor: Visitor) -> None:
    (skill,) = visitor.host.local_skills
    path = Path(skill.source.root, skill.skill.path)
    text = path.read_bytes()
    path.unlink()
    try:
        page = visitor.get("/capabilities/skill?name=write-letters")
        assert page.status == 200
        assert page.find("div", class_="bad")
    finally:
        path.write_bytes(text)


def test_what_offers_nothing_says_why_and_what_to_do(tmp_path: Path) -> None:
    providers = [offering.content(tmp_path / "content")]
    with visiting(offering.plugin(tmp_path / "plugin"), providers=providers, connect=False) as visitor:
        page = visitor.get("/capabilities")
        assert "guides: not-started" in page.text
        assert "prowess snapshot PATH" in page.text


def test_a_skill_that_a_server_serves_is_shown_as_it_is_listed(tmp_path: Path) -> None:
    server = ServerOfSkills("far")
    server.skill("refund", {"forms/a.md": "x"}, description=f"Refunds. {offering.HOSTILE}")
    server.skill("dynamic")
    server.entries["skill://dynamic/SKILL.md"]["resources"] = "dynamic"
    with visiting(offering.plugin(tmp_path), providers=[server]) as visitor:
        page = visitor.get("/capabilities?kind=skills")
        links = {each.text: each.attributes["href"] for each in page.find("tbody")[0].find("a")}
        assert set(links) == {"write-letters", "far:refund", "far:dynamic"}
        harmless(page)
        page = visitor.get(links["far:refund"])
        assert page.texts("h1") == ["far:refund"]
        assert page.texts("span", class_="badge") == ["not approved"]
        assert "skill://refund/forms/a.md" in page.text
        harmless(page)
        assert "none is listed" in visitor.get(links["far:dynamic"]).text
        assert server.reads() == []
        skill = visitor.run(visitor.host.find_skill("far:refund"))
        visitor.run(visitor.host.approve_skill(skill))
        assert visitor.get(links["far:refund"]).texts("span", class_="badge") == ["approved as it is listed"]


UNIT = """class Weather:
    async def execute(self, params):
        return {"version": VERSION, **params}
"""


def test_a_unit_in_several_versions_is_looked_at_and_called_in_the_one_that_is_meant(tmp_path: Path) -> None:
    for version in ("1.4.2", "1.5.0"):
        folder = tmp_path / "weather" / version
        folder.mkdir(parents=True)
        said: dict[str, Any] = {"name": "weather", "description": f"Tells the weather, {version}."}
        said["version"] = version
        said["parameters"] = {"type": "object", "properties": {"city": {"type": "string"}}}
        (folder / "schema.json").write_text(json.dumps(said))
        (folder / "skill.py").write_text(UNIT.replace("VERSION", repr(version)))
    with visiting(tmp_path) as visitor:
        page = visitor.get("/capabilities/tool?server=units&name=weather")
        links = {each.text: each.attributes["href"] for each in page.find("a")}
        assert "not pinned: your own code" in page.text
        page = visitor.get(links["1.4.2"])
        assert "Tells the weather, 1.4.2." in page.text
        page = visitor.post(
            "/capabilities/tool/call", {**page.form("/capabilities/tool/call"), "/city": "Oslo"}
        )
        page = visitor.confirmed(page)
        (result,) = page.find("section", id="outcome")[0].find("pre")
        assert json.loads(result.text) == {"version": "1.4.2", "city": "Oslo"}
        assert "Tells the weather, 1.4.2." in page.text


def test_every_text_has_its_chinese() -> None:
    root = files("prowess.console")
    sources = [*root.joinpath("templates").iterdir(), *root.iterdir()]
    texts = [
        each.read_text("utf-8")
        for each in sources
        if each.name.startswith("capabilities") and each.name.endswith((".html", ".py"))
    ]
    said = {found for text in texts for found in re.findall(r'\bt\("([^"]+)"', text)}
    said |= {found for text in texts for found in re.findall(r'failure\(\s*request, \d+, "([^"]+)"', text)}
    assert len(said) > 80
    assert sorted(said - set(words("zh"))) == []
