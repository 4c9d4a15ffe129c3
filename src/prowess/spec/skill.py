"""A SKILL.md judged by the letter of Agent Skills (Agent Plugins 7.1), or leniently.

The letter is the default. The lenient profile also loads what the letter skips and other clients
accept (`FORGIVEN`), with a note for each. This module sees bytes and a directory name, no disk.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.frontmatter import Fault, Frontmatter, Split, Value, compose, split
from prowess.spec.model import Profile, Skill
from prowess.spec.rules import report

PUBLISHED = frozenset({"name", "description", "license", "compatibility", "metadata", "allowed-tools"})
NAME_CHARACTERS = 64
DESCRIPTION_CHARACTERS = 1024
COMPATIBILITY_CHARACTERS = 500
UNKNOWN_SHOWN = 20  # notes on unknown keys, one each; the rest are counted

# What the lenient profile loads all the same, with a note.
FORGIVEN = frozenset(
    {
        "skill-unquoted-colon",
        "skill-allowed-tools-list",
        "skill-name-directory",
        "skill-description-long",
    }
)


class SkillVerdict(NamedTuple):
    """One SKILL.md judged: the skill unless it is skipped, and what was found.

    `strict` says whether the letter of the specification loads it, whatever the profile.
    """

    skill: Skill | None
    diagnostics: tuple[Diagnostic, ...] = ()
    strict: bool = False


def parse_skill(data: bytes, *, directory: str, path: str, profile: Profile = "spec") -> SkillVerdict:
    """Judge the bytes of `path` (`skills/x/SKILL.md`), which lies in a directory named `directory` (`x`)."""
    cut = split(data)
    if isinstance(cut, Fault):
        return SkillVerdict(skill=None, diagnostics=(_skipped(cut, path),))
    notes = [_byte_order_mark(path)] if cut.bom else []
    found, faults = _read(cut)
    if found is not None:
        faults = (*faults, *_faults(found, directory))
        notes += _unknown_keys(found, path)
    forgiven = profile == "lenient" and all(fault.rule in FORGIVEN for fault in faults)
    if found is None or (faults and not forgiven):
        skipped = [_skipped(fault, path) for fault in faults]
        return SkillVerdict(skill=None, diagnostics=(*skipped, *notes))
    lenient = [_forgiven(fault, path) for fault in faults]
    return SkillVerdict(skill=_skill(found, path), diagnostics=(*lenient, *notes), strict=not faults)


def read_body(data: bytes) -> str:
    """The body of a SKILL.md: what follows the frontmatter, or everything where there is none."""
    cut = split(data)
    return data.decode("utf-8", "replace") if isinstance(cut, Fault) else cut.body


# -- reading, with one narrow recovery


def _read(cut: Split) -> tuple[Frontmatter | None, tuple[Fault, ...]]:
    found = compose(cut.head)
    if isinstance(found, Frontmatter):
        return found, ()
    if found.rule != "skill-yaml":
        return None, (found,)
    repaired = _quote_description(cut.head)
    if repaired is not None:
        second = compose(repaired[0])
        if isinstance(second, Frontmatter):
            return second, (_unquoted_colon("description", repaired[1]),)
    return None, (_explained(found, cut.head),)


_KEY = re.compile(r"([A-Za-z][\w-]*):[ \t]+(.*)")
_NOT_PLAIN = tuple("\"'|>[]{}&*!%@`#,?-")


def _quote_description(head: str) -> tuple[str, int] | None:
    """The YAML with its plain description quoted, and that line's number; None where there is none."""
    lines = head.replace("\r\n", "\n").split("\n")
    for at, line in enumerate(lines):
        match = _KEY.fullmatch(line)
        if match is None or match[1] != "description" or match[2].startswith(_NOT_PLAIN):
            continue
        end = at + 1
        while end < len(lines) and lines[end][:1] in {" ", "\t"}:
            end += 1
        text = "\n".join([match[2], *lines[at + 1 : end]])
        if ": " not in text and not text.rstrip().endswith(":"):
            return None
        quoted = "description: '" + text.rstrip().replace("'", "''") + "'"
        return "\n".join([*lines[:at], quoted, *lines[end:]]), at + 2
    return None


