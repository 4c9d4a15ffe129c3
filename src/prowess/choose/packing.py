"""What is shown within a budget of tokens: the core always, then whole definitions as they are ranked.

Nothing is shortened: a model that reads half a definition calls half a tool. A definition that is
larger than what is left is left out, and smaller ones further down may still be shown, since each is
there because it may be the one that is needed; the report says who was passed over. It does not know
what a definition is written in, or who counts its tokens.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

from prowess.errors import UsageError

Reason = Literal["budget", "too-large"]
CORE_FEWEST, CORE_MOST = 5, 8  # how many always shown ones are advised


@dataclass(frozen=True, slots=True, kw_only=True)
class Definition:
    """The whole text that a model would read of one capability."""

    id: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Shown:
    """One definition that is shown, what it takes, and whether it is there whatever is asked."""

    id: str
    text: str
    tokens: int
    core: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class LeftOut:
    """One that is not shown: `budget` when `left` tokens were too few, `too-large` when none would do."""

    id: str
    reason: Reason
    tokens: int
    left: int

    @property
    def why(self) -> str:
        """The reason as a sentence part."""
        if self.reason == "too-large":
            return f"{self.tokens} tokens, more than the whole budget"
        return f"{self.tokens} tokens, {self.left} left"


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """What fits. `tokens` is all that is shown; more than `budget` only when the core alone is."""

    shown: tuple[Shown, ...] = ()
    left_out: tuple[LeftOut, ...] = ()
    tokens: int = 0
    budget: int = 0

    @property
    def ids(self) -> tuple[str, ...]:
        """The ids shown, core first."""
        return tuple(each.id for each in self.shown)

    @property
    def core_tokens(self) -> int:
        """What is always shown takes."""
        return sum(each.tokens for each in self.shown if each.core)

    @property
    def over(self) -> int:
        """By how many tokens the core alone goes beyond the budget; 0 when it fits."""
        return max(0, self.tokens - self.budget)

    def to_dict(self) -> dict[str, Any]:
        """The report as a JSON value."""
        return {
            "budget": self.budget,
            "tokens": self.tokens,
            "shown": [{"id": e.id, "tokens": e.tokens, "core": e.core} for e in self.shown],
            "left_out": [
                {"id": e.id, "tokens": e.tokens, "reason": e.reason, "left": e.left} for e in self.left_out
            ],
        }


def pack(
    core: Iterable[Definition],
    ranked: Iterable[Definition],
    budget_tokens: int,
    estimate: Callable[[str], int],
) -> Packed:
    """Show all of `core`, in its order, and of `ranked`, the best first, what fits whole.

    `estimate` gives the tokens of a text. One that is in both, or twice, is shown once, as core.
    Raises UsageError for a budget below 0.
    """
    if budget_tokens < 0:
        raise UsageError(f"a budget of {budget_tokens} tokens", hint="0 or more")
    shown = [
        Shown(id=each.id, text=each.text, tokens=max(0, estimate(each.text)), core=True)
        for each in _once(core)
    ]
    always = {each.id for each in shown}
    left = budget_tokens - sum(each.tokens for each in shown)
    left_out = []
    for each in _once(ranked):
        if each.id in always:
            continue
        tokens = max(0, estimate(each.text))
        if tokens <= left:
            shown.append(Shown(id=each.id, text=each.text, tokens=tokens))
            left -= tokens
        else:
            reason: Reason = "too-large" if tokens > budget_tokens else "budget"
            left_out.append(LeftOut(id=each.id, reason=reason, tokens=tokens, left=max(0, left)))
    return Packed(
        shown=tuple(shown), left_out=tuple(left_out), tokens=budget_tokens - left, budget=budget_tokens
    )


def _once(definitions: Iterable[Definition]) -> Iterable[Definition]:
    """The first of each id, in their order."""
    first: dict[str, Definition] = {}
    for each in definitions:
        first.setdefault(each.id, each)
    return first.values()
