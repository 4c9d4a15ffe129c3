"""Everything that can be written into `prowess.toml`, taken from the dataclasses that read it.

Every field of this list has a test that shows it at work; the list is what makes that test grow.
"""

from __future__ import annotations

from collections import abc
from collections.abc import Iterator
from dataclasses import fields as fields_of
from dataclasses import is_dataclass
from typing import Any, get_args, get_origin, get_type_hints

from prowess.call.limits import Limits
from prowess.call.log_lines import LogSection
from prowess.call.policy import Policy
from prowess.credentials.sections import CredentialSection, Secret, ServerSection
from prowess.host.sections import ContentSection, RecordsSection, RedactionSection, StoreSection, UnitsSection
from prowess.host.serving import ServeSection
from prowess.workflow.queues import WorkflowsSection

SECTIONS: dict[str, type] = {
    "policy": Policy,
    "limits": Limits,
    "credentials.*": CredentialSection,
    "servers.*": ServerSection,
    "redaction": RedactionSection,
    "records": RecordsSection,
    "store": StoreSection,
    "log": LogSection,
    "units": UnitsSection,
    "content": ContentSection,
    "workflows": WorkflowsSection,
    "serve": ServeSection,
}


def fields() -> tuple[str, ...]:
    """Every field, such as `limits.tools.timeout`; `*` is a name of the user's.

    The place of a secret (`{ env = ... }`) is one field.
    """
    found = ["format", "plugins.*"]
    for name, kind in SECTIONS.items():
        found += _fields_of(kind, name)
    return tuple(found)


def _fields_of(kind: type, above: str) -> Iterator[str]:
    hints = get_type_hints(kind)
    for each in fields_of(kind):
        inner, star = _inner(hints[each.name])
        name = f"{above}.{each.name}{star}"
        if inner is None or inner is Secret:
            yield name
        else:
            yield from _fields_of(inner, name)


def _inner(hint: Any) -> tuple[type | None, str]:
    """The dataclass that a type is made of, if any, and `.*` where names stand in between."""
    if isinstance(hint, type) and is_dataclass(hint):
        return hint, ""
    star = ".*" if get_origin(hint) is abc.Mapping else ""
    for each in get_args(hint):
        inner, below = _inner(each)
        if inner is not None:
            return inner, star + below
    return None, star
