"""A Host of several paths at once."""

from __future__ import annotations

from pathlib import Path

import pytest

from prowess import Host
from prowess.errors import UsageError
from prowess.host.setup import setup_of

pytestmark = pytest.mark.anyio
SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"


def plugin(folder: Path, name: str) -> str:
    folder.mkdir()
    (folder / "plugin.json").write_text(f'{{"$schema": "{SCHEMA}", "name": "{name}"}}')
    return str(folder)


def guides(folder: Path) -> str:
    (folder / "resources").mkdir(parents=True)
    (folder / "resources" / "api.md").write_text("# API\n")
    return str(folder)


async def test_plugins_and_content_are_offered_together(tmp_path: Path) -> None:
    paths = [plugin(tmp_path / "a", "one"), plugin(tmp_path / "b", "two"), guides(tmp_path / "guides")]
    async with Host.open(paths) as host:
        assert set(host.judgements) == {"one", "two"}
        assert [each.id for each in host.offers] == ["content"]


async def test_a_path_given_twice_counts_once(tmp_path: Path) -> None:
    path = plugin(tmp_path / "a", "one")
    async with Host.open([path, path]) as host:
        assert host.judgement.accepted.manifest.name == "one"


def test_a_configuration_stands_alone(tmp_path: Path) -> None:
    (tmp_path / "prowess.toml").write_text("[policy]\n")
    with pytest.raises(UsageError):
        setup_of([str(tmp_path / "prowess.toml"), plugin(tmp_path / "a", "one")])


def test_no_path_at_all_is_refused() -> None:
    with pytest.raises(UsageError):
        setup_of([])
