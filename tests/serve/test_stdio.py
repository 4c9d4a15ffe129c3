"""The endpoint over real pipes: what is no message is answered, and nothing else gets onto the wire."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.bounds import bound

META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}
UNIT = '''
import subprocess, sys
import prowess

print("while it is imported")

@prowess.unit
async def noisy() -> str:
    """Say something where nobody should hear it."""
    print("from Python")
    sys.stdout.flush()
    subprocess.run(["echo", "from a child"], check=True)
    left = subprocess.run(["cat"], capture_output=True, text=True, check=True).stdout
    return f"read {left!r} of stdin"
'''


def served(folder: Path, *lines: bytes) -> list[Any]:
    """What `prowess serve` answers to these lines."""
    (folder / "units").mkdir()
    (folder / "units" / "noise.py").write_text(UNIT)
    process = subprocess.Popen(
        [sys.executable, "-m", "prowess", "serve", str(folder / "units")],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env={**os.environ, "PYTHONWARNINGS": "error"},
    )
    assert process.stdin is not None
    assert process.stdout is not None
    try:
        process.stdin.write(b"".join(line + b"\n" for line in lines))
        process.stdin.flush()
        answers = [json.loads(process.stdout.readline()) for line in lines if line]
        process.stdin.close()
        assert process.stdout.read() == b""
        assert process.wait(bound(20)) == 0
    finally:
        process.kill()
        process.stdout.close()
    return answers


def message(id: object, method: str, **params: Any) -> bytes:
    return json.dumps(
        {"jsonrpc": "2.0", "id": id, "method": method, "params": {**params, "_meta": META}}
    ).encode()


def test_what_is_no_message_is_answered_under_its_id_where_it_has_one(tmp_path: Path) -> None:
    answers = served(
        tmp_path,
        b"not json",
        b"[]",
        b'{"jsonrpc": "2.0", "id": 7, "method": "tools/list", "params": []}',
        b'{"jsonrpc": "2.0", "id": true, "method": "tools/list", "params": 1}',
        b"",
        message(9, "tools/list"),
    )
    assert [(each["id"], each.get("error", {}).get("code")) for each in answers] == [
        (None, -32700),
        (None, -32600),
        (7, -32600),
        (None, -32600),
        (9, None),
    ]


def test_what_a_unit_or_its_child_prints_never_reaches_the_client(tmp_path: Path) -> None:
    (answer,) = served(tmp_path, message("a", "tools/call", name="noisy", arguments={}))
    assert answer["id"] == "a"
    assert answer["result"]["content"][0]["text"] == json.dumps({"result": "read '' of stdin"})


@pytest.mark.parametrize("kind", ["nothing", "a file"])
def test_standard_input_that_cannot_be_watched_is_read_to_its_end(tmp_path: Path, kind: str) -> None:
    file = Path(os.devnull) if kind == "nothing" else tmp_path / "requests"
    if kind == "a file":
        file.write_bytes(message(1, "tools/list") + b"\n")
    (tmp_path / "units").mkdir()
    (tmp_path / "units" / "noise.py").write_text(UNIT)
    with file.open("rb") as stdin:
        done = subprocess.run(
            [sys.executable, "-m", "prowess", "serve", str(tmp_path / "units")],
            stdin=stdin,
            capture_output=True,
            timeout=bound(20),
            check=False,
        )
    assert done.returncode == 0
    assert b"Traceback" not in done.stderr
    assert len(done.stdout.splitlines()) == (kind == "a file")
