"""Another client's server entries as entries of `mcp.json`, and what of them has no portable form.

Agent Plugins 1.0.0, 7.2: the transport is stated, a command is one token, the plugin's directory is
`${PLUGIN_ROOT}`. Variables of the user's environment have no form there: a package carries no value that
only one machine knows.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from prowess.redact import looks_secret, printable, secrets_in_arguments
from prowess.spec.placeholders import DATA_PLACEHOLDER, ROOT_PLACEHOLDER

_VARIABLE = re.compile(r"\$\{[^}]{1,200}\}|\$[A-Za-z_][A-Za-z0-9_]*")
_TYPES = {
    "http": "streamable-http",
    "streamable_http": "streamable-http",
    "streamable-http": "streamable-http",
    "streamableHttp": "streamable-http",
    "sse": "sse",
    "stdio": "stdio",
}
PLACEHOLDER = "<secret>"  # in the place of one
_STDIO = ("command", "args", "env", "cwd")
_HTTP = ("url", "headers")


@dataclass(frozen=True, slots=True, kw_only=True)
class Words:
    """How a client writes the plugin's two directories; `relative` when paths count from the first."""

    root: tuple[str, ...] = ()
    data: tuple[str, ...] = ()
    separator: str = ""
    relative: bool = False
    given: tuple[str, ...] = ("PLUGIN_ROOT", "PLUGIN_DATA")


@dataclass(slots=True, kw_only=True)
class Converted:
    """One entry, or None; what was lost on the way, and what is otherwise now, each in words."""

    entry: dict[str, Any] | None = None
    lost: list[str] = field(default_factory=list)
    changed: list[str] = field(default_factory=list)


def portable_entry(entry: Any, words: Words) -> Converted:
    """`entry` as the standard writes it."""
    made = Converted()
    if not isinstance(entry, Mapping):
        made.lost.append("it is no object")
        return made
    kind = _kind(entry)
    if kind is None:
        made.lost.append("neither a command nor a url that is known")
        return made
    known = _STDIO if kind == "stdio" else _HTTP
    for key in entry:
        if key not in (*known, "type", "httpUrl"):
            made.lost.append(f"{printable(str(key), 60)} has no portable form")
    if kind == "stdio":
        _stdio(entry, words, made)
    else:
        _http(entry, kind, made)
    return made


def _kind(entry: Mapping[str, Any]) -> str | None:
    """The transport: stated, or told by the one member that only one of them has."""
    stated = entry.get("type")
    if isinstance(stated, str) and stated in _TYPES:
        return _TYPES[stated]
    if isinstance(entry.get("command"), str):
        return "stdio"
    if isinstance(entry.get("httpUrl"), str):
        return "streamable-http"
    if isinstance(entry.get("url"), str):
        return "sse" if entry["url"].rstrip("/").endswith("/sse") else "streamable-http"
    return None


def _stdio(entry: Mapping[str, Any], words: Words, made: Converted) -> None:
    command = _filled(str(entry.get("command", "")), words)
    prefix = f"{ROOT_PLACEHOLDER}/"
    command = f"./{command.removeprefix(prefix)}" if command.startswith(prefix) else command
    told = "/" in command.removeprefix("./") or "\\" in command or _VARIABLE.search(command)
    if (
        not command
        or (told and not command.startswith("./"))
        or (" " in command and not command.startswith("./"))
    ):
        made.lost.append("its command is neither one name nor a file of the package")
        return
    portable: dict[str, Any] = {"type": "stdio", "command": command}
    args = entry.get("args", [])
    if isinstance(args, list) and args:
        portable["args"] = _arguments([str(each) for each in args], words, made)
    env = _environment(entry.get("env"), words, made)
    if env:
        portable["env"] = env
    _directory(entry.get("cwd"), words, portable, made)
    made.entry = portable


def _arguments(args: list[str], words: Words, made: Converted) -> list[str]:
    """The arguments with a placeholder for each secret: without it the others would change their meaning."""
    secrets = secrets_in_arguments(args)
    if not secrets and not any(looks_secret("", each) for each in args):
        return [_argument(each, words, made) for each in args]
    made.lost.append("an argument looks like a secret, which no package carries")
    kept = []
    for each in args:
        for secret in secrets:
            each = each.replace(secret, PLACEHOLDER)
        kept.append(_argument(PLACEHOLDER if looks_secret("", each) else each, words, made))
    return kept


def _argument(text: str, words: Words, made: Converted) -> str:
    text = _filled(text, words)
    _tell_variables("an argument", text, made)
    return text


def _environment(env: Any, words: Words, made: Converted) -> dict[str, str]:
    kept = {}
    for key, value in env.items() if isinstance(env, Mapping) else ():
        text = _filled(str(value), words)
        if key in words.given or key in ("PLUGIN_ROOT", "PLUGIN_DATA"):
            continue  # every client of the standard gives these two
        if _foreign(text):
            made.lost.append(f"env {printable(str(key), 60)} comes from the user's own environment")
        elif looks_secret(str(key), text):
            made.lost.append(f"env {printable(str(key), 60)} looks like a secret, which no package carries")
        else:
            kept[str(key)] = text
    return kept


def _directory(cwd: Any, words: Words, portable: dict[str, Any], made: Converted) -> None:
    if not isinstance(cwd, str) or not cwd:
        if not words.relative:
            made.changed.append("it is started in the plugin's directory, and was in the user's")
        return
    text = _filled(cwd, words)
    if words.relative and not text.startswith(("/", "$")):
        text = "./" + text.removeprefix("./").strip(".").strip("/")
    if text.rstrip("/") in (ROOT_PLACEHOLDER, "."):
        return
    if text.startswith(("./", f"{ROOT_PLACEHOLDER}/", DATA_PLACEHOLDER)):
        if text != "./":
            portable["cwd"] = text
    else:
        made.lost.append(f"cwd {printable(cwd, 80)} is no directory of the package")


def _http(entry: Mapping[str, Any], kind: str, made: Converted) -> None:
    url = entry.get("httpUrl") or entry.get("url")
    if not isinstance(url, str) or _foreign(url):
        made.lost.append("its url is not a plain one")
        return
    if "@" in url.partition("://")[2].partition("/")[0] or looks_secret("", url):
        made.lost.append("its url holds a user name or a secret, which no package carries")
        return
    portable: dict[str, Any] = {"type": kind, "url": url}
    headers = {}
    given = entry.get("headers")
    for key, value in given.items() if isinstance(given, Mapping) else ():
        if _foreign(str(value)) or looks_secret(str(key), str(value)):
            made.lost.append(f"header {printable(str(key), 60)} is a credential, or the user's own")
        else:
            headers[str(key)] = str(value)
    made.entry = {**portable, "headers": headers} if headers else portable


def _filled(text: str, words: Words) -> str:
    for each in words.root:
        text = text.replace(each, ROOT_PLACEHOLDER)
    for each in words.data:
        text = text.replace(each, DATA_PLACEHOLDER)
    return text.replace(words.separator, "/") if words.separator else text


def _foreign(text: str) -> bool:
    """Whether a variable stands in it that is not one of the plugin's two directories."""
    return any(each not in (ROOT_PLACEHOLDER, DATA_PLACEHOLDER) for each in _VARIABLE.findall(text))


def _tell_variables(what: str, text: str, made: Converted) -> None:
    for each in _VARIABLE.findall(text):
        if each.startswith("${") and each not in (ROOT_PLACEHOLDER, DATA_PLACEHOLDER):
            made.lost.append(f"{printable(each, 80)} in {what} is passed on as it is, and never filled in")
