"""What tools, prompts and resources of several servers are called, and whom a name reaches."""

from __future__ import annotations

import re
from itertools import permutations
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.serve.offering import Offering, endpoint_of, request

pytestmark = pytest.mark.anyio
LABELS = ("docs", "docs-2", "a/b", "a_b", "\u6587\u6863")
ODD = (
    "plain",
    "with.dots",
    "with/slash",
    "with_slash",
    "with space",
    "\u5de5\u5177\u4e00",
    "\u5de5\u5177\u4e8c",
    "9digits",
    "a__b",
    "n" * 70 + "1",
    "n" * 70 + "2",
    "n" * 128,
    "\u202egnp",
    "emoji\U0001f600",
)
MODEL_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_-]{0,63}")


def servers(labels: tuple[str, ...] = LABELS, names: tuple[str, ...] = ODD) -> list[Offering]:
    made = [Offering(each, tools=[{"name": name} for name in names]) for each in labels]
    for each in made:
        each.on_ask = lambda method, params, peer: {"contents": [{"uri": params.get("uri"), "text": ""}]}
    return made


async def listed(
    folder: Path, *providers: Offering, method: str = "tools/list", key: str = "name"
) -> list[str]:
    async with endpoint_of(folder, *providers) as endpoint:
        (found,) = [each for each in (await endpoint.answer(request(method))).values() if type(each) is list]
        return [each[key] for each in found]


async def test_every_odd_name_is_one_that_models_take_and_reaches_its_own_tool(tmp_path: Path) -> None:
    offered = servers()
    async with endpoint_of(tmp_path, *offered) as endpoint:
        names = [each["name"] for each in (await endpoint.answer(request("tools/list")))["tools"]]
        assert len(set(names)) == len(LABELS) * len(ODD)
        assert all(MODEL_NAME.fullmatch(each) for each in names)
        for name in names:
            await endpoint.answer(request("tools/call", {"name": name, "arguments": {}}))
    for each in offered:
        assert [call.tool for call in each.calls] == list(ODD)


async def test_names_do_not_depend_on_the_order_of_the_servers(tmp_path: Path) -> None:
    orders = [await listed(tmp_path, *order) for order in permutations(servers(LABELS[:3]))]
    assert all(each == orders[0] for each in orders)


async def test_names_stay_when_another_server_comes(tmp_path: Path) -> None:
    few = await listed(tmp_path, *servers(LABELS[:2]))
    more = await listed(tmp_path, *servers(LABELS))
    assert [each for each in more if each in few] == few


@settings(max_examples=30)
@given(
    names=st.lists(st.text(min_size=1, max_size=80), min_size=1, max_size=6, unique=True),
    labels=st.lists(st.text("ab/_-.", min_size=1, max_size=5), min_size=2, max_size=3, unique=True),
)
async def test_whatever_names_there_are_each_reaches_its_own(
    tmp_path: Path, names: list[str], labels: list[str]
) -> None:
    names = [each for each in names if each.isprintable()] or ["x"]
    offered = servers(tuple(labels), tuple(names))
    async with endpoint_of(tmp_path, *offered) as endpoint:
        for each in (await endpoint.answer(request("tools/list")))["tools"]:
            assert MODEL_NAME.fullmatch(each["name"])
            await endpoint.answer(request("tools/call", {"name": each["name"], "arguments": {}}))
    assert all([call.tool for call in each.calls] == names for each in offered)


# -- resources ---------------------------------------------------------------------------------------------


def reading(label: str) -> Offering:
    made = Offering(
        label,
        resources=[{"uri": "memo://a", "name": "a"}],
        templates=[{"uriTemplate": "thing://{id}", "name": "t"}],
        capabilities={"resources": {"subscribe": True}},
    )
    made.on_ask = lambda method, params, peer: {"contents": [{"uri": params.get("uri"), "text": label}]}
    return made


@pytest.mark.parametrize(("label", "prefix"), [("two", "two+"), ("z/1_x", "z-1-x+"), ("\u6587 9", "s-9+")])
async def test_a_uri_that_two_servers_have_is_told_apart_by_a_prefix(
    tmp_path: Path, label: str, prefix: str
) -> None:
    first, second = reading("a"), reading(label)
    async with endpoint_of(tmp_path, second, first) as endpoint:
        resources = (await endpoint.answer(request("resources/list")))["resources"]
        assert [each["uri"] for each in resources] == ["memo://a", f"{prefix}memo://a"]
        templates = (await endpoint.answer(request("resources/templates/list")))["resourceTemplates"]
        assert [each["uriTemplate"] for each in templates] == ["thing://{id}", f"{prefix}thing://{{id}}"]
        for uri, text in (
            ("memo://a", "a"),
            (f"{prefix}memo://a", label),
            ("thing://7", "a"),
            (f"{prefix}thing://7", label),
            ("unlisted:x", "a"),
            (f"{prefix}unlisted:x", label),
        ):
            result = await endpoint.answer(request("resources/read", {"uri": uri}))
            assert result["contents"] == [{"uri": uri, "text": text}]
    assert [params["uri"] for _, params in second.asked] == ["memo://a", "thing://7", "unlisted:x"]


async def test_servers_whose_prefixes_are_the_same_are_still_told_apart(tmp_path: Path) -> None:
    async with endpoint_of(tmp_path, reading("a"), reading("b.c/d"), reading("b.c-d")) as endpoint:
        for uri, text in (
            ("memo://a", "a"),
            ("b.c-d+memo://a", "b.c-d"),
            ("b.c-d+b.c-d+memo://a", "b.c/d"),
            ("b.c-d+b.c-d+thing://7", "b.c/d"),
        ):
            result = await endpoint.answer(request("resources/read", {"uri": uri}))
            assert result["contents"] == [{"uri": uri, "text": text}]


async def test_completion_and_subscription_reach_the_server_of_a_prefixed_uri(tmp_path: Path) -> None:
    first, second = reading("a"), reading("b")
    async with endpoint_of(tmp_path, first, second) as endpoint:
        ref = {"type": "ref/resource", "uri": "b+thing://{id}"}
        await endpoint.answer(
            request("completion/complete", {"ref": ref, "argument": {"name": "id", "value": ""}})
        )
        await endpoint.answer(request("resources/subscribe", {"uri": "b+memo://a"}, "legacy"))
        assert first.asked == []
        assert [params.get("uri", params.get("ref")) for _, params in second.asked] == [
            {"type": "ref/resource", "uri": "thing://{id}"},
            "memo://a",
        ]
        assert endpoint.owners_of("b+memo://a") == [("b", "memo://a")]
