"""`ctx.secret`, `ctx.data_dir` and `ctx.log` of one call."""

from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest
from tests.units.context.conftest import Desk

from prowess.errors import AccessDenied, CredentialFailed, Undeclared
from prowess.provider import Invocation
from prowess.units.context import Contexts
from prowess.units.model import Permissions, Unit

pytestmark = pytest.mark.anyio


async def test_a_declared_secret_is_handed_out(desk: Desk) -> None:
    desk.secrets["API_KEY"] = "k-41"
    async with desk.context(secrets=["API_KEY"]) as ctx:
        assert ctx.secret("API_KEY") == "k-41"


async def test_an_undeclared_secret_is_refused(desk: Desk) -> None:
    desk.secrets.update(API_KEY="k-41", OTHER="k-42")
    async with desk.context(secrets=["API_KEY"]) as ctx:
        with pytest.raises(Undeclared) as caught:
            ctx.secret("OTHER")
    assert caught.value.code == "secret-undeclared"
    assert isinstance(caught.value, AccessDenied)
    assert [each["code"] for each in desk.logged("unit-refused")] == ["secret-undeclared"]
    assert "k-42" not in repr(desk.events)


async def test_a_refusal_that_a_unit_swallows_is_in_the_log(desk: Desk) -> None:
    async with desk.context() as ctx:
        try:
            ctx.secret("OTHER")
        except Exception:
            pass
    assert len(desk.logged("unit-refused")) == 1


async def test_a_declared_secret_that_is_kept_nowhere_is_missing() -> None:
    unit = Unit(name="ask", description="Asks.", permissions=Permissions(secrets=("API_KEY",)))
    async with Contexts()(unit, Invocation(tool="ask")) as ctx:
        with pytest.raises(CredentialFailed) as caught:
            ctx.secret("API_KEY")
    assert caught.value.code == "credential-missing"


async def test_the_data_directory_is_private_and_outlives_calls_and_versions(desk: Desk) -> None:
    async with desk.context() as ctx:
        first: Path = ctx.data_dir
        (first / "kept").write_text("yes")
    assert stat.S_IMODE(os.stat(first).st_mode) == 0o700
    async with desk.context(version="2.0.0") as ctx:
        assert (ctx.data_dir / "kept").read_text() == "yes"


async def test_units_and_places_have_directories_of_their_own(desk: Desk) -> None:
    found = []
    for name, identity in (("one", "here"), ("two", "here"), ("one", "there")):
        desk.options["identity"] = identity
        async with desk.context(name=name) as ctx:
            found.append(ctx.data_dir)
    assert len(set(found)) == 3


async def test_a_log_line_names_the_unit_and_holds_what_it_said(desk: Desk) -> None:
    async with desk.context() as ctx:
        ctx.log("looked up", city="Oslo", event="kept apart", unit="too", found=[1, {"a": {2}}], odd=desk)
    (line,) = desk.logged("unit-log")
    assert (line["unit"], line["said"]) == ("ask_api@1.0.0", "looked up")
    assert line["fields"]["city"] == "Oslo" and line["fields"]["event"] == "kept apart"
    assert line["fields"]["found"] == [1, {"a": [2]}]
    assert isinstance(line["fields"]["odd"], str)
