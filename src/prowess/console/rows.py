"""A long list, a page of it at a time: what a reader asked for, and never more than a page can hold."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar
from urllib.parse import urlencode

from starlette.requests import Request

MOST = 100  # rows on one page; the page has other parts
Row = TypeVar("Row")
Drawn = TypeVar("Drawn")


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows(Generic[Row]):
    """The rows to draw, out of `matched` that fit the query `q`, of `total`."""

    shown: Sequence[Row]
    q: str
    at: int
    matched: int
    total: int
    path: str
    kept: Sequence[tuple[str, str]]

    @property
    def before(self) -> str:
        """The address of the page before, or nothing."""
        return self._address(max(0, self.at - MOST)) if self.at else ""

    @property
    def after(self) -> str:
        """The address of the next page, or nothing."""
        return self._address(self.at + MOST) if self.at + MOST < self.matched else ""

    def drawn(self, shown: Sequence[Drawn]) -> Rows[Drawn]:
        """The same page of the same list, its rows in the form in which they are drawn."""
        return Rows(
            shown=shown,
            q=self.q,
            at=self.at,
            matched=self.matched,
            total=self.total,
            path=self.path,
            kept=self.kept,
        )

    def _address(self, at: int) -> str:
        return f"{self.path}?{urlencode([*self.kept, ('q', self.q), ('at', str(at))])}"


def rows(request: Request, every: Sequence[Row], text_of: Callable[[Row], str]) -> Rows[Row]:
    """The page of `every` that the query asks for: `q` is looked for in `text_of`, `at` is the first row."""
    q = request.query_params.get("q", "")[:200]
    needles = q.casefold().split()
    matched = (
        [row for row in every if all(each in text_of(row).casefold() for each in needles)]
        if needles
        else every
    )
    given = request.query_params.get("at", "0")
    at = int(given[:9]) if given.isascii() and given.isdigit() else 0
    at = min(at - at % MOST, max(0, len(matched) - 1) // MOST * MOST)
    kept = [(name, value) for name, value in request.query_params.multi_items() if name not in ("q", "at")]
    return Rows(
        shown=matched[at : at + MOST],
        q=q,
        at=at,
        matched=len(matched),
        total=len(every),
        path=request.url.path,
        kept=kept,
    )
