"""What a person who looks at a Host sees: packages, rejected ones too, the store, what servers wrote."""

from __future__ import annotations

from pathlib import Path

import pytest

from prowess import Host
from prowess.capability.offer import Offer
from prowess.errors import NotFound, PackageRejected
from prowess.host.hints import HINTS, hint_of
from prowess.host.storing import Store
from prowess.provider import MemoryProvider

pytestmark = pytest.mark.anyio
SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"


def plugin(folder: Path, name: str) -> str:
    folder.mkdir()
    (folder / "plugin.json").write_text(f'{{"$schema": "{SCHEMA}", "name": "{name}"}}')
    return str(folder)


async def test_a_rejected_package_alone_is_kept_where_that_is_wanted(tmp_path: Path) -> None:
    path = plugin(tmp_path / "a", "No Name")
    async with Host.open(path, keep_rejected=True) as host:
        assert host.packages == ()
        assert [each.rejected is not None for each in host.rejected.values()] == [True]
        assert await host.tools() == ()
        with pytest.raises(NotFound):
            host.snapshot()
    with pytest.raises(PackageRejected):
        async with Host.open(path):
            pytest.fail("it is rejected")


async def test_the_packages_are_those_that_load(tmp_path: Path) -> None:
    paths = [plugin(tmp_path / "a", "one"), plugin(tmp_path / "b", "No Name")]
    async with Host.open(paths) as host:
        assert [each.label for each in host.packages] == ["one"]


async def test_a_provider_that_writes_no_stderr_has_none(tmp_path: Path) -> None:
    store = Store.in_memory()
    given = [MemoryProvider("memory", {})]
    async with Host.open(plugin(tmp_path / "a", "one"), providers=given, store=store) as host:
        assert host.store is store
        assert [host.stderr(each) for each in ("memory", "nobody")] == ["", ""]


def test_a_server_that_is_down_has_a_hint_by_its_reason() -> None:
    def hint(code: str) -> str:
        return hint_of(Offer(id="s", type="sse", status="failed", reason_code=code))

    assert hint("timeout") == HINTS["timeout"]
    assert hint("http-404")
    assert hint("something-else") == ""
