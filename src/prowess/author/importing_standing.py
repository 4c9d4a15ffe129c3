"""How an imported skill stands now: against its server, and against what was agreed to.

Stale is a skill whose server says something else now, or has a tool no more that the skill leads to.
Edited is one whose files are not those that a person agreed to.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from prowess.author.importing import Wanted, read_again
from prowess.author.importing_opening import OnStart, Opened, opened, recorded
from prowess.author.importing_places import Imported
from prowess.author.importing_rendering import Said, content_digest
from prowess.author.importing_writing import read_skill, remembered
from prowess.errors import ProwessError
from prowess.redact import printable

State = Literal["fresh", "stale", "unreachable"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """How one skill stands. `changed` says what is not as it was, in words; `reason` why nobody could ask."""

    imported: Imported
    state: State
    changed: tuple[str, ...] = ()
    reason: str = ""
    edited: bool = False


async def standing(imported: Imported, *, timeout: float, on_start: OnStart) -> Standing:
    """Ask the server again for everything that the skill holds; nothing is written."""
    edited = is_edited(imported)
    try:
        reference = recorded(imported.provenance.source, imported.place)
        async with opened(reference, timeout=timeout, on_start=on_start) as up:
            return await against(imported, up)
    except ProwessError as error:
        return Standing(imported=imported, state="unreachable", reason=error.message, edited=edited)


async def against(imported: Imported, up: Opened) -> Standing:
    """How it stands against a server that is up. Raises ConnectionFailed where that stops answering."""
    edited = is_edited(imported)
    if up.offer.status != "connected":
        reason = up.offer.reason or up.offer.status
        return Standing(imported=imported, state="unreachable", reason=reason, edited=edited)
    changed = await _changed(imported, up)
    return Standing(
        imported=imported, state="stale" if changed else "fresh", changed=tuple(changed), edited=edited
    )


async def _changed(imported: Imported, up: Opened) -> list[str]:
    told = []
    for name, (uri, digest) in sorted(imported.provenance.parts.items()):
        now = await read_again(up.ask, uri)
        if now is None:
            told.append(f"{printable(uri, 200)} is gone ({printable(name, 100)})")
        elif now != digest:
            told.append(f"{printable(uri, 200)} changed ({printable(name, 100)})")
    there = {each.name for each in up.offer.tools}
    told += [
        f"the tool {printable(each, 100)} is gone" for each in imported.provenance.tools if each not in there
    ]
    return told


def is_edited(imported: Imported) -> bool:
    """Whether its files are other ones than were agreed to."""
    agreed = remembered(imported.directory)
    digest = agreed.digest if agreed is not None else imported.provenance.digest
    return content_digest(read_skill(imported.directory)) != digest


def asked_for(imported: Imported) -> tuple[Said, Wanted]:
    """What was asked for when the skill was imported, to ask for the same again."""
    asked = imported.provenance.wanted
    said = Said(
        name=imported.skill.name,
        description=str(asked.get("description", "")),
        triggers=_texts(asked, "triggers"),
    )
    values = asked.get("values")
    return said, Wanted(
        uris=_texts(asked, "uris"),
        values={str(k): str(v) for k, v in values.items()} if isinstance(values, Mapping) else {},
        live=_texts(asked, "live"),
        keep=_texts(asked, "keep"),
    )


def to_ask(said: Said, wanted: Wanted) -> dict[str, object]:
    """The same the other way round, as the skill keeps it."""
    found: dict[str, object] = {
        "uris": list(wanted.uris),
        "values": dict(wanted.values),
        "live": list(wanted.live),
        "keep": list(wanted.keep),
        "description": said.description,
        "triggers": list(said.triggers),
    }
    return {key: value for key, value in found.items() if value}


def _texts(asked: Mapping[str, object], key: str) -> tuple[str, ...]:
    value = asked.get(key)
    return tuple(str(each) for each in value) if isinstance(value, list) else ()
