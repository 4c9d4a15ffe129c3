"""A stdio MCP server of the standard library that misbehaves as its arguments say.

Arguments: any of the behaviours below. It speaks both eras unless `legacy` or `modern` is given.
"""

import json
import os
import signal
import subprocess
import sys
import time
from typing import Any

MODES = set(sys.argv[1:])
MODERN, LEGACY = "2026-07-28", "2025-11-25"
TOOL = {
    "name": "echo",
    "description": "Say it back.",
    "inputSchema": {"type": "object", "x-kept": 1},
    "x-kept": [1],
}
HANG: dict[str, Any] = {}
BAD: list[Any] = [
    {"name": "bad", "inputSchema": {"type": "string"}},
    {"name": ""},
    7,
    {"name": "worse", "inputSchema": None},
]


BAD_SCHEMAS: list[Any] = [
    {"name": "list", "inputSchema": {"type": "object", "properties": ["a"]}},
    {"name": "number", "inputSchema": {"type": "object", "properties": {"a": 1}}},
    {"name": "text", "inputSchema": {"type": "object", "required": "a"}},
    {"name": "mixed", "inputSchema": {"type": "object", "required": ["a", 1]}},
    {
        "name": "header",
        "inputSchema": {"type": "object", "properties": {"a": {"type": "string", "x-mcp-header": "a b"}}},
    },
]


def send(message: dict[str, Any]) -> None:
    if "other-ids" in MODES:
        message = {**message, "id": 1_000}
    if "text-ids" in MODES:
        message = {**message, "id": str(message["id"])}
    for _ in range(2 if "answers-twice" in MODES else 1):
        sys.stdout.buffer.write(json.dumps(message).encode() + b"\n")
        sys.stdout.buffer.flush()


def raw(data: bytes) -> None:
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()


def argument(prefix: str) -> str | None:
    return next((mode[len(prefix) :] for mode in MODES if mode.startswith(prefix)), None)


def note(line: str) -> None:
    if (path := os.environ.get("PROBE_LOG")) is not None:
        with open(path, "a", encoding="utf-8") as file:
            file.write(line + "\n")


def spawn_children() -> None:
    code = "import time; time.sleep(60)"
    if "grandchild" in MODES:
        note(f"child {subprocess.Popen([sys.executable, '-c', code]).pid}")
    if "setsid" in MODES:
        note(f"child {subprocess.Popen([sys.executable, '-c', code], start_new_session=True).pid}")
    if "scrubbed" in MODES:
        note(f"child {subprocess.Popen([sys.executable, '-c', code], start_new_session=True, env={}).pid}")
    if "daemon" in MODES:
        forked = subprocess.run(
            [
                sys.executable,
                "-c",
                "import os,time\nif os.fork(): os._exit(0)\nos.setsid()\nprint(os.getpid(), flush=True)"
                "\nos.close(1)\ntime.sleep(60)",
            ],
            stdout=subprocess.PIPE,
            check=True,
        )
        note(f"child {forked.stdout.decode().strip()}")


def tools(cursor: str | None) -> dict[str, Any]:
    found: list[Any] = [TOOL]
    if "bad-tool" in MODES:
        found = [*BAD, TOOL]
    if "twice" in MODES:
        found = [TOOL, {**TOOL, "description": "another"}]
    if "pages" in MODES:
        number = int(cursor or 0)
        page: dict[str, Any] = {"tools": [{**TOOL, "name": f"tool-{number}"}]}
        if number < 4:
            page["nextCursor"] = str(number + 1)
        return page
    if "empty-cursor" in MODES:
        return {"tools": [{**TOOL, "name": "last"}]} if cursor == "" else {"tools": [TOOL], "nextCursor": ""}
    if "page-fails" in MODES or "page-unreadable" in MODES or "endless" in MODES:
        number = int(cursor or 0)
        if number == 2 and "page-fails" in MODES:
            raise ValueError("no list today")
        return {"tools": [{**TOOL, "name": f"tool-{number}"}], "nextCursor": str(number + 1)}
    if "cursor-no-text" in MODES:
        return {"tools": [TOOL], "nextCursor": 7}
    if "tools-no-list" in MODES:
        return {"tools": {"echo": TOOL}}
    if "tools-unfinished" in MODES:
        return {"tools": [TOOL], "resultType": "input_required"}
    if "loop" in MODES:
        return {"tools": [{**TOOL, "name": f"tool-{cursor}"}], "nextCursor": "again"}
    if "no-tools" in MODES:
        found = []
    if "bad-schemas" in MODES:
        found = [*BAD_SCHEMAS, TOOL]
    if "deceptive" in MODES:
        found = [
            {**TOOL, "name": "a\x1b[31m"},
            {**TOOL, "name": "a\x1b[31m"},
            {**TOOL, "name": "long" + "g" * 100_000},
        ]
        found.append({"name": "bad" + "g" * 100_000})
    if "not-a-number" in MODES:
        found = [{**TOOL, "inputSchema": {"type": "object", "maximum": float("nan")}}]
    if "half" in MODES:
        found = [{**TOOL, "description": "cut \ud83d"}]
    return {"tools": found}


