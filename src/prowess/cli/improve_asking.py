"""The model that `prowess improve` asks, from options or the environment: who it is, what it may take."""

from __future__ import annotations

import os

from prowess.cli import screen
from prowess.errors import UsageError
from prowess.evaluate.improving import Improvement, splits_of
from prowess.evaluate.improving_asking import ModelAuthor
from prowess.evaluate.improving_search import nearby, searched
from prowess.evaluate.selectors import Meter, Selector
from prowess.evaluate.selectors_http import Endpoint
from prowess.evaluate.selectors_provider import URLS, Model, headers, key_for
from prowess.evaluate.trials_running import controls_of, insist_on_controls
from prowess.evaluate.trigger_library import Library
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from prowess.evaluate.cases import Case
    from prowess.evaluate.selectors_model import Protocol

PROVIDER, MODEL, URL = "PROWESS_PROVIDER", "PROWESS_MODEL", "PROWESS_MODEL_URL"


def model_of(options: Namespace) -> Asked | None:
    """The model that is configured, or None. Raises UsageError for half a configuration."""
    if options.offline:
        return None
    provider = options.provider or os.environ.get(PROVIDER, "")
    model = options.model or os.environ.get(MODEL, "")
    if not provider and not model:
        return None
    if provider not in URLS:
        known = " or ".join(URLS)
        raise UsageError(
            f"the provider is {printable(provider, 60) or 'not named'}", hint=f"--provider {known}"
        )
    if not model:
        raise UsageError("the model is not named", hint=f"--model NAME, or {MODEL} in the environment")
    protocol: Protocol = "anthropic" if provider == "anthropic" else "openai-compatible"
    return Asked(options, protocol, model)


class Asked:
    """One model, under a cap that writing and judging share."""

    def __init__(self, options: Namespace, protocol: Protocol, model: str) -> None:
        self._options, self._protocol, self._model = options, protocol, model
        self._meter = Meter(most_calls=int(options.max_calls), most_tokens=int(options.max_tokens))

    async def improved(self, library: Library, id: str, rounds: int) -> Improvement:
        """A search with this model. Raises UsageError where it takes more than is allowed."""
        from dataclasses import replace

        judge = self._judge()
        splits = splits_of(library.cases, id, select=True)
        if judge.identity.paid:
            splits = nearby(library.candidates, splits, id)
        self._insist(judge, library, [*splits.train, *splits.select], splits.final, rounds)
        author = ModelAuthor(self._protocol, self._model, self._endpoint())
        controls = controls_of(library.candidates, judge)
        try:
            await judge.begin(library.candidates, controls)
            await insist_on_controls(controls, library.candidates, judge)
            found = await searched(
                library.candidates, splits, id, judge, author, rounds=rounds, tell=screen.say
            )
        finally:
            await author.close()
            await judge.close()
        return replace(found, calls=self._meter.calls, spent=self._meter.tokens)

    def _judge(self) -> Selector:
        if self._options.judge == "bm25":
            from prowess.evaluate.selectors_lexical import Lexical

            return Lexical()
        return Model(self._protocol, self._model, self._endpoint())

    def _insist(
        self, judge: Selector, library: Library, learned: Sequence[Case], final: Sequence[Case], rounds: int
    ) -> None:
        """Say what it may take, and refuse what is more than allowed."""
        each = judge.estimate(library.candidates, [case.utterance for case in (*learned, *final)])
        share = each.calls and (len(learned) * (rounds + 1) + 2 * len(final)) / (len(learned) + len(final))
        before = judge.estimate(library.candidates, controls_of(library.candidates, judge))
        calls = int(each.calls * share) + rounds + before.calls
        tokens = int(each.tokens * share) + rounds * 4_000 + before.tokens
        told = f"up to {calls} calls and about {tokens} tokens, retries aside"
        screen.say(f"{self._protocol} ({printable(self._model, 80)}): {told}")
        if calls > self._meter.most_calls or tokens > self._meter.most_tokens:
            most = f"{self._meter.most_calls} calls and {self._meter.most_tokens} tokens"
            raise UsageError(
                f"this takes {told}; {most} are allowed",
                hint="--max-calls and --max-tokens allow more; fewer --rounds, or --judge bm25, take less",
            )

    def _endpoint(self) -> Endpoint:
        options = self._options
        url = options.url or os.environ.get(URL, "")
        key = key_for(self._protocol, url, options.key_env)
        return Endpoint(
            url or URLS[self._protocol],
            key,
            headers(self._protocol, key),
            self._meter,
            seconds=options.answer_within,
        )
