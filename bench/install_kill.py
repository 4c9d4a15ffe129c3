"""kill -9 at random moments of installs and updates: what is left has to be the old or the new, whole.

A child does the work and is killed by its parent after a random part of the time that the work takes;
every round begins where the last one ended. What is installed is then read back: the lock, every file
against its digest, and the version in the manifest. The tests kill at every file operation instead;
here the clock decides, so writes that are under way are hit too.

    python -m bench.install_kill [--rounds 100] [--seed 1] [--json]
"""

from __future__ import annotations

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from bench.result import Figure, Goal, Result
from prowess.author.auditing import audit
from prowess.author.fetching import origin_of
from prowess.author.installing import install, prepared, remove
from prowess.store.installed import Scope, project
from prowess.store.installed_opening import located

SCHEMA = "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json"
FILES = 40
FILE_BYTES = 20_000


def written(root: Path, version: int) -> Path:
    """A package of a few files, all of them different in each version."""
    (root / "skills" / "greet").mkdir(parents=True, exist_ok=True)
    manifest = {"$schema": SCHEMA, "name": "sample", "version": f"{version}.0.0"}
    (root / "plugin.json").write_text(json.dumps(manifest))
    skill = "---\nname: greet\ndescription: Greets a guest. Use when somebody arrives.\n---\nSay hello.\n"
    (root / "skills" / "greet" / "SKILL.md").write_text(skill)
    for number in range(FILES):
        # No text, so that the scan, which touches no disk, does not take most of the time.
        (root / f"file-{number}.bin").write_bytes(bytes((0, version, number)) * (FILE_BYTES // 3))
    return root


def work(scope: Scope, source: Path) -> None:
    """One install, or one update."""
    updates = scope.read().installed.get("sample")
    with prepared(scope, origin_of(str(source), base=scope.base), updates=updates) as ready:
        install(ready)


def seconds_of(scope: Scope, source: Path) -> float:
    """How long a child takes for it when nobody kills it."""
    began = time.perf_counter()
    child = os.fork()
    if child == 0:
        work(scope, source)
        os._exit(0)
    os.waitpid(child, 0)
    return time.perf_counter() - began


def killed_after(seconds: float, scope: Scope, source: Path) -> bool:
    """Whether the child was killed before it came to an end."""
    child = os.fork()
    if child == 0:
        work(scope, source)
        os._exit(0)
    time.sleep(seconds)
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    return os.WIFSIGNALED(status)


def state(scope: Scope) -> str:
    """What is installed now: a version, nothing, or `mixed`."""
    one = scope.read().installed.get("sample")
    if one is None:
        return "nothing"
    root = Path(located("installed:sample", scope.base))
    manifest = json.loads((root / "plugin.json").read_text())
    return str(one.version) if manifest["version"] == one.version and not audit(scope) else "mixed"


def rounds_of(kind: str, count: int, rng: random.Random, place: Path) -> tuple[Counter[str], int]:
    """What was found after each round, and how many rounds were cut short."""
    found: Counter[str] = Counter()
    cut = 0
    (place / kind).mkdir()
    scope = project(str(place / kind))
    sources = [written(place / f"{kind}-{version}", version) for version in (1, 2)]
    takes = seconds_of(scope, sources[0])
    for number in range(count):
        installed = scope.read().installed.get("sample")
        if kind == "install" and installed is not None:
            remove(scope, installed, data=False)
        before = state(scope)
        source = sources[number % 2] if kind == "install" or before != "1.0.0" else sources[1]
        source = sources[0] if kind == "update" and before == "2.0.0" else source
        cut += killed_after(rng.random() * takes * 1.1, scope, source)
        after = state(scope)
        new = f"{source.name.rpartition('-')[2]}.0.0"
        found["old" if after == before else "new" if after == new else "mixed"] += 1
    return found, cut


def run(count: int, seed: int) -> Result:
    """Install and update, `count` rounds each."""
    rows: list[dict[str, Figure]] = []
    mixed = cut_short = 0
    with tempfile.TemporaryDirectory(prefix="prowess-bench-") as directory:
        os.environ["XDG_DATA_HOME"] = directory
        (Path(directory) / "warm").mkdir()  # what is imported on the way is no part of what is measured
        work(project(f"{directory}/warm"), written(Path(directory) / "source", 0))
        for kind in ("install", "update"):
            found, cut = rounds_of(kind, count, random.Random(seed), Path(directory))
            row: dict[str, Figure] = {"killed while it": f"{kind}s", "rounds": count, "cut short": cut}
            rows.append(row | {each: found[each] for each in ("old", "new", "mixed")})
            mixed += found["mixed"]
            cut_short += cut
    goals = [
        Goal(name="a mixture of old and new", value=float(mixed), limit=0.0, keep="at most"),
        Goal(name="rounds cut short", value=float(cut_short), limit=float(count), keep="at least"),
    ]
    return Result(bench="install_kill", settings={"rounds": count, "seed": seed}, rows=rows, goals=goals)


def main(arguments: Sequence[str] | None = None) -> int:
    """The command line."""
    about = (__doc__ or "").split("\n")[0]
    parser = argparse.ArgumentParser(prog="python -m bench.install_kill", description=about)
    parser.add_argument("--rounds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true")
    given = parser.parse_args(arguments)
    return run(given.rounds, given.seed).report(as_json=given.json)


if __name__ == "__main__":
    sys.exit(main())
