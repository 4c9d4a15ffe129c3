"""Free text that a unit puts into SQL, a shell, a path or a URL as it is (SU parameters).

A string parameter is free when its schema holds no whitelist: an anchored `pattern`, an `enum`, a
`const`, or a format that leaves nothing to say. Where its value goes is read off the code (`flow`).
It knows nothing of how a schema is enforced; that what stands there is enforced is the call path's.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping
from typing import Any

from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.rules import report
from prowess.units.flow import ANY, Flow, Function
from prowess.units.model import Unit

# Formats that the call path checks and that leave no room for syntax of any kind.
_CLOSED_FORMATS = frozenset({"date", "time", "date-time", "duration", "uuid", "ipv4", "ipv6", "hostname"})
_ALL = frozenset({"^.*$", "^.+$", "^.*?$", "^.+?$", r"^[\s\S]*$", r"^[\s\S]+$"})
_DEPTH = 12

_WORDS = {
    "sql": ("SQL", 'bind it: execute("... WHERE c = ?", ({name},))'),
    "shell": ("a shell", 'run a list without a shell: run(["tool", "--", {name}])'),
    "code": ("code that is evaluated", "do not evaluate text; look the value up in a table"),
    "path": ("a path", "take the name only (os.path.basename), below a folder of the unit's own"),
    "url": ("a URL", 'quote it (urllib.parse.quote({name}, safe="")) or give it as params={{...}}'),
}


def judge_code(unit: Unit, source: bytes, file: str) -> list[Diagnostic]:
    """One diagnostic for each parameter, kind of place and line."""
    free = free_parameters(unit.parameters)
    if not free:
        return []
    try:
        tree = ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []  # told by who reads the code
    found: dict[tuple[str, str, int], Diagnostic] = {}
    for reached in _flow(unit, tree, free).found:
        for name in sorted(free if ANY in reached.names else reached.names):
            place, hint = _WORDS[reached.kind]
            why = _why(free[name])
            message = f"{printable(name, 80)} is free text and reaches {place} by {reached.sink}{why}"
            instead = hint.format(name=printable(name, 80))
            key = (name, reached.kind, reached.line)
            at = Place(file=file, line=reached.line)
            found[key] = report(
                "lint-free-text",
                at,
                message,
                hint=f'give it a "pattern" (^...$) or an "enum", or {instead}',
                subject=unit.title,
            )
    return list(found.values())


def _flow(unit: Unit, tree: ast.Module, free: Mapping[str, Any]) -> Flow:
    flow = Flow(tree, frozenset(free))
    if unit.form == "function":
        line = int(unit.place.rpartition(":")[2])
        for each in tree.body:
            if isinstance(each, Function) and line in range(_first_line(each), each.lineno + 1):
                flow.enter_function(each)
        return flow
    classes = [each for each in ast.walk(tree) if isinstance(each, ast.ClassDef)]
    running = [each for each in classes if any(_is_execute(step) for step in each.body)]
    named = [each for each in running if _says_name(each, unit.name)]
    for each in named or running:
        flow.enter_class(each)
    return flow


def _first_line(function: ast.FunctionDef | ast.AsyncFunctionDef) -> int:
    return min((each.lineno for each in function.decorator_list), default=function.lineno)


def _is_execute(step: ast.stmt) -> bool:
    return isinstance(step, ast.AsyncFunctionDef) and step.name == "execute"


def _says_name(of: ast.ClassDef, name: str) -> bool:
    return any(
        isinstance(step, ast.Assign)
        and isinstance(step.value, ast.Constant)
        and step.value.value == name
        and any(isinstance(target, ast.Name) and target.id == "name" for target in step.targets)
        for step in of.body
    )


def free_parameters(schema: Mapping[str, Any]) -> dict[str, Mapping[str, Any]]:
    """The parameters whose value may hold any text, with their schemas."""
    from prowess.units.lint import resolved

    members = schema.get("properties", {})
    if not isinstance(members, Mapping):
        return {}
    said = {name: resolved(member, schema) for name, member in members.items() if member is not False}
    return {name: each for name, each in said.items() if _is_free(each, schema, _DEPTH)}


def _is_free(said: Mapping[str, Any], root: Mapping[str, Any], depth: int) -> bool:
    from prowess.units.lint import resolved

    if depth == 0 or "enum" in said or "const" in said:
        return False

    def inner(schema: Any) -> bool:
        return _is_free(resolved(schema, root), root, depth - 1) if schema is not False else False

    branches = [
        each for word in ("anyOf", "oneOf") for each in said.get(word) or () if isinstance(each, Mapping)
    ]
    if branches:
        return any(inner({**{k: v for k, v in said.items() if k not in ("anyOf", "oneOf")}, **each})
                   for each in branches)  # fmt: skip
    for each in said.get("allOf") or ():
        if isinstance(each, Mapping) and not inner({**said, "allOf": [], **each}):
            return False
    kinds = said.get("type", ("string",))
    kinds = (kinds,) if isinstance(kinds, str) else kinds
    if "string" in kinds and not _is_whitelisted(said):
        return True
    if "array" in kinds and inner(said.get("items", {})):
        return True
    members = said.get("properties", {})
    if "object" in kinds and isinstance(members, Mapping):
        open_ended = said.get("additionalProperties", not members) is not False
        return open_ended or any(inner(each) for each in members.values())
    return False


def _is_whitelisted(said: Mapping[str, Any]) -> bool:
    pattern = said.get("pattern")
    anchored = (
        isinstance(pattern, str) and pattern.startswith(("^", r"\A")) and pattern.endswith(("$", r"\Z"))
    )
    return (anchored and pattern not in _ALL) or said.get("format") in _CLOSED_FORMATS


def _why(said: Mapping[str, Any]) -> str:
    pattern = said.get("pattern")
    if not isinstance(pattern, str):
        return ""
    return (
        "; its pattern lets everything pass" if pattern in _ALL else "; its pattern is not anchored (^...$)"
    )
