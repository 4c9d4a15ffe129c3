"""Units through a Host: secrets and credentials of `prowess.toml`, one story of choice, call and requests."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from tests.units.context.upstream import Answer, Upstream

from prowess.credentials.binding import FileBindings
from prowess.errors import UsageError
from prowess.host import Host
from prowess.host.config import load_config
from prowess.provider import Answered, ToolFailed
from prowess.store.database import Database
from prowess.store.reports import story
from prowess.units.failures import CODE_META

pytestmark = pytest.mark.anyio

TOKEN, KEY = "token-5f21ab90", "key-99c1d2e3"
CODE = """
class Ask:
    async def execute(self, params, ctx):
        what = params["what"]
        if what == "secret":
            key = ctx.secret(params["name"])
            ctx.log("read", key=key)
            return {"got": "value " + key}
        if what == "data":
            return {"got": str(ctx.data_dir)}
        answer = await ctx.http.get(params["url"], params={"q": "hidden"})
        return {"got": answer.status_code}
"""


def unit(root: Path, name: str, **permissions: Any) -> None:
    folder = root / name
    folder.mkdir(parents=True)
    parameters = {
        "type": "object",
        "properties": {each: {"type": "string"} for each in ("what", "name", "url")},
    }
    said = {"name": name, "description": "Asks.", "parameters": parameters, "permissions": permissions}
    (folder / "schema.json").write_text(json.dumps(said))
    (folder / "skill.py").write_text(CODE)


@pytest.fixture
def place(tmp_path: Path, upstream: Upstream, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A configuration with two units, a token for the upstream and a secret."""
    monkeypatch.setenv("API_TOKEN", TOKEN)
    monkeypatch.setenv("API_KEY", KEY)
    host = {"hosts": [f"127.0.0.1:{upstream.port}"]}
    unit(tmp_path / "units", "ask_api", secrets=["API_KEY", "GONE"], **host)
    unit(tmp_path / "units", "ask_other", **host)
    return configured(tmp_path, upstream)


def configured(folder: Path, upstream: Upstream, origin: str = 'credential = "api"') -> Path:
    (folder / "prowess.toml").write_text(
        f"""
[units]
paths = ["units"]

[units.secrets]
API_KEY = {{ env = "API_KEY" }}

[units.origins."http://127.0.0.1:{upstream.port}"]
{origin}

[credentials.api]
tokens = [{{ env = "API_TOKEN" }}]
"""
    )
    return folder


def url(upstream: Upstream, path: str = "/now") -> str:
    return f"http://127.0.0.1:{upstream.port}{path}"


@pytest.mark.field("units.origins.*.credential")
async def test_a_request_carries_the_credential_of_its_origin(place: Path, upstream: Upstream) -> None:
    async with Host.open(place) as host:
        outcome = await host.call("ask_api", {"what": "http", "url": url(upstream)})
    assert isinstance(outcome, Answered), outcome
    assert upstream.seen[0].headers["authorization"] == f"Bearer {TOKEN}"
    bound = await FileBindings().bindings()
    assert [(each.credential, each.target) for each in bound] == [("api", url(upstream, ""))]


@pytest.mark.field(
    "units.origins.*.headers.*.value",
    "units.origins.*.headers.*.env",
    "units.origins.*.headers.*.file",
    "units.origins.*.headers.*.credential",
    "units.origins.*.headers.*.prefix",
)
async def test_headers_of_an_origin_are_put_on(place: Path, upstream: Upstream, tmp_path: Path) -> None:
    (tmp_path / "kept").write_text("kept-in-a-file-77\n")
    (tmp_path / "kept").chmod(0o600)
    configured(
        place,
        upstream,
        "headers = { X-Plain = 'as it is', X-Env = { env = 'API_KEY', prefix = 'Key ' },"
        " X-File = { file = 'kept' }, X-Token = { credential = 'api', prefix = 'Token ' } }",
    )
    async with Host.open(place) as host:
        await host.call("ask_api", {"what": "http", "url": url(upstream)})
    sent = upstream.seen[0].headers
    assert sent["x-plain"] == "as it is" and sent["x-env"] == f"Key {KEY}"
    assert sent["x-file"] == "kept-in-a-file-77" and sent["x-token"] == f"Token {TOKEN}"


@pytest.mark.field("units.origins.*.headers.*.keyring")
async def test_a_header_from_a_keyring_that_is_not_there_sends_nothing(
    place: Path, upstream: Upstream
) -> None:
    configured(place, upstream, "headers = { X-Key = { keyring = 'nobody/nothing' } }")
    async with Host.open(place) as host:
        outcome = await host.call("ask_api", {"what": "http", "url": url(upstream)})
    assert isinstance(outcome, ToolFailed)
    assert outcome.wire["_meta"][CODE_META] == "credential-missing"
    assert upstream.seen == []


