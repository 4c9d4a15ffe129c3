"""A commit of a repository as the source of a package, without ever checking it out.

git fetches one commit into a bare repository of our own; the list of its files and their bytes are read
from there. So no hook, filter, attribute or submodule of the repository has a part in it, and its paths
are judged like those of any archive. git asks nobody anything: no terminal, no prompt. The user's own
git configuration holds (proxies, credential helpers, SSH keys), except for what is set here.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from typing import IO, Any

from prowess.author.fetching_git_environment import environment, limits
from prowess.errors import ConnectionFailed, SourceRefused
from prowess.redact import Redactor, printable
from prowess.source.archive_contents import CHUNK
from prowess.source.archive_tree import Unpacking
from prowess.store.lock import Origin

_SETTINGS = (
    "core.hooksPath=/dev/null" if sys.platform != "win32" else "core.hooksPath=NUL",
    "core.fsmonitor=false",
    "core.askPass=",
    "credential.interactive=false",
    "fetch.recurseSubmodules=false",
    "fetch.fsckObjects=true",
    "transfer.fsckObjects=true",
    "fetch.unpackLimit=1",  # one pack, whose size the process is bound to, instead of many files
    "gc.auto=0",
    "maintenance.auto=false",
    "protocol.allow=never",
    "protocol.https.allow=always",
    "protocol.ssh.allow=always",
    "protocol.file.allow=always",
)
_SUBMODULE, _LINK, _EXECUTABLE, _FILES = b"160000", b"120000", b"100755", (b"100644", b"100664", b"100755")
_TARGET = 4096
_ANSWER = 1 << 16
_COMMITS = (40, 64)


def unpack_repository(origin: Origin, *, base: str, work: str, into: Unpacking) -> str:
    """Add every file of the commit that `origin` names; the commit's id.

    `work` is a path for the repository, on a disk with room. Raises SourceRefused, and ConnectionFailed
    when git cannot fetch it.
    """
    git = _Git(work, into)
    commit = git.fetched(_url(origin, base), origin.commit or origin.ref or "HEAD", origin.ref)
    tree = f"{commit}:{origin.subdirectory}" if origin.subdirectory else f"{commit}^{{tree}}"
    entries = list(git.entries(tree, origin.subdirectory))
    with git.contents() as read:
        for mode, object_id, size, path in entries:
            _add(mode, path, read(object_id, size), size, into)
    return commit


def _url(origin: Origin, base: str) -> str:
    from prowess.author.fetching import is_remote, path_of

    if is_remote(origin.place):
        return origin.place
    path = path_of(origin, base)
    # git decodes what follows a % in a URL.
    return f"file://{path.replace('%', '%25')}" if os.sep == "/" else path


def _add(mode: bytes, path: str, chunks: Iterator[bytes], size: int, into: Unpacking) -> None:
    if mode == _LINK:
        if size > _TARGET:
            raise SourceRefused(f"{printable(path)} is a link to a very long path", code="path-long")
        try:
            target = b"".join(chunks).decode("utf-8")
        except UnicodeDecodeError:
            raise _not_text(path) from None
        into.link(path, target)
    elif mode in _FILES:
        into.file(path, chunks, executable=mode == _EXECUTABLE)
    else:
        raise SourceRefused(f"{printable(path)} is of a kind that is not read", code="path-special")


def _not_text(path: str) -> SourceRefused:
    return SourceRefused(f"{printable(path)} has a name or target that is not UTF-8", code="path-encoding")


class _Git:
    """One bare repository of our own, and the few questions it is asked."""

    def __init__(self, folder: str, into: Unpacking) -> None:
        self._folder = folder
        self._into = into
        self._limits = limits(into.meter.bounds.archive)

    def fetched(self, url: str, wanted: str, ref: str) -> str:
        """Fetch one commit; its id."""
        self._run("init", "--quiet", "--bare", "--template=", self._folder, place=False)
        try:
            self._fetch(url, wanted)
        except ConnectionFailed:
            # A server that gives no single commits gives the ref, which may still be at that commit.
            if not (ref and wanted != ref and len(wanted) in _COMMITS):
                raise
            self._fetch(url, ref)
        commit = self._run("rev-parse", "--verify", "--quiet", "FETCH_HEAD^{commit}").decode().strip()
        if len(wanted) in _COMMITS and ref != wanted and commit != wanted:
            raise SourceRefused("the ref is at another commit now", code="git-moved", hint="prowess update")
        return commit

    def _fetch(self, url: str, wanted: str) -> None:
        self._run("fetch", "--quiet", "--depth=1", "--no-tags", "--no-recurse-submodules", "--", url, wanted)

    def entries(self, tree: str, subdirectory: str) -> Iterator[tuple[bytes, str, int, str]]:
        """Mode, id, size and path of every file of a tree; submodules are told and left out."""
        with self._process("ls-tree", "-r", "-z", "-l", "--full-tree", tree) as process:
            assert process.stdout is not None
            count = total = 0
            for record in _records(process.stdout):
                told, _, raw = record.partition(b"\t")
                mode, _, object_id, size = told.split()
                try:
                    path = raw.decode("utf-8")
                except UnicodeDecodeError:
                    raise _not_text(raw.decode("utf-8", "backslashreplace")) from None
                if mode == _SUBMODULE:
                    self._into.note(f"the submodule {printable(path)} is left out")
                    continue
                count, total = count + 1, total + int(size)
                bounds = self._into.meter.bounds
                if count > bounds.files:
                    raise SourceRefused(f"there are more than {bounds.files} entries", code="too-many-files")
                if total > bounds.total:
                    raise SourceRefused(f"all files have more than {bounds.total} bytes", code="too-large")
                yield mode, object_id.decode(), int(size), path
        if process.returncode:
            shown = printable(subdirectory, 200)
            raise SourceRefused(f"there is no directory {shown} in it", code="archive-no-directory")

    @contextlib.contextmanager
    def contents(self) -> Iterator[Any]:
        """A way to read the bytes of one object after the other."""
        with self._process("cat-file", "--batch") as process:
            assert process.stdin is not None and process.stdout is not None
            asked, answers = process.stdin, process.stdout

            def read(object_id: str, size: int) -> Iterator[bytes]:
                asked.write(f"{object_id}\n".encode())
                asked.flush()
                head = answers.readline(200).split()
                if len(head) != 3 or head[1] != b"blob" or int(head[2]) != size:
                    raise ConnectionFailed("git lost one of the files that it listed")
                yield from _exactly(answers, size)
                answers.read(1)  # the line end after each

            yield read
            asked.close()

    def _run(self, *arguments: str, place: bool = True) -> bytes:
        with self._process(*arguments, place=place) as process:
            assert process.stdout is not None
            out = process.stdout.read(_ANSWER)
            while process.stdout.read(CHUNK):  # a server may talk without end; what is too much is dropped
                self._into.meter.left()
        if process.returncode:
            raise _failed(arguments[0], out)
        return out

    @contextlib.contextmanager
    def _process(self, *arguments: str, place: bool = True) -> Iterator[subprocess.Popen[bytes]]:
        """git at work, for no longer than there is time; nothing of it is left at the end."""
        settings = [part for each in _SETTINGS for part in ("-c", each)]
        where = ["--git-dir", self._folder] if place else []
        try:
            process = subprocess.Popen(
                ["git", *settings, *where, *arguments],
                stdin=subprocess.PIPE if arguments[0] == "cat-file" else subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT if arguments[0] in ("init", "fetch") else subprocess.DEVNULL,
                env=environment(),
                cwd=os.path.dirname(self._folder),
                start_new_session=True,
                preexec_fn=self._limits,  # no thread of ours is in a lock: the timer starts below
            )
        except FileNotFoundError:
            raise ConnectionFailed("git is not installed", hint="install git, or add an archive") from None
        timer = threading.Timer(self._into.meter.left(), _end, [process])
        timer.start()
        try:
            yield process
            process.wait()
            self._into.meter.left()  # where the timer was faster, this says so
        finally:
            timer.cancel()
            _end(process)
            for pipe in (process.stdin, process.stdout):
                if pipe is not None:
                    with contextlib.suppress(OSError):
                        pipe.close()
            process.wait()


def _end(process: subprocess.Popen[bytes]) -> None:
    """End git and whatever it started."""
    with contextlib.suppress(OSError):
        if sys.platform == "win32":
            process.kill()
        elif process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


def _records(stream: IO[bytes]) -> Iterator[bytes]:
    rest = b""
    while chunk := stream.read(CHUNK):
        *whole, rest = (rest + chunk).split(b"\0")
        yield from whole


def _exactly(stream: IO[bytes], size: int) -> Iterator[bytes]:
    while size > 0:
        chunk = stream.read(min(size, CHUNK))
        if not chunk:
            raise ConnectionFailed("git ended in the middle of a file")
        size -= len(chunk)
        yield chunk


def _failed(verb: str, told: bytes) -> ConnectionFailed:
    lines = [each for each in told.decode("utf-8", "replace").splitlines() if each.strip()]
    # The last line is often advice about access rights; the first that says what is wrong is wanted.
    said = next((each for each in lines if each.startswith(("fatal:", "error:"))), lines[-1] if lines else "")
    why = printable(Redactor().text(said), 300) or "it says nothing about why"
    return ConnectionFailed(f"git {verb} failed: {why}", hint="look at the URL, the ref and your access")
