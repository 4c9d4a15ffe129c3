"""Whether an input fits the schema of a workflow. Pure."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from prowess.call.schemas import SchemaFault, Schemas
from prowess.call.validation import judged
from prowess.redact import printable

_SCHEMAS = Schemas()


def misfit(schema: Mapping[str, Any], given: object) -> str:
    """What is wrong with an input, or an empty text."""
    compiled = _SCHEMAS.compiled(schema)
    if isinstance(compiled, SchemaFault):
        return compiled.reason
    return "; ".join(
        printable(f"{each.path or '/'}: {each.hint}", 500) for each in judged(compiled, given)[:10]
    )
