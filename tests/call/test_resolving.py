"""From a name to the one tool meant."""

from __future__ import annotations

from typing import Any

import pytest
from tests.call.told import Told, run

from prowess.call.resolving import Directory
from prowess.capability.offer import Offer
from prowess.errors import NotFound, UsageError
from prowess.provider import MemoryProvider


def server(label: str, *names: str, **wire: Any) -> Told:
    made = Told(label)
    for name in names:
        made.tool(name, **wire)
    return made


def test_a_name_that_one_server_has_is_enough() -> None:
    found = Directory([server("a", "x"), server("b", "y")]).find("y")
    assert (found.tool.server, found.provider.label, found.kind) == ("b", "b", "memory")


def test_a_name_that_two_servers_have_needs_the_server() -> None:
    directory = Directory([server("a", "x"), server("b", "x")])
    with pytest.raises(UsageError) as caught:
        directory.find("x")
    assert caught.value.hint == "say which: a/x, b/x"
    assert directory.find("b/x").tool.server == "b"
    assert directory.find("x", server="a").tool.server == "a"


def test_a_qualified_name_and_the_server_beside_it_may_say_the_same() -> None:
    directory = Directory([server("a", "x"), server("b", "x", "a/y")])
    assert directory.find("a/x", server="a").tool.server == "a"
    assert directory.find("a/y", server="b").tool.name == "a/y"
    with pytest.raises(NotFound):
        directory.find("a/x", server="b")


def test_a_server_of_a_plugin_may_be_named_without_the_plugin_while_that_means_one() -> None:
    directory = Directory([server("books/api", "x"), server("crm/web", "x"), server("crm/api", "y")])
    assert directory.find("x", server="web").tool.server == "crm/web"
    assert directory.find("web/x").tool.server == "crm/web"
    assert directory.find("x", server="api").tool.server == "books/api"  # the other one has no x
    exact = Directory([server("api", "x"), server("books/api", "x")])
    assert exact.find("x", server="api").tool.server == "api"
    both = Directory([server("books/api", "x"), server("crm/api", "x")])
    with pytest.raises(UsageError):
        both.find("x", server="api")


def test_a_tool_whose_own_name_has_a_slash_goes_first() -> None:
    directory = Directory([server("a", "x"), server("b", "a/x")])
    assert directory.find("a/x").tool.server == "b"


def test_a_name_that_is_not_there_names_the_nearest() -> None:
    directory = Directory([server("crm", "find_customer", "find_invoice")])
    with pytest.raises(NotFound) as caught:
        directory.find("find_custmer")
    assert caught.value.hint.startswith("nearest: find_customer")
    with pytest.raises(NotFound) as qualified:
        directory.find("crm/find_custmer")
    assert "find_customer" in qualified.value.hint
    with pytest.raises(NotFound) as elsewhere:
        directory.find("find_customer", server="erp")
    assert elsewhere.value.message == "no tool named find_customer on erp"
    assert elsewhere.value.hint == ""


def test_a_server_that_is_down_is_told_with_its_reason() -> None:
    class Broken(Told):
        def offer(self) -> Offer:
            raise RuntimeError("boom")

    directory = Directory([MemoryProvider("erp", {}), Broken("crm")])
    with pytest.raises(NotFound) as caught:
        directory.find("x")
    assert caught.value.hint == (
        "servers that offer nothing now: erp (not-started: not opened yet); crm (failed: RuntimeError)"
    )


def test_a_version_is_the_one_declared_or_none() -> None:
    one = server("a", "x", _meta={"dev.prowess/version": "1.0.0"})
    two = server("a", "x", _meta={"dev.prowess/version": "2.0.0"})
    directory = Directory([one, two])
    assert directory.find("x").version == "1.0.0"
    assert directory.find("x", version="2.0.0").provider is two
    with pytest.raises(NotFound) as caught:
        directory.find("x", version="3.0.0")
    assert caught.value.hint == "versions: 1.0.0, 2.0.0"
    with pytest.raises(NotFound) as undeclared:
        Directory([server("b", "y")]).find("y", version="1")
    assert undeclared.value.hint == "versions: none is declared"


def test_what_changes_on_offer_is_seen_at_once() -> None:
    crm = server("crm", "x")
    providers: list[Any] = [crm]
    directory = Directory(providers)
    assert [each.tool.name for each in directory.all()] == ["x"]
    crm.tool("y")
    assert [each.tool.name for each in directory.all()] == ["x", "y"]
    providers.append(server("erp", "z"))
    assert directory.find("z").tool.server == "erp"
    memory = MemoryProvider("m", {})
    run(memory.open())
    providers[:] = [memory]
    assert directory.all() == ()
