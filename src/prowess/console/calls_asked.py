"""Which calls a reader asked for: the fields of the filter, and what is wrong with one of them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import get_args

from starlette.requests import Request

from prowess.errors import UsageError
from prowess.store.moments import moment
from prowess.store.remembered import OutcomeWord
from prowess.store.reports import Filter

OUTCOMES: tuple[str, ...] = get_args(OutcomeWord)
FIELDS = ("tool", "server", "outcome", "caller", "since")
LONGEST = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A filter as it was written (`fields`, without the empty ones), and what it means.

    `fault` says what is wrong with `since`; then it counts for nothing.
    """

    fields: Sequence[tuple[str, str]]
    filter: Filter
    fault: str = ""

    def get(self, name: str) -> str:
        """What was written into a field."""
        return dict(self.fields).get(name, "")


def asked(request: Request) -> Asked:
    """The filter of a page's address; what is not understood in it is left out."""
    given = {name: request.query_params.get(name, "").strip()[:LONGEST] for name in FIELDS}
    if given["outcome"] not in OUTCOMES:
        given["outcome"] = ""
    since, fault = 0.0, ""
    if given["since"]:
        try:
            since = moment(given["since"])
        except UsageError as error:
            fault = error.message
    fields = [(name, value) for name, value in given.items() if value]
    texts = {name: value for name, value in given.items() if name != "since"}
    return Asked(fields=fields, filter=Filter(**texts, since=since), fault=fault)
