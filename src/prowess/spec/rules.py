"""The table of rules: one line a rule, its reach and the section that says so.

Each rule has a page, `pages/ID.md`, which `prowess explain ID` prints, and a corpus case.
"""

from __future__ import annotations

from prowess.spec.diagnostics import Diagnostic, Place, Reach

# id: (reach, section). AP = Agent Plugins 1.0.0; AS = Agent Skills.
RULES: dict[str, tuple[Reach, str]] = {
    # -- package and manifest (spec/manifest.py, spec/loading.py)
    # -- mcp.json (spec/servers.py)
    # -- SKILL.md (spec/skill.py)
    # -- advice (spec/advice.py)
}


def report(rule: str, place: Place, message: str, *, hint: str = "", subject: str = "") -> Diagnostic:
    """A diagnostic of `rule`, whose reach and section come from the table (KeyError: no such rule)."""
    reach, section = RULES[rule]
    return Diagnostic(
        rule=rule,
        reach=reach,
        place=place,
        message=message,
        hint=hint,
        section=section,
        subject=subject,
    )
