"""A Provider that serves skills, and does what a test makes it do; it keeps what it was asked."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Mapping
from typing import Any

from tests.skills_mcp.packaging import skill_text

from prowess.capability.offer import Offer, Resource, Status
from prowess.capability.skill_entry import EXTENSION
from prowess.errors import NotFound, RequestFailed
from prowess.provider import Caller, Invocation, Outcome, Peer

MODERN, LEGACY = "2026-07-28", "2025-11-25"


def listed(uri: str, content: bytes) -> dict[str, Any]:
    """A `SkillResource` that is true."""
    return {
        "uri": uri,
        "digest": f"sha256:{hashlib.sha256(content).hexdigest()}",
        "size": len(content),
    }


class ServerOfSkills:
    """`files` are the bytes by URI, `entries` the entries by URI; both may be changed at any time."""

    def __init__(
        self, label: str, *, protocol: str = MODERN, settings: Mapping[str, Any] | None = None
    ) -> None:
        self.label = label
        self.protocol = protocol
        self.settings: Mapping[str, Any] | None = {"directoryRead": True} if settings is None else settings
        self.status: Status = "connected"
        self.files: dict[str, bytes] = {}
        self.entries: dict[str, dict[str, Any]] = {}
        self.unlisted: set[str] = set()
        self.asked: list[tuple[str, str]] = []
        self.ttl_ms: float = 0
        self.page_size = 1_000
        self.resources: list[str] = []
        self.failing: dict[str, RequestFailed] = {}

    def skill(self, path: str, files: Mapping[str, str | bytes] | None = None, **more: Any) -> str:
        """Serve a skill whose entry is true; the URI of its SKILL.md."""
        name = path.rpartition("/")[2]
        root = f"skill://{path}"
        contents = {"SKILL.md": skill_text(name), **(files or {})}
        found = {
            f"{root}/{each}": text.encode() if isinstance(text, str) else text
            for each, text in contents.items()
        }
        self.files.update(found)
        frontmatter = {"name": name, "description": "Does a thing. Use when asked.", **more}
        uri = f"{root}/SKILL.md"
        resources = [listed(each, content) for each, content in found.items()]
        self.entries[uri] = {"uri": uri, "frontmatter": frontmatter, "resources": resources}
        return uri

    def change(self, uri: str, content: str | bytes) -> None:
        """Serve another content of a file, and say so in the entries that list it."""
        data = content.encode() if isinstance(content, str) else content
        self.files[uri] = data
        for entry in self.entries.values():
            if isinstance(entry["resources"], list):
                known = [each["uri"] for each in entry["resources"]]
                if uri in known:
                    entry["resources"][known.index(uri)] = listed(uri, data)

    def methods(self) -> list[str]:
        return [method for method, _ in self.asked]

    def reads(self) -> list[str]:
        return [uri for method, uri in self.asked if method == "resources/read"]

    # -- the Provider --------------------------------------------------------------------------------

    async def open(self) -> Offer:
        return self.offer()

    def offer(self) -> Offer:
        extensions = {} if self.settings is None else {"extensions": {EXTENSION: self.settings}}
        return Offer(
            id=self.label,
            type="memory",
            status=self.status,
            protocol=self.protocol,
            resources=tuple(
                Resource(server=self.label, wire={"uri": each, "name": "theirs"}) for each in self.resources
            ),
            capabilities={"resources": {}, **extensions},
        )

    async def call(self, invocation: Invocation) -> Outcome:
        raise NotFound("no tools here")

    async def close(self) -> None:
        return

    async def ask(
        self,
        method: str,
        params: Mapping[str, Any],
        *,
        peer: Peer | None = None,
        caller: Caller | None = None,
        timeout: float = 60.0,
    ) -> Mapping[str, Any]:
        self.asked.append((method, str(params.get("uri", ""))))
        if method in self.failing:
            raise self.failing[method]
        uri = str(params.get("uri"))
        if method == "skills/list":
            return self._page(str(params.get("cursor") or "0"))
        if method == "skills/get" and uri in self.entries:
            return {"resultType": "complete", "skill": self.entries[uri], "ttlMs": 0, "cacheScope": "private"}
        if method == "resources/read" and uri in self.files:
            return {"resultType": "complete", "contents": [self._content(uri)]}
        if method == "resources/directory/read" and uri.startswith("skill://"):
            return {"resultType": "complete", "resources": [{"uri": f"{uri}/seen", "name": "seen"}]}
        raise RequestFailed(f"nothing at {uri}", number=-32602)

    def _page(self, cursor: str) -> dict[str, Any]:
        entries = [each for uri, each in self.entries.items() if uri not in self.unlisted]
        start = int(cursor)
        page = entries[start : start + self.page_size]
        more = {"nextCursor": str(start + self.page_size)} if start + self.page_size < len(entries) else {}
        return {
            "resultType": "complete",
            "skills": page,
            "ttlMs": self.ttl_ms,
            "cacheScope": "public",
            **more,
        }

    def _content(self, uri: str) -> dict[str, Any]:
        data = self.files[uri]
        try:
            return {"uri": uri, "text": data.decode()}
        except UnicodeDecodeError:
            return {"uri": uri, "blob": base64.b64encode(data).decode()}
