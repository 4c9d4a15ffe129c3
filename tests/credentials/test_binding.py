"""Which server may have which credential, and what a change does."""

from __future__ import annotations

import json
import stat
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from prowess.credentials import (
    Binding,
    Bindings,
    Credentials,
    FileBindings,
    MemoryBindings,
    MemoryVault,
)
from prowess.credentials.binding import target_of
from prowess.credentials.sections import CredentialSection, Given, ServerSection, TokenSection
from prowess.errors import CredentialFailed, NotFound, Unreadable, UsageError
from prowess.spec.model import HttpServer, Server, StdioServer

pytestmark = pytest.mark.anyio

BINDING = Binding(credential="erp", server="shop/api", plugin="/a/shop", target="https://a.example:443")
HTTP = HttpServer(id="api", type="streamable-http", url="https://A.example/mcp?x=1")
STDIO = StdioServer(id="api", command="node", args=("server.js",), env={"A": "1"})


@pytest.fixture(params=["memory", "file"])
def bindings(request: pytest.FixtureRequest, tmp_path: Path) -> Bindings:
    return MemoryBindings() if request.param == "memory" else FileBindings(str(tmp_path / "b.json"))


async def test_the_first_use_binds_and_the_same_use_is_fine_afterwards(bindings: Bindings) -> None:
    assert await bindings.check(BINDING) is None
    assert await bindings.check(BINDING) is None
    assert await bindings.pending() == ()


@pytest.mark.parametrize("field", ["plugin", "target"])
async def test_a_change_waits_until_it_is_approved(bindings: Bindings, field: str) -> None:
    changed = replace(BINDING, **{field: "other"})
    await bindings.check(BINDING)
    assert await bindings.check(changed) == BINDING
    assert await bindings.pending() == (changed,)
    await bindings.approve(changed)
    assert await bindings.bindings() == (changed,)
    assert await bindings.check(changed) is None and await bindings.pending() == ()
    assert await bindings.check(BINDING) == changed  # going back is a change too


async def test_a_change_that_was_taken_back_waits_no_longer(bindings: Bindings) -> None:
    await bindings.check(BINDING)
    await bindings.check(replace(BINDING, target="other"))
    assert await bindings.check(BINDING) is None
    assert await bindings.pending() == ()


async def test_another_server_or_credential_is_another_binding(bindings: Bindings) -> None:
    await bindings.check(BINDING)
    assert await bindings.check(replace(BINDING, server="shop/web", target="x")) is None
    assert await bindings.check(replace(BINDING, credential="crm", target="y")) is None


async def test_what_does_not_wait_cannot_be_approved(bindings: Bindings) -> None:
    await bindings.check(BINDING)
    with pytest.raises(NotFound):
        await bindings.approve(BINDING)
    await bindings.check(replace(BINDING, target="other"))
    with pytest.raises(NotFound):
        await bindings.approve(replace(BINDING, target="another"))  # not what was seen


async def test_bindings_are_shared_through_a_private_file(home: Path) -> None:
    await FileBindings().check(BINDING)
    assert await FileBindings().check(replace(BINDING, target="other")) == BINDING
    await FileBindings().approve(replace(BINDING, target="other"))
    assert await FileBindings().bindings() == (replace(BINDING, target="other"),)
    file = home / "data" / "prowess" / "credentials" / "bindings.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert json.loads(file.read_text())["format"] == 1


@pytest.mark.parametrize(
    "text", ["", '{"format": 2, "bound": [], "waiting": []}', '{"format": 1, "bound": [5]}']
)
async def test_bindings_that_cannot_be_read_give_nothing_away(text: str, tmp_path: Path) -> None:
    (tmp_path / "b.json").write_text(text)
    with pytest.raises(Unreadable):
        await FileBindings(str(tmp_path / "b.json")).check(BINDING)
    assert (tmp_path / "b.json").read_text() == text


async def test_format_1_of_the_bindings_is_read(tmp_path: Path) -> None:
    row = {"credential": "c", "server": "p/s", "plugin": "/p", "target": "t"}
    (tmp_path / "b.json").write_text(json.dumps({"format": 1, "bound": [row], "waiting": []}))
    assert await FileBindings(str(tmp_path / "b.json")).bindings() == (Binding(**row),)


def test_the_target_of_an_http_server_is_its_origin() -> None:
    assert target_of(HTTP) == "https://a.example:443"
    assert target_of(replace(HTTP, url="https://a.example:443/other")) == target_of(HTTP)
    assert target_of(replace(HTTP, url="https://a.example:444/mcp")) != target_of(HTTP)
    assert target_of(replace(HTTP, url="http://[::1]/mcp")) == "http://[::1]:80"


