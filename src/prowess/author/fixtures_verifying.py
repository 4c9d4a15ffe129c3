"""Fixtures held against the package as it is now: manifest, components, snapshot, first call.

The stages are in that order, and a stage says all that differs in it. Nothing is started before the
stages that need nothing started have been answered. The same answers are given for the negatives
(each still fails, by its rule) and for the files of the fixtures themselves.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

from prowess.author.fixtures import (
    INDEX,
    SCHEMA_ID,
    digest,
    is_below,
    outcome_of,
    outcome_of_reading,
    secret_in,
)
from prowess.author.fixtures_negatives import findings
from prowess.author.fixtures_subject import FOLDER, KINDS, Subject, brought_up, read_subject, without_starting
from prowess.capability.canonical import canonical
from prowess.errors import Unreadable, UsageError
from prowess.redact import printable
from prowess.spec import limits
from prowess.spec.diagnostics import Reach

if TYPE_CHECKING:
    from prowess.capability.snapshot import Snapshot
    from prowess.host.host import Host
    from prowess.provider import Starting

StageName = Literal["fixtures", "negatives", "manifest", "components", "arguments", "snapshot", "first-call"]
SNAPSHOT_BYTES = 64_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Stage:
    """One stage: its faults, none of which is the answer yes; `skipped` says why it was not looked at."""

    name: StageName
    faults: tuple[str, ...] = ()
    skipped: str = ""

    @property
    def holds(self) -> bool:
        """Whether nothing is wrong."""
        return not self.faults


async def verify(
    path: str,
    *,
    fixtures: str | None = None,
    connect: bool = True,
    timeout: float = 30.0,
    on_start: Callable[[Starting], None] | None = None,
) -> tuple[Stage, ...]:
    """Every stage. Raises UsageError and Unreadable where there are no fixtures, or newer ones."""
    subject = read_subject(path)
    kept = _Kept(fixtures or os.path.join(subject.root, FOLDER))
    if kept.index["of"] != subject.kind:
        raise UsageError(
            f"these are fixtures of a {printable(str(kept.index['of']), 40)}, "
            f"and {printable(path, 300)} is {subject.kind}"
        )
    stages = [
        Stage(name="fixtures", faults=tuple(_intact(kept))),
        Stage(name="negatives", faults=tuple(_failing(kept))),
        Stage(name="manifest", faults=tuple(_manifest(kept, subject))),
        Stage(name="components", faults=tuple(_components(kept, subject))),
        Stage(name="arguments", faults=tuple(_fitting(kept))),
    ]
    return (*stages, *await _alive(kept, subject, connect, timeout, on_start))


class _Kept:
    """The fixtures on the disk. Raises UsageError and Unreadable for an index that cannot be used."""

    def __init__(self, folder: str) -> None:
        self.folder = folder
        if not os.path.isfile(os.path.join(folder, INDEX)):
            raise UsageError(
                f"{printable(folder, 300)} holds no fixtures", hint="prowess fixtures PATH freezes them"
            )
        self.index: dict[str, Any] = self._index()

    def _index(self) -> dict[str, Any]:
        index = self.json(INDEX)
        if not isinstance(index, dict) or index.get("$schema") != SCHEMA_ID:
            raise UsageError(
                f"{printable(self.folder, 300)}/{INDEX} is none that this version of prowess reads",
                hint="prowess fixtures PATH freezes them anew",
            )
        if not _is_whole(index):
            raise UsageError(f"{printable(self.folder, 300)}/{INDEX} is damaged")
        return index

    def place(self, name: str) -> str:
        """Where a file of the fixtures is."""
        return os.path.join(self.folder, *name.split("/"))

    def read(self, name: str) -> bytes | None:
        """A file's bytes; None when it is not there."""
        try:
            with open(self.place(name), "rb") as opened:
                content = opened.read(SNAPSHOT_BYTES + 1)
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as error:
            raise Unreadable(f"{printable(self.place(name), 300)}: {error.strerror}") from None
        if len(content) > SNAPSHOT_BYTES:
            raise Unreadable(f"{printable(self.place(name), 300)}: larger than {SNAPSHOT_BYTES} bytes")
        return content

    def json(self, name: str) -> Any:
        """A file's value; None when it is not there. Raises Unreadable."""
        content = self.read(name)
        if content is None:
            return None
        try:
            return json.loads(content)
        except (ValueError, RecursionError):
            raise Unreadable(f"{printable(self.place(name), 300)} is not JSON") from None

    def snapshot(self) -> Snapshot | None:
        """What was on offer; None when it is not there. Raises UsageError for what is none."""
        from prowess.capability.snapshot import Snapshot

        content = self.read("snapshot.json")
        if content is None:
            return None
        return Snapshot.from_json(content.decode("utf-8", "replace"), source=f"{FOLDER}/snapshot.json")


def _is_whole(index: dict[str, Any]) -> bool:
    """Whether every member that is used has its type, and every path stays in the folder."""
    calls, negatives, files = (index.get(each) for each in ("calls", "negatives", "files"))
    if not isinstance(calls, list) or not isinstance(negatives, list) or not isinstance(files, dict):
        return False
    first = index.get("firstCall")
    texts = [index.get("of"), *files.values()]
    for members, entries in ((("server", "tool", "file"), calls), (("path", "kind", "rule"), negatives)):
        for each in entries:
            texts += [each.get(member) for member in members] if isinstance(each, dict) else [None]
    if first is not None:
        texts += [*first.values(), first.get("outcome")] if isinstance(first, dict) else [None]
    if not all(isinstance(each, str) for each in texts):
        return False
    paths = [*files, *(each["file"] for each in calls), *(each["path"] for each in negatives)]
    return all(is_below(each) for each in paths) and all(each["kind"] in KINDS for each in negatives)


