"""The peers from PyPI that the benchmarks measure against, in a virtual environment of their own.

`bench/.peers` is made on first use and kept; delete it to install anew.
"""

from __future__ import annotations

import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
HOME = HERE / ".peers"
PYTHON = HOME / "bin" / "python"
# Pinned, so that two people measure against the same thing.
PEERS = {
    "skills-ref": "0.1.1",
    "skillsaw": "0.22.0",
    "agent-plugins": "0.2.4",
    "fastmcp": "4.2.3",
    "bm25s": "0.3.16",
    "PyStemmer": "3.1.0",
    "rank-bm25": "0.2.2",
    "tantivy": "0.27.0",
    "datasette": "0.65.5",
    "wordsegment": "1.3.1",
}


def installed() -> Path:
    """The Python that has every peer installed; installs them first where they are missing."""
    wanted = "\n".join(f"{name}=={version}" for name, version in PEERS.items())
    mark = HOME / "installed.txt"
    if not mark.exists() or mark.read_text(encoding="utf-8") != wanted:
        print("installing the peers into bench/.peers", file=sys.stderr, flush=True)
        venv.create(HOME, with_pip=True, clear=True)
        pip = [str(PYTHON), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, *wanted.split()], check=True, stdout=sys.stderr, timeout=600)
        mark.write_text(wanted, encoding="utf-8")
    return PYTHON