@pytest.mark.parametrize(
    "change", [{"command": "deno"}, {"args": ("other.js",)}, {"env": {"A": "2"}}, {"cwd": "./x"}]
)
def test_the_target_of_a_stdio_server_is_the_digest_of_its_command(change: dict[str, Any]) -> None:
    assert target_of(STDIO) == target_of(replace(STDIO, id="other"))
    assert target_of(replace(STDIO, **change)) != target_of(STDIO)


# -- through the front door


def credentials(bindings: Bindings) -> Credentials:
    section = CredentialSection(tokens=(TokenSection(env="ERP_TOKEN"),))
    return Credentials({"erp": section}, vault=MemoryVault(), bindings=bindings)


SECTION = ServerSection(credential="erp")


async def test_a_server_that_moved_gets_nothing_and_the_error_says_how_to_approve(
    bindings: Bindings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ERP_TOKEN", "tok-4f9a77c1")
    here = credentials(bindings)
    given = await here.injector("shop/api", SECTION, HTTP, plugin="/a/shop").current()
    assert given.headers == {"Authorization": "Bearer tok-4f9a77c1"} and given.secrets == ("tok-4f9a77c1",)
    assert "tok-4f9a77c1" not in repr(given)
    moved = replace(HTTP, url="https://evil.example/mcp")
    for plugin, entry in (("/a/shop", moved), ("/b/shop", HTTP)):
        with pytest.raises(CredentialFailed) as caught:
            await here.injector("shop/api", SECTION, entry, plugin=plugin).current()
        assert caught.value.code == "credential-unapproved"
        assert "prowess credentials approve shop/api erp" in caught.value.hint
    await bindings.approve((await bindings.pending())[0])
    await here.injector("shop/api", SECTION, HTTP, plugin="/b/shop").current()


async def test_a_plain_secret_of_a_server_is_bound_as_well(
    bindings: Bindings, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ERP_TOKEN", "tok-4f9a77c1")
    section = ServerSection(env={"KEY": Given(env="ERP_TOKEN"), "MODE": Given(value="fast")})
    here = credentials(bindings)
    given = await here.injector("shop/api", section, STDIO, plugin="/a").current()
    assert given.env == {"KEY": "tok-4f9a77c1", "MODE": "fast"} and given.secrets == ("tok-4f9a77c1",)
    with pytest.raises(CredentialFailed) as caught:
        await here.injector("shop/api", section, replace(STDIO, command="x"), plugin="/a").current()
    assert caught.value.code == "credential-unapproved"


async def test_plain_values_alone_need_no_binding(bindings: Bindings) -> None:
    section = ServerSection(env={"MODE": Given(value="fast")})
    here = credentials(bindings)
    for entry in (STDIO, replace(STDIO, command="x")):
        assert (await here.injector("shop/api", section, entry, plugin="/a").current()).env == {
            "MODE": "fast"
        }


@pytest.mark.parametrize(
    ("section", "entry"),
    [
        (ServerSection(credential="unknown"), HTTP),
        (ServerSection(credential="erp"), STDIO),
        (ServerSection(headers={"X-A": Given(value="1")}), STDIO),
        (ServerSection(env={"A": Given(value="1")}), HTTP),
        (ServerSection(credential="erp"), replace(HTTP, url="http://a.example/mcp")),
        (ServerSection(headers={"X-A": Given(env="ERP_TOKEN")}), replace(HTTP, url="http://a.example/mcp")),
    ],
)
def test_a_section_that_does_not_fit_its_server_is_refused(section: ServerSection, entry: Server) -> None:
    with pytest.raises(UsageError):
        credentials(MemoryBindings()).injector("shop/api", section, entry, plugin="/a")


@pytest.mark.parametrize(
    "make",
    [
        lambda: ServerSection(timeout=0.0),
        lambda: ServerSection(env={"PLUGIN_ROOT": Given(value="x")}),
        lambda: ServerSection(env={"not a name": Given(value="x")}),
        lambda: ServerSection(headers={"Host": Given(value="x")}),
        lambda: ServerSection(headers={"Mcp-Session-Id": Given(value="x")}),
        lambda: ServerSection(headers={"bad name": Given(value="x")}),
        lambda: ServerSection(headers={"X-A": Given(value="x"), "x-a": Given(value="y")}),
        lambda: ServerSection(headers={"authorization": Given(value="x")}, credential="erp"),
        lambda: Given(env="A", credential="b"),
        lambda: Given(prefix="Bearer "),
    ],
)
def test_a_server_section_that_makes_no_sense_is_refused(make: object) -> None:
    with pytest.raises(UsageError):
        make()  # type: ignore[operator]