def listed(method: str, params: dict[str, Any]) -> dict[str, Any] | None:
    if "prompts-hang" in MODES and method == "prompts/list":
        return HANG
    if "prompts-fail" in MODES and method == "prompts/list":
        return None
    if method == "tools/list" and "tools-fail" in MODES:
        return None
    if method == "tools/list" and (
        "tools-unreadable" in MODES or ("page-unreadable" in MODES and params.get("cursor") == "2")
    ):
        raise BadAnswer
    if method == "tools/list" and "asks-while-listing" in MODES:
        ask()
    if method == "tools/list":
        return tools(params.get("cursor"))
    if method == "prompts/list":
        return {"prompts": [{"name": "review", "x-kept": True}]}
    if method == "resources/list":
        return {"resources": [{"uri": "probe://a", "name": "a", "x-kept": True}]}
    return {"resourceTemplates": [{"uriTemplate": "probe://{x}", "name": "x"}]}


class BadAnswer(Exception):
    """The answer is to be no message."""


def ask() -> None:
    """Ask the client, and wait for its answers before going on."""
    for number, method in enumerate(("ping", "no/such")):
        send({"jsonrpc": "2.0", "id": f"mine-{number}", "method": method})
    for _ in range(2):
        note(
            "answered ping"
            if "result" in json.loads(sys.stdin.buffer.readline())
            else "answered no such thing"
        )


def call(request: dict[str, Any], params: dict[str, Any]) -> dict[str, Any] | None:
    name, arguments = params.get("name"), params.get("arguments") or {}
    do = arguments.get("do", "")
    if do == "crash":
        note("crash")
        sys.stderr.write("going down with hunter2-secret-value\n")
        os._exit(3)
    if do == "hang":
        return None
    if do == "huge":
        text = "x" * arguments["size"]
        if arguments.get("id_last"):
            raw(
                b'{"jsonrpc":"2.0","result":{"content":[{"type":"text","text":"'
                + text.encode()
                + b'"}]},"id":%d}\n' % request["id"]
            )
            return None
        return {"content": [{"type": "text", "text": text}]}
    if do == "fail":
        return {"isError": True, "content": [{"type": "text", "text": "no such week"}]}
    if do == "ask":
        for number, method in enumerate(("ping", "sampling/createMessage", "no/such")):
            params = {"messages": [], "maxTokens": 1} if "sampling" in method else {}
            send({"jsonrpc": "2.0", "id": f"mine-{number}", "method": method, "params": params})
        send({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})
        send({"jsonrpc": "2.0", "method": "notifications/nobody/knows", "params": {"a": 1}})
        answers = [json.loads(sys.stdin.buffer.readline()) for _ in range(3)]
        return {"content": [], "structuredContent": {each["id"]: sorted(each) for each in answers}}
    if do == "type":
        return {"resultType": arguments["type"], "content": []}
    if do == "odd":
        return {
            "content": [{"type": "hologram", "depth": 3}],
            "structuredContent": {"total": "three"},
            "x": 1,
        }
    if do == "nothing":
        return {}
    if do == "meta":
        note(f"meta {sorted(params['_meta'])}")
    if do == "malformed":
        raw(b'{"jsonrpc":"2.0","id":%d,"result":[1]}\n' % request["id"])
        return None
    if do == "environment":
        return {
            "content": [],
            "structuredContent": {"env": dict(os.environ), "cwd": os.getcwd(), "argv": sys.argv},
        }
    if do == "error":
        raise ValueError("the tool is closed")
    return {
        "content": [{"type": "text", "text": json.dumps(arguments)}],
        "structuredContent": {"name": name, **arguments},
    }


