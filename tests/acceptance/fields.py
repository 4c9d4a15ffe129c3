"""Every field that has to be shown at work: of `prowess.toml`, and of a tool's own metadata."""

from __future__ import annotations

from prowess.call.limits import TIMEOUT_META
from prowess.call.pinning import DEFINING
from prowess.call.resolving import VERSION_META
from prowess.host.config_fields import fields

HINTS = ("readOnlyHint", "idempotentHint", "destructiveHint", "openWorldHint")
OF_TOOLS = (
    *(f"tool.{name}" for name in DEFINING if name != "annotations"),
    *(f"tool.annotations.{name}" for name in HINTS),
    *(f"tool._meta.{name}" for name in (TIMEOUT_META, VERSION_META)),
)


def every() -> frozenset[str]:
    """All of them."""
    return frozenset({*fields(), *OF_TOOLS})
