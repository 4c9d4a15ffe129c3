"""A server's knowledge written as a skill: SKILL.md, a file for each text, where all of it came from.

Agent Skills: name, description with what and when, steps, files beside it. The skill carries knowledge
and triggers; what has to be looked up or done is left to the server's tools, called by their names.
What servers say about themselves is somebody else's text and is put in bounded and in one line. Pure.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from prowess.author.importing import PROMPT, Knowledge, Left, Part
from prowess.author.importing_provenance import Provenance
from prowess.capability.offer import Tool
from prowess.choose.estimate import tokens
from prowess.errors import UsageError
from prowess.redact import printable
from prowess.spec.diagnostics import Reach
from prowess.spec.model import Skill
from prowess.spec.skill import DESCRIPTION_CHARACTERS, parse_skill

SKILL_FILE = "SKILL.md"
TOOLS_NAMED = 20
SUBJECTS = 6
ADVISED_TOKENS = 70  # it stands in every prompt; prowess check advises 100 with name and triggers


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """What whoever imports says himself: the name, and where wished a description and triggers."""

    name: str
    description: str = ""
    triggers: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A skill that is not written yet: its files by path, and where they came from."""

    name: str
    files: Mapping[str, bytes]
    provenance: Provenance
    skill: Skill
    advice: tuple[str, ...] = field(default=())

    @property
    def digest(self) -> str:
        """What an approval is bound to: every file, but for the day on which it was written."""
        return content_digest(self.files)


def content_digest(files: Mapping[str, bytes]) -> str:
    """SHA-256 over paths and contents; the line with the day, and that with this digest, do not count."""
    whole = hashlib.sha256()
    for path in sorted(files):
        data = _UNCOUNTED.sub(b"", files[path]) if path == SKILL_FILE else files[path]
        whole.update(f"{path}\0{len(data)}\0".encode())
        whole.update(data)
    return f"sha256:{whole.hexdigest()}"


_UNCOUNTED = re.compile(rb"^  imported-(?:at|digest):[^\n]*\n", re.M)


def render(knowledge: Knowledge, said: Said, provenance: Provenance) -> Draft:
    """The skill. Raises UsageError where name or description would not load."""
    names = _file_names(knowledge.parts)
    parts = {names[part.uri]: part for part in knowledge.parts}
    files = {name: _ended(part.text).encode("utf-8", "surrogatepass") for name, part in parts.items()}
    description = said.description or _description(knowledge)
    body = _body(knowledge, said, names)
    known = provenance.with_parts({name: (part.uri, part.digest) for name, part in parts.items()})
    triggers = said.triggers or _triggers(knowledge)

    def skill_file(settled: Provenance) -> bytes:
        return f"{_frontmatter(said.name, description, triggers, settled)}\n{body}".encode("utf-8", "replace")

    files[SKILL_FILE] = skill_file(known)
    known = known.approved(content_digest(files))
    files[SKILL_FILE] = skill_file(known)
    verdict = parse_skill(files[SKILL_FILE], directory=said.name, path=f"{said.name}/{SKILL_FILE}")
    faults = [each for each in verdict.diagnostics if each.reach >= Reach.ENTRY]
    if verdict.skill is None or faults:
        raise UsageError(f"this would be no valid skill: {faults[0].message}", hint=faults[0].hint)
    return Draft(
        name=said.name,
        files=files,
        provenance=known,
        skill=verdict.skill,
        advice=_advice(verdict.skill),
    )


def _advice(skill: Skill) -> tuple[str, ...]:
    from prowess.spec.advice import advise

    return tuple(f"{each.message}; {each.hint} (--description)" for each in advise(skill))


# -- frontmatter


def _frontmatter(name: str, description: str, triggers: Iterable[str], known: Provenance) -> str:
    lines = ["---", f"name: {_yaml(name)}", f"description: {_yaml(description)}", "metadata:"]
    told = {"triggers": "; ".join(triggers), **known.metadata}
    lines += [f"  {key}: {json.dumps(value, ensure_ascii=False)}" for key, value in told.items() if value]
    return "\n".join([*lines, "---", ""])


def _yaml(text: str) -> str:
    """A plain value where every reader takes it for this text, else a quoted one."""
    plain = re.fullmatch(r"[A-Za-z][^\n:#\"'\\{}\[\]&*!|>%@`]*[^\s:#\"'\\{}\[\]&*!|>%@`]", text)
    word = text.lower() in {"yes", "no", "true", "false", "null", "on", "off"}
    return text if plain and not word else json.dumps(text, ensure_ascii=False)


def _line(text: str, most: int) -> str:
    """Somebody else's text in one line, fit to print."""
    return printable(" ".join(text.split()), most)


def _sentence(text: str, most: int = 160) -> str:
    """Its first sentence."""
    first = re.split(r"(?<=[.!?。！？])\s|\n\s*\n", text.strip(), maxsplit=1)[0]
    return _line(first, most).rstrip(".。")


