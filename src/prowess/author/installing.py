"""Install, update and remove packages: fetch, judge, describe, and put in place once somebody agreed.

Nothing of a package is imported or started on the way. What is prepared stands in a folder that nobody
looks at, and is gone at the end unless it was installed.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from prowess.author.describing import Ability, abilities_of, in_order
from prowess.author.describing_findings import findings
from prowess.author.fetching import fetch
from prowess.author.trust import Difference, difference, must_ask, trusted_too
from prowess.errors import SourceRefused, StoreFailed, UsageError
from prowess.source.archive_bounds import Bounds
from prowess.source.judging import judge
from prowess.spec.diagnostics import Reach
from prowess.store.directories import source_identity
from prowess.store.installed import Scope
from prowess.store.installed_changing import delete_tree, put, rewrite, staging, take_away
from prowess.store.lock import Installed, Origin


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A package that is ready to be installed.

    `one` is what the lock will say, `before` what it says of that name now, `root` where the package
    waits. `notes` are what was left out and what does not load.
    """

    scope: Scope
    one: Installed
    before: Installed | None
    root: str
    abilities: tuple[Ability, ...]
    difference: Difference
    notes: tuple[str, ...] = ()
    sizes: Mapping[str, int] = field(default_factory=dict)

    @property
    def must_ask(self) -> bool:
        """Whether a person has to agree first."""
        return must_ask(self.before, self.one.digest, self.difference.gained)

    @property
    def is_same(self) -> bool:
        """Whether exactly this content is what the lock says already."""
        return self.before is not None and self.before.digest == self.one.digest


@contextmanager
def prepared(
    scope: Scope,
    origin: Origin,
    *,
    updates: Installed | None = None,
    digest: str = "",
    bounds: Bounds | None = None,
) -> Iterator[Prepared]:
    """Fetch and judge what `origin` names, for as long as the block lasts.

    `updates` is the installed package that it is another state of, whatever the origin; `digest` is what
    its content has to be. Raises SourceRefused, PackageRejected, UsageError where a package of that
    name came from somewhere else, and StoreFailed where the lock says something else of it by now.
    """
    with staging(scope) as folder:
        origin, unpacked = fetch(origin, base=scope.base, into=folder, bounds=bounds)
        contents = unpacked.contents
        if digest and contents.digest != digest:
            raise SourceRefused(
                f"{origin.words} is not what the lock says: it has {contents.digest}",
                code="digest-mismatch",
                hint="prowess update looks at what changed",
            )
        judgement = judge(unpacked.root)
        manifest = judgement.accepted.manifest
        before = scope.read().installed.get(manifest.name)
        _insist_on_same(manifest.name, origin, before, updates)
        found = in_order([*abilities_of(unpacked.root, judgement), *findings(unpacked.root, contents.files)])
        one = Installed(
            name=manifest.name,
            version=manifest.version or "",
            origin=origin,
            identity=before.identity if before is not None else identity_of(origin, scope),
            digest=contents.digest,
            files=contents.files,
            abilities=tuple(each.plain for each in found),
            trusted=before.trusted if before is not None else {},
            tools=before.tools if before is not None else {},
        )
        skipped = [each for each in judgement.diagnostics if each.reach >= Reach.ENTRY]
        yield Prepared(
            scope=scope,
            one=one,
            before=before,
            root=unpacked.root,
            abilities=found,
            difference=difference(before, contents.files, found),
            notes=(*contents.notes, *(f"{each.place} does not load: {each.message}" for each in skipped)),
            sizes=_sizes(unpacked.root, contents.files),
        )


def install(ready: Prepared) -> Installed:
    """Put a prepared package in place; whoever calls has asked. Raises StoreFailed."""
    one = replace(ready.one, trusted=trusted_too(ready.before, ready.one.digest))
    put(ready.scope, ready.root, one, before=ready.before)
    return one


def restore(ready: Prepared) -> None:
    """Put the content that the lock names back in place; the lock stays as it is. Raises StoreFailed."""
    assert ready.before is not None
    put(ready.scope, ready.root, ready.before, before=ready.before)


def remove(scope: Scope, one: Installed, *, data: bool) -> str:
    """Remove a package, and with `data` its PLUGIN_DATA; where that is. Raises StoreFailed."""
    where = scope.data(one)
    take_away(scope, one)
    if data:
        delete_tree(where)
    return where


def pin(scope: Scope, one: Installed, tools: Mapping[str, Mapping[str, str]]) -> Installed:
    """Remember the digests of a package's tools, by server. Raises StoreFailed."""
    pinned = replace(one, tools=tools)
    rewrite(scope, pinned, before=one)
    return pinned


def identity_of(origin: Origin, scope: Scope) -> str:
    """What tells packages of one name apart: where they came from, whatever the ref."""
    place = origin.place
    if origin.kind != "git" and os.path.isabs(place):
        place = source_identity(place)
    said = "\0".join((scope.name, origin.kind, place, origin.subdirectory))
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def _insist_on_same(name: str, origin: Origin, before: Installed | None, updates: Installed | None) -> None:
    if updates is not None and updates.name != name:
        raise UsageError(
            f"what is there now is called {name}, and no update of {updates.name}",
            hint="add it as a package of its own",
        )
    if updates is not None and before != updates:
        raise StoreFailed(
            f"{name} was changed by another process meanwhile, so nothing was done", hint="look again"
        )
    if before is None or updates is not None:
        return
    if _source(origin) != _source(before.origin):
        raise UsageError(
            f"{name} is installed from {before.origin.words}",
            hint=f"prowess update {name} --from SOURCE keeps its data; or first: prowess remove {name}",
        )


def _source(origin: Origin) -> tuple[str, str, str]:
    return origin.kind, origin.place, origin.subdirectory


def _sizes(root: str, files: Mapping[str, str]) -> dict[str, int]:
    return {name: os.lstat(os.path.join(root, *name.split("/"))).st_size for name in files}