# -- what needs nothing started


def _intact(kept: _Kept) -> Iterator[str]:
    for name, known in kept.index["files"].items():
        content = kept.read(name)
        shown = printable(name, 200)
        if content is None:
            yield f"{shown} is gone"
        elif digest(content) != known:
            yield f"{shown} is not what was frozen"
        elif name.endswith(".json") and name != "components.json" and len(content) <= limits.JSON_BYTES:
            where = None if name.startswith("negative/") else secret_in(kept.json(name))
            if where is not None:
                yield f"{shown} holds a secret at {where or '/'}"


def _failing(kept: _Kept) -> Iterator[str]:
    for each in kept.index["negatives"]:
        shown, rule = printable(str(each["path"]), 200), each.get("rule")
        folder = kept.place(each["path"])
        found = findings(each.get("kind"), folder) if os.path.isdir(folder) else ()
        if not any(one.rule == rule and one.reach >= Reach.ENTRY for one in found):
            yield f"{shown} does not fail by {printable(str(rule), 60)}"


def _manifest(kept: _Kept, subject: Subject) -> Iterator[str]:
    if subject.kind == "plugin":
        yield from _same("plugin.json", kept.json("manifest.json"), subject.documents.get("plugin.json"))
    if subject.judgement.rejected is not None:
        yield f"the plugin is rejected: {subject.judgement.rejected.message}"


def _components(kept: _Kept, subject: Subject) -> Iterator[str]:
    if subject.kind == "plugin":
        yield from _same("mcp.json", kept.json("mcp.json"), subject.documents.get("mcp.json"))
    frozen = kept.json("components.json")
    frozen = frozen if isinstance(frozen, dict) else {}
    for name in sorted(frozen.keys() | subject.components.keys()):
        if name != "files":
            yield from _same(name, frozen.get(name), subject.components.get(name))
    yield from _same_files(frozen.get("files") or {}, subject.components["files"])
    yield from (f"{each.place}: {each.message}" for each in subject.faults if each.reach < Reach.PLUGIN)


def _same(what: str, old: Any, new: Any) -> Iterator[str]:
    if (old is None) != (new is None):
        yield f"{what} is {'new' if old is None else 'gone'}"
    elif canonical(old) != canonical(new):
        yield f"{what} changed"


def _same_files(old: Any, new: dict[str, str]) -> Iterator[str]:
    old = old if isinstance(old, dict) else {}
    for name in sorted(old.keys() | new.keys()):
        if old.get(name) != new.get(name):
            said = "new" if name not in old else "gone" if name not in new else "changed"
            yield f"{printable(name, 200)} {'' if said == 'changed' else 'is '}{said}"


def _fitting(kept: _Kept) -> Iterator[str]:
    """Whether every example still fits the schema that was frozen with it."""
    from prowess.author.schemas_judging import hold_against

    snapshot = kept.snapshot()
    tools = snapshot.tools if snapshot is not None else ()
    schemas = {(each.server, each.name): each.input_schema for each in tools}
    for call in kept.index["calls"]:
        schema = schemas.get((call["server"], call["tool"]))
        if schema is None or not hold_against(schema, kept.json(call["file"])).fits:
            yield f"{printable(call['file'], 200)} does not fit its tool"


# -- what is brought up


async def _alive(
    kept: _Kept,
    subject: Subject,
    connect: bool,
    timeout: float,
    on_start: Callable[[Starting], None] | None,
) -> list[Stage]:
    if subject.judgement.rejected is not None or (subject.kind != "skill" and not connect):
        why = "the plugin is rejected" if connect else "nothing is started"
        return [Stage(name="snapshot", skipped=why), Stage(name="first-call", skipped=why)]
    if subject.kind == "skill":
        faults = _drift(kept, without_starting(subject))
        return [
            Stage(name="snapshot", faults=faults),
            Stage(name="first-call", skipped="a skill has no tool"),
        ]
    async with brought_up(subject, timeout=timeout, on_start=on_start) as host:
        faults = _drift(kept, host.snapshot())
        return [Stage(name="snapshot", faults=faults), await _first_call(kept, host)]


def _drift(kept: _Kept, now: Any) -> tuple[str, ...]:
    from prowess.capability.drift import compare

    frozen = kept.snapshot()
    return (
        ("snapshot.json is gone",) if frozen is None else tuple(compare(frozen, now).to_text().splitlines())
    )


async def _first_call(kept: _Kept, host: Host) -> Stage:
    first = kept.index.get("firstCall")
    if not isinstance(first, dict):
        return Stage(name="first-call", skipped="none was frozen")
    if isinstance(first.get("resource"), str):
        read = await outcome_of_reading(host, str(first.get("server")), first["resource"])
        return _ended(first["resource"], read, first)
    call = next(
        (
            each
            for each in kept.index["calls"]
            if (each.get("server"), each.get("tool")) == (first.get("server"), first.get("tool"))
        ),
        None,
    )
    arguments = kept.json(call["file"]) if call is not None else None
    if call is None or not isinstance(arguments, dict):
        return Stage(name="first-call", faults=("its arguments are gone",))
    outcome = await outcome_of(host, call["server"], call["tool"], arguments)
    return _ended(call["tool"], outcome, first)


def _ended(what: str, outcome: str, first: dict[str, Any]) -> Stage:
    if outcome == first.get("outcome"):
        return Stage(name="first-call")
    was = printable(str(first.get("outcome")), 40)
    return Stage(name="first-call", faults=(f"{printable(what, 200)} ended as {outcome}, and was {was}",))
