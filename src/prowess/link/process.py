"""Processes: started in a session of their own, watched, and ended whole. All process code is here.

A server and everything it starts share a process group, which is signalled as one. What leaves the
group (setsid, double fork) is found again on Linux by two traces: it descended from the server when
the end began, or its environment carries the mark that the server was started with. The server is
not reaped before its group is dead, so that its number cannot come to mean another process.

Linux first. Elsewhere the exit is watched by a thread, and what left the group is not found.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import signal
import subprocess
import sys
import threading
from collections.abc import Mapping, Sequence
from typing import IO

from prowess.link.finish import finish
from prowess.link.proc import descendants, environ, processes

MARK = "PROWESS_SERVER"  # environment variable by which strays are found again
PATIENCE_SECONDS = 2.0  # how long an end-of-input, and then a SIGTERM, may take to work
STRAY_SECONDS = 0.5  # how long what the server left behind may take after its own SIGTERM
REAP_SECONDS = 2.0  # how long the kernel may take to deliver a SIGKILL
_LOOK_SECONDS = 0.02
_ROUNDS = 5  # of looking for strays that fork while they are being killed


class Child:
    """One running process and all that it starts. Made by `Child.start`, always ended by `end`."""

    def __init__(self, popen: subprocess.Popen[bytes], mark: bytes) -> None:
        self._popen = popen
        self._mark = mark
        self._family: dict[int, str] = {}
        self._pidfd = -1
        self._over = False
        self._loop = asyncio.get_running_loop()
        self.exited: asyncio.Future[int] = self._loop.create_future()
        self._watch()

    @classmethod
    def start(cls, argv: Sequence[str], env: Mapping[str, str], cwd: str) -> Child:
        """Start `argv`; OSError or ValueError when the system will not."""
        mark = secrets.token_hex(16)
        popen = subprocess.Popen(
            argv,
            env={**env, MARK: mark},
            cwd=cwd,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,
            start_new_session=sys.platform != "win32",
        )
        return cls(popen, f"{MARK}={mark}".encode())

    @property
    def pid(self) -> int:
        """The process id, which is the id of its group and session too."""
        return self._popen.pid

    @property
    def pipes(self) -> tuple[IO[bytes], IO[bytes], IO[bytes]]:
        """Its stdin, stdout and stderr."""
        stdin, stdout, stderr = self._popen.stdin, self._popen.stdout, self._popen.stderr
        if stdin is None or stdout is None or stderr is None:  # `start` asks for all three
            raise ValueError("a child without pipes")
        return stdin, stdout, stderr

    def remember_family(self) -> None:
        """Note what descends from it now: to be asked before it is told to go, later parentage is lost."""
        self._family.update(descendants(self.pid, processes()))

    async def end(self, patience: float = PATIENCE_SECONDS) -> None:
        """Wait for it to go, then SIGTERM, then SIGKILL; afterwards nothing of it is left.

        Its stdin has been closed by now. Never cut short by cancellation, always bounded.
        """
        try:
            await finish(self._end(patience))
        finally:
            self.kill()

    async def _end(self, patience: float) -> None:
        if not await self._gone(patience):
            self._signal_group(signal.SIGTERM)
            if not await self._gone(patience):
                self._signal_group(_KILL)
                await self._gone(REAP_SECONDS)
        await self._end_strays()

    async def _gone(self, seconds: float) -> bool:
        await asyncio.wait({self.exited}, timeout=seconds)
        return self.exited.done()

    async def _end_strays(self) -> None:
        """What outlived the server gets a SIGTERM and a moment; `kill` does the rest."""
        strays = self._strays()
        if not strays:
            return
        _signal_all(strays, signal.SIGTERM)
        deadline = self._loop.time() + STRAY_SECONDS
        while self._loop.time() < deadline and self._strays():  # noqa: ASYNC110  # no event tells of them
            await asyncio.sleep(_LOOK_SECONDS)

    def kill(self) -> None:
        """End all of it at once, without waiting longer than the kernel takes; safe to repeat."""
        if not self._over:
            self._signal_group(_KILL)
            for _ in range(_ROUNDS):
                strays = self._strays()
                if not strays:
                    break
                _signal_all(strays, _KILL)
            try:
                self._popen.wait(REAP_SECONDS)
            except subprocess.TimeoutExpired:
                pass  # in uninterruptible sleep; the kernel lets go of it later
            self._over = True
        self._unwatch()
        if not self.exited.done():
            self.exited.set_result(self._popen.returncode or 0)

    def close_pipes(self) -> None:
        """Close our ends; whoever reads them has stopped by now."""
        for pipe in self.pipes:
            pipe.close()

    def _signal_group(self, number: int) -> None:
        if self._over:
            return  # reaped: the number may belong to somebody else by now
        try:
            if sys.platform == "win32":
                self._popen.send_signal(number)
            else:
                os.killpg(self.pid, number)
        except (ProcessLookupError, PermissionError):
            pass

    def _strays(self) -> dict[int, str]:
        """Living processes, by id and start time, that came from this server and are not it."""
        return {
            pid: stat.started
            for pid, stat in processes().items()
            if pid != self.pid
            and stat.state not in "ZX"
            and (
                stat.group == self.pid
                or stat.session == self.pid
                or self._family.get(pid) == stat.started
                or self._mark in environ(pid)
            )
        }

    def _watch(self) -> None:
        if sys.platform == "linux":
            try:
                self._pidfd = os.pidfd_open(self.pid)
                self._loop.add_reader(self._pidfd, self._look)
                return
            except (OSError, NotImplementedError):
                self._unwatch()
        threading.Thread(target=self._wait_in_thread, daemon=True, name=f"wait-{self.pid}").start()

    def _unwatch(self) -> None:
        if self._pidfd >= 0:
            self._loop.remove_reader(self._pidfd)
            os.close(self._pidfd)
            self._pidfd = -1

    def _look(self) -> None:
        """The pidfd is readable: note the status, and leave the zombie where it is."""
        if sys.platform != "linux":
            return
        status = 0
        try:
            found = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
            if found is None:
                return
            status = found.si_status if found.si_code == os.CLD_EXITED else -found.si_status
        except ChildProcessError:
            pass  # somebody else reaped it, and took the status along
        self._unwatch()
        self._note(status)

    def _wait_in_thread(self) -> None:
        status = self._popen.wait()
        try:
            self._loop.call_soon_threadsafe(self._note, status)
        except RuntimeError:
            pass  # the loop is gone, and with it whoever wanted to know

    def _note(self, status: int) -> None:
        if not self.exited.done():
            self.exited.set_result(status)


if sys.platform == "win32":
    _KILL = signal.SIGTERM
else:
    _KILL = signal.SIGKILL


def _signal_all(processes: Mapping[int, str], number: int) -> None:
    for pid in processes:
        try:
            os.kill(pid, number)
        except (ProcessLookupError, PermissionError):
            pass
