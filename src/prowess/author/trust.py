"""Whether an install may go on: what was agreed to before, and what is new since.

Trust is given to a content digest, once. An update that lets a package do nothing new goes on without a
question, and is remembered as trusted; one that adds an ability asks again. Pure: who is asked, and how,
is the caller's matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime

from prowess.author.describing import Ability, kept_abilities
from prowess.store.lock import Installed

MOST_KEPT = 50  # digests of one package that stay trusted


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """What an update changes: abilities gained and lost, and files added, removed and changed."""

    gained: tuple[Ability, ...] = ()
    lost: tuple[Ability, ...] = ()
    added: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    changed: tuple[str, ...] = ()

    @property
    def files(self) -> int:
        """How many files are not what they were."""
        return len(self.added) + len(self.removed) + len(self.changed)


def difference(
    before: Installed | None, files: Mapping[str, str], abilities: Iterable[Ability]
) -> Difference:
    """What installing these files and abilities changes about `before`. Where nobody agreed to that, every
    ability is a new one, whatever a lock says that somebody may have written by hand."""
    old_files = before.files if before is not None else {}
    old = set(kept_abilities(before.abilities)) if before is not None and before.is_trusted else set()
    new = tuple(abilities)
    return Difference(
        gained=tuple(each for each in new if each not in old),
        lost=tuple(sorted(old - set(new))),
        added=tuple(sorted(files.keys() - old_files.keys())),
        removed=tuple(sorted(old_files.keys() - files.keys())),
        changed=tuple(
            sorted(each for each in files.keys() & old_files.keys() if files[each] != old_files[each])
        ),
    )


def must_ask(before: Installed | None, digest: str, gained: Sequence[Ability]) -> bool:
    """Whether a person has to agree before content with this digest takes the place of `before`."""
    if before is None or not before.is_trusted:
        return before is None or digest not in before.trusted
    return digest not in before.trusted and bool(gained)


def trusted_too(before: Installed | None, digest: str, now: datetime | None = None) -> dict[str, str]:
    """The digests that are trusted, with `digest` among them."""
    said = dict(before.trusted) if before is not None else {}
    said.pop(digest, None)
    moment = (now or datetime.now(UTC)).strftime("%Y-%m-%dT%H:%M:%SZ")
    kept = list(said.items())[-(MOST_KEPT - 1) :]
    return dict([*kept, (digest, moment)])