def answer(request: dict[str, Any]) -> dict[str, Any] | None:
    method, params = request["method"], request.get("params") or {}
    note(method)
    if method == "server/discover":
        if "silent-discover" in MODES:
            return None
        if "exit-on-discover" in MODES:
            sys.exit(0)
        if "hang-on-discover" in MODES:
            time.sleep(60)
        if "legacy" in MODES:
            raise LookupError(method)
        if "future" in MODES or ("disjoint" in MODES):
            versions = ["2099-01-01"] if "future" in MODES else ["2099-01-01", LEGACY]
            send(
                {
                    "jsonrpc": "2.0",
                    "id": request["id"],
                    "error": {"code": -32022, "message": "?", "data": {"supported": versions}},
                }
            )
            return None
        result: dict[str, Any] = {
            "supportedVersions": [LEGACY if "advertises-legacy" in MODES else MODERN],
            "capabilities": capabilities(),
            "instructions": "Be kind.",
        }
        return result | {
            "ttlMs": 0,
            "cacheScope": "public",
            "_meta": {"io.modelcontextprotocol/serverInfo": {"name": "probe", "x": 1}},
        }
    if method == "initialize":
        if "modern" in MODES or "future" in MODES:
            raise LookupError(method)
        if "ancient" in MODES:
            return {"protocolVersion": "1999-01-01", "capabilities": {}, "serverInfo": {}}
        info = {"name": "probe", "version": "1", "x": 1}
        return {"protocolVersion": LEGACY, "capabilities": capabilities(), "serverInfo": info}
    if method.endswith("/list"):
        found = listed(method, params)
        if found is HANG:
            return None
        if found is None:
            raise ValueError("no list today")
        return found
    if method == "tools/call":
        return call(request, params)
    if method == "prompts/get":
        return {"messages": [], "x-kept": params}
    if method == "resources/read":
        if params["uri"] != "probe://a":
            raise KeyError("no such resource")
        return {"contents": [{"uri": "probe://a", "text": "A"}], "x-kept": 1}
    raise LookupError(method)


def capabilities() -> dict[str, Any]:
    if "only-tools" in MODES:
        return {"tools": {}}
    return {"tools": {}, "prompts": {}, "resources": {}}


def serve() -> None:
    if "ignore-term" in MODES:
        signal.signal(signal.SIGTERM, signal.SIG_IGN)
    if (marker := argument("unless=")) is not None and not os.path.exists(marker):
        sys.exit(4)
    if "exit-at-once" in MODES:
        sys.exit("Traceback: no module named 'missing' hunter2-secret-value")
    if "flood" in MODES:
        for _ in range(300):
            sys.stderr.write("e" * 999 + "\n")
    if "close-output" in MODES or "close-input" in MODES:
        os.close(1 if "close-output" in MODES else 0)
        time.sleep(60)
    spawn_children()
    time.sleep(float(argument("slow=") or 0))
    if "noise" in MODES:
        raw(b"Welcome!\n\n{not json}\n[1,2]\nhunter2-secret-value on stdout\n")
    if "utf8" in MODES:
        raw(b"caf\xe9 \xff\xfe\n")
    for line in sys.stdin.buffer:
        if "silent" in MODES:
            continue
        request = json.loads(line)
        if "id" not in request:
            note(request["method"])
            continue
        reply = {"jsonrpc": "2.0", "id": request["id"]}
        try:
            result = answer(request)
        except LookupError as error:
            code = -32602 if isinstance(error, KeyError) else -32601
            send(reply | {"error": {"code": code, "message": str(error)}})
        except BadAnswer:
            raw(b'{"jsonrpc":"2.0","id":%d,"result":[1]}\n' % request["id"])
        except ValueError as error:
            send(reply | {"error": {"code": -32000, "message": str(error)}})
        else:
            if result is not None:
                if "utf8" in MODES and request["method"] == "tools/call":
                    raw(
                        json.dumps(reply | {"result": {"content": [{"type": "text", "text": "caf?"}]}})
                        .encode()
                        .replace(b"?", b"\xe9")
                        + b"\n"
                    )
                    continue
                send(reply | {"result": result})
                if "close-output-later" in MODES and request["method"] == "tools/list":
                    os.close(1)
                if "exit-after-list" in MODES and request["method"] == "resources/templates/list":
                    sys.exit(5)
    if "ignore-term" in MODES:
        time.sleep(60)


serve()
