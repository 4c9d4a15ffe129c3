"""A server on stdin and stdout for the command line's tests; its first argument says how it behaves.

`answer` offers the tool that the second argument names, or none for an empty name; `mute` reads and
never answers; `leave` says its arguments and goes; `stubborn` does not even end on TERM and has a child
that does the same, both holding the FIFO that the second argument names; `scattering` answers like
`answer`, and when it is told to go leaves a process behind that nothing traces to it, which holds that
FIFO.
Standard library only.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import threading


def answer(tool: str) -> None:
    """Answer every line until the input ends."""
    tools = [{"name": tool, "description": f"Does {tool}.", "inputSchema": {"type": "object"}}]
    results = {
        "initialize": {
            "protocolVersion": "2025-11-25",
            "capabilities": {"tools": {}},
            "serverInfo": {"name": "stub", "version": "1"},
        },
        "tools/list": {"tools": tools if tool else []},
    }
    for line in sys.stdin:
        message = json.loads(line)
        if "id" not in message:
            continue
        result = results.get(message["method"])
        reply = {"result": result} if result else {"error": {"code": -32601, "message": "unknown"}}
        print(json.dumps({"jsonrpc": "2.0", "id": message["id"], **reply}), flush=True)


def mute(_: str) -> None:
    """Read to the end."""
    sys.stdin.read()


def stubborn(fifo: str) -> None:
    """Hold the FIFO, and have a child that holds it too, until both are killed."""
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with open(fifo, "w") as held:
        child = os.fork()
        held.write("child\n" if child == 0 else "parent\n")
        held.flush()
        threading.Event().wait(120)


def scattering(fifo: str) -> None:
    """Answer, and in the end start a process with its own session, no environment and no ear for TERM."""
    held = os.open(fifo, os.O_WRONLY)
    answer("greet")
    code = "import signal, threading; signal.signal(15, signal.SIG_IGN); threading.Event().wait(120)"
    quiet = subprocess.DEVNULL
    child = subprocess.Popen(
        [sys.executable, "-S", "-c", code],
        env={},
        start_new_session=True,
        stdin=quiet,
        stdout=quiet,
        stderr=quiet,
        pass_fds=[held],
    )
    os.write(held, f"child {child.pid}\n".encode())


def leave(_: str) -> None:
    """Say what it was started with, and go."""
    sys.exit(str(sys.argv))


if __name__ == "__main__":
    {"leave": leave, "answer": answer, "mute": mute, "stubborn": stubborn, "scattering": scattering}[
        sys.argv[1]
    ](sys.argv[2])
