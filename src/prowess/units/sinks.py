"""The calls by which text becomes SQL, a shell's line, a path or a URL, and those that make it harmless.

Told by names, because nothing is imported: `execute` on whatever it is called on counts when its text
reads like SQL, `get` when its text is a URL or what it is called on is named like an HTTP client.
Values bound beside the text (`execute(sql, values)`, `params=`) are looked at by nobody.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from prowess.units.flow import Function, Value


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_SQL = re.compile(
    r"\b(?:select\b.*\bfrom|insert\s+(?:or\s+\w+\s+)?into|update\b.*\bset|delete\s+from|where|order\s+by"
    r"|create\s+(?:table|index|view)|drop\s+(?:table|index|view)|alter\s+table|pragma|values\s*\(|copy|attach)\b",
    re.IGNORECASE | re.DOTALL,
)
_SQL_CALLS = _words(
    """execute executemany executescript fetch fetchrow fetchval fetch_all fetch_one fetch_val
    exec_driver_sql read_sql read_sql_query scalar scalars"""
)
_DATABASES = re.compile(r"(?:^|_)(?:db|database|conn|connection|cur|cursor|sqlite|engine|pool)$")

_SHELLS = _words(
    """os.system os.popen subprocess.getoutput subprocess.getstatusoutput
    asyncio.create_subprocess_shell commands.getoutput"""
)
_RUNS = _words(
    """subprocess.run subprocess.call subprocess.check_call subprocess.check_output subprocess.Popen"""
)
_PROGRAMS = frozenset({"asyncio.create_subprocess_exec", "os.execv", "os.execvp", "os.spawnv"})
_SHELL_PROGRAMS = _words("""sh bash zsh dash ksh /bin/sh /bin/bash cmd cmd.exe powershell pwsh""")
_CODE = frozenset({"eval", "exec", "builtins.eval", "builtins.exec"})

_OPENS = _words(
    """open io.open os.open codecs.open aiofiles.open gzip.open anyio.open_file tarfile.open
    zipfile.ZipFile os.remove os.unlink os.rmdir os.removedirs os.mkdir os.makedirs os.listdir
    os.scandir os.walk os.rename os.replace os.chmod os.symlink os.link shutil.rmtree shutil.copy
    shutil.copy2 shutil.copyfile shutil.copytree shutil.move"""
)
_PATH_METHODS = _words(
    """read_text read_bytes write_text write_bytes open unlink rmdir mkdir touch iterdir glob rglob
    rename replace symlink_to hardlink_to"""
)

_VERBS = _words("""get post put patch delete head options request stream ws_connect""")
_FETCHES = _words(
    """urllib.request.urlopen urllib.request.Request urllib.request.urlretrieve urlopen
    websockets.connect"""
)
_HTTP = re.compile(r"(?:^|_)(?:http|https|requests|httpx|httpx2|aiohttp)$")
_MAYBE_HTTP = re.compile(r"(?:^|_)(?:client|session|api)$")
_URL = re.compile(r"https?://", re.IGNORECASE)

# What comes out of these holds no syntax of another language, or is no text any more.
CLEANING = _words(
    """quote quote_plus urlencode int float bool len hash ord round abs UUID Decimal basename
    secure_filename isalnum isdigit escape_identifier quote_ident Identifier b64encode
    urlsafe_b64encode hexdigest hex fromisoformat strptime sha1 sha256 md5 slugify count index find"""
)
CLIENTS = _words(
    """httpx2.AsyncClient httpx2.Client httpx.AsyncClient httpx.Client aiohttp.ClientSession requests.Session
    requests.session niquests.AsyncSession niquests.Session"""
)
THREADS = frozenset({"asyncio.to_thread", "anyio.to_thread.run_sync"})
CLEANING_ATTRIBUTES = frozenset({"name", "stem", "suffix"})
PATH_JOINS = frozenset({"os.path.join", "posixpath.join"})
# What comes out of these is the same text, or the same place.
KEEPING = PATH_JOINS | _words(
    """str repr format list tuple sorted set os.fspath os.path.abspath os.path.realpath
    os.path.normpath os.path.expanduser pathlib.Path pathlib.PurePath anyio.Path Path
    urllib.parse.urljoin sqlalchemy.text text shlex.split textwrap.dedent httpx.URL httpx2.URL
    yarl.URL string.Template typing.cast"""
)
KEEPING_METHODS = _words(
    """strip lstrip rstrip lower upper title capitalize casefold replace removeprefix removesuffix
    encode decode split rsplit splitlines partition rpartition expanduser absolute resolve joinpath
    with_suffix substitute safe_substitute copy items values"""
)
_MATCHES = frozenset({"fullmatch", "match"})
_LETTERS = frozenset({"isalnum", "isalpha", "isdigit", "isdecimal", "isnumeric", "isidentifier"})


def imported(tree: ast.Module) -> dict[str, str]:
    """What the names that a file imports are called where they come from."""
    found: dict[str, str] = {}
    for each in ast.walk(tree):
        if isinstance(each, ast.Import):
            for name in each.names:
                top = name.name.partition(".")[0]
                found[name.asname or top] = name.name if name.asname else top
        elif isinstance(each, ast.ImportFrom) and each.module and not each.level:
            for name in each.names:
                found[name.asname or name.name] = f"{each.module}.{name.name}"
    return found


def dotted(called: ast.expr, known: Mapping[str, str]) -> str:
    """The full name of what is called, as far as it is written: `subprocess.run`, `ctx.http.get`."""
    parts: list[str] = []
    while isinstance(called, ast.Attribute):
        parts.append(called.attr)
        called = called.value
    if isinstance(called, ast.Name):
        parts.append(known.get(called.id, called.id))
    else:
        parts.append(_of_call(called, known))
    return ".".join(reversed(parts))


def _of_call(called: ast.expr, known: Mapping[str, str]) -> str:
    return f"{dotted(called.func, known)}()" if isinstance(called, ast.Call) else ""


def confines(function: Function) -> bool:
    """Whether a function looks where a path leads before it goes there."""
    looks = ("is_relative_to", "relative_to", "commonpath")
    return any(isinstance(each, ast.Attribute) and each.attr in looks for each in ast.walk(function))


def checked_by(test: ast.Call) -> ast.expr | None:
    """The expression that a call tests against a pattern or for letters and digits alone."""
    if not isinstance(test.func, ast.Attribute):
        return None
    if test.func.attr in _LETTERS:
        return test.func.value
    return test.args[-1] if test.func.attr in _MATCHES and 1 <= len(test.args) <= 2 else None


def reached(
    of: ast.Call, name: str, receiver: Value, given: Sequence[Value], by_name: Mapping[str, Value]
) -> Iterator[tuple[str, Value]]:
    """Each kind of place that this call puts text into, and the text."""
    before, _, last = name.rpartition(".")
    holder = before.rpartition(".")[2].removesuffix("()")
    first = given[0] if given else None
    if name in _OPENS:
        yield from (("path", each) for each in _paths(name, given, by_name) if not each.whole)
    elif last in _PATH_METHODS and (last != "replace" or len(given) == 1) and not _is_url(receiver):
        yield "path", receiver
    if name in _CODE and first is not None:
        yield "code", first
    elif last in _SQL_CALLS and first is not None and _is_sql(first, holder):
        yield "sql", first
    if name in _SHELLS or (name in _RUNS | _PROGRAMS and _by_shell(of, name)):
        yield from (("shell", each) for each in (*given[: 1 if name in _SHELLS else None], *_args(by_name)))
    yield from _urls(name, last, receiver.client or _HTTP.search(holder) is not None, holder, given, by_name)


def _is_sql(value: Value, holder: str) -> bool:
    if value.built:
        return _SQL.search(value.text) is not None
    return not value.whole and _DATABASES.search(holder) is not None


def _args(by_name: Mapping[str, Value]) -> Iterator[Value]:
    if "args" in by_name:
        yield by_name["args"]


def _paths(name: str, given: Sequence[Value], by_name: Mapping[str, Value]) -> list[Value]:
    both = name in ("os.rename", "os.replace", "os.link", "os.symlink") or name.startswith("shutil.")
    return [
        *given[: 2 if both else 1],
        *(by_name[each] for each in ("file", "path", "src", "dst") if each in by_name),
    ]


def _by_shell(of: ast.Call, name: str) -> bool:
    """Whether a program is run through a shell, or as one text that names it with its arguments."""
    for each in of.keywords:
        if each.arg == "shell" and isinstance(each.value, ast.Constant) and each.value.value:
            return True
    words = of.args if name in _PROGRAMS else of.args[:1]
    if name in _RUNS and words and not isinstance(words[0], ast.List | ast.Tuple):
        return isinstance(words[0], ast.JoinedStr | ast.BinOp)
    listed = words[0].elts if words and isinstance(words[0], ast.List | ast.Tuple) else words
    return bool(listed) and isinstance(listed[0], ast.Constant) and listed[0].value in _SHELL_PROGRAMS


def _urls(
    name: str, last: str, client: bool, holder: str, given: Sequence[Value], by_name: Mapping[str, Value]
) -> Iterator[tuple[str, Value]]:
    if name in _FETCHES:
        yield from (("url", each) for each in given[:1])
        return
    if last not in _VERBS:
        return
    maybe = _MAYBE_HTTP.search(holder) is not None
    for value in (*given[: 2 if last in ("request", "stream") else 1], *_named_url(by_name)):
        if _is_url(value) or (client and not value.whole) or (maybe and value.text.startswith("/")):
            yield "url", value


def _named_url(by_name: Mapping[str, Value]) -> Iterator[Value]:
    if "url" in by_name:
        yield by_name["url"]


def _is_url(value: Value) -> bool:
    return _URL.search(value.text) is not None