def _explained(fault: Fault, head: str) -> Fault:
    """The same fault, named for what it is when the line shows a colon inside a plain value."""
    lines = head.split("\n")
    at = fault.line - 2
    match = _KEY.fullmatch(lines[at].rstrip("\r")) if at < len(lines) else None
    if match and not match[2].startswith(_NOT_PLAIN) and (": " in match[2] or match[2].endswith(":")):
        return _unquoted_colon(match[1], fault.line)
    return fault


def _unquoted_colon(key: str, line: int) -> Fault:
    return Fault(
        rule="skill-unquoted-colon",
        message=f"a colon and a space inside the unquoted value of {printable(key, 60)}: not YAML",
        line=line,
        hint=f'put the value in quotation marks: {printable(key, 60)}: "..."',
    )


# -- the fields


def _faults(found: Frontmatter, directory: str) -> list[Fault]:
    """Everything that is wrong with the published fields."""
    fields, lines = found.fields, found.lines
    faults = [*_name_faults(fields.get("name"), directory, lines.get("name", 1))]
    faults += _description_faults(fields.get("description"), lines.get("description", 1))
    for key in ("license", "compatibility", "allowed-tools", "metadata"):
        if key in fields:
            faults += _optional_faults(key, fields[key], lines[key])
    return faults


def _name_faults(value: Value | None, directory: str, line: int) -> list[Fault]:
    if value is None or value == "":
        hint = f"add name: {printable(directory, 80)}"
        return [Fault(rule="skill-name-missing", message="no name", line=line, hint=hint)]
    if not isinstance(value, str):
        return [Fault(rule="skill-name-invalid", message="the name is not text", line=line)]
    name = nfkc(value)
    problem = name_problem(name)
    if problem:
        message = f'the name "{printable(value, 80)}" {problem[0]}'
        return [Fault(rule="skill-name-invalid", message=message, line=line, hint=problem[1])]
    if name != nfkc(directory):
        return [
            Fault(
                rule="skill-name-directory",
                message=f'the name "{name}" is not that of its directory, "{printable(directory, 80)}"',
                line=line,
                hint="rename one of the two; they are the same in a valid skill",
            )
        ]
    return []


def nfkc(text: str) -> str:
    """The text in Unicode normalisation form KC."""
    if text.isascii():
        return text
    from unicodedata import normalize

    return normalize("NFKC", text)


def name_problem(name: str) -> tuple[str, str] | None:
    """What is wrong with a skill's name (in NFKC) and what to do; None when it is valid."""
    wrong = _wrong_in(name)
    return None if wrong is None else (wrong, _better(name))


def _wrong_in(name: str) -> str | None:
    if len(name) > NAME_CHARACTERS:
        return f"has {len(name)} characters; {NAME_CHARACTERS} are allowed"
    if name != name.lower():
        return "has capitals"
    if not all(c.isalnum() or c == "-" for c in name):
        return "has characters other than letters, digits and hyphens"
    if name.startswith("-") or name.endswith("-") or "--" in name:
        return "has a hyphen at an end, or two in a row"
    return None


def _better(name: str) -> str:
    """What to do about a name that is not valid: a valid one close to it, if there is one to be had."""
    if len(name) > NAME_CHARACTERS:
        return "shorten it, and the directory's name with it"
    made = name.strip().lower()
    if made.isascii():  # in other scripts, what is no letter may be part of one
        made = "-".join("".join(c if c.isalnum() else " " for c in made).split())
    if made and _wrong_in(made) is None:
        return f"write {made}, and name the directory the same"
    signs = "" if made.isascii() else " (combining signs are none)"
    return f"use letters{signs}, digits and single hyphens"


