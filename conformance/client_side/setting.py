"""What one scenario is about, and the plugin and `prowess.toml` that a user would have for it."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

CREDENTIAL = "suite"
DOCUMENT = "https://conformance-test.local/client-metadata.json"  # the suite knows this client by it


@dataclass(frozen=True, slots=True, kw_only=True)
class Setting:
    """The server, the name of the scenario and what the suite tells its client beside."""

    url: str
    scenario: str
    context: Mapping[str, Any] = field(default_factory=dict)

    @property
    def signs_in(self) -> bool:
        """Whether the server wants a token."""
        return self.scenario.startswith("auth/")


def written(setting: Setting, folder: str) -> str:
    """Write the configuration into `folder`; its path."""
    plugin = Path(folder, "plugin")
    plugin.mkdir()
    manifest = {
        "$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json",
        "name": "suite",
        "version": "1.0.0",
        "description": "The server of one scenario.",
    }
    entry = {"type": "streamable-http", "url": setting.url}
    (plugin / "plugin.json").write_text(json.dumps(manifest))
    (plugin / "mcp.json").write_text(
        json.dumps(
            {
                "$schema": "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json",
                "mcpServers": {"server": entry},
            }
        )
    )
    lines = ["[plugins]", 'suite = "plugin"', ""]
    if setting.signs_in:
        lines += [f"[credentials.{CREDENTIAL}]", f"tokens = [{_token(setting)}]", ""]
        lines += ['[servers."suite/server"]', f'credential = "{CREDENTIAL}"', ""]
    config = Path(folder, "prowess.toml")
    config.write_text("\n".join(lines))
    return str(config)


def _token(setting: Setting) -> str:
    given = setting.context
    fields = [
        'grant = "sign-in"',
        f"resource = {json.dumps(setting.url)}",
        f"client_id = {json.dumps(given.get('client_id', DOCUMENT))}",
    ]
    if "client_secret" in given:
        os.environ["SUITE_CLIENT_SECRET"] = given["client_secret"]
        fields.append('client_secret = { env = "SUITE_CLIENT_SECRET" }')
    return f"{{ {', '.join(fields)} }}"
