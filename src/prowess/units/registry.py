"""The units of a Host: found, indexed by name and version, loaded when used, found again on change.

Methods that read disks or import are slow and are called in a thread; `refresh` puts a whole new
set in place at once, so who looks meanwhile sees the old one or the new one.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from prowess.capability.change import Change
from prowess.capability.offer import Tool
from prowess.choose.versions import ordered
from prowess.errors import NotFound
from prowess.provider import Caller
from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic
from prowess.units.discovery import Found, Placed, discover
from prowess.units.loading import LoadFailed, Modules
from prowess.units.model import Unit, VersionChoice
from prowess.units.offering import difference, tool_of
from prowess.units.routing import plan
from prowess.units.running import Runner, runner_of

Key = tuple[str, str]


def newest(name: str, versions: Sequence[str], asked: str, caller: Caller) -> str:
    """The newest version that the range means, the newest stable one when none is asked for."""
    return plan(name, versions, asked, None).version


@dataclass(frozen=True, slots=True, kw_only=True)
class _Known:
    """One state of the registry, never changed after it is made."""

    placed: Mapping[Key, Placed] = field(default_factory=dict)
    tools: Mapping[Key, Tool] = field(default_factory=dict)
    versions: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    diagnostics: tuple[Diagnostic, ...] = ()
    failed: tuple[str, ...] = ()


class Registry:
    """Units below some roots."""

    def __init__(self, roots: Sequence[str], *, label: str = "units", choice: VersionChoice = newest) -> None:
        self._roots = tuple(roots)
        self._label = label
        self._choice = choice
        self._modules = Modules()
        self._runners: dict[Key, Runner] = {}
        self._known = _Known()
        self._chosen: _Known | None = None
        self._shown: tuple[Tool, ...] = ()
        self._lock = threading.Lock()

    @property
    def roots(self) -> tuple[str, ...]:
        """Where units are looked for."""
        return self._roots

    @property
    def units(self) -> tuple[Unit, ...]:
        """Every unit, all versions."""
        return tuple(each.unit for each in self._known.placed.values())

    @property
    def tools(self) -> tuple[Tool, ...]:
        """One tool for each name: the version that a caller gets who asks for none."""
        known = self._known
        if self._chosen is not known:
            self._chosen = known
            self._shown = self._shown_of(known, self._shown)
        return self._shown

    @property
    def diagnostics(self) -> tuple[Diagnostic, ...]:
        """What is wrong with the units that are not here, and what is worth knowing of the others."""
        return self._known.diagnostics

    @property
    def failed(self) -> tuple[str, ...]:
        """Roots that could not be read, each with its reason."""
        return self._known.failed

    def refresh(self) -> tuple[Change, ...]:
        """Look again; what differs from before. Blocking."""
        with self._lock:
            before = self._known
            stale = self._modules.forget_changed()
            known = self._made(discover(self._roots, self._modules), before)
            rewritten = [each.unit for each in known.placed.values() if each.unit.file in stale]
            for key in list(self._runners):
                now, then = known.placed.get(key), before.placed.get(key)
                if now is None or now != then or now.unit.file in stale:
                    del self._runners[key]
            self._known = known
            return difference(
                (each.unit for each in before.placed.values()),
                (each.unit for each in known.placed.values()),
                rewritten,
            )

    def rechoose(self) -> None:
        """Who gets which version has changed: what is shown is chosen anew when it is next asked for.

        It waits for nothing, since the choice itself calls it, a `refresh` under way included.
        """
        self._chosen = None

    def runner(self, unit: Unit) -> Runner | None:
        """What runs the unit, if it is loaded."""
        return self._runners.get((unit.name, unit.version))

    def load(self, unit: Unit) -> Runner:
        """The same, importing it now if need be. Blocking. Raises LoadFailed and NotFound."""
        with self._lock:
            key = (unit.name, unit.version)
            runner = self._runners.get(key)
            if runner is None:
                placed = self._known.placed.get(key)
                if placed is None:  # taken away between being found and being used
                    raise NotFound(f"no unit {printable(unit.title, 200)} any more")
                runner = runner_of(unit, self._modules, root=placed.root)
                self._runners[key] = runner
            return runner

    def load_all(self) -> list[Diagnostic]:
        """Import every unit now; what is wrong with those that fail. Blocking."""
        found = []
        for unit in self.units:
            try:
                self.load(unit)
            except LoadFailed as failed:
                found.append(failed.diagnostic)
        return found

    def versions_of(self, name: str) -> tuple[str, ...]:
        """The versions of a unit, oldest first; none for a name that there is not."""
        return self._known.versions.get(name, ())

    def tool(self, name: str, version: str) -> Tool:
        """One version as a tool. Raises NotFound."""
        found = self._known.tools.get((name, version))
        if found is None:
            raise NotFound(f"no unit {printable(f'{name}@{version}', 200)}")
        return found

    def resolve(self, name: str, asked: str, caller: Caller) -> Tool:
        """The version that this caller gets. Raises NotFound, and UsageError for what is no range."""
        known = self._known
        versions = known.versions.get(name)
        if not versions:
            raise NotFound(f"no unit named {printable(name, 80)}")
        if len(versions) == 1 and not asked:
            return known.tools[name, versions[0]]
        return known.tools[name, self._choice(name, versions, asked, caller)]

    def unit(self, name: str, version: str) -> Unit:
        """One version of a unit. Raises NotFound."""
        placed = self._known.placed.get((name, version))
        if placed is None:
            raise NotFound(f"no unit {printable(f'{name}@{version}', 200)}")
        return placed.unit

    def close(self) -> None:
        """Forget what was imported."""
        with self._lock:
            self._runners.clear()
            self._modules.close()

    def _made(self, found: Found, before: _Known) -> _Known:
        placed = {(each.unit.name, each.unit.version): each for each in found.units}
        tools = {key: self._tool(key, each, before) for key, each in placed.items()}
        names: dict[str, list[str]] = {}
        for name, version in placed:
            names.setdefault(name, []).append(version)
        versions = {name: tuple(ordered(each)) for name, each in names.items()}
        return _Known(
            placed=placed,
            tools=tools,
            versions=versions,
            diagnostics=tuple(found.diagnostics),
            failed=tuple(found.failed),
        )

    def _shown_of(self, known: _Known, before: tuple[Tool, ...]) -> tuple[Tool, ...]:
        """One tool a name; the same tuple as before when they are the same tools."""
        shown = tuple(
            known.tools[name, each[0] if len(each) == 1 else self._choice(name, each, "", Caller())]
            for name, each in sorted(known.versions.items())
        )
        same = len(shown) == len(before) and all(
            one is other for one, other in zip(shown, before, strict=True)
        )
        return before if same else shown

    def _tool(self, key: Key, placed: Placed, before: _Known) -> Tool:
        """The same object as long as the unit says the same: whoever keeps it by identity need not look."""
        then = before.placed.get(key)
        return before.tools[key] if then == placed else tool_of(placed.unit, self._label)
