"""What `test` and `readiness` share: which units are tried, and how a report is answered."""

from __future__ import annotations

from prowess.cli import screen, targets

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Coroutine, Iterable
    from typing import Any, Protocol, TypeVar

    from prowess.cli.parsing import Parser

    class Tried(Protocol):
        """A report that says whether all is well."""

        @property
        def ok(self) -> bool:
            """Whether the answer is yes."""
            ...

    Report = TypeVar("Report", bound=Tried)


def add_arguments(parser: Parser) -> None:
    """Which units, whether for real, and the format."""
    from prowess.cli.parsing import add_format

    parser.add_argument("path", metavar="PATH", help="a folder of units, a Python file, or a prowess.toml")
    parser.add_argument("--unit", metavar="NAME", help="only this unit, or NAME@VERSION")
    parser.add_argument("--live", action="store_true", help="examples reach what they declare, for real")
    add_format(parser, "text", "json")


def answer(
    options: Namespace,
    tried: Coroutine[Any, Any, Report],
    document: Callable[[Report], dict[str, object]],
    lines: Callable[[Report], Iterable[str]],
) -> int:
    """Wait for the report, print it, and give the exit status."""
    from prowess.cli.running import run as run_to_the_end

    async def work() -> int:
        report = await tried
        if options.format == "json":
            screen.document(document(report))
        else:
            screen.data("".join(f"{line}\n" for line in lines(report)))
        return 0 if report.ok else 1

    return run_to_the_end(work())


def told(options: Namespace) -> None:
    """Say what PATH is; UsageError when it holds no units."""
    targets.told(options.path, "config", "units")
