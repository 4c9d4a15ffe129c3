"""The callable skills of a Host as the HTTP API lists and finds them: tools of servers, and units.

A skill's name is what a model calls it, which is one and the same whichever servers are up. The
knowledge skills of a package (SKILL.md) are not callable; the snapshot lists them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import Any

from prowess.call.resolving import VERSION_META
from prowess.capability.offer import Tool
from prowess.capability.snapshot import Snapshot
from prowess.choose.versions import admitted, split
from prowess.errors import NotFound, ProwessError, UsageError
from prowess.host import Host
from prowess.provider import Caller
from prowess.redact import printable
from prowess.serve.api_problems import HttpProblem, of_error

NEAREST = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Meant:
    """The skill that a request means, and the range of versions it asks for."""

    server: str
    tool: str
    version: str | None


def version_of(tool: Tool) -> str:
    """The version that a tool declares, or an empty text."""
    meta = tool.wire.get("_meta")
    return str(meta.get(VERSION_META, "")) if isinstance(meta, dict) else ""


def within(snapshot: Snapshot, host: Host, caller: Caller) -> Snapshot:
    """What of a snapshot `caller` may know of."""
    reach = host.path.reach(caller.principal)
    near = {each.skill.name for each in host.local_skills if reach.plugin(each.plugin)}
    return replace(
        snapshot,
        skills=tuple(each for each in snapshot.skills if each.name in near),
        servers=tuple(each for each in snapshot.servers if reach.server(each.id)),
        tools=tuple(each for each in snapshot.tools if reach.tool(each)),
        prompts=tuple(each for each in snapshot.prompts if reach.server(each.server)),
        resources=tuple(each for each in snapshot.resources if reach.server(each.server)),
        templates=tuple(each for each in snapshot.templates if reach.server(each.server)),
    )


async def listed(host: Host, caller: Caller, asked: str | None) -> list[dict[str, Any]]:
    """Every skill that may be called, each in every version, or in those that the range `asked` means.

    Raises UsageError for a range that is none.
    """
    names, path = host.model_names(), host.path
    admitted(asked or "", ())  # a wrong range is one whatever is on offer
    found = []
    for tool in await host.tools(caller=caller):
        versions = path.versions(tool)
        default = _default(host, tool, caller) if len(versions) > 1 else versions[0] if versions else tool
        name = names.name(tool.server, tool.name)
        found += [_entry(name, each, each is default) for each in _asked(versions, asked)]
    return sorted(found, key=lambda each: each["name"])


def _default(host: Host, tool: Tool, caller: Caller) -> Tool | None:
    try:
        return host.path.find(tool.name, server=tool.server, caller=caller)
    except ProwessError:  # only versions that have to be asked for
        return None


def _asked(versions: tuple[Tool, ...], asked: str | None) -> Iterator[Tool]:
    if asked is None:
        yield from versions
        return
    for each in versions:
        version = version_of(each)
        try:
            if version and admitted(asked, [version]):
                yield each
        except UsageError:  # a server's own idea of a version: only the very same text means it
            if version == asked:
                yield each


def _entry(name: str, tool: Tool, default: bool) -> dict[str, Any]:
    wire = tool.wire
    entry: dict[str, Any] = {
        "name": name,
        "server": tool.server,
        "description": tool.description or "",
        "parameters": dict(tool.input_schema),
        "default": default,
    }
    further = {"title": wire.get("title"), "returns": wire.get("outputSchema"), "version": version_of(tool)}
    return entry | {key: each for key, each in further.items() if each}


def meant(host: Host, skill: str, version: str | None, caller: Caller) -> Meant:
    """The skill that a name means. Raises HttpProblem: 404 with the nearest names, 409 for several."""
    reach = host.path.reach(caller.principal)
    known = {(each.server, each.name) for each in host.path.known() if reach.tool(each)}
    names = {name: key for name, key in host.model_names().by_name.items() if key in known}
    head, asked = split(skill)
    for name, range_ in ((skill, version), (head, version or asked or None)):
        if name in names:
            server, tool = names[name]
            return Meant(server=server, tool=tool, version=range_)
    try:
        found = host.path.find(skill, version=version, caller=caller)
        if not reach.tool(found):
            raise NotFound(f"no tool named {printable(skill)}")
    except NotFound as error:
        raise _unknown(error, skill, names) from None
    except ProwessError as error:
        raise of_error(error) from None
    # A name may hold an `@` of its own; where it does not, the range stands behind it.
    whole = skill == found.name or skill.endswith(f"/{found.name}")
    return Meant(server=found.server, tool=found.name, version=version if whole else version or asked)


def _unknown(error: NotFound, skill: str, names: Mapping[str, tuple[str, str]]) -> HttpProblem:
    own = {tool: name for name, (_, tool) in names.items()}
    near = get_close_matches(skill[:200], [*names, *own], NEAREST, 0.5)
    nearest = list(dict.fromkeys(own.get(each, each) for each in near))
    return HttpProblem(404, "unknown-skill", error.message, hint=error.hint, nearest=nearest)
