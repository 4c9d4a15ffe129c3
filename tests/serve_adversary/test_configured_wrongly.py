"""What would never work is said at once: tokens for servers that are not there, connections to nothing."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from prowess.cli import main
from prowess.errors import UsageError
from prowess.host import Host
from prowess.host.storing import Store

SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"


def configured(folder: Path, servers: str) -> Path:
    (folder / "shop").mkdir()
    (folder / "shop" / "plugin.json").write_text(json.dumps({"$schema": SCHEMA, "name": "shop"}))
    (folder / "units").mkdir()
    file = folder / "prowess.toml"
    file.write_text(
        'format = 1\n[plugins]\nshop = "shop"\n[units]\npaths = ["units"]\n[serve.tokens.ann]\n'
        f'token = {{ env = "ANN_TOKEN" }}\nservers = {servers}\n'
    )
    return file


@pytest.mark.anyio
@pytest.mark.parametrize("servers", ['["shop/api"]', '["units", "shops"]', '["shop/*", "unit"]'])
async def test_a_token_for_a_server_that_is_not_there_is_refused(tmp_path: Path, servers: str) -> None:
    with pytest.raises(UsageError):
        async with Host.open(configured(tmp_path, servers), store=Store.in_memory()):
            pass


@pytest.mark.anyio
@pytest.mark.parametrize("servers", ['["shop"]', '["shop/*"]', '["units"]', '["*"]', '["other/*"]'])
async def test_a_token_may_name_a_server_a_plugin_or_a_pattern(tmp_path: Path, servers: str) -> None:
    async with Host.open(configured(tmp_path, servers), store=Store.in_memory()) as host:
        assert host.offers


def test_a_client_is_not_connected_to_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(["connect", "claude-code", "--yes"]) == 2
    assert not list(tmp_path.iterdir())
