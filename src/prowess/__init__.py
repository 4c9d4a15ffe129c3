"""Prowess turns a directory into capabilities that an agent can use, and proves it.

The map: what happens to a plugin.

    a directory
        │   source/       answers questions about files; the only place that resolves real paths
        ▼
    judged                prowess.judge(path) -> Judgement
        │   spec/         asks in the specification's own order; a bad manifest rejects the plugin,
        │                 a bad component type is disabled, a bad entry is skipped, and each says
        │                 why in a Diagnostic: rule, reach, place, message, hint, section
        ▼
    brought up            async with prowess.Host.open(path) as host
        │   host/         starts every server at once and closes everything at the end
        │   link/         one MCP server, one owning task; its failure is its own
        │   units/        skill units: capabilities written in Python, `prowess.unit`
        │   store/        the plugin's data directory, and the protocol era each server spoke
        ▼
    what is on offer      host.offers, one Offer a server
        │   provider.py   the protocol that host and servers meet in; MemoryProvider is its twin
        ▼
    frozen                host.snapshot() -> Snapshot, the same bytes for the same offers
        │   capability/   values only: tools, prompts, resources, snapshots
        ▼
    compared              prowess.diff(old, new) -> Drift

`redact` keeps secrets and control characters out of whatever people read, `errors` holds every
exception. `cli/` is one file for each verb and no more than the library: `prowess --help`.

An exception means that the caller's own step is impossible; what is wrong with a package is a
Diagnostic, a server that did not come up is a status, and what a tool answers is an Outcome.

Importing this module imports nothing else: each public name is fetched when it is first used, so
that whoever judges never pays for the MCP SDK.
"""

from __future__ import annotations

__version__ = "0.1.0"

TYPE_CHECKING = False
if TYPE_CHECKING:
    from prowess.call.approvals import Approver
    from prowess.call.limits import Limits
    from prowess.call.paging import Page
    from prowess.call.policy import Policy
    from prowess.call.running import CallResult
    from prowess.capability.drift import Drift
    from prowess.capability.drift import compare as diff
    from prowess.capability.offer import Offer, Prompt, Resource, ResourceTemplate, Tool
    from prowess.capability.snapshot import Snapshot
    from prowess.errors import (
        AccessDenied,
        ConnectionFailed,
        CredentialFailed,
        NotFound,
        PackageRejected,
        ProwessError,
        SkillRefused,
        StoreFailed,
        Unreadable,
        UsageError,
    )
    from prowess.host.activating import Activated
    from prowess.host.host import Host
    from prowess.host.storing import Store
    from prowess.provider import (
        Answered,
        Caller,
        Invocation,
        Lost,
        MemoryProvider,
        Outcome,
        Problem,
        Provider,
        Refused,
        TimedOut,
        ToolFailed,
    )
    from prowess.source.directory import DirectorySource
    from prowess.source.judging import judge
    from prowess.source.memory import MemorySource
    from prowess.spec.diagnostics import Diagnostic, Place, Reach
    from prowess.spec.model import Judgement, Plugin, Skill
    from prowess.units.decorated import unit
    from prowess.units.model import UnitContext
    from prowess.units.skill_class import SkillUnit

# Where each public name lives: module, and the name there if it is another.
_HOMES = {
    "Host": "host.host",
    "judge": "source.judging",
    "diff": "capability.drift:compare",
    "Snapshot": "capability.snapshot",
    "Drift": "capability.drift",
    "Judgement": "spec.model",
    "Plugin": "spec.model",
    "Skill": "spec.model",
    "Diagnostic": "spec.diagnostics",
    "Place": "spec.diagnostics",
    "Reach": "spec.diagnostics",
    "Offer": "capability.offer",
    "Tool": "capability.offer",
    "Prompt": "capability.offer",
    "Resource": "capability.offer",
    "ResourceTemplate": "capability.offer",
    "Provider": "provider",
    "MemoryProvider": "provider",
    "Caller": "provider",
    "Invocation": "provider",
    "Outcome": "provider",
    "Answered": "provider",
    "ToolFailed": "provider",
    "TimedOut": "provider",
    "Lost": "provider",
    "Refused": "provider",
    "Problem": "provider",
    "CallResult": "call.running",
    "Page": "call.paging",
    "Policy": "call.policy",
    "Limits": "call.limits",
    "Approver": "call.approvals",
    "Store": "host.storing",
    "Activated": "host.activating",
    "DirectorySource": "source.directory",
    "MemorySource": "source.memory",
    "ProwessError": "errors",
    "UsageError": "errors",
    "PackageRejected": "errors",
    "NotFound": "errors",
    "AccessDenied": "errors",
    "Unreadable": "errors",
    "ConnectionFailed": "errors",
    "SkillRefused": "errors",
    "StoreFailed": "errors",
    "CredentialFailed": "errors",
    "unit": "units.decorated",
    "SkillUnit": "units.skill_class",
    "UnitContext": "units.model",
}

__all__ = [
    "AccessDenied",
    "Activated",
    "Answered",
    "Approver",
    "CallResult",
    "Caller",
    "ConnectionFailed",
    "CredentialFailed",
    "Diagnostic",
    "DirectorySource",
    "Drift",
    "Host",
    "Invocation",
    "Judgement",
    "Limits",
    "Lost",
    "MemoryProvider",
    "MemorySource",
    "NotFound",
    "Offer",
    "Outcome",
    "PackageRejected",
    "Page",
    "Place",
    "Plugin",
    "Policy",
    "Problem",
    "Prompt",
    "Provider",
    "ProwessError",
    "Reach",
    "Refused",
    "Resource",
    "ResourceTemplate",
    "Skill",
    "SkillRefused",
    "SkillUnit",
    "Snapshot",
    "Store",
    "StoreFailed",
    "TimedOut",
    "Tool",
    "ToolFailed",
    "UnitContext",
    "Unreadable",
    "UsageError",
    "diff",
    "judge",
    "unit",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module 'prowess' has no attribute {name!r}")
    from importlib import import_module

    module, _, other = _HOMES[name].partition(":")
    value: object = getattr(import_module(f"prowess.{module}"), other or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
