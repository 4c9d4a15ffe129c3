"""The selector that the command line names, what asking it takes, and the asking."""

from __future__ import annotations

import shlex

from prowess.cli import screen
from prowess.errors import UsageError
from prowess.evaluate.selectors import Meter, Selector
from prowess.evaluate.selectors_cassette import RUNS, Cassette, read_cassette, write_cassette
from prowess.evaluate.selectors_http import Endpoint
from prowess.evaluate.selectors_replay import Recording, Replay
from prowess.evaluate.trials import Trial
from prowess.evaluate.trials_running import REPEATS, estimate, run_trials
from prowess.evaluate.trigger_library import Library
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.evaluate.selectors_model import Protocol

NEEDED = {
    "embed": ("model",),
    "openai-compatible": ("model",),
    "anthropic": ("model",),
    "command": ("command",),
    "replay": ("cassette",),
}


class Asking:
    """One selector, made ready; `meter` says what it has taken so far."""

    def __init__(self, options: Namespace) -> None:
        for name in NEEDED.get(options.selector, ()):
            if not getattr(options, name):
                raise UsageError(f"--selector {options.selector} needs --{name}")
        if options.repeats and options.repeats > RUNS:
            raise UsageError(f"--repeats {options.repeats}", hint=f"{RUNS} at most")
        self.meter = Meter(most_calls=options.max_calls, most_tokens=options.max_tokens)
        self._options = options
        self._cassette: Cassette | None = None
        self.selector = self._made()
        self._repeats = options.repeats or getattr(self.selector, "runs", REPEATS)
        if options.record:
            self._cassette = _cassette(options.record) if _there(options.record) else Cassette()
            self.selector = Recording(self.selector, self._cassette)

    async def ask(self, library: Library) -> tuple[Trial, ...]:
        """Put every test to the selector. Raises UsageError where that takes more than is allowed."""
        identity = self.selector.identity
        wanted = estimate(library.tests, library.candidates, self.selector, self._repeats)
        if identity.paid:
            told = f"about {wanted.calls} calls and {wanted.tokens} tokens, retries aside"
            screen.say(f"{identity.title}: {told}")
            if wanted.calls > self.meter.most_calls or wanted.tokens > self.meter.most_tokens:
                most = f"{self.meter.most_calls} calls and {self.meter.most_tokens} tokens"
                raise UsageError(
                    f"this takes {told}; {most} are allowed",
                    hint="--max-calls and --max-tokens allow more, --repeats 1 takes less",
                )
        try:
            return await run_trials(
                library.tests,
                library.candidates,
                self.selector,
                repeats=self._repeats,
                concurrency=self._options.concurrency,
                progress=_progress if identity.paid else None,
            )
        finally:
            self._keep()

    def _keep(self) -> None:
        """Write the cassette: what was paid for is kept, also when the rest failed."""
        if self._cassette is not None and self._cassette.answers:
            from prowess.cli.trigger import write

            write(self._options.record, write_cassette(self._cassette))

    def _made(self) -> Selector:
        options = self._options
        if options.selector == "bm25":
            from prowess.evaluate.selectors_lexical import Lexical

            return Lexical()
        if options.selector == "replay":
            return Replay(_cassette(options.cassette), options.model)
        if options.selector == "command":
            from prowess.evaluate.selectors_command import Command

            argv = _split(options.command)
            return Command(argv, self.meter, model=options.model, seconds=options.answer_within)
        if options.selector == "embed":
            from prowess.evaluate.selectors_embedding import Embedding

            return Embedding(options.model, self._endpoint("openai-compatible"))
        return self._model()

    def _model(self) -> Selector:
        from prowess.evaluate.selectors_provider import Model

        protocol: Protocol = "anthropic" if self._options.selector == "anthropic" else "openai-compatible"
        return Model(protocol, self._options.model, self._endpoint(protocol))

    def _endpoint(self, protocol: Protocol) -> Endpoint:
        from prowess.evaluate.selectors_provider import URLS, headers, key_for

        options = self._options
        key = key_for(protocol, options.url, options.key_env)
        url = options.url or URLS[protocol]
        return Endpoint(url, key, headers(protocol, key), self.meter, seconds=options.answer_within)


def _split(line: str) -> list[str]:
    try:
        return shlex.split(line)
    except ValueError as error:
        raise UsageError(f"--command: {error}", hint="quotation marks come in pairs") from None


def _there(path: str) -> bool:
    import os

    return os.path.lexists(path)


def _cassette(path: str) -> Cassette:
    from prowess.cli.files import read_bounded

    try:
        text = read_bounded(path).decode()
    except UnicodeDecodeError:
        raise UsageError(f"{printable(path, 300)}: is not UTF-8 text, so it is no cassette") from None
    return read_cassette(text, path)


def _progress(done: int, of: int) -> None:
    """A line for each tenth."""
    if done * 10 // of > (done - 1) * 10 // of:
        screen.say(f"asked {done} of {of}")
