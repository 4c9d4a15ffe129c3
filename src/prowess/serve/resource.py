"""What a protected resource says of itself (RFC 9728): where its tokens come from, and for what.

Clients find the document by the `resource_metadata` of a 401, or by its well-known place.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

from prowess.host.serving import OAuthSection

WELL_KNOWN = "/.well-known/oauth-protected-resource"


class Resource:
    """The document, where it is, and what a 401 says of it."""

    def __init__(self, section: OAuthSection, *, path: str) -> None:
        """`path` is where the endpoint is, as this server sees it; a proxy may put something before it."""
        self._section = section
        parts = urlsplit(section.identifier)
        outside = parts.path.rstrip("/")
        self.url = f"{parts.scheme}://{parts.netloc}{WELL_KNOWN}{outside}"
        self._places = {WELL_KNOWN, WELL_KNOWN + path, WELL_KNOWN + outside}

    def at(self, path: str) -> bool:
        """Whether the document is there."""
        return path in self._places

    def document(self) -> dict[str, Any]:
        """The metadata (RFC 9728, section 2)."""
        found: dict[str, Any] = {
            "resource": self._section.identifier,
            "authorization_servers": [self._section.issuer],
            "bearer_methods_supported": ["header"],
        }
        if self._section.required_scopes:
            found["scopes_supported"] = list(self._section.required_scopes)
        return found

    def challenge(self) -> list[str]:
        """The parameters of WWW-Authenticate that lead here."""
        parts = [f'resource_metadata="{self.url}"']
        if self._section.required_scopes:
            parts.append(f'scope="{" ".join(self._section.required_scopes)}"')
        return parts
