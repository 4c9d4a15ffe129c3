"""When something happened: the time of this machine, which the page's script puts into the reader's form."""

from __future__ import annotations

from datetime import UTC, datetime

from markupsafe import Markup, escape


def moment(value: float | datetime | None, spec: str = "seconds") -> Markup:
    """Seconds since 1970, or a time with its zone, as a `time`; the number itself where it is no time."""
    if value is None:
        return Markup("")
    try:
        found = value if isinstance(value, datetime) else datetime.fromtimestamp(value, UTC)
        here = found.astimezone().replace(tzinfo=None)
        exact = found.astimezone(UTC).isoformat("T", spec).replace("+00:00", "Z")
    except (ValueError, OverflowError, OSError):
        return escape(f"{value:.0f}")
    return Markup('<time datetime="{}">{}</time>').format(exact, here.isoformat(" ", spec))
