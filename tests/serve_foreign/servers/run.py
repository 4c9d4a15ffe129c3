"""The mirror as a program.

run.py [--paged]              over stdin and stdout
run.py [--paged] --http       over HTTP; the port is printed
"""

from __future__ import annotations

import json
import sys
import threading
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[3]))

from tests.serve_foreign.servers.mirror import Message, Mirror, Session, written


def stdio(mirror: Mirror) -> None:
    """Serve until stdin ends."""
    lock = threading.Lock()

    def say(message: Message) -> None:
        line = written(message) + b"\n"
        with lock:
            sys.stdout.buffer.write(line)
            sys.stdout.buffer.flush()

    session = mirror.sessions["stdio"] = Session("stdio", say)
    for line in sys.stdin.buffer:
        message = json.loads(line)
        if "id" in message and "method" in message:
            threading.Thread(target=mirror.take, args=(session, message, say), daemon=True).start()
        else:
            mirror.take(session, message, say)


if __name__ == "__main__":
    shared = Mirror(paged="--paged" in sys.argv)
    if "--http" in sys.argv:
        from tests.serve_foreign.servers.mirror_http import serve

        serve(shared)
    else:
        stdio(shared)
