"""Whether one of two versions does worse, told by a test that may be looked at after every call.

An ordinary test looked at often enough finds a difference that is not there. This one multiplies
bets: before each block of calls a wager is made, by what was seen so far, on the new version being
worse, and paid out by how the block ended. While the new version is no worse, no wager is better
than even, so the product is above 1/p at any moment with a chance of at most p (Ville's inequality);
it needs no approximation, no fixed number of looks and no rate known beforehand. The wagers are the
ones that Turner, Ly and Gruenwald show for two streams of yes and no ("Generic e-variables for exact
sequential k-sample tests that allow for optional stopping", 2021).

What it takes for granted: calls end independently of each other, and nothing but the version differs
between the two groups. Pure.
"""

from __future__ import annotations

from math import exp, log

# What is believed before anything was seen, as calls and bad ones among them: little is bad.
_CALLS, _BAD = 10.0, 0.5
# The new version is suspected of rather more, or the first bad calls would be bet on too late.
_SUSPECTED = 1.0
_SURELY = 700.0  # beyond that, exp() overflows


class Evidence:
    """Bad calls of the new version against bad calls of the stable one."""

    __slots__ = ("_waiting", "canary_bad", "canary_calls", "stable_bad", "stable_calls", "wealth")

    def __init__(self) -> None:
        self.canary_calls = self.canary_bad = self.stable_calls = self.stable_bad = 0
        self.wealth = 0.0  # the logarithm of the product
        self._waiting = [0, 0, 0, 0]  # calls and bad ones, canary and stable

    def add(self, *, canary: bool, bad: bool) -> None:
        """One call more, in the order in which they ended.

        A block is settled as soon as it holds calls of both versions. That depends on whose turn it
        was, never on how a call ended, or the wagers would not be fair.
        """
        waiting = self._waiting
        if canary:
            self.canary_calls += 1
            self.canary_bad += bad
            waiting[0] += 1
            waiting[1] += bad
        else:
            self.stable_calls += 1
            self.stable_bad += bad
            waiting[2] += 1
            waiting[3] += bad
        if waiting[0] and waiting[2]:
            self._settle(*waiting)
            self._waiting = [0, 0, 0, 0]

    def _settle(self, canary: int, canary_bad: int, stable: int, stable_bad: int) -> None:
        # What is believed may rest on the calls before the block alone.
        worse = (self.canary_bad - canary_bad + _SUSPECTED) / (self.canary_calls - canary + _CALLS)
        usual = (self.stable_bad - stable_bad + _BAD) / (self.stable_calls - stable + _CALLS)
        if worse > usual:
            alike = (canary * worse + stable * usual) / (canary + stable)
            self.wealth += (
                canary_bad * log(worse / alike)
                + (canary - canary_bad) * log((1 - worse) / (1 - alike))
                + stable_bad * log(usual / alike)
                + (stable - stable_bad) * log((1 - usual) / (1 - alike))
            )

    @property
    def p_value(self) -> float:
        """How likely so much evidence is at most if the new version is no worse; holds at every look."""
        return 1.0 if self.wealth <= 0 else exp(-min(self.wealth, _SURELY))

    @property
    def canary_rate(self) -> float:
        """The share of the new version's calls that were bad."""
        return self.canary_bad / self.canary_calls if self.canary_calls else 0.0

    @property
    def stable_rate(self) -> float:
        """The share of the stable version's calls that were bad."""
        return self.stable_bad / self.stable_calls if self.stable_calls else 0.0


class Slowness:
    """Slow calls of the new version against slow calls of the stable one.

    Above how many milliseconds a call is slow is either given, or told by the first stable calls:
    `factor` times what nine of ten of them needed. Those calls are not compared, and neither are calls
    of the new version that ended meanwhile: so the bound is settled before anything is held against it.
    """

    LEARNED_FROM = 50

    def __init__(self, *, factor: float, given: float = 0.0) -> None:
        self.evidence = Evidence()
        self.above = given
        self._factor = factor
        self._first: list[float] = []

    def add(self, *, canary: bool, milliseconds: float) -> None:
        """One call more, in the order in which they ended."""
        if self.above:
            self.evidence.add(canary=canary, bad=milliseconds > self.above)
        elif not canary:
            self._first.append(milliseconds)
            if len(self._first) == self.LEARNED_FROM:
                nine_of_ten = sorted(self._first)[self.LEARNED_FROM * 9 // 10 - 1]
                self.above = max(nine_of_ten * self._factor, 0.001)
                self._first.clear()
