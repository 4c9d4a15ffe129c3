"""The fields of a stdio entry; Agent Plugins 1.0.0, sections 7.2.1 and 9.

`command` is one executable token and never a shell string; `args` and `env` values are opaque text
(4.1); `cwd` has three forms. A value that no process can be given (a NUL) makes the entry invalid.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic
from prowess.spec.entry_place import EntryPlace, literal_placeholders, secrets
from prowess.spec.paths import climbs_out, names_directory
from prowess.spec.placeholders import DATA_PLACEHOLDER, RESERVED, ROOT_PLACEHOLDER, has_placeholder

_CWD_FORMS = (
    f"write ./path, {ROOT_PLACEHOLDER}, {ROOT_PLACEHOLDER}/path, "
    f"{DATA_PLACEHOLDER} or {DATA_PLACEHOLDER}/path"
)


def command(at: EntryPlace, field: str, value: Any) -> Iterator[Diagnostic]:
    """One bare name or one `./` path."""
    if not isinstance(value, str):
        yield at.wrong_type(value, "a string", field)
        return
    if (problem := _command_problem(value)) is not None:
        message, hint = problem
        yield at.report("server-command-invalid", message, field, hint=hint)
        return
    yield from literal_placeholders(at, value, field, expanded=False)


def _command_problem(value: str) -> tuple[str, str] | None:
    # Messages leave the command out: what is not one token may be a line with a secret in it.
    if not value:
        return "command is empty", "name an executable"
    if "\0" in value:
        return "command holds a NUL character", ""
    if value.startswith("./"):
        return ("command is a directory", "name the file to execute") if names_directory(value) else None
    if value in (".", ".."):
        return "command is a directory", "name an executable, or a file of the package as ./path"
    if any(c.isspace() for c in value):
        hint = "command is one token and no shell line: put each argument into args"
        return "command holds white space", hint
    if "/" in value or "\\" in value:
        return "command is neither a bare name nor a ./ path", _not_bare_hint(value)
    return None


def _not_bare_hint(value: str) -> str:
    if has_placeholder(value):
        return f"command is never expanded: write ./ in place of {ROOT_PLACEHOLDER}/"
    if value.startswith("~"):
        return "a home directory is no place a package can name"
    if value.startswith(("/", "\\")) or value[1:2] == ":":
        return "name the program alone, as PATH has it, or ship it in the package and write ./path"
    return "a file of the package is written ./path, from the plugin root"


def arguments(at: EntryPlace, field: str, value: Any) -> Iterator[Diagnostic]:
    """Opaque strings, passed one by one."""
    if not isinstance(value, list):
        yield at.wrong_type(value, "an array of strings", field)
        return
    for index, each in enumerate(value):
        if not isinstance(each, str):
            yield at.wrong_type(each, "a string", field, index)
            continue
        if "\0" in each:
            yield _nul(at, field, index)
        yield from literal_placeholders(at, each, field, index, expanded=True)


def _nul(at: EntryPlace, *path: str | int) -> Diagnostic:
    return at.report("server-nul", f"{path[0]} holds a NUL character, which no process can be given", *path)


def environment(at: EntryPlace, field: str, value: Any) -> Iterator[Diagnostic]:
    """Names and opaque values; the two names that section 9 reserves are the client's."""
    if not isinstance(value, dict):
        yield at.wrong_type(value, "an object of strings", field)
        return
    for key, each in value.items():
        place = [field, key]
        if key in RESERVED:
            hint = "remove it: every stdio server is given it"
            yield at.report("server-env-reserved", f"env may not name {key}", *place, hint=hint)
        elif not key or "=" in key or "\0" in key:
            # What follows a = was meant as the value, and may be a secret: neither it nor its place is told.
            name = printable(key.partition("=")[0], 60)
            message = f"the env name that begins {name!r} is empty, or holds = or NUL"
            place = [field]
            yield at.report("server-env-name", message, *place, hint='write "NAME": "value"')
        if not isinstance(each, str):
            yield at.wrong_type(each, "a string", *place)
            continue
        if "\0" in each:
            yield _nul(at, *place)
        yield from literal_placeholders(at, each, *place, expanded=True)
        yield from secrets(at, key, each, *place)


def directory(at: EntryPlace, field: str, value: Any) -> Iterator[Diagnostic]:
    """One of the three forms of `cwd`; one that climbs out of the data directory is settled here."""
    if not isinstance(value, str):
        yield at.wrong_type(value, "a string", field)
    elif "\0" in value:
        yield _nul(at, field)
    elif (rest := data_path(value)) is not None:
        if climbs_out(rest):
            message = f"cwd leads out of {DATA_PLACEHOLDER}"
            yield at.report("server-outside", message, field)
    elif root_path(value) is None:
        message = f"cwd {printable(value, 80)} has none of the allowed forms"
        yield at.report("server-cwd-form", message, field, hint=_CWD_FORMS)


def data_path(cwd: str) -> str | None:
    """What follows `${PLUGIN_DATA}` in a `cwd` of that form, or None."""
    return _rest(cwd, DATA_PLACEHOLDER)


def root_path(cwd: str) -> str | None:
    """The package path of a `cwd` that lies in the plugin root, or None."""
    return cwd[2:] if cwd.startswith("./") else _rest(cwd, ROOT_PLACEHOLDER)


def _rest(cwd: str, placeholder: str) -> str | None:
    if cwd == placeholder or cwd.startswith(placeholder + "/"):
        return cwd[len(placeholder) + 1 :]
    return None
