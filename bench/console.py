"""The console over 500 packages and 5,000 tools: what a page weighs, and how fast a search answers.

The same tools are put into a table of Datasette, with its full-text search, and asked for with the same
keystrokes in the same run: a page of a hundred rows each, over HTTP on loopback.

    python -m bench.console [--packages 500] [--tools 5000] [--words 12] [--json]
"""

from __future__ import annotations

import argparse
import os
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

import httpx2 as httpx

from bench import peers
from bench.console_offer import write_packages
from bench.descriptions import made_up
from bench.result import Figure, Goal, Result
from prowess.console.pages import MENU

SERVERS = 10
SECONDS = 300.0
MOST_KB, MOST_ROWS = 300.0, 200.0
SHARE = 1.0  # of Datasette's time
LINK = re.compile(r"console at (\S+)")
HOPS = re.compile(r'<ol class="hops".*?</ol>', re.DOTALL)
PORT = re.compile(r"Uvicorn running on (\S+)")


@contextmanager
def running(command: Sequence[str], env: dict[str, str], ready: re.Pattern[str]) -> Iterator[str]:
    """A process until the block ends; what its stderr said that it is ready at."""
    process = subprocess.Popen(command, env=env, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True)
    assert process.stderr is not None
    try:
        for line in process.stderr:
            found = ready.search(line)
            if found:
                yield found[1]
                return
        raise SystemExit(f"{command[0]} did not come up")
    finally:
        process.terminate()
        process.communicate(timeout=60)


def typed(words: Sequence[str]) -> list[str]:
    """What a search field holds after each keystroke, from the third on."""
    return [word[:length] for word in words for length in range(3, len(word) + 1)]


def milliseconds(client: httpx.Client, addresses: Sequence[str]) -> list[float]:
    """What each answer took, after one that does not count."""
    found = []
    client.get(addresses[0])
    for each in addresses:
        began = time.perf_counter()
        answer = client.get(each)
        found.append((time.perf_counter() - began) * 1_000)
        if answer.status_code != 200:
            raise SystemExit(f"{each}: {answer.status_code}")
    return found


def weighed(client: httpx.Client, place: str) -> list[dict[str, Figure]]:
    """Each area's first page: kilobytes, and rows of its tables and lists."""
    found: list[dict[str, Figure]] = []
    for path, _ in MENU:
        text = client.get(place + path).text
        listed = HOPS.sub("", text)  # the steps of one row are no rows
        rows = max(listed.count("<tr"), listed.count("<li") - len(MENU))
        found.append(
            {"what": path, "ms": None, "p95 ms": None, "kB": len(text.encode()) / 1_000, "rows": rows}
        )
    return found


def table(path: Path, documents: Sequence[dict[str, str]]) -> None:
    """The same tools as a database that Datasette searches."""
    with sqlite3.connect(path) as database:
        database.execute("create table tools (name text, description text)")
        database.executemany(
            "insert into tools values (?, ?)", [(each["name"], each["description"]) for each in documents]
        )
        database.execute("create virtual table tools_fts using fts5(name, description, content='tools')")
        database.execute("insert into tools_fts(tools_fts) values ('rebuild')")
    database.close()


def datasette(
    root: Path, documents: Sequence[dict[str, str]], keys: Sequence[str], env: dict[str, str]
) -> list[float]:
    """The same keystrokes put to Datasette."""
    table(root / "tools.db", documents)
    program = str(peers.installed().with_name("datasette"))
    command = [program, "serve", str(root / "tools.db"), "--port", "0"]
    with running(command, env, PORT) as place, httpx.Client(follow_redirects=True, timeout=SECONDS) as client:
        asked = [f"{place}/tools/tools?_search={quote(each)}*&_searchmode=raw&_size=100" for each in keys]
        return milliseconds(client, asked)


def row(name: str, found: Sequence[float]) -> dict[str, Figure]:
    """One subject's keystrokes."""
    p95 = statistics.quantiles(found, n=20)[-1]
    return {"what": name, "ms": statistics.median(found), "p95 ms": p95, "kB": None, "rows": None}


def run(packages: int, tools: int, words: int, with_peers: bool) -> Result:
    """Measure both, one after the other, and weigh every area."""
    documents, _ = made_up(tools, 1)
    keys = typed([documents[at * 37]["description"].split()[0] for at in range(words)])
    with tempfile.TemporaryDirectory(prefix="prowess-bench-") as directory:
        root = Path(directory)
        homes = {f"XDG_{each}_HOME": str(root / each) for each in ("STATE", "DATA", "CACHE")}
        env = {**os.environ, **homes, "HOME": directory}
        file = write_packages(root / "packages", packages, min(SERVERS, packages), documents)
        command = [sys.executable, "-m", "prowess", "console", str(file), "--no-browser"]
        with (
            running(command, env, LINK) as link,
            httpx.Client(follow_redirects=True, timeout=SECONDS) as client,
        ):
            place = link.partition("/enter")[0]
            client.get(link)
            areas = weighed(client, place)
            ours = milliseconds(client, [f"{place}/capabilities?q={quote(each)}" for each in keys])
        peer = datasette(root, documents, keys, env) if with_peers else []
    subjects = [("prowess", ours), ("datasette", peer)]
    rows = [*(row(f"{name}, as one types", found) for name, found in subjects if found), *areas]
    goals = [
        Goal(name="kB of the heaviest page", value=max(_of(areas, "kB")), limit=MOST_KB, keep="at most"),
        Goal(name="rows of the longest page", value=max(_of(areas, "rows")), limit=MOST_ROWS, keep="at most"),
    ]
    if peer:
        share = statistics.median(ours) / statistics.median(peer)
        name = "a search of the console, of Datasette's time"
        goals.append(Goal(name=name, value=share, limit=SHARE, keep="at most"))
    settings: dict[str, Figure] = {"packages": packages, "tools": tools, "keystrokes": len(keys)}
    return Result(bench="console", settings=settings, rows=rows, goals=goals)


def _of(rows: Sequence[dict[str, Figure]], column: str) -> list[float]:
    return [float(each[column] or 0) for each in rows]


def main(arguments: Sequence[str] | None = None) -> int:
    """Run and report; 1 when a goal is missed."""
    parser = argparse.ArgumentParser(prog="bench.console", description=__doc__)
    parser.add_argument("--packages", type=int, default=500)
    parser.add_argument("--tools", type=int, default=5_000)
    parser.add_argument("--words", type=int, default=12)
    parser.add_argument("--no-peers", action="store_true", help="without Datasette")
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args(arguments)
    found = run(options.packages, options.tools, options.words, not options.no_peers)
    return found.report(as_json=options.json)


if __name__ == "__main__":
    sys.exit(main())
