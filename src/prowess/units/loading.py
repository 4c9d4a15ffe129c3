"""Units brought to life: their files imported once, and something that runs.

What goes wrong in a unit's own file is a LoadFailed with the file and line of the fault in that
file. Importing may take long, so callers do it in a thread; a lock keeps it to once.
"""

from __future__ import annotations

import os
import threading
from hashlib import sha256
from types import ModuleType

from prowess.errors import ProwessError
from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.rules import report
from prowess.units import isolation


class LoadFailed(ProwessError):
    """A unit's code could not be brought to life; `diagnostic` says where."""

    code = "unit-load-failed"

    def __init__(self, diagnostic: Diagnostic) -> None:
        super().__init__(f"{diagnostic.place}: {diagnostic.message}", hint=diagnostic.hint)
        self.diagnostic = diagnostic


class Modules:
    """The modules of units, each imported when first asked for and kept until its files change."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._loaded: dict[str, tuple[ModuleType, str]] = {}

    def get(self, file: str, *, root: str, subject: str) -> ModuleType:
        """The module in `file`. Raises LoadFailed."""
        with self._lock:
            if file not in self._loaded:
                module = _imported(file, root, subject)
                self._loaded[file] = module, self._stamp(module)
            return self._loaded[file][0]

    def forget_changed(self) -> frozenset[str]:
        """Forget what was imported from files that are not what they were; the files asked for."""
        with self._lock:
            stale = [file for file, (module, stamp) in self._loaded.items() if self._stamp(module) != stamp]
            for file in stale:
                isolation.unload(self._loaded.pop(file)[0].__name__.partition(".")[0])
            return frozenset(stale)

    def files_of(self, file: str) -> list[str]:
        """Every file of its own that importing `file` read."""
        with self._lock:
            module, _ = self._loaded[file]
            return isolation.files_of(module.__name__.partition(".")[0])

    def close(self) -> None:
        """Forget everything."""
        with self._lock:
            for module, _ in self._loaded.values():
                isolation.unload(module.__name__.partition(".")[0])
            self._loaded.clear()

    def _stamp(self, module: ModuleType) -> str:
        files = isolation.files_of(module.__name__.partition(".")[0])
        return "\n".join(f"{file} {digest_of(file)}" for file in files)


def digest_of(file: str) -> str:
    """What changes when the file does; empty when it cannot be read."""
    try:
        with open(file, "rb") as source:
            return sha256(source.read()).hexdigest()
    except OSError:
        return ""


def _imported(file: str, root: str, subject: str) -> ModuleType:
    try:
        return isolation.load(file)
    except (Exception, SystemExit) as error:  # noqa: BLE001  # boundary: one unit's fault is that unit's alone
        raise LoadFailed(load_fault(error, file, root, subject)) from None


def load_fault(error: BaseException, file: str, root: str, subject: str) -> Diagnostic:
    """A fault at import as a diagnostic, at the last line of the unit's own that was running."""
    at, line = _where(error, file)
    place = Place(file=os.path.relpath(at, root).replace(os.sep, "/"), line=line)
    message = printable(f"{type(error).__name__}: {_words(error)}", 500)
    return report("unit-load-failed", place, message, hint=_hint(error), subject=subject)


def _where(error: BaseException, file: str) -> tuple[str, int]:
    folder = os.path.dirname(os.path.abspath(file)) + os.sep
    if isinstance(error, SyntaxError) and (error.filename or "").startswith(folder):
        return str(error.filename), error.lineno or 1
    found = (os.path.abspath(file), 1)
    step = error.__traceback__
    while step is not None:
        name = step.tb_frame.f_code.co_filename
        if name.startswith(folder):
            found = name, step.tb_lineno
        step = step.tb_next
    return found


def _words(error: BaseException) -> str:
    return error.msg if isinstance(error, SyntaxError) else str(error)


def _hint(error: BaseException) -> str:
    if isinstance(error, ModuleNotFoundError) and error.name:
        return f"install what provides {printable(error.name, 80)}, or put the module beside the unit's file"
    if isinstance(error, SystemExit):
        return "a unit's file must not end the program when it is imported"
    return error.hint if isinstance(error, ProwessError) else ""