def _subjects(knowledge: Knowledge) -> list[str]:
    names = [each.name for each in knowledge.parts] + [each.name for each in knowledge.left]
    names += [str(each.wire.get("title") or each.name) for each in knowledge.tools]
    words = [re.sub(r"[-_/.:{}]+", " ", _line(each, 60)).strip().lower() for each in names]
    return list(dict.fromkeys(each for each in words if each))


def _description(knowledge: Knowledge) -> str:
    """What the skill is about and when to use it, from what the server says of its parts."""
    title = _line(knowledge.title, 60)
    subjects = _subjects(knowledge)[:SUBJECTS]
    told = [_sentence(each.description) for each in knowledge.parts if each.description]
    told += [_sentence(each.description) for each in knowledge.tools if each.description]
    when = f" Use when somebody asks about {', '.join(subjects) or title}."
    what = f"Answers from what {title} says" + ("" if told else f" about {', '.join(subjects) or title}")
    more = ""
    for each in told:
        longer = f"{more}; {each}" if more else f": {each}"
        if more and tokens(f"{what}{longer}.{when}") > ADVISED_TOKENS:
            break
        more = longer
    return f"{what}{more}.{when}"[:DESCRIPTION_CHARACTERS]


def _triggers(knowledge: Knowledge) -> tuple[str, ...]:
    return tuple(re.sub(r"[,;|]", " ", each) for each in _subjects(knowledge)[:SUBJECTS])


# -- body


def _body(knowledge: Knowledge, said: Said, names: Mapping[str, str]) -> str:
    server = f"`{_line(knowledge.server, 80)}`"
    blocks = [f"# {said.name.replace('-', ' ').capitalize()}", *_introduction(knowledge)]
    blocks.append("\n".join(f"{at}. {step}" for at, step in enumerate(_steps(knowledge, server), 1)))
    if knowledge.parts:
        listed = [_entry(part, names[part.uri]) for part in knowledge.parts]
        blocks += ["## What is here", "\n".join(listed)]
    if knowledge.tools:
        blocks += [f"## Tools of {server}", "\n".join(map(_tool, knowledge.tools[:TOOLS_NAMED]))]
    if knowledge.left:
        blocks += ["## Read when it is needed", "\n".join(map(_left, knowledge.left))]
    return "\n\n".join(blocks) + "\n"


def _introduction(knowledge: Knowledge) -> list[str]:
    told = _line(knowledge.instructions, 600)
    return [told] if told else []


def _steps(knowledge: Knowledge, server: str) -> list[str]:
    steps = []
    if knowledge.parts:
        steps.append("Read the file below that fits the question, and answer from it.")
    if knowledge.tools:
        names = ", ".join(f"`{_line(each.name, 80)}`" for each in knowledge.tools[:TOOLS_NAMED])
        steps.append(
            "For what has to be looked up or done, call the tools of the server "
            f"{server} by their names: {names}. "
            "Take figures from their answers, not from this skill."
        )
    if knowledge.left:
        steps.append(
            f"What changes is not kept here: read it from the server {server} when it is needed, "
            "at the addresses below."
        )
    steps.append(f"If {server} is not connected, say so; do not answer from memory.")
    return steps


def _entry(part: Part, name: str) -> str:
    what = _sentence(part.description) or "as the server has it"
    return f"- [{_line(part.name, 80)}]({name}): {what}."


def _tool(tool: Tool) -> str:
    said = _sentence(tool.description or "")
    return f"- `{_line(tool.name, 80)}`" + (f": {said}." if said else "")


def _left(left: Left) -> str:
    said = _sentence(left.description)
    return f"- `{_line(left.uri, 200)}`" + (f": {said}." if said else "")


# -- files

_ENDINGS = {
    "text/markdown": ".md",
    "text/html": ".html",
    "text/csv": ".csv",
    "application/json": ".json",
    "application/yaml": ".yaml",
}


def _file_names(parts: Iterable[Part]) -> dict[str, str]:
    """A file for each text, named by what it is called; two of one name are numbered."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for part in parts:
        stem = "prompt-" if part.uri.startswith(PROMPT) else ""
        stem += re.sub(r"[^a-z0-9]+", "-", part.name.lower()).strip("-")[:60] or "text"
        ending = _ENDINGS.get(
            part.media.partition(";")[0].strip().lower(), ".md" if not part.media else ".txt"
        )
        name, number = f"references/{stem}{ending}", 1
        while name in taken:
            number += 1
            name = f"references/{stem}-{number}{ending}"
        taken.add(name)
        names[part.uri] = name
    return names


def _ended(text: str) -> str:
    text = text.replace("\r\n", "\n")
    return text if text.endswith("\n") else f"{text}\n"
