"""The review set of a package, frozen: what was looked at, so that a machine can say when it is another.

    fixtures/
    ├── index.json          what is here, a digest of each file, the first call and how it ended
    ├── manifest.json       1  plugin.json as it was
    ├── mcp.json            2  the servers as they were configured
    ├── components.json     2  what loads, and a digest of every file that it is made of
    ├── snapshot.json       3  what is on offer with everything up
    ├── arguments/          4  for each tool what it can be called with; the first call is made with them
    └── negative/           packages that must fail

They are written in this order and verified in it, so that the first difference that is told is the
cause. A secret in any of them is refused, and then nothing is written. See `fixtures_verifying.py`.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from prowess.author.fixtures_examples import example_of
from prowess.author.fixtures_negatives import negatives_of
from prowess.author.fixtures_subject import FOLDER, Subject, brought_up, read_subject, without_starting
from prowess.author.scaffold import json_file
from prowess.errors import ProwessError, UsageError
from prowess.redact import Redactor, printable

if TYPE_CHECKING:
    from collections.abc import Callable

    from prowess.capability.offer import Tool
    from prowess.capability.snapshot import Snapshot
    from prowess.host.host import Host
    from prowess.provider import Starting

INDEX = "index.json"
SCHEMA_ID = "urn:prowess:schema:fixtures:1"
ORDER = ("manifest", "components", "snapshot", "first-call")


@dataclass(frozen=True, slots=True, kw_only=True)
class Frozen:
    """What was frozen: the files by path, the index, and what could not be done, in words."""

    folder: str
    files: dict[str, str]
    index: dict[str, Any]
    notes: tuple[str, ...] = ()


@dataclass(slots=True, kw_only=True)
class _Offered:
    """What bringing the subject up showed."""

    snapshot: Snapshot
    calls: list[dict[str, Any]] = field(default_factory=list)
    first: dict[str, str] | None = None
    notes: list[str] = field(default_factory=list)


async def freeze(
    path: str,
    *,
    out: str | None = None,
    call: str | None = None,
    timeout: float = 30.0,
    on_start: Callable[[Starting], None] | None = None,
) -> Frozen:
    """Freeze the package at `path` into its `fixtures/` (or `out`).

    `call` names the tool of the first call; without it the first is taken that says itself that a
    call changes nothing or can be repeated. Raises UsageError for what does not pass `check`, for a
    secret, and for a folder that holds something else; then nothing is written.
    """
    subject = read_subject(path)
    insist_on_sound(subject)
    folder = out or os.path.join(subject.root, FOLDER)
    _insist_on_ours(folder)
    offered = await _offered(subject, call, timeout, on_start)
    values = _values(subject, offered)
    _insist_on_no_secret(values)
    files = {name: _text(name, value) for name, value in values.items()}
    negatives = negatives_of(subject)
    for each in negatives:
        files |= {f"{each.path}/{name}": text for name, text in each.files.items()}
    index = {
        "$schema": SCHEMA_ID,
        "of": subject.kind,
        "order": list(ORDER),
        "calls": [{key: each[key] for key in ("server", "tool", "file", "from")} for each in offered.calls],
        "firstCall": offered.first,
        "negatives": [{"path": each.path, "kind": each.kind, "rule": each.rule} for each in negatives],
        "files": {name: digest(files[name].encode()) for name in sorted(files)},
    }
    _write(folder, {**files, INDEX: json_file(index)})
    return Frozen(folder=folder, files=files, index=index, notes=tuple(offered.notes))


def insist_on_sound(subject: Subject) -> None:
    """Raise UsageError where something of the subject does not load."""
    if subject.faults:
        first = subject.faults[0]
        raise UsageError(
            f"{printable(subject.root, 300)} does not pass check: {first.place}: {first.message}",
            hint="prowess check tells all that is wrong",
        )


def digest(content: bytes) -> str:
    """The digest by which a file is known."""
    return hashlib.sha256(content).hexdigest()


# -- what is on offer


async def _offered(
    subject: Subject, call: str | None, timeout: float, on_start: Callable[[Starting], None] | None
) -> _Offered:
    if subject.kind == "skill":
        return _Offered(snapshot=without_starting(subject))
    async with brought_up(subject, timeout=timeout, on_start=on_start) as host:
        offered = _Offered(snapshot=host.snapshot())
        down = [each for each in offered.snapshot.servers if each.status != "connected"]
        offered.notes += [f"server {printable(each.id, 80)} is {each.status}: {each.reason}" for each in down]
        _add_calls(subject, offered)
        await _first_call(host, offered, call)
    return offered


def _add_calls(subject: Subject, offered: _Offered) -> None:
    """Example arguments for each tool, each in a file of its own."""
    said, taken = _inputs_of_units(subject), set[str]()
    for tool in offered.snapshot.tools:
        example = example_of(tool.input_schema, said.get(tool.name, ()))
        if example is None:
            offered.notes.append(
                f"no arguments of {printable(tool.name, 80)} could be made: show one in its schema"
            )
            continue
        name = re.sub(r"[^A-Za-z0-9_.-]", "_", tool.name)[:100].lstrip(".") or "tool"
        while name.lower() in taken:
            name = f"{name}_"
        taken.add(name.lower())
        offered.calls.append(
            {
                "server": tool.server,
                "tool": tool.name,
                "file": f"arguments/{name}.json",
                "from": example.origin,
                "value": example.arguments,
            }
        )


def _inputs_of_units(subject: Subject) -> dict[str, tuple[Any, ...]]:
    """What units in folders show as their input, where it is not one that has to fail."""
    if subject.kind != "units":
        return {}
    from prowess.units.discovery import judge

    units = [each.unit for each in judge(subject.root).units]
    return {
        unit.name: tuple(each["input"] for each in unit.examples if "input" in each and "error" not in each)
        for unit in units
    }


async def _first_call(host: Host, offered: _Offered, wanted: str | None) -> None:
    tools = {(each.server, each.name): each for each in offered.snapshot.tools}
    chosen = next((each for each in offered.calls if _may_call(each, tools, wanted)), None)
    if chosen is None and wanted is not None:
        known = printable(", ".join(each["tool"] for each in offered.calls) or "none", 300)
        raise UsageError(f"there is no tool {printable(wanted, 80)} to call first", hint=f"tools: {known}")
    if chosen is None:
        if offered.snapshot.resources and not offered.snapshot.tools:
            await _first_read(host, offered)
        if offered.calls and any(each["server"] != "workflows" for each in offered.calls):
            offered.notes.append("no tool says that it can be called without harm; --call TOOL names one")
        return
    outcome = await outcome_of(host, chosen["server"], chosen["tool"], chosen["value"])
    offered.first = {"server": chosen["server"], "tool": chosen["tool"], "outcome": outcome}
    if outcome != "answered":
        offered.notes.append(f"the first call, of {printable(chosen['tool'], 80)}, ended as {outcome}")


async def _first_read(host: Host, offered: _Offered) -> None:
    """Where there is no tool, the first resource is what is asked for first."""
    resource = offered.snapshot.resources[0]
    outcome = await outcome_of_reading(host, resource.server, resource.uri)
    offered.first = {"server": resource.server, "resource": resource.uri, "outcome": outcome}


def _may_call(call: Mapping[str, Any], tools: Mapping[tuple[str, str], Tool], wanted: str | None) -> bool:
    """Whether this is the tool that was named, or one that says that a call does no harm."""
    if wanted is not None:
        return wanted in (call["tool"], f"{call['server']}/{call['tool']}")
    from prowess.call.retry import annotation, idempotent

    tool = tools[call["server"], call["tool"]]
    if (tool.server, tool.name) == ("workflows", "workflow_status"):
        return False  # without a run it has nothing to say
    return idempotent(tool) and annotation(tool, "destructiveHint") is not True


async def outcome_of(host: Host, server: str, tool: str, arguments: dict[str, Any]) -> str:
    """How a call ends, in one word."""
    try:
        return (await host.call_recorded(tool, arguments, server=server)).word
    except ProwessError as error:
        return error.code


async def outcome_of_reading(host: Host, server: str, uri: str) -> str:
    """How the reading of a resource ends, in one word."""
    try:
        await host.ask(server, "resources/read", {"uri": uri})
    except ProwessError as error:
        return error.code
    return "answered"


# -- what is written


def _values(subject: Subject, offered: _Offered) -> dict[str, Any]:
    """Every file but the index and the negatives, as a value."""
    named = {"plugin.json": "manifest.json", "mcp.json": "mcp.json"}
    values: dict[str, Any] = {named[name]: value for name, value in subject.documents.items()}
    values["components.json"] = subject.components
    values["snapshot.json"] = offered.snapshot
    return values | {each["file"]: each["value"] for each in offered.calls}


def _text(name: str, value: Any) -> str:
    text: str = value.to_json() if name == "snapshot.json" else json_file(value)
    return text


def _insist_on_no_secret(values: Mapping[str, Any]) -> None:
    for name, value in values.items():
        plain = value.to_dict() if name == "snapshot.json" else value
        if name == "components.json":
            plain = {key: each for key, each in plain.items() if key != "files"}  # digests, by file names
        where = secret_in(plain)
        if where is not None:
            raise UsageError(
                f"{FOLDER}/{name} would hold a secret at {where or '/'}; nothing was written",
                hint="a package carries no secret: write a placeholder such as ${NAME} or <token> there",
            )


def secret_in(value: Any) -> str | None:
    """The JSON pointer to the first secret in a JSON value, or None."""
    hidden = Redactor().value(value)
    return None if hidden == value else next(_differing(value, hidden, ""), "")


def _differing(value: Any, hidden: Any, at: str) -> Iterator[str]:
    if isinstance(value, dict) and isinstance(hidden, dict) and value.keys() == hidden.keys():
        for key, each in value.items():
            yield from _differing(each, hidden[key], f"{at}/{printable(str(key), 60)}")
    elif isinstance(value, list) and isinstance(hidden, list) and len(value) == len(hidden):
        for number, each in enumerate(value):
            yield from _differing(each, hidden[number], f"{at}/{number}")
    elif value != hidden:
        yield at


def _insist_on_ours(folder: str) -> None:
    """Raise UsageError for a folder that holds something, and no index of ours."""
    if not os.path.lexists(folder):
        return
    if not os.path.isdir(folder):
        raise UsageError(f"{printable(folder, 300)} is no directory")
    if os.listdir(folder) and not os.path.isfile(os.path.join(folder, INDEX)):
        raise UsageError(
            f"{printable(folder, 300)} holds files that are no fixtures of ours; nothing was written",
            hint="--out DIR freezes somewhere else",
        )


def _write(folder: str, files: Mapping[str, str]) -> None:
    """The files, the index last; those that an earlier index lists and that are no more go."""
    from prowess.store.whole_file import replace_whole

    try:
        for name in _listed(folder) - files.keys():
            with contextlib.suppress(FileNotFoundError):
                os.unlink(os.path.join(folder, *name.split("/")))
        for name, text in files.items():
            file = os.path.join(folder, *name.split("/"))
            os.makedirs(os.path.dirname(file), exist_ok=True)
            replace_whole(file, text.encode(), mode=0o644, durable=False)
    except OSError as error:
        raise UsageError(f"{printable(folder, 300)}: {error.strerror}") from None


def _listed(folder: str) -> set[str]:
    """The files that an earlier index of ours lists, none of which leads out of the folder."""
    try:
        with open(os.path.join(folder, INDEX), encoding="utf-8") as opened:
            listed: list[Any] = list(json.load(opened)["files"])
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return set()
    return {each for each in listed if isinstance(each, str) and is_below(each)}


def is_below(path: str) -> bool:
    """Whether a path of an index stays in the folder, going by its text."""
    return bool(path) and not {"", ".", ".."} & set(path.split("/")) and "\\" not in path and "\0" not in path
