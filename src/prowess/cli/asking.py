"""Asking a person at the terminal whether a tool may be called: the approver of the command line.

There is no option that says yes beforehand: what needs asking is asked, or refused where nobody is
there. The answer is read from the terminal itself, so that neither a pipe nor what was typed before
the question can give it.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys

from prowess.cli import screen
from prowess.redact import printable
from prowess.store.remembered import ApprovalRequest

SHOWN = 2_000  # characters of the arguments; whoever cannot see all of them should not say yes unread
LONGEST_LINE = 4_096


class Terminal:
    """Asks on the controlling terminal."""

    def __init__(self, device: int) -> None:
        self._device = device

    async def approve(self, request: ApprovalRequest) -> bool:
        """True for `y` or `yes`; everything else, and the end of input, is no."""
        self._forget_what_was_typed()
        self._write(_question(request))
        answer = await self._line()
        return answer.strip().lower() in ("y", "yes")

    async def _line(self) -> str:
        loop = asyncio.get_running_loop()
        heard: asyncio.Future[bytes] = loop.create_future()

        def read() -> None:
            if not heard.done():
                heard.set_result(_read(self._device))

        loop.add_reader(self._device, read)
        try:
            return (await heard).decode("utf-8", "replace")
        except asyncio.CancelledError:
            self._write("\n")
            raise
        finally:
            loop.remove_reader(self._device)

    def _forget_what_was_typed(self) -> None:
        if sys.platform != "win32":
            import termios

            termios.tcflush(self._device, termios.TCIFLUSH)

    def _write(self, text: str) -> None:
        try:
            os.write(self._device, text.encode("utf-8", "backslashreplace"))
        except OSError:
            return


def _read(device: int) -> bytes:
    try:
        return os.read(device, LONGEST_LINE)
    except OSError:
        return b""


def _question(request: ApprovalRequest) -> str:
    arguments = json.dumps(request.arguments, ensure_ascii=False, indent=2, default=str)
    shown = screen.safe(arguments[:SHOWN]) + ("\n  (and more)" if len(arguments) > SHOWN else "")
    return (
        f"\n{printable(request.tool)} of {printable(request.server)} needs approval: "
        f"{printable(request.reason, 500)}\n{shown}\n{request.question or 'call it, this once?'} [y/N] "
    )


def terminal() -> Terminal | None:
    """The terminal to ask on, or None where nobody is in front of one."""
    if sys.platform == "win32" or sys.stderr is None or not sys.stderr.isatty():
        return None
    try:
        device = os.open("/dev/tty", os.O_RDWR | os.O_NOCTTY | os.O_CLOEXEC)
    except OSError:
        return None
    if os.tcgetpgrp(device) != os.getpgrp():  # in the background: reading would stop the whole command
        os.close(device)
        return None
    return Terminal(device)
