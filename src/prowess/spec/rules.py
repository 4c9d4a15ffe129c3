"""The table of rules: one line a rule, its reach and the section that says so.

Each rule has a page, `pages/ID.md`, which `prowess explain ID` prints, and a corpus case.
"""

from __future__ import annotations

from prowess.spec.diagnostics import Diagnostic, Place, Reach

# id: (reach, section). AP = Agent Plugins 1.0.0; AS = Agent Skills.
RULES: dict[str, tuple[Reach, str]] = {
    # -- package and manifest (spec/manifest.py, spec/loading.py)
    "package-no-manifest": (Reach.PLUGIN, "AP 4.1"),
    "manifest-outside": (Reach.PLUGIN, "AP 4.1"),
    "manifest-unreadable": (Reach.PLUGIN, "AP 5.1"),
    "manifest-malformed": (Reach.PLUGIN, "AP 5.2"),
    "manifest-not-object": (Reach.PLUGIN, "AP 5.2"),
    "manifest-duplicate-field": (Reach.PLUGIN, "AP 5.2"),
    "manifest-unsupported-version": (Reach.PLUGIN, "AP 5.2"),
    "manifest-required-field": (Reach.PLUGIN, "AP 5.3"),
    "manifest-field-type": (Reach.PLUGIN, "AP 5.4"),
    "manifest-author-field": (Reach.PLUGIN, "AP 5.4"),
    "manifest-name-invalid": (Reach.PLUGIN, "AP 5.5"),
    "manifest-extension-not-object": (Reach.PLUGIN, "AP 8.1"),
    "manifest-extensions-not-object": (Reach.NOTE, "AP 8.1"),
    "manifest-unknown-field": (Reach.NOTE, "AP 5.2"),
    "manifest-duplicate-ignored": (Reach.NOTE, "AP 5.2"),
    "manifest-version-not-semver": (Reach.ADVICE, "AP 10.2"),
    "json-byte-order-mark": (Reach.NOTE, "AP 5.2"),
    # -- the skills directory (spec/skill_directories.py)
    "skills-outside": (Reach.COMPONENT, "AP 4.1"),
    "skills-unreadable": (Reach.COMPONENT, "AP 6.2"),
    "skill-outside": (Reach.ENTRY, "AP 4.1"),
    "skill-unreadable": (Reach.ENTRY, "AP 7.1"),
    "skill-duplicate": (Reach.ENTRY, "AP 7.1"),
    "skill-not-file": (Reach.NOTE, "AP 7.1"),
    "skill-file-case": (Reach.NOTE, "AP 7.1"),
    "skill-misplaced": (Reach.NOTE, "AP 7.1"),
    # -- mcp.json (spec/servers.py)
    "mcp-outside": (Reach.COMPONENT, "AP 4.1"),
    "mcp-unreadable": (Reach.COMPONENT, "AP 6.2"),
    "mcp-malformed": (Reach.COMPONENT, "AP 7.2.2"),
    "mcp-not-object": (Reach.COMPONENT, "AP 7.2.1"),
    "mcp-duplicate-field": (Reach.COMPONENT, "AP 7.2.1"),
    "mcp-unknown-field": (Reach.COMPONENT, "AP 7.2.1"),
    "mcp-required-field": (Reach.COMPONENT, "AP 7.2.1"),
    "mcp-unsupported-version": (Reach.COMPONENT, "AP 7.2.2"),
    "mcp-version-mismatch": (Reach.COMPONENT, "AP 10.1"),
    "mcp-elsewhere": (Reach.NOTE, "AP 7.2.1"),
    # -- one server entry (spec/entries.py, spec/stdio_fields.py, spec/http_fields.py)
    "server-not-object": (Reach.ENTRY, "AP 7.2.1"),
    "server-duplicate": (Reach.ENTRY, "AP 7.2.1"),
    "server-duplicate-field": (Reach.ENTRY, "AP 7.2.1"),
    "server-type-missing": (Reach.ENTRY, "AP 7.2.1"),
    "server-type-unknown": (Reach.ENTRY, "AP 7.2.1"),
    "server-unknown-field": (Reach.ENTRY, "AP 7.2.1"),
    "server-required-field": (Reach.ENTRY, "AP 7.2.1"),
    "server-field-type": (Reach.ENTRY, "AP 7.2.1"),
    "server-nul": (Reach.ENTRY, "AP 7.2.1"),
    "server-command-invalid": (Reach.ENTRY, "AP 7.2.1"),
    "server-cwd-form": (Reach.ENTRY, "AP 7.2.1"),
    "server-outside": (Reach.ENTRY, "AP 4.1"),
    "server-env-reserved": (Reach.ENTRY, "AP 9.2"),
    "server-env-name": (Reach.ENTRY, "AP 9.1"),
    "server-url-invalid": (Reach.ENTRY, "AP 7.2.1"),
    "server-url-insecure": (Reach.ENTRY, "AP 7.2.1"),
    "server-header-invalid": (Reach.ENTRY, "AP 7.2.1"),
    "server-header-duplicate": (Reach.ENTRY, "AP 7.2.1"),
    "server-command-missing": (Reach.NOTE, "AP 7.2.1"),
    "server-cwd-missing": (Reach.NOTE, "AP 7.2.1"),
    "server-placeholder-literal": (Reach.NOTE, "AP 9.2"),
    "server-secret": (Reach.NOTE, "AP 9.2"),
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
    "advice-description-vague": (Reach.ADVICE, "AS description"),
    "advice-description-slogan": (Reach.ADVICE, "AS description"),
    "advice-description-name": (Reach.ADVICE, "AS description"),
    "advice-description-what": (Reach.ADVICE, "AS description"),
    "advice-description-when": (Reach.ADVICE, "AS description"),
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
