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
    "skill-encoding": (Reach.ENTRY, "AS SKILL.md format"),
    "skill-frontmatter-missing": (Reach.ENTRY, "AS SKILL.md format"),
    "skill-frontmatter-open": (Reach.ENTRY, "AS SKILL.md format"),
    "skill-frontmatter-bounds": (Reach.ENTRY, "AS SKILL.md format"),
    "skill-yaml": (Reach.ENTRY, "AS frontmatter"),
    "skill-yaml-feature": (Reach.ENTRY, "AS frontmatter"),
    "skill-duplicate-key": (Reach.ENTRY, "AS frontmatter"),
    "skill-unquoted-colon": (Reach.ENTRY, "AS frontmatter"),
    "skill-name-missing": (Reach.ENTRY, "AS name"),
    "skill-name-invalid": (Reach.ENTRY, "AS name"),
    "skill-name-directory": (Reach.ENTRY, "AS name"),
    "skill-description-missing": (Reach.ENTRY, "AS description"),
    "skill-description-invalid": (Reach.ENTRY, "AS description"),
    "skill-description-long": (Reach.ENTRY, "AS description"),
    "skill-license": (Reach.ENTRY, "AS license"),
    "skill-compatibility": (Reach.ENTRY, "AS compatibility"),
    "skill-metadata": (Reach.ENTRY, "AS metadata"),
    "skill-allowed-tools": (Reach.ENTRY, "AS allowed-tools"),
    "skill-allowed-tools-list": (Reach.ENTRY, "AS allowed-tools"),
    "skill-unknown-key": (Reach.NOTE, "AS frontmatter"),
    "skill-bom": (Reach.NOTE, "AS SKILL.md format"),
    "skill-lenient": (Reach.NOTE, "AP 7.1"),
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
