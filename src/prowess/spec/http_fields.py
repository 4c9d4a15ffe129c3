"""The fields of a streamable-http or sse entry; Agent Plugins 1.0.0, section 7.2.1.

Address, header names and values are literal: nothing in them is expanded. Messages name headers
and never repeat a value or the address, either of which may hold a secret.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from prowess.redact import printable
from prowess.spec import hints
from prowess.spec.diagnostics import Diagnostic
from prowess.spec.entry_place import EntryPlace, literal_placeholders, secrets
from prowess.spec.header_fields import is_field_name, is_field_value, repeated_names
from prowess.spec.urls import url_problem


def url(at: EntryPlace, field: str, value: Any) -> Iterator[Diagnostic]:
    """An absolute address without user part and fragment; https unless it is loopback."""
    if not isinstance(value, str):
        yield at.wrong_type(value, "a string", field)
        return
    problem = url_problem(value)
    if problem is None:
        return
    if problem.insecure:
        hint = "use https; http is for localhost, 127.0.0.0/8 and [::1]"
        yield at.report("server-url-insecure", f"url is refused: {problem.reason}", field, hint=hint)
        return
    hint = f"{hints.NO_EXPANSION}, never in url" if "${" in value else "write https://host/path"
    yield at.report("server-url-invalid", f"url is refused: {problem.reason}", field, hint=hint)


def headers(at: EntryPlace, field: str, value: Any) -> Iterator[Diagnostic]:
    """HTTP field names, each once in whatever casing, with field values."""
    if not isinstance(value, dict):
        yield at.wrong_type(value, "an object of strings", field)
        return
    for name, each in value.items():
        place = [field, name]
        # What follows a colon was meant as the value and may be a secret: it is told nowhere.
        told = printable(name.partition(":")[0], 80)
        if not is_field_name(name):
            place = [field]
            message = f"the name that begins {told!r} is no HTTP field name"
            yield at.report("server-header-invalid", message, *place, hint='write "Name": "value"')
        if not isinstance(each, str):
            yield at.wrong_type(each, "a string", *place)
            continue
        if not is_field_value(each):
            message = f"the value of {told} is no HTTP field value"
            hint = "no line breaks or control characters, no white space at either end, nothing above U+00FF"
            yield at.report("server-header-invalid", message, *place, hint=hint)
        yield from literal_placeholders(at, each, *place, expanded=False)
        yield from secrets(at, name, each, *place)
    for name in repeated_names(name for name in value if is_field_name(name)):
        message = f"{printable(name, 80)} stands twice: header names have no case"
        yield at.report("server-header-duplicate", message, field, name)
