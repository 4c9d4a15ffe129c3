"""Skills that appear, change or go while a Host lives are offered anew, and whoever listens is told.

The folders are looked at every so often: names and times of the directories and of each SKILL.md, and
nothing is read until one of them is another one. Long looks are made more rarely. Nothing is written.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace

from prowess.host import local_skills
from prowess.host.packages import Package
from prowess.provider import Change
from prowess.source.judging import judge

SECONDS = 0.5
SHARE = 20  # a look takes at most one part in so many of the time
WIDEST = 10_000

Hear = Callable[[Change], None]


class SkillWatching:
    """Looks, and keeps the packages of one Host as they are on disk."""

    def __init__(self, packages: Sequence[Package], *, seconds: float = SECONDS) -> None:
        self.packages = tuple(packages)
        self.version = 0  # another number whenever the skills are other ones
        self._seconds = seconds
        self._seen = fingerprint(self.packages)
        self._listening: list[Hear] = []
        self._task: asyncio.Task[None] | None = None

    def begin(self) -> None:
        """Look from now on."""
        if self._task is None and self.packages:
            self._task = asyncio.ensure_future(self._look())

    async def end(self) -> None:
        """Look no more, at once."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    def listen(self, hear: Hear) -> Callable[[], None]:
        """Tell `hear` of every change; what comes back ends it."""
        self._listening.append(hear)

        def end() -> None:
            with suppress(ValueError):
                self._listening.remove(hear)

        return end

    async def _look(self) -> None:
        rest = self._seconds
        while True:
            await asyncio.sleep(rest)
            begun = time.monotonic()
            await self.look_once()
            rest = max(self._seconds, SHARE * (time.monotonic() - begun))

    async def look_once(self) -> None:
        """Look now."""
        seen = await asyncio.to_thread(fingerprint, self.packages)
        if seen == self._seen:
            return
        self._seen = seen
        found = await asyncio.to_thread(_judged_again, self.packages)
        before = [(each.label, each.skills) for each in self.packages]
        self.packages = found
        self.version += 1
        changed = [
            each.label for each, (_, skills) in zip(found, before, strict=True) if each.skills != skills
        ]
        for label in changed or [found[0].label]:
            for hear in tuple(self._listening):
                hear(Change(server=label, kind="prompts"))
                hear(Change(server=label, kind="resources"))


def fingerprint(packages: Sequence[Package]) -> int:
    """A number that is another one when a skill of these packages was written, added or removed."""
    return hash(tuple(_of_folder(folder_of(each)) for each in packages))


def folder_of(package: Package) -> str:
    """Where the skills of a package are."""
    return package.root if package.is_local else os.path.join(package.root, "skills")


def _of_folder(folder: str) -> tuple[object, ...]:
    try:
        with os.scandir(folder) as entries:
            names = sorted(each.name for at, each in enumerate(entries) if at < WIDEST)
    except OSError:
        return ()
    return tuple((name, _stamp(os.path.join(folder, name, "SKILL.md"))) for name in names)


def _stamp(path: str) -> tuple[int, ...]:
    try:
        found = os.stat(path)
    except OSError:
        return ()
    return (found.st_ino, found.st_size, found.st_mtime_ns)


def _judged_again(packages: Sequence[Package]) -> tuple[Package, ...]:
    """The packages as they are on disk now; of a plugin only its skills, which start nothing."""
    local = [(each.label, each.root) for each in packages if each.is_local]
    profile = packages[0].judgement.profile
    again = {each.label: each for each in local_skills.packages(local, profile, ())[0]}
    return tuple(again[each.label] if each.is_local else _of_plugin(each) for each in packages)


def _of_plugin(package: Package) -> Package:
    now = judge(package.root, profile=package.judgement.profile)
    if now.plugin is None:  # being written, or broken: what it was is offered on
        return package
    plugin = replace(package.judgement.accepted, skills=now.plugin.skills)
    return replace(package, judgement=replace(package.judgement, plugin=plugin))
