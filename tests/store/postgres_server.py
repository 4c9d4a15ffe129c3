"""A PostgreSQL server of the tests' own: one folder, a Unix socket, thrown away afterwards.

Server programs are looked for where distributions put them and on the PATH. As root, which the
server refuses to run as, it runs as `postgres` or `nobody`.
"""

from __future__ import annotations

import glob
import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

SECONDS = 30
PLACES = ("/usr/lib/postgresql/*/bin", "/usr/pgsql-*/bin", "/opt/homebrew/opt/postgresql*/bin")


def programs() -> str | None:
    """The folder of `initdb` and `pg_ctl`, if there is one: the newest."""
    on_path = shutil.which("initdb")
    found = [each for place in PLACES for each in glob.glob(place) if os.path.exists(f"{each}/initdb")]
    found += [os.path.dirname(on_path)] if on_path else []
    found = [each for each in found if os.path.exists(f"{each}/pg_ctl")]
    return max(found, key=_version) if found else None


def _version(folder: str) -> int:
    words = "".join(c if c.isdigit() else " " for c in folder).split()
    return int(words[0]) if words else 0


def _owner() -> pwd.struct_passwd | None:
    """Whom the server runs as, when that is not us."""
    if os.geteuid():
        return None
    for name in ("postgres", "nobody"):
        try:
            return pwd.getpwnam(name)
        except KeyError:
            continue
    raise RuntimeError("the tests run as root and there is no other user for PostgreSQL")


class Server:
    """One cluster that can be started and stopped."""

    def __init__(self, folder: str, binaries: str) -> None:
        self.folder = folder
        self._binaries = binaries
        self._owner = _owner()
        if self._owner:
            os.chown(folder, self._owner.pw_uid, self._owner.pw_gid)

    @property
    def url(self) -> str:
        """The connection URL of its own database, with a password that is never asked for."""
        return f"postgresql://keeper:s3cr3t-of-mine@/postgres?host={self.folder}"

    def make(self) -> None:
        """Lay the cluster."""
        self._run("initdb", "--no-sync", "-A", "trust", "-U", "keeper", "-E", "UTF8", "-D", self._data)
        with open(f"{self._data}/postgresql.conf", "a", encoding="utf-8") as settings:
            settings.write(
                f"listen_addresses = ''\nunix_socket_directories = '{self.folder}'\nfsync = off\n"
                "shared_buffers = 16MB\nmax_connections = 20\n"
            )

    def start(self) -> None:
        """Start, and return when it answers."""
        log = f"{self.folder}/log"
        self._run("pg_ctl", "start", "-w", "-t", str(SECONDS), "-D", self._data, "-l", log)

    def stop(self) -> None:
        """Stop as if the power had gone."""
        self._run("pg_ctl", "stop", "-w", "-m", "immediate", "-D", self._data)

    @property
    def _data(self) -> str:
        return f"{self.folder}/data"

    def _run(self, program: str, *arguments: str) -> None:
        who: dict[str, Any] = {}
        if self._owner:
            who = {"user": self._owner.pw_uid, "group": self._owner.pw_gid, "extra_groups": []}
        subprocess.run(
            [f"{self._binaries}/{program}", *arguments],
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=2 * SECONDS,
            cwd=self.folder,
            **who,
        )


@contextmanager
def running(binaries: str) -> Iterator[Server]:
    """A started server in a folder of its own; a socket's path must be short."""
    folder = tempfile.mkdtemp(prefix="pg-", dir="/tmp")
    server = Server(folder, binaries)
    try:
        server.make()
        server.start()
        yield server
        server.stop()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
