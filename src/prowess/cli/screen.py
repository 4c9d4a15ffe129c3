"""What the command line writes: data on stdout, words for people on stderr.

A reader that went away (`| head`) is no fault: the rest is dropped quietly and the exit status
stays the answer. Colour only on a terminal, never with NO_COLOR, and never the only sign. It does
not know what it writes; untrusted single-line text has been through `redact.printable` before.
"""

from __future__ import annotations

import os
import sys

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TextIO

STYLES = {"bold": "1", "dim": "2", "red": "31", "yellow": "33", "green": "32", "cyan": "36"}
# Shown as they are in text of several lines although `str.isprintable` says no: line ends, tabs
# and the spaces that people write in other scripts.
KEPT = frozenset("\n\t\u00a0\u2009\u202f\u3000")


def prepare() -> None:
    """Make sure that no character can break a write, whatever the locale."""
    for stream in (sys.stdout, sys.stderr):
        if stream is not None and hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def data(text: str) -> None:
    """Write to stdout."""
    if sys.stdout is None:
        raise OSError(9, "standard output is closed")
    try:
        sys.stdout.write(text)
    except BrokenPipeError:
        _drop_the_rest()


def raw(content: bytes) -> None:
    """Write bytes to stdout as they are."""
    if sys.stdout is None:
        raise OSError(9, "standard output is closed")
    try:
        sys.stdout.flush()
        sys.stdout.buffer.write(content)
    except BrokenPipeError:
        _drop_the_rest()


def document(value: Any) -> None:
    """Write a JSON document, in UTF-8 whatever the locale (RFC 8259, 8.1).

    JSON itself leaves DEL, the C1 controls and everything that turns or hides text as it is; a
    terminal must not get those, and as escapes they are the same value.
    """
    import json

    try:
        text = json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False)
    except ValueError:  # a server's own NaN, say in a tool's schema
        from prowess.capability.canonical import plain

        text = json.dumps(plain(value), ensure_ascii=False, indent=2)
    if not (text.isascii() and "\x7f" not in text):
        text = _with_escapes(text)
    json_text(text + "\n")


def _with_escapes(text: str) -> str:
    unfit = "".join(c for c in set(text) if not (c.isprintable() or c in KEPT))
    if not unfit:
        return text
    import json
    import re

    return re.sub(f"[{re.escape(unfit)}]", lambda found: json.dumps(found[0])[1:-1], text)


def json_text(text: str) -> None:
    """Write JSON that is text already, in UTF-8 whatever the locale."""
    stream = sys.stdout
    if stream is not None and hasattr(stream, "reconfigure") and stream.encoding.lower() != "utf-8":
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")
    data(text)


def flush() -> None:
    """Hand over what is written; raises OSError when it cannot be (a full disk)."""
    try:
        if sys.stdout is not None:
            sys.stdout.flush()
    except BrokenPipeError:
        _drop_the_rest()


def _drop_the_rest() -> None:
    # What is still in the buffer would raise again when the interpreter closes stdout.
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, sys.stdout.fileno())
    os.close(nowhere)


def say(line: str) -> None:
    """Write one line for people; if nobody can read it, go on."""
    try:
        if sys.stderr is not None:
            sys.stderr.write(line + "\n")
            sys.stderr.flush()
    except OSError:
        pass


def complain(message: str, hint: str = "") -> None:
    """One line saying what is wrong, and one saying what to do."""
    say(f"prowess: {paint(message, 'red', sys.stderr)}")
    if hint:
        say(f"   hint: {hint}")


def paint(text: str, style: str, stream: TextIO | None) -> str:
    """`text` in a style, where the stream is a terminal and the user did not say no."""
    if not text or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return text
    if stream is None or not stream.isatty():
        return text
    return f"\x1b[{STYLES[style]}m{text}\x1b[0m"


def safe(text: str) -> str:
    """Untrusted text of several lines: control, bidi and surrogate characters as escapes."""
    text = text.replace("\r\n", "\n")
    return "".join(c if c.isprintable() or c in KEPT else f"\\u{{{ord(c):x}}}" for c in text)
