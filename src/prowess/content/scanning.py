"""A folder of content looked through: every prompt, resource and template in it, and what is wrong.

    prompts/*.md        a prompt each
    resources/**        a resource each, any file
    templates/*.md      a resource template each; what they are served from stands beside them

One bad file never hides another. Of two files with one name or one URI the first is offered, in the
order of folders and paths, and the second is told.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import TypeVar

from prowess.content.files import DEEPEST, Files, walk
from prowess.content.model import PromptFile, ResourceFile, TemplateFile
from prowess.content.prompts import read_prompt
from prowess.content.recognising import FOLDERS
from prowess.content.resources import is_markdown, read_resource
from prowess.content.templates import read_template
from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.rules import report

Item = TypeVar("Item", PromptFile, ResourceFile, TemplateFile)
Read = Callable[[Files, str], tuple[Item | None, list[Diagnostic]]]


@dataclass(slots=True, kw_only=True)
class Found:
    """What was found, in the order of what it is asked for by. `failed` are folders that hold nothing."""

    prompts: dict[str, PromptFile] = field(default_factory=dict)
    resources: dict[str, ResourceFile] = field(default_factory=dict)
    templates: dict[str, TemplateFile] = field(default_factory=dict)
    diagnostics: list[Diagnostic] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)

    @property
    def counts(self) -> dict[str, int]:
        """How many there are of each kind."""
        return {
            "prompts": len(self.prompts),
            "resources": len(self.resources),
            "templates": len(self.templates),
        }


def scan(folders: Iterable[Files]) -> Found:
    """Everything in these folders. Blocking. Raises nothing."""
    found = Found()
    for files in folders:
        if not any(files.source.kind(each) == "directory" for each in FOLDERS):
            name = printable(files.name, 200)
            found.failed.append(f"{name} holds no {', '.join(FOLDERS[:-1])} or {FOLDERS[-1]} folder")
            continue
        _read_all(files, found, "prompts", read_prompt, found.prompts, lambda each: each.name)
        _read_all(files, found, "resources", read_resource, found.resources, lambda each: each.key)
        _read_all(files, found, "templates", read_template, found.templates, lambda each: each.template.text)
    found.prompts = dict(sorted(found.prompts.items()))
    found.resources = dict(sorted(found.resources.items()))
    found.templates = dict(sorted(found.templates.items()))
    return found


def _read_all(
    files: Files, found: Found, top: str, read: Read[Item], items: dict[str, Item], key: Callable[[Item], str]
) -> None:
    anything = top == "resources"
    walked = walk(files, top, deepest=DEEPEST if anything else 1, ask_below=top == "prompts")
    found.diagnostics += walked.diagnostics
    for path in walked.paths:
        if not anything and not is_markdown(path):
            continue  # tables, values and functions that the others name
        item, told = read(files, path)
        found.diagnostics += told
        if item is None:
            continue
        if (other := items.get(key(item))) is not None:
            found.diagnostics.append(_twice(path, other.path, key(item)))
        else:
            items[key(item)] = item


def _twice(path: str, other: str, key: str) -> Diagnostic:
    message = f"{printable(key, 300)} is what {printable(other, 300)} is called already; this one is left out"
    hint = "give it another uri or name in its frontmatter"
    return report("content-duplicate", Place(file=path), message, hint=hint, subject=path)