def _description_faults(value: Value | None, line: int) -> list[Fault]:
    if value is None or (isinstance(value, str) and not value.strip()):
        hint = "add description: what the skill does and when to use it"
        return [Fault(rule="skill-description-missing", message="no description", line=line, hint=hint)]
    if not isinstance(value, str):
        message = "the description is not text"
        return [Fault(rule="skill-description-invalid", message=message, line=line)]
    if len(value) > DESCRIPTION_CHARACTERS:
        message = f"the description has {len(value)} characters; {DESCRIPTION_CHARACTERS} are allowed"
        hint = "say what and when; details belong in the body"
        return [Fault(rule="skill-description-long", message=message, line=line, hint=hint)]
    return []


def _optional_faults(key: str, value: Value, line: int) -> list[Fault]:
    if key == "metadata":
        if isinstance(value, dict) and all(isinstance(each, str) for each in value.values()):
            return []
        hint = "write key: value pairs under metadata, each value plain text"
        return [
            Fault(
                rule="skill-metadata", message="metadata is not a map of text to text", line=line, hint=hint
            )
        ]
    if key == "allowed-tools" and isinstance(value, list) and all(isinstance(each, str) for each in value):
        hint = "write the tools in one line, separated by spaces"
        message = "allowed-tools is a list, not text"
        return [Fault(rule="skill-allowed-tools-list", message=message, line=line, hint=hint)]
    if not isinstance(value, str):
        return [Fault(rule=f"skill-{key}", message=f"{key} is not text", line=line)]
    if key == "compatibility" and not 1 <= len(value) <= COMPATIBILITY_CHARACTERS:
        message = f"compatibility has {len(value)} characters; 1 to {COMPATIBILITY_CHARACTERS} are allowed"
        hint = "shorten it" if value else "remove the key or give it a value"
        return [Fault(rule="skill-compatibility", message=message, line=line, hint=hint)]
    return []


# -- values and diagnostics


def _skill(found: Frontmatter, path: str) -> Skill:
    fields = found.fields
    metadata = fields.get("metadata")
    return Skill(
        name=nfkc(str(fields["name"])),
        description=str(fields["description"]).strip(),
        path=path,
        license=_text(fields.get("license")),
        compatibility=_text(fields.get("compatibility")),
        allowed_tools=_text(fields.get("allowed-tools")),
        metadata={key: str(value) for key, value in metadata.items()} if isinstance(metadata, dict) else {},
    )


def _text(value: Value | None) -> str | None:
    return " ".join(map(str, value)) if isinstance(value, list) else value if isinstance(value, str) else None


def _skipped(fault: Fault, path: str) -> Diagnostic:
    place = Place(file=path, line=fault.line)
    return report(fault.rule, place, fault.message, hint=fault.hint, subject=path.rpartition("/")[0])


def _forgiven(fault: Fault, path: str) -> Diagnostic:
    message = f"loaded outside the specification ({fault.rule}): {fault.message}"
    return report("skill-lenient", Place(file=path, line=fault.line), message, hint=fault.hint)


def _byte_order_mark(path: str) -> Diagnostic:
    hint = "save the file without it; some clients do not find the frontmatter behind it"
    return report("skill-bom", Place(file=path, line=1), "begins with a byte-order mark", hint=hint)


def _unknown_keys(found: Frontmatter, path: str) -> list[Diagnostic]:
    unknown = [key for key in found.fields if key not in PUBLISHED]
    notes = [_unknown_key(key, Place(file=path, line=found.lines[key])) for key in unknown[:UNKNOWN_SHOWN]]
    if len(unknown) > UNKNOWN_SHOWN:
        place = Place(file=path, line=found.lines[unknown[UNKNOWN_SHOWN]])
        message = f"{len(unknown) - UNKNOWN_SHOWN} more keys that Agent Skills does not define"
        notes.append(report("skill-unknown-key", place, message))
    return notes


def _unknown_key(key: str, place: Place) -> Diagnostic:
    likely = key.strip().lower().replace("_", "-")
    hint = f"write it as {likely}" if likely in PUBLISHED else "keep keys of your own under metadata"
    message = f"the key {printable(key, 60)} is not one that Agent Skills defines"
    return report("skill-unknown-key", place, message, hint=hint)
