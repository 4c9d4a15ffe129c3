"""What a person who looks at a Host sees beside what it offers: packages, the store, what servers wrote.

Nothing here changes anything, and no client of an endpoint reaches it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from prowess.host.packages import Package
from prowess.provider import Provider

if TYPE_CHECKING:
    from prowess.host.calling import Calling
    from prowess.host.skill_watching import SkillWatching
    from prowess.host.storing import Store


class Looking:
    """The part of a Host that is for people who look."""

    _watching: SkillWatching
    _calling: Calling
    _providers: Sequence[Provider]

    @property
    def packages(self) -> tuple[Package, ...]:
        """The plugins and folders of skills of this Host, as they are now.

        Where units, content or workflows are here without a plugin, one of no specification stands for them.
        """
        return self._watching.packages

    @property
    def store(self) -> Store:
        """Where pins, approvals and records are kept."""
        return self._calling.store

    def masked(self, text: str) -> str:
        """A text without the secrets that this Host holds; what a server says may repeat one."""
        return self._calling.secrets.exact(text)

    def stderr(self, server: str) -> str:
        """The end of what a server wrote to stderr since its last start, secrets masked; or nothing."""
        found = next((each for each in self._providers if each.label == server), None)
        said = getattr(found, "stderr", None)
        return str(said()) if said is not None else ""
