"""Started in place of a third-party server: shuts itself in, then becomes that server.

    python -I -m prowess.units.confined PLAN COMMAND [ARGUMENT ...]

PLAN is the JSON that `confining.command` writes. Whatever cannot be done as planned ends this with
status 126 before anything of the server has run: less than was said is never closed quietly.
"""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from prowess.redact import printable
from prowess.units import landlock, seccomp
from prowess.units.confining import DEVICES, OWN, READS, RUNS

NOT_STARTED = 126
_DROP_FROM_BOUNDING_SET, _CAPABILITIES = 24, 64


def main(arguments: Sequence[str]) -> int:
    """Become the command; returns only when that cannot be done."""
    plan, argv = json.loads(arguments[0]), list(arguments[1:])
    try:
        _give_up_capabilities()
        _scratch(plan["scratch"])
        _shut_in(plan)
    except OSError as error:
        return _failed(f"cannot be confined: {printable(str(error))}")
    try:
        os.execvp(argv[0], argv)  # the server's own command, which the user consented to
    except OSError as error:
        hint = "it may stand outside of what it can run" if error.errno == 13 else ""
        return _failed(f"{printable(argv[0])}: {error.strerror} {hint}".strip())


def _shut_in(plan: dict[str, Any]) -> None:
    landlock.restrict(
        plan["abi"],
        reads=(*READS, OWN, *plan["reads"]),
        runs=(*RUNS, *plan["runs"]),
        writes=plan["writes"],
        devices=DEVICES,
        ports=plan["ports"] if plan["ports"] or not plan["network"] else None,
    )
    if plan["seccomp"]:
        seccomp.restrict(internet=plan["network"])


def _give_up_capabilities() -> None:
    """What root could do beside files, such as loading a module; who is not root has nothing to give up."""
    for number in range(_CAPABILITIES):
        landlock.prctl(_DROP_FROM_BOUNDING_SET, number)


def _scratch(path: str) -> None:
    """Temporary files go where it may write; the usual places are closed."""
    if path:
        os.makedirs(path, 0o700, exist_ok=True)
        os.environ.update(dict.fromkeys(("TMPDIR", "TEMP", "TMP"), path))


def _failed(reason: str) -> int:
    sys.stderr.write(f"prowess: not started: {reason}\n")
    return NOT_STARTED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
