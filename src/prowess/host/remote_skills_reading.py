"""Files of a skill that a server serves, read when they are needed and believed only when they fit.

MCP extension `io.modelcontextprotocol/skills` (SEP-2640), "Integrity and Verification". Each file is asked
of the server that its entry came from, and is used only with the size and the digest of the entry; a
SKILL.md must have the entry's frontmatter too. What fits is kept on disk, and held against the entry
again when it is taken from there. That it fits says nothing about whether it can be trusted.
"""

from __future__ import annotations

import hashlib
from typing import Protocol

from prowess.capability.skill_entry import MOST_BYTES
from prowess.errors import SkillRefused
from prowess.host.remote_skills_consent import RemoteSkill
from prowess.link.skills import Ask, read_bytes
from prowess.redact import printable
from prowess.spec.frontmatter_json import differing


class Kept(Protocol):
    """Where files that were verified are kept."""

    def get(self, server: str, uri: str, *, digest: str, size: int) -> bytes | None:
        """The bytes of a file, if they have this size and digest now."""
        ...

    def put(self, server: str, uri: str, data: bytes) -> None:
        """Keep a file."""
        ...


async def verified(skill: RemoteSkill, uri: str, ask: Ask, kept: Kept | None) -> bytes:
    """The bytes of a listed file. Raises SkillRefused, and RequestFailed for what the server refuses."""
    entry = skill.entry
    listed = entry.file(uri)
    if entry.files is not None and listed is None:
        raise SkillRefused(
            f"{printable(uri, 300)} is not among the files that {printable(skill.name)} lists",
            code="skill-unlisted",
        )
    data = None
    if listed is not None and kept is not None:
        data = kept.get(skill.server, uri, digest=listed.digest, size=listed.size)
    if data is None:
        data = await read_bytes(ask, uri)
        if listed is None:
            _insist_on_bounds(skill, data)
        else:
            _insist(skill, uri, data, listed.digest, listed.size)
            if kept is not None:
                kept.put(skill.server, uri, data)
    if uri == skill.uri:
        _insist_on_frontmatter(skill, data)
    return data


def _insist(skill: RemoteSkill, uri: str, data: bytes, digest: str, size: int) -> None:
    if len(data) != size:
        raise _mismatch(skill, f"{printable(uri, 300)} has {len(data)} bytes and not {size}")
    if f"sha256:{hashlib.sha256(data).hexdigest()}" != digest:
        raise _mismatch(skill, f"{printable(uri, 300)} has another digest")


def _insist_on_frontmatter(skill: RemoteSkill, data: bytes) -> None:
    if fields := differing(data, skill.entry.frontmatter):
        raise _mismatch(skill, f"the frontmatter differs in {', '.join(fields[:10])}")


def _insist_on_bounds(skill: RemoteSkill, data: bytes) -> None:
    if len(data) > MOST_BYTES:
        raise SkillRefused(
            f"{printable(skill.name)} has more than {MOST_BYTES} bytes", code="skill-too-large"
        )


def _mismatch(skill: RemoteSkill, what: str) -> SkillRefused:
    return SkillRefused(
        f"what {printable(skill.server)} sent of {printable(skill.name)} is not what it listed: {what}",
        code="skill-mismatch",
    )
