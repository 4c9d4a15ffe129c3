"""Skills all the way: one Prowess serves them over stdio, another uses them as its server's."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from pathlib import Path

import pytest
from tests.bounds import bound
from tests.skills_mcp.packaging import Packages, request, skill_text
from tests.skills_mcp.person import Person

from prowess.capability.skill_entry import EXTENSION
from prowess.errors import SkillRefused
from prowess.host import Host
from prowess.host.storing import Store
from prowess.serve.skills import SkillsOffer

pytestmark = pytest.mark.anyio

SCHEMA = "https://agent-plugins.org/schemas/1.0.0/mcp.schema.json"


async def test_what_one_serves_the_other_uses_and_serves_on(
    packages: Packages, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}:{os.environ['PATH']}")
    text = "---\nname: pdf\ndescription: d\nmetadata:\n  version: '1.0'\n---\nRead the forms.\n"
    served = packages.package("served", {"pdf": {"SKILL.md": text, "a/forms.bin": b"\xff\x00"}})
    using = packages.package("using", {"sum": {"SKILL.md": skill_text("sum")}})
    server = {
        "type": "stdio",
        "command": Path(sys.executable).name,
        "args": ["-m", "prowess", "serve", str(served), "--stdio"],
    }
    (using / "mcp.json").write_text(json.dumps({"$schema": SCHEMA, "mcpServers": {"up": server}}))
    async with asyncio.timeout(bound(30)):
        async with Host.open(using, approver=Person(), store=Store.in_memory()) as host:
            (offer,) = host.offers
            assert offer.capabilities["extensions"][EXTENSION] == {"directoryRead": True}
            (skill,) = await host.remote_skills()
            assert skill.name == "up:pdf" and skill.entry.frontmatter["metadata"] == {"version": "1.0"}
            active = await host.activate_skill("up:pdf")
            assert "Read the forms." in active.text and active.files == ("a/forms.bin",)
            assert (await host.skill_file("up:pdf", "a/forms.bin")).content == b"\xff\x00"

            gateway = SkillsOffer(host)
            entries = (await gateway.answer(request("skills/list")))["skills"]
            assert [each["uri"] for each in entries] == ["skill://sum/SKILL.md", "skill://pdf/SKILL.md"]
            below = await gateway.answer(request("resources/directory/read", uri="skill://pdf/a"))
            assert [each["uri"] for each in below["resources"]] == ["skill://pdf/a/forms.bin"]

            (served / "skills" / "pdf" / "SKILL.md").write_text(text + "And sign them.\n")
            with pytest.raises(SkillRefused):
                await host.skill_file("up:pdf", "a/none.bin")
            assert "And sign them." in (await host.activate_skill("up:pdf")).text
