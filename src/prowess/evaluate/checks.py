"""What came of trying a unit: checks, by unit, and whether all of them are good. Values only."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from prowess.evaluate.line_coverage import Coverage
from prowess.spec.diagnostics import Diagnostic
from prowess.units.model import Unit

Kind = Literal["load", "example", "schema", "fault"]
Status = Literal["ok", "failed", "skipped"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    """One thing that was tried. `detail` says why it failed or was skipped; it is fit to print."""

    kind: Kind
    name: str
    status: Status
    detail: str = ""
    hint: str = ""

    def to_dict(self) -> dict[str, str]:
        """The JSON value."""
        return {"kind": self.kind, "name": self.name, "status": self.status, "detail": self.detail}


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitReport:
    """All that was tried with one version of a unit. `coverage` is of the file that it stands in."""

    unit: Unit
    checks: tuple[Check, ...]
    coverage: Coverage | None = None

    @property
    def ok(self) -> bool:
        """Whether nothing failed."""
        return all(each.status != "failed" for each in self.checks)

    def to_dict(self) -> dict[str, Any]:
        """The JSON value."""
        return {
            "unit": self.unit.name,
            "version": self.unit.version,
            "place": self.unit.place,
            "ok": self.ok,
            "checks": [each.to_dict() for each in self.checks],
            "coverage": None if self.coverage is None else _coverage(self.coverage),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class UnitReports:
    """The units at one path, tried; `broken` is what keeps others from being units at all."""

    units: tuple[UnitReport, ...]
    broken: tuple[Diagnostic, ...] = ()

    @property
    def ok(self) -> bool:
        """Whether there is something, and nothing of it failed."""
        return bool(self.units) and not self.broken and all(each.ok for each in self.units)

    @property
    def counted(self) -> Mapping[Status, int]:
        """How many checks ended how."""
        found: dict[Status, int] = {"ok": 0, "failed": 0, "skipped": 0}
        for unit in self.units:
            for check in unit.checks:
                found[check.status] += 1
        return found


def _coverage(of: Coverage) -> dict[str, Any]:
    return {"percent": round(of.percent, 1), "statements": of.statements, "missing": list(of.missing)}
