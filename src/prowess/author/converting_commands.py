"""Slash commands of other clients as prompts, where that says the same.

A command is a text that a person starts, and so is an MCP prompt. What a client does to the text before
the model sees it (running a shell command, reading a file in) has no form in a prompt; such a command is
left and told.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from prowess.redact import printable
from prowess.spec.frontmatter import Fault, compose

_SHELL = re.compile(r"!`[^`]+`|^```!", re.MULTILINE)
_FILE = re.compile(r"(?:^|\s)@[\w./~$-]+[\w/]", re.MULTILINE)
_NUMBERED = re.compile(r"\$([1-9])(?![0-9])|\$ARGUMENTS\[([0-9])\]")
_ROOT = re.compile(r"\$\{?CLAUDE_[A-Z_]+\}?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command as a prompt: its file's text, or why it is none, and what got lost."""

    text: str = ""
    reason: str = ""
    lost: tuple[str, ...] = ()


def of_markdown(data: bytes) -> Command:
    """A command of Claude Code: Markdown with an optional frontmatter."""
    try:
        text = data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        return Command(reason="it is not UTF-8")
    front, body = _split(text)
    if front is None:
        return Command(reason="its frontmatter cannot be read")
    if _SHELL.search(body):
        return Command(reason="it runs shell commands before the model sees it")
    if _FILE.search(body):
        return Command(reason="it reads files in before the model sees it")
    if _ROOT.search(body):
        return Command(reason="it names directories by variables of its client")
    names: dict[str, str] = {}
    numbered = _NUMBERED.search(body) is not None

    def named(found: re.Match[str]) -> str:
        number = int(found[1]) if found[1] else int(found[2]) + 1
        name = f"argument_{number}"
        names[name] = f"The argument number {number}."
        return f"{{{name}}}"

    body = _guarded(body, "argument_", "arguments")
    body = _NUMBERED.sub(named, body)
    if "$ARGUMENTS" in body:
        hint = front.get("argument-hint") or ""
        hint = (
            f"[{'] ['.join(map(str, hint))}]" if isinstance(hint, list) else str(hint)
        )  # [a] is a list in YAML
        names["arguments"] = (
            f"What is typed after the command: {hint}" if hint else "What is typed after the command."
        )
        body = body.replace("$ARGUMENTS", "{arguments}")
    known = ("description", "argument-hint")
    lost = tuple(f"{printable(str(key), 60)} has no portable form" for key in front if key not in known)
    if numbered:
        lost = (*lost, "arguments by number became arguments by name")
    return Command(text=_prompt(str(front.get("description") or ""), names, body), lost=lost)


def of_toml(data: bytes) -> Command:
    """A command of Gemini CLI: TOML with `prompt` and `description`."""
    import tomllib

    try:
        said: dict[str, Any] = tomllib.loads(data.decode("utf-8-sig"))
    except (ValueError, RecursionError):
        return Command(reason="it is not TOML")
    body = said.get("prompt")
    if not isinstance(body, str) or not body.strip():
        return Command(reason="it has no prompt")
    if "!{" in body:
        return Command(reason="it runs shell commands before the model sees it")
    if "@{" in body:
        return Command(reason="it reads files in before the model sees it")
    body = _guarded(body.replace("{{args}}", "\0"), "args")
    names = {"args": "What is typed after the command."}
    # Without a place for them, what is typed is added at the end.
    body = body.replace("\0", "{args}") if "\0" in body else f"{body.rstrip()}\n\n{{args}}\n"
    lost = tuple(
        f"{printable(each, 60)} has no portable form"
        for each in said
        if each not in ("prompt", "description")
    )
    return Command(text=_prompt(str(said.get("description") or ""), names, body), lost=lost)


def _split(text: str) -> tuple[dict[str, Any] | None, str]:
    """The frontmatter as values (None when it cannot be read) and the body."""
    if not text.startswith("---\n"):
        return {}, text
    front, fence, body = text[4:].partition("\n---\n")
    if not fence:
        return None, text
    found = compose(front)
    return (None, text) if isinstance(found, Fault) else (dict(found.fields), body)


def _guarded(body: str, *names: str) -> str:
    """The text with braces doubled around what would now be taken for an argument."""
    return re.sub(
        r"\{(" + "|".join(f"{re.escape(each)}[A-Za-z0-9_]*" for each in names) + r")\}", r"{{\1}}", body
    )


def _prompt(description: str, names: dict[str, str], body: str) -> str:
    lines = ["---\n"]
    if description.strip():
        lines.append(f"description: {_quoted(' '.join(description.split()))}\n")
    if names:
        lines.append("arguments:\n")
        for name, what in names.items():
            lines.append(f"  - name: {name}\n    description: {_quoted(' '.join(what.split()))}\n")
    return "".join(lines) + "---\n" + body.lstrip("\n")


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
