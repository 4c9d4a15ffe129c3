"""Reading one verb's arguments: argparse, with the options that several verbs share.

A parser of ours never exits on a mistake; it raises UsageError like everything else that is wrong
with a question. It remembers its options, from which `completion` writes its scripts. Abbreviated
options are off, since others script against these names.
"""

from __future__ import annotations

import argparse
import os
import sys

from prowess.errors import UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from types import ModuleType
    from typing import Any, NoReturn

PROFILES = ("spec", "lenient")
LONGEST = 86_400.0  # a day: more is a slip of the keyboard


class _Lines(argparse.RawDescriptionHelpFormatter):
    """Help that keeps our line ends, in a width found without `shutil` (it costs a start its speed)."""

    def __init__(self, prog: str) -> None:
        super().__init__(prog, width=_width(), max_help_position=26)


def _width() -> int:
    try:
        return min(os.get_terminal_size(sys.__stdout__.fileno()).columns, 110) - 2  # type: ignore[union-attr]
    except (OSError, ValueError, AttributeError):
        return 98


class Parser(argparse.ArgumentParser):
    """One verb's parser."""

    def __init__(self, verb: str, about: str, more: str) -> None:
        self.given: list[argparse.Action] = []
        super().__init__(
            prog=f"prowess {verb}",
            description=f"{about[:1].upper()}{about[1:]}.",
            epilog=more or None,
            formatter_class=_Lines,
            allow_abbrev=False,
        )

    def add_argument(self, *names: Any, **settings: Any) -> argparse.Action:
        """As argparse, and remember it."""
        action = super().add_argument(*names, **settings)
        self.given.append(action)
        return action

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """As argparse; every PATH may be written `installed:NAME`."""
        options = super().parse_args(args, namespace)
        for each in self.given:
            if each.metavar == "PATH":
                setattr(options, each.dest, _located(getattr(options, each.dest)))
        return options

    def error(self, message: str) -> NoReturn:
        """Raise UsageError instead of leaving."""
        raise UsageError(printable(message, 500), hint=f"{self.prog} --help")


def _located(value: Any) -> Any:
    """What a PATH means, or several; only one that says so needs to know what is installed."""
    if isinstance(value, list):
        return [_located(each) for each in value]
    if not isinstance(value, str) or not value.startswith("installed:"):
        return value
    from prowess.store.installed_opening import located

    return located(value)


def verb_parser(verb: str, module: ModuleType) -> Parser:
    """The parser of `verb`, whose module has been imported."""
    from prowess.cli import VERBS

    parser = Parser(verb, VERBS[verb], getattr(module, "MORE", ""))
    module.add_arguments(parser)
    return parser


def add_profile(parser: Parser) -> None:
    """`--profile`, for every verb that reads packages."""
    parser.add_argument(
        "--profile",
        choices=PROFILES,
        default="spec",
        help="spec: the letter of the specification (default); lenient: outside it, for packages "
        "written for other clients",
    )


def add_local(parser: Parser) -> None:
    """`--local`, for every verb that offers, shows or judges skills."""
    parser.add_argument(
        "--local",
        action="store_true",
        help="also the skills in .agents/skills and .claude/skills, of this project and yours",
    )


def add_format(parser: Parser, *formats: str) -> None:
    """`--format`, the first one being the default, and `--json`."""
    parser.add_argument("--format", choices=formats, default=formats[0], help=f"default: {formats[0]}")
    parser.add_argument(
        "--json", dest="format", action="store_const", const="json", help="the same as --format json"
    )


def add_timeout(parser: Parser) -> None:
    """`--timeout`, for every verb that brings servers up."""
    parser.add_argument(
        "--timeout",
        type=seconds,
        default=30.0,
        metavar="S",
        help="seconds that each server has to come up (default 30)",
    )


def add_startup(parser: Parser) -> None:
    """`--startup`, for a verb whose `--timeout` means something else."""
    parser.add_argument(
        "--startup",
        type=seconds,
        default=30.0,
        metavar="S",
        help="seconds that each server has to come up (default 30)",
    )


def seconds(text: str) -> float:
    """A positive number of seconds."""
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value <= LONGEST:  # also false for NaN
        raise argparse.ArgumentTypeError(
            f"{text!r} is not a number of seconds above 0 and up to {LONGEST:.0f}"
        )
    return value
