"""Advice about descriptions among each other, as `check` and `units lint` tell it."""

from __future__ import annotations

from prowess.cli import screen

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Sequence

    from prowess.cli.verdict import Verdict
    from prowess.spec.diagnostics import Diagnostic
    from prowess.units.model import Unit


def advised(verdict: Verdict) -> Verdict:
    """The verdict with advice about its skills among each other."""
    if verdict.kind not in ("plugin", "skills") or not verdict.skills:
        return verdict
    from prowess.evaluate.advising_among import of_skills

    found = of_skills(verdict.path, verdict.skills, screen.say)
    if not found:
        return verdict
    from dataclasses import replace

    judgement = verdict.judgement
    return replace(verdict, judgement=replace(judgement, diagnostics=(*judgement.diagnostics, *found)))


def of_units(path: str, units: Sequence[Unit]) -> tuple[Diagnostic, ...]:
    """Advice about units among each other; of several versions the last counts."""
    from prowess.evaluate.advising_among import of_units as among

    return among(path, units, screen.say)
