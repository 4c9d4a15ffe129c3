#!/usr/bin/env python3
"""The client of the skills scenarios of the public MCP suite: a Prowess host at a server of the suite.

The suite starts this with the URL of its server as the last argument and names the scenario in the
environment. The host connects, lists the skills, and a person (here: this program) approves each; then,
unless the scenario is about reading nothing, each is activated and its files are read. A skill that is
refused because it is not what was listed is an answer, so the exit status is 0 for it.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import tempfile
from pathlib import Path

from prowess.errors import SkillRefused
from prowess.host import Host
from prowess.host.storing import Store
from prowess.store.remembered import ApprovalRequest

SECONDS = 30.0
SCHEMAS = "https://agent-plugins.org/schemas/1.0.0"


class Yes:
    """The person of these tests, who says yes to everything."""

    async def approve(self, request: ApprovalRequest) -> bool:
        """Yes."""
        return True


def package(folder: Path, url: str) -> Path:
    """A package whose one server is at `url`."""
    server = {"type": "streamable-http", "url": url}
    (folder / "plugin.json").write_text(
        json.dumps({"$schema": f"{SCHEMAS}/plugin.schema.json", "name": "suite"})
    )
    (folder / "mcp.json").write_text(
        json.dumps({"$schema": f"{SCHEMAS}/mcp.schema.json", "mcpServers": {"suite": server}})
    )
    return folder


async def drive(path: Path, *, load: bool) -> None:
    """List and approve; with `load` also activate each skill and read its files."""
    async with Host.open(path, approver=Yes(), store=Store.in_memory()) as host:
        for skill in await host.remote_skills():
            await host.approve_skill(skill)
            print(f"{skill.name}: {len(skill.entry.files or ())} files, approved")
            if load:
                await use(host, skill.name)


async def use(host: Host, name: str) -> None:
    """Activate one skill and read every file it lists; say why where it is refused."""
    try:
        active = await host.activate_skill(name)
        for path in active.files:
            file = await host.skill_file(name, path)
            print(f"{name}/{path}: {len(file.content)} bytes")
    except SkillRefused as refused:
        print(f"{name} refused ({refused.code}): {refused.message}")


def main(argv: list[str]) -> int:
    """Drive a host against the server at the URL named last."""
    if len(argv) != 1:
        print("usage: skills_client.py URL", file=sys.stderr)
        return 2
    load = "no-prefetch" not in os.environ.get("MCP_CONFORMANCE_SCENARIO", "")
    with tempfile.TemporaryDirectory(prefix="skills-client-") as folder:
        for name in ("XDG_DATA_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
            os.environ[name] = os.path.join(folder, "home")
        place = Path(folder, "package")
        place.mkdir()
        asyncio.run(asyncio.wait_for(drive(package(place, argv[0]), load=load), SECONDS))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
