"""What servers are called: alone by their ids, in a `prowess.toml` always with their plugin.

A rule, a pin or a name that a model knows must not come to mean nothing because a plugin is added.
"""

from __future__ import annotations

from pathlib import Path

import pytest
from tests.acceptance.packages import entry, plugin
from tests.call.told import Told

from prowess.errors import NotFound, UsageError
from prowess.host import Host
from prowess.host.storing import Store
from prowess.provider import Answered, Refused

pytestmark = pytest.mark.anyio


def configured(tmp_path: Path, text: str, *plugins: str) -> Path:
    for name in plugins:
        plugin(tmp_path / name, {"api": entry()}, name=name)
    file = tmp_path / "prowess.toml"
    labels = "\n".join(f'{name} = "{name}"' for name in plugins)
    file.write_text(f"[plugins]\n{labels}\n{text}\n")
    return file


async def test_a_rule_about_a_server_goes_on_to_act_when_a_plugin_is_added(tmp_path: Path) -> None:
    rule = '[[policy.rules]]\naction = "deny"\nserver = "books/api"'
    for plugins in (["books"], ["books", "crm"]):
        file = configured(tmp_path, rule, *plugins)
        async with Host.open(file, store=Store.in_memory(), only=["books/api"]) as host:
            outcome = await host.call("write", server="books/api")
        assert isinstance(outcome, Refused)
        assert outcome.code == "denied"


async def test_a_server_may_be_named_without_its_plugin_while_that_means_one(tmp_path: Path) -> None:
    async with Host.open(configured(tmp_path, "", "books"), store=Store.in_memory(), only=["api"]) as host:
        assert isinstance(await host.call("write", server="api"), Answered)
        assert isinstance(await host.call("books/api/write"), Answered)
    file = configured(tmp_path, "", "books", "crm")
    with pytest.raises(UsageError):
        async with Host.open(file, connect=False, only=["api"]):
            pass
    with pytest.raises(NotFound):
        async with Host.open(file, connect=False, only=["web"]):
            pass


@pytest.mark.parametrize(
    "text",
    [
        '[[policy.rules]]\naction = "deny"\nserver = "api"',
        '[[policy.rules]]\naction = "deny"\nserver = "books"',
        '[[limits.tools]]\nserver = "books/apo"\ntimeout = 1',
    ],
)
async def test_a_rule_for_a_server_that_is_not_there_is_told_with_the_one_meant(
    text: str, tmp_path: Path
) -> None:
    with pytest.raises(UsageError) as caught:
        async with Host.open(configured(tmp_path, text, "books"), connect=False):
            pass
    assert caught.value.hint == "did you mean books/api?"


@pytest.mark.parametrize("name", ["books/*", "*", "ledger", "books/api"])
async def test_a_rule_for_a_server_that_is_there_and_a_pattern_are_taken(name: str, tmp_path: Path) -> None:
    file = configured(tmp_path, f'[[policy.rules]]\naction = "deny"\nserver = "{name}"', "books")
    async with Host.open(file, connect=False, providers=[Told("ledger")]) as host:
        assert len(host.judgements) == 1
