"""One way to say yes to what was shown: its digest with `--yes`, or a word on a terminal."""

from __future__ import annotations

import sys
from argparse import Namespace

from prowess.cli import screen


def agreed(digest: str, options: Namespace, *, question: str) -> bool:
    """Whether somebody agreed to what has `digest`; says on stderr why not."""
    if options.yes is not None:
        if options.yes == digest:
            return True
        screen.complain("the digest is another one, so nothing was approved", f"it is {digest}")
        return False
    if options.format == "json" or not (sys.stdin and sys.stdin.isatty() and sys.stderr.isatty()):
        screen.complain(
            "nobody is here to say yes, so nothing was approved", f"look at it and add --yes {digest}"
        )
        return False
    screen.flush()
    sys.stderr.write(f"{question} [y/N] ")
    sys.stderr.flush()
    if sys.stdin.readline().strip().lower() in ("y", "yes"):
        return True
    screen.say("not approved")
    return False
