"""`prowess explain [RULE]`: one rule's page, or one line for each rule."""

from __future__ import annotations

import os

from prowess.cli import screen
from prowess.errors import NotFound
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.cli.parsing import Parser

MORE = "Without RULE: every rule with its reach and its section of the specification."


def add_arguments(parser: Parser) -> None:
    """The arguments of `explain`."""
    from prowess.cli.parsing import add_format

    parser.add_argument("rule", metavar="RULE", nargs="?", help="a rule's id, as `check` prints it")
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Print the page or the list."""
    from prowess.spec.rules import RULES

    if options.rule is None:
        _list(options.format)
        return 0
    if options.rule not in RULES:
        raise _unknown(options.rule, RULES)
    reach, section = RULES[options.rule]
    page = _page(options.rule)
    if options.format == "json":
        screen.document({"rule": options.rule, "reach": reach.word, "section": section, "page": page})
    else:
        screen.data(page)
    return 0


def _page(rule: str) -> str:
    import prowess.spec

    folder = os.path.join(os.path.dirname(prowess.spec.__file__), "pages")
    with open(os.path.join(folder, f"{rule}.md"), encoding="utf-8") as file:
        return file.read()


def _list(form: str) -> None:
    from prowess.spec.rules import RULES

    rows = [(rule, reach.word, section) for rule, (reach, section) in sorted(RULES.items())]
    if form == "json":
        screen.document([{"rule": rule, "reach": word, "section": section} for rule, word, section in rows])
        return
    width = max((len(rule) for rule, _, _ in rows), default=0)
    screen.data(
        "".join(f"{rule:{width}}  {word:10}  {section}".rstrip() + "\n" for rule, word, section in rows)
    )


def _unknown(rule: str, known: object) -> NotFound:
    from difflib import get_close_matches

    near = get_close_matches(rule, list(known), 3, 0.5)  # type: ignore[call-overload]
    hint = f"did you mean {' or '.join(near)}?" if near else "prowess explain lists every rule"
    return NotFound(f"no rule named {printable(rule, 80)}", hint=hint)
