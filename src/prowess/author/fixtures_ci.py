"""The job that runs `prowess check` and `prowess fixtures verify` on GitHub Actions, as text."""

from __future__ import annotations

import re

from prowess import __version__
from prowess.errors import UsageError
from prowess.redact import printable

WORKFLOW_FILE = ".github/workflows/prowess.yml"

JOB = """\
# Written by `prowess fixtures --ci`; it is yours to change.
name: prowess
on:
  push:
  pull_request:
permissions:
  contents: read
jobs:
  package:
    runs-on: ubuntu-latest
    timeout-minutes: 10
    steps:
      - uses: actions/checkout@v4
      - uses: actions/setup-python@v5
        with:
          python-version: "3.12"
      - run: python -m pip install "prowess=={version}"
      - run: prowess check --format github --fail-on note {path}
      - run: prowess fixtures verify {path}
"""

_PLAIN = re.compile(r"[A-Za-z0-9_.][A-Za-z0-9_./-]*")


def ci_job(path: str) -> str:
    """The job for the package at `path`, as seen from the repository's root. UsageError for odd paths."""
    if not _PLAIN.fullmatch(path):
        raise UsageError(
            f"{printable(path, 300)} cannot be written into a job as it is",
            hint="name it from the repository's root, with letters, digits, _, -, . and / alone",
        )
    return JOB.format(version=__version__, path=path)
