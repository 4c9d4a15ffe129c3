"""What the workbench says, for its pages and for the script that says the same in a browser."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prowess.capability.runtime_keys import DEPTH, FREE, RUNTIME_KEYS
from prowess.capability.snapshot import SCHEMA_PREFIX
from prowess.console.language import Translate
from prowess.console.workbench_diff import MCP_SCHEMAS, PLUGIN_SCHEMAS


def faults(t: Translate) -> Mapping[str, str]:
    """Why a text is not JSON, by the word of its fault."""
    return {
        "empty": t("there is nothing here yet"),
        "ends-early": t("the text ends too early"),
        "too-deep": t("nested more than 200 levels deep"),
        "comment": t("comments are not JSON"),
        "trailing-comma": t("a trailing comma"),
        "value-expected": t("a value has to stand here; text stands in double quotes"),
        "key-expected": t("a name in double quotes has to stand here"),
        "colon-expected": t("a colon has to stand here"),
        "comma-expected": t("a comma or the end has to stand here"),
        "mismatched": t("this bracket closes another one"),
        "after-end": t("there is more after the end of the value"),
        "control-in-string": t("a line end or another control character inside a text"),
        "bad-escape": t("no escape of JSON"),
        "half-pair": t("half of a surrogate pair"),
        "string-unended": t("this text has no end"),
    }


def remarks(t: Translate) -> Mapping[str, str]:
    """What is worth knowing about a text that is JSON."""
    return {
        "byte-order-mark": t("the text begins with a byte-order mark; the result has none"),
        "duplicate": t("this name stands more than once in one object; readers differ on which one counts"),
        "unseen": t("a character that cannot be seen, or that turns what is around it"),
        "half-escape": t("an escape that is half of a surrogate pair: no text for most readers"),
    }


def kinds(t: Translate) -> Mapping[str, str]:
    """What differs, and what a document is."""
    return {
        "added": t("added"),
        "removed": t("removed"),
        "changed": t("changed"),
        "reordered": t("in another order"),
        "snapshot": t("a snapshot"),
        "plugin": t("a plugin.json"),
        "mcp": t("an mcp.json"),
        "other": t("another document"),
    }


def said(t: Translate) -> Mapping[str, str]:
    """Sentences that the page and the script both say. A name in braces is filled in."""
    return {
        "place": t("Line {line}, column {column}"),
        "formatted": t("Formatted: {size} characters."),
        "not-json": t("Not JSON yet."),
        "old": t("Old"),
        "new": t("New"),
        "what": t("Difference"),
        "path": t("Path"),
        "document": t("the document"),
        "same": t("No difference."),
        "differ": t("{added} added, {removed} removed, {changed} changed, {reordered} in another order."),
        "more": t("The first {shown} of {total}."),
        "compared": t("The old document is {old}, the new one {new}."),
        "written-back": t("Runtime state was written back into the package"),
        "written-why": t("A package declares; what is found at run time belongs into a snapshot."),
        "by-drift": t("Compare also tells which change breaks callers, as prowess diff does."),
        "copied": t("Copied."),
        "not-copied": t("The browser does not let it be copied; Download gives it too."),
        "remarks": t("Worth knowing"),
        "shown-part": t("Shown is the beginning; Download and Copy give all of it."),
    }


def facts() -> Mapping[str, Any]:
    """What the script has to know that is written down here."""
    return {
        "plugin": list(PLUGIN_SCHEMAS),
        "mcp": list(MCP_SCHEMAS),
        "snapshot": SCHEMA_PREFIX,
        "runtime": dict(RUNTIME_KEYS),
        "free": sorted(FREE),
        "depth": DEPTH,
    }


def script_words(t: Translate) -> Mapping[str, Mapping[str, str]]:
    """All of it in one language."""
    return {"faults": faults(t), "remarks": remarks(t), "kinds": kinds(t), "said": said(t)}
