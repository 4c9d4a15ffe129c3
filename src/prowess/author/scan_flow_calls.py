"""How data gets from one place of a program to another without an assignment: calls, pipes, loops that "
"read. Pure.

What a call is given is what its parameter holds; what a pipe is fed is what its end gets; what `read` reads
is what the pipe or the file before it holds; what is written into an open request is sent.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_NAME = r"(?:[^\W\d]|\$)[\w$]*"
_FUNCTION = re.compile(
    rf"(?:\bdef|\bfunction\*?|\bfunc|\bfn)\s+(?P<name>{_NAME})\s*\((?P<given>[^()\n]{{1,200}})\)|"
    rf"\b(?:const|let|var)\s+(?P<arrow>{_NAME})\s*=\s*(?:async\s*)?(?:function\s*)?"
    rf"\(?(?P<takes>[^()=\n]{{1,200}}?)\)?\s*(?:=>|\{{)"
)
MOST_FUNCTIONS = 200


def functions(lines: list[str]) -> dict[str, list[str]]:
    """The parameters of the functions of a program, by their names."""
    found: dict[str, list[str]] = {}
    for line in lines:
        if len(line) < 400 and len(found) < MOST_FUNCTIONS and (each := _FUNCTION.search(line)) is not None:
            given = (each["given"] or each["takes"]).split(",")
            names = [re.split(r"[:=\s]", one.strip().lstrip("*&."))[0] for one in given]
            found[each["name"] or each["arrow"]] = [one for one in names if one not in ("self", "cls")]
    return found


def handed(line: str, known: dict[str, list[str]]) -> Iterator[tuple[str, str]]:
    """Which parameter gets what, in the calls of one line."""
    for found in _CALLED.finditer(line):
        takes = known.get(found["name"])
        if takes is None or re.search(r"\b(?:def|function|func|fn)\s+$", line[: found.start()]):
            continue
        for at, argument in enumerate(_arguments(line, found.end())):
            key, mark, value = argument.partition("=")
            if mark and key.strip() in takes and not value.startswith("="):
                yield key.strip(), value
            elif at < len(takes):
                yield takes[at], argument


_CALLED = re.compile(rf"(?<![\w$.])(?P<name>{_NAME})\(")


def _arguments(line: str, at: int) -> list[str]:
    """The arguments of a call that opens right before a place, as far as the line goes."""
    depth, begun = 0, at
    parts: list[str] = []
    for end in range(at, min(len(line), at + 400)):
        if line[end] in "([{":
            depth += 1
        elif line[end] in ")]}":
            depth -= 1
            if depth < 0:
                return [*parts, line[begun:end]]
        elif line[end] == "," and depth == 0:
            parts.append(line[begun:end])
            begun = end + 1
    return [*parts, line[begun : at + 400]]


# -- pipes and loops of shells

_PIPE = re.compile(r"(?<![|>])\|(?![|])&?")
_READS = re.compile(r"\bwhile\s+(?:\w+=\S*\s+)*read\s+(?:-\w+\s+)*(?P<names>\w+(?:\s+\w+){0,4})")
_FROM_FILE = re.compile(r"\bdone\s*<{1,2}\s*(?P<value>\S.*)")
NOWHERE = re.compile(r"\d?>>?\s*/dev/null|\d>&\d|&>\s*/dev/null")


def stages(line: str) -> list[str]:
    """The commands of a pipe, one after the other; one where there is no pipe."""
    return _PIPE.split(NOWHERE.sub("", line))


def read_loops(lines: list[str]) -> Iterator[tuple[list[str], str]]:
    """Which names a loop reads from what."""
    open_names: list[list[str]] = []
    for line in lines:
        if (found := _READS.search(line[:2_000])) is not None:
            names = found["names"].split()
            open_names = [*open_names[-20:], names]
            before = line[: found.start()]
            if "|" in before:
                yield names, before
        if (ended := _FROM_FILE.search(line[:2_000])) is not None and open_names:
            yield open_names.pop(), f"cat {ended['value']}"


# -- requests that are open while something is written into them

_CLIENT = re.compile(
    r"(?<!\w)(?P<js>\w{1,60})\s{0,4}=\s{0,4}require\([\"'](?:node:)?(?:https?|net|tls|axios|got|undici|"
    r"node-fetch|ws|"
    r"dgram)[\"']\)|"
    r"\bimport\s+(?:\*\s+as\s+)?(?P<module>\w+)\s+from\s+[\"'](?:node:)?(?:https?|net|tls|axios|got|undici|"
    r"node-fetch|ws)[\"']|\bimport\s+(?:urllib\.request|urllib3|requests|httpx|http\.client|aiohttp|socket|"
    r"ftplib|smtplib|paramiko)\s+as\s+(?P<alias>\w+)|\bfrom\s+urllib\s+import\s+request\s+as\s+(?P<part>\w+)"
)
_OPENED = (
    r"(?<!\w)(?P<name>\w{{1,60}})\s{{0,4}}:?=\s{{0,4}}(?:await\s+|new\s+)?(?:(?:{clients})\.(?:request|"
    r"createConnection|connect|"
    r"create_connection|socket|HTTPS?Connection|Session|Client|create|FTP|SMTP\w*|Socket)\(|"
    r"(?:XMLHttpRequest|WebSocket|EventSource)\(|socket\.(?:socket|create_connection)\(|TCPSocket)"
)
_USUAL = (
    "https",
    "http",
    "net",
    "tls",
    "axios",
    "requests",
    "httpx",
    "socket",
    "urllib3",
    "aiohttp",
    "ftplib",
)


def outgoing(text: str) -> re.Pattern[str] | None:
    """How this program sends by names of its own: a client that it renamed, a request that it holds open."""
    clients = {each for found in _CLIENT.finditer(text) for each in found.groups() if each}
    among = "|".join(sorted(clients | set(_USUAL)))
    held = {each["name"] for each in re.finditer(_OPENED.format(clients=among), text)}
    forms = []
    if clients:
        names = "|".join(sorted(clients)[:40])
        forms.append(rf"\b(?:{names})\.(?:request|post|put|patch|get|urlopen|Request|sendall|send)\(")
    if held:
        names = "|".join(sorted(held)[:40])
        forms.append(rf"\b(?:{names})\.(?:end|write|send|sendall|sendto|request|post|put|stor\w+)\(")
    return re.compile("|".join(forms)) if forms else None
