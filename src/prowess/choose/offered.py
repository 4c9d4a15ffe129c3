"""What is offered as documents to rank: tools as their servers send them, skills as they were read.

Of a tool: name, title, description, the triggers that a unit declares, and what its parameters are
called and said to be (as a body, at low weight). Of a skill: name, description, body, and from its
`metadata`, which the frontmatter's closed list of keys leaves for it, `triggers`, `keywords`, `tags`
and `not-for`. Nothing of a manifest: see `documents`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from itertools import islice
from typing import Any

from prowess.capability.naming import ModelNames
from prowess.capability.offer import Tool
from prowess.choose.documents import TEXTS, Document
from prowess.choose.packing import Definition
from prowess.spec.model import Skill

# What a unit says of itself beside the protocol's own fields of a tool, in `_meta`.
TRIGGERS_META = "dev.prowess/triggers"
CORE_META = "dev.prowess/core"

# Several texts in one value of `metadata`, which holds strings only.
_SEPARATORS = re.compile(r"[\n,;|\u3001\uff0c\uff1b]+")
_DEPTH = 6  # of nested schemas that are read
_PARAMETERS = 200

Texts = Mapping[str, tuple[str, ...]]


def documents_of(
    tools: Iterable[Tool] = (),
    skills: Iterable[Skill] = (),
    *,
    names: ModelNames | None = None,
    examples: Texts | None = None,
    negatives: Texts | None = None,
) -> tuple[Document, ...]:
    """One document for each, tools first. A tool's id is what a model calls it, a skill's its name.

    `names` are those of the Host; without them they are worked out from `tools`. A skill whose name
    is taken has `skill:` before it, and a number after it if need be. `examples` (utterances to be
    found by, which no test may use) and `negatives` go to the document of that id.
    """
    offered = list(tools)
    called = names or ModelNames.of((each.server, each.name) for each in offered)
    found = {id: tool_document(each, id) for id, each in _called(offered, called)}
    for skill in skills:
        id = free_id(skill.name, found)
        found[id] = skill_document(skill, id)
    return tuple(_added(each, examples or {}, negatives or {}) for each in found.values())


def tool_document(tool: Tool, id: str) -> Document:
    """A tool as a document."""
    title = tool.wire.get("title")
    return Document(
        id=id,
        name=tool.name,
        description=tool.description or "",
        triggers=triggers_of(tool),
        keywords=(title,) if isinstance(title, str) else (),
        body="\n".join(islice(_parameters(tool.wire.get("inputSchema"), _DEPTH), _PARAMETERS)),
    )


def skill_document(skill: Skill, id: str) -> Document:
    """A skill as a document; its body counts where it has been read."""
    said = {key.lower().replace("_", "-"): value for key, value in skill.metadata.items()}
    return Document(
        id=id,
        name=skill.name,
        description=skill.description,
        triggers=_listed(said.get("triggers")),
        keywords=_listed(said.get("keywords")) + _listed(said.get("tags")),
        body=skill.body or "",
        negatives=_listed(said.get("not-for")),
    )


def triggers_of(tool: Tool) -> tuple[str, ...]:
    """The trigger phrases of a unit; none of any other tool."""
    said = _meta(tool).get(TRIGGERS_META)
    return tuple(each for each in said[:TEXTS] if isinstance(each, str)) if isinstance(said, list) else ()


def is_core(tool: Tool) -> bool:
    """Whether a unit says that it is always to be shown."""
    return _meta(tool).get(CORE_META) is True


def is_unit(tool: Tool) -> bool:
    """Whether a tool is a unit: every unit has a list of triggers, if only an empty one."""
    return TRIGGERS_META in _meta(tool)


def definition_of(tool: Tool, id: str) -> Definition:
    """What a model reads of a tool: name, description and schema, as compact JSON."""
    said = {
        "name": id,
        "description": tool.description or "",
        "input_schema": tool.wire.get("inputSchema", {"type": "object"}),
    }
    return Definition(id=id, text=json.dumps(said, ensure_ascii=False, separators=(",", ":")))


def _called(tools: Iterable[Tool], names: ModelNames) -> Iterator[tuple[str, Tool]]:
    for tool in tools:
        yield names.name(tool.server, tool.name), tool


def free_id(name: str, taken: Collection[str]) -> str:
    """`name` for a skill, or what it is called where a tool has that name."""
    id, number = name, 1
    while id in taken:
        id = f"skill:{name}" if number == 1 else f"skill:{name}#{number}"
        number += 1
    return id


def _added(document: Document, examples: Texts, negatives: Texts) -> Document:
    more = (*document.examples, *examples.get(document.id, ()))
    against = (*document.negatives, *negatives.get(document.id, ()))
    if (more, against) == (document.examples, document.negatives):
        return document
    return Document(
        id=document.id,
        name=document.name,
        description=document.description,
        triggers=document.triggers,
        keywords=document.keywords,
        examples=more,
        body=document.body,
        negatives=against,
    )


def _meta(tool: Tool) -> Mapping[str, Any]:
    meta = tool.wire.get("_meta")
    return meta if isinstance(meta, Mapping) else {}


def _listed(value: str | None) -> tuple[str, ...]:
    return tuple(each.strip() for each in _SEPARATORS.split(value or "") if each.strip())[:TEXTS]


def _parameters(schema: Any, depth: int) -> Iterator[str]:
    """The names and descriptions of a schema's properties, nested ones too."""
    if depth == 0 or not isinstance(schema, Mapping):
        return
    properties = schema.get("properties")
    for name, said in properties.items() if isinstance(properties, Mapping) else ():
        yield str(name)
        if isinstance(said, Mapping):
            if isinstance(said.get("description"), str):
                yield said["description"]
            yield from _parameters(said, depth - 1)
    yield from _parameters(schema.get("items"), depth - 1)
