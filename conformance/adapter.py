#!/usr/bin/env python3
"""Adapter for a public conformance kit: a plugin directory in, one JSON object of what loaded out.

It runs `prowess check --format load-report PATH` with the interpreter it is run by itself and
prints that one object. A plugin that is rejected is an answer, so the exit status is 0 for it too;
2 means that there was no answer.
"""

from __future__ import annotations

import json
import subprocess
import sys

SECONDS = 60


def load_report(path: str) -> object:
    """What `prowess check` says about the plugin at `path`; raises ValueError when it says nothing."""
    command = [sys.executable, "-m", "prowess", "check", "--format", "load-report", "--", path]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", timeout=SECONDS, check=False)
    if done.returncode not in (0, 1):
        raise ValueError(done.stderr.strip() or f"prowess ended with status {done.returncode}")
    return json.loads(done.stdout)


def main(argv: list[str]) -> int:
    """Print the report of the one directory named in `argv`."""
    if len(argv) != 1:
        print("usage: adapter.py PLUGIN_DIRECTORY", file=sys.stderr)
        return 2
    try:
        report = load_report(argv[0])
    except (OSError, ValueError, subprocess.TimeoutExpired) as error:
        print(f"adapter: {error}", file=sys.stderr)
        return 2
    print(json.dumps(report))  # in ASCII: a name may hold what no encoding has
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
