"""One file of `prompts/`: a prompt that a person starts (MCP 2026-07-28, "Prompts").

    ---
    name: analyze-report
    description: Analyses a report and lists what to do next.
    arguments:
      - {name: report_id, description: The report's number, required: true}
    ---
    Analyse the report {report_id}.

`{report_id}` becomes the argument's value, `{{report_id}}` is written out as {report_id}, and braces
around anything else stay as they are. The body is one message of the user's; a line `<!-- assistant -->`
or `<!-- user -->` begins another message.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from prowess.content.choices import choices
from prowess.content.files import Files
from prowess.content.markdown import Fields, Markdown, read_markdown
from prowess.content.model import Argument, PromptFile
from prowess.content.placeholders import filled
from prowess.content.uris import stem
from prowess.redact import printable
from prowess.spec.advice_on_prompts import reads_like_a_guide
from prowess.spec.diagnostics import Diagnostic
from prowess.spec.frontmatter import Value

FIELDS = ("name", "title", "description", "arguments")
OF_ARGUMENTS = ("name", "title", "description", "required", "complete")
MOST_ARGUMENTS = 100

_NAME = re.compile(r"[\w.-]{1,64}")
_PLACEHOLDER = re.compile(r"(?<![{$])\{(\w[\w.-]{0,63})\}(?!\})")
_MARK = re.compile(r"^<!-- (user|assistant) -->[ \t]*\r?$\n?", re.MULTILINE)
_CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]*`", re.MULTILINE | re.DOTALL)


def read_prompt(files: Files, path: str) -> tuple[PromptFile | None, list[Diagnostic]]:
    """The prompt in the file at `path`, and what is wrong with it or worth knowing."""
    read = read_markdown(files, path, fenced=True)
    if isinstance(read, Diagnostic):
        return None, [read]
    fields = Fields(path, read)
    fields.only(*FIELDS)
    wire = fields.described({"name": fields.name(stem(path.rpartition("/")[2]))})
    said = _said(fields)
    arguments = [_argument(fields, files, each) for each in said]
    _insist_on_different(fields, [each.name for each in arguments])
    if arguments:
        wire["arguments"] = [_wire(each, plain) for each, plain in zip(arguments, said, strict=True)]
    messages = _messages(read.body)
    if not messages:
        hint = "write below the frontmatter what the model is to do"
        fields.tell("content-required-field", "the prompt says nothing", line=read.line, hint=hint)
    if fields.usable:
        _tell_of_placeholders(fields, read, {each.name for each in arguments})
    prompt = PromptFile(path=path, wire=wire, arguments=tuple(arguments), messages=messages)
    return prompt if fields.usable else None, fields.diagnostics


def advise(prompt: PromptFile) -> str:
    """Why the prompt would serve better as a resource; empty when it is a prompt."""
    if prompt.arguments or any(role == "assistant" for role, _ in prompt.messages):
        return ""
    return reads_like_a_guide("\n\n".join(text for _, text in prompt.messages))


def rendered(prompt: PromptFile, values: Mapping[str, str]) -> list[dict[str, Any]]:
    """The messages with these values in place; an argument that is left out becomes nothing.

    Raises Unreadable for values that are too long for their places.
    """
    given = {each.name: values.get(each.name, "") for each in prompt.arguments}
    return [
        {"role": role, "content": {"type": "text", "text": filled(text, given)}}
        for role, text in prompt.messages
    ]


def _messages(body: str) -> tuple[tuple[str, str], ...]:
    role, at = "user", 0
    found = []
    for mark in _MARK.finditer(body):
        found.append((role, body[at : mark.start()]))
        role, at = mark[1], mark.end()
    found.append((role, body[at:]))
    return tuple((role, text.strip("\r\n")) for role, text in found if text.strip())


def _said(fields: Fields) -> list[Mapping[str, Value]]:
    """The arguments as they are written, those that can be read at all."""
    value = fields.get("arguments")
    if value is None or value == "":
        return []
    if not isinstance(value, list) or len(value) > MOST_ARGUMENTS:
        hint = "arguments: [{name: report_id, description: ..., required: true}]"
        message = f"arguments must be a list of at most {MOST_ARGUMENTS}"
        fields.tell("content-field", message, field="arguments", hint=hint)
        return []
    said = [each for each in value if isinstance(each, Mapping)]
    if len(said) < len(value):
        message = "each argument must be a mapping with a name"
        fields.tell("content-field", message, field="arguments", hint="arguments: [{name: report_id}]")
    return said


def _argument(fields: Fields, files: Files, said: Mapping[str, Value]) -> Argument:
    name = said.get("name", "")
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        message = "the name of an argument must be a word: letters, digits, _ . and -"
        fields.tell("content-field", message, field="arguments", hint="arguments: [{name: report_id}]")
        name = ""
    for each in said:
        if each not in OF_ARGUMENTS:
            message = f"an argument has no {printable(each, 60)}; it is not used"
            known = f"fields: {', '.join(OF_ARGUMENTS)}"
            fields.tell("content-unknown-field", message, field="arguments", hint=known)
    for each in ("title", "description"):
        if not isinstance(said.get(each, ""), str):
            fields.tell("content-field", f"{each} of {name} must be text", field="arguments")
    required = said.get("required", "false")
    if not isinstance(required, str) or required.lower() not in ("true", "false"):
        fields.tell("content-field", f"required of {name} must be true or false", field="arguments")
    offered = choices(fields, files, said.get("complete"), "arguments")
    return Argument(name=name, required=str(required).lower() == "true", choices=offered)


def _wire(argument: Argument, said: Mapping[str, Value]) -> dict[str, Any]:
    """MCP's PromptArgument."""
    wire: dict[str, Any] = {"name": argument.name}
    for field in ("title", "description"):
        if isinstance(said.get(field), str):
            wire[field] = str(said[field]).strip()
    return {**wire, "required": argument.required}


def _insist_on_different(fields: Fields, names: list[str]) -> None:
    for name in dict.fromkeys(each for each in names if names.count(each) > 1 and each):
        fields.tell("content-field", f"the argument {printable(name)} stands twice", field="arguments")


def _tell_of_placeholders(fields: Fields, read: Markdown, names: set[str]) -> None:
    """Arguments that the text never uses, and placeholders that are none."""
    text = _CODE.sub(lambda found: "\n" * found[0].count("\n"), read.body)
    for each in sorted(names):
        if not re.search(rf"(?<!\{{)\{{{re.escape(each)}\}}", read.body):
            hint = f"write {{{each}}} where its value belongs"
            message = f"the text does not use the argument {printable(each)}"
            fields.tell("content-argument-unused", message, field="arguments", hint=hint)
    for found in _PLACEHOLDER.finditer(text):
        if found[1] not in names and not found[1].isdigit():
            line = read.line + text.count("\n", 0, found.start())
            message = f"{{{printable(found[1], 64)}}} is no argument, so it stays as it is"
            hint = "declare it under arguments, if a value belongs there"
            fields.tell("content-placeholder-undeclared", message, line=line, hint=hint)