@pytest.mark.field("units.origins.*.units")
async def test_only_the_units_that_are_named_carry_it(place: Path, upstream: Upstream) -> None:
    configured(place, upstream, 'credential = "api"\nunits = ["ask_other"]')
    async with Host.open(place) as host:
        await host.call("ask_api", {"what": "http", "url": url(upstream)})
        await host.call("ask_other", {"what": "http", "url": url(upstream)})
    assert ["authorization" in each.headers for each in upstream.seen] == [False, True]


@pytest.mark.field("units.secrets.*")
async def test_a_secret_reaches_the_unit_and_neither_result_nor_log(place: Path) -> None:
    events: list[Any] = []
    async with Host.open(place, sink=events.append) as host:
        outcome = await host.call("ask_api", {"what": "secret", "name": "API_KEY"})
    assert isinstance(outcome, Answered)
    assert outcome.value == {"got": "value ***"}
    assert [each["fields"] for each in events if each["event"] == "unit-log"] == [{"key": "***"}]
    assert KEY not in repr(events)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"what": "secret", "name": "HOME"}, "secret-undeclared"),
        ({"what": "secret", "name": "GONE"}, "credential-missing"),
        ({"what": "http", "url": "http://example.com/"}, "host-undeclared"),
        ({"what": "http", "url": "http://169.254.169.254/latest/"}, "host-undeclared"),
    ],
)
async def test_what_a_unit_is_refused_comes_back_as_a_code(
    place: Path, arguments: dict[str, str], code: str
) -> None:
    async with Host.open(place) as host:
        outcome = await host.call("ask_api", arguments)
    assert isinstance(outcome, ToolFailed)
    assert outcome.wire["_meta"][CODE_META] == code
    assert not outcome.transient


async def test_choice_call_and_requests_read_as_one_story(place: Path, upstream: Upstream) -> None:
    upstream.answers["/gone"] = Answer(status=404)
    async with Host.open(place) as host, host.decide("is it warm?", ["ask_api", "ask_other"]) as choice:
        result = await host.call_recorded("ask_api", {"what": "http", "url": url(upstream)})
        await host.call("ask_api", {"what": "http", "url": url(upstream, "/gone")})
    database = Database()
    told = await database.run(lambda connection: story(connection, choice.trace_id))
    database.close()
    assert [each.chosen for each in told.decisions] == ["ask_api"]
    assert [each.id for each in told.calls] == choice.calls
    first, second = told.requests
    assert first.call == result.record and second.call == choice.calls[1]
    assert (first.method, first.status, first.url) == ("GET", 200, url(upstream))
    assert second.status == 404
    assert choice.trace_id in upstream.seen[0].headers["traceparent"]
    assert "hidden" not in repr(told)


async def test_two_hosts_keep_the_data_of_a_unit_apart(
    place: Path, tmp_path: Path, upstream: Upstream
) -> None:
    other = tmp_path / "other"
    unit(other / "units", "ask_api")
    found = []
    for each in (place, configured(other, upstream)):
        async with Host.open(each) as host:
            outcome = await host.call("ask_api", {"what": "data"})
        assert isinstance(outcome, Answered)
        found.append(outcome.value["got"])
    assert len(set(found)) == 2


@pytest.mark.parametrize(
    "table",
    [
        '[units.origins."http://example.com"]\ncredential = "api"',
        '[units.origins."https://me@example.com"]\ncredential = "api"',
        '[units.origins."https://example.com/v1/x"]\ncredential = "api"',
        '[units.origins."https://*.example.com"]\ncredential = "api"',
        '[units.origins."https://example.com"]\ncredential = "nobody"',
        '[units.origins."https://example.com"]\nheaders = { Host = "x" }',
        '[units.origins."https://example.com"]\nheaders = { X-Api-Key = "' + "k3yX" * 9 + '" }',
        '[units.secrets]\nAPI_KEY = "plain"',
        '[units.secrets]\nAPI_KEY = { env = "A", file = "b" }',
    ],
)
async def test_a_configuration_that_cannot_be_meant_is_refused_with_its_line(
    tmp_path: Path, table: str
) -> None:
    file = tmp_path / "prowess.toml"
    file.write_text(f'[credentials.api]\ntokens = [{{ env = "T" }}]\n{table}\n')
    with pytest.raises(UsageError) as caught:
        load_config(str(file))
    assert "prowess.toml:" in caught.value.message
