"""A stdio MCP server of the standard library that talks while it works: it tells, asks and changes.

It speaks both eras unless `legacy` or `modern` is given. The tool `do` does what its arguments say;
every method that it does not know it answers with what it was asked. What reaches it goes to the file
`TALKER_LOG`.
"""

import json
import os
import sys
from typing import Any

MODES = set(sys.argv[1:])
MODERN, LEGACY = "2026-07-28", "2025-11-25"
SUBSCRIPTION = "io.modelcontextprotocol/subscriptionId"
Message = dict[str, Any]

waiting: list[Message] = []
initialized: Message = {}
level = ""
subscribed: set[str] = set()
listens: dict[Any, Message] = {}
tools = ["do"]


def note(line: str) -> None:
    with open(os.environ["TALKER_LOG"], "a", encoding="utf-8") as file:
        file.write(line + "\n")


def send(message: Message) -> None:
    sys.stdout.buffer.write(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")
    sys.stdout.buffer.flush()


def tell(method: str, params: Message) -> None:
    send({"method": method, "params": params})


def read() -> Message:
    line = sys.stdin.buffer.readline()
    if not line:
        sys.exit(0)
    message: Message = json.loads(line)
    return message


def ask(id: Any, method: str, params: Message) -> Message:
    """Ask the client and wait for its answer; what comes in between is looked at later."""
    send({"id": id, "method": method, "params": params})
    while True:
        message = read()
        if message.get("id") == id and "method" not in message:
            return {key: each for key, each in message.items() if key not in ("id", "jsonrpc")}
        waiting.append(message)


def changed(method: str, params: Message, wanted: str) -> None:
    """Say that something changed, the way that this client can hear."""
    if initialized:
        tell(method, params)
    for id, filter in listens.items():
        if filter.get(wanted):
            tell(method, {**params, "_meta": {SUBSCRIPTION: id}})


def do(params: Message) -> Message:
    arguments = params.get("arguments", {})
    what = arguments.get("what", "")
    token = params.get("_meta", {}).get("progressToken")
    if what == "progress":
        for number in range(arguments["times"]):
            tell(
                "notifications/progress",
                {"progressToken": token, "progress": number, "total": 9, "message": "on", "x-kept": [number]},
            )
            tell("notifications/message", {"level": "info", "data": number, "x-kept": {"a": None}})
        tell("notifications/progress", {"progressToken": "of-nobody", "progress": 1})
    if what == "input":
        return {
            "resultType": "input_required",
            "inputRequests": {"who": {"method": "elicitation/create", "params": {"x": 1}}},
            "requestState": "opaque é",
            "x-kept": 1,
        }
    if what == "ask":
        answers = [ask(f"q{n}", each["method"], each["params"]) for n, each in enumerate(arguments["of"])]
        return {"content": [], "structuredContent": {"answers": answers}}
    if what == "add":
        tools.append(arguments["name"])
        for _ in range(arguments.get("times", 1)):
            changed("notifications/tools/list_changed", {}, "toolsListChanged")
    if what == "touch":
        changed("notifications/resources/updated", {"uri": arguments["uri"]}, "resourceSubscriptions")
    if what == "end-listens":
        for id in list(listens):
            send({"id": id, "result": {"resultType": "complete", "_meta": {SUBSCRIPTION: id}}})
            del listens[id]
        tools.append(arguments["name"])
    if what == "crash":
        os._exit(3)
    known = {"pid": os.getpid(), "level": level, "subscribed": sorted(subscribed), "initialize": initialized}
    return {"content": [], "structuredContent": {"params": params, **known}}


def hang(id: Any) -> None:
    """Work until the client does not want it any more."""
    while True:
        message = read()
        if message.get("method") == "notifications/cancelled" and message["params"]["requestId"] == id:
            return
        waiting.append(message)


def listed(method: str) -> Message:
    more: Message = {}
    if "caching" in MODES:
        more = {"ttlMs": 5_000, "cacheScope": "public"}
        if method == "prompts/list":
            more = {"ttlMs": -1, "cacheScope": "private"}
    if method == "tools/list" and "broken" in tools:
        raise ValueError("no list today")
    if method == "tools/list" and "restless" in tools:
        changed("notifications/tools/list_changed", {}, "toolsListChanged")
    if method == "tools/list":
        found = [{"name": name, "inputSchema": {"type": "object"}} for name in tools]
        return {"tools": found, **more}
    if method == "resources/templates/list":
        return {"resourceTemplates": []}
    key = method.partition("/")[0]
    return {key: [{"name": "a", "uri": "talk://a"}], **more}


def answer(request: Message) -> Message | None:
    global level
    method, params = request["method"], request.get("params", {})
    if method == "server/discover" and "legacy" not in MODES:
        return {"supportedVersions": [MODERN], "capabilities": capabilities()}
    if method == "initialize" and "modern" not in MODES:
        initialized.update(params)
        return {
            "protocolVersion": LEGACY,
            "capabilities": capabilities(),
            "serverInfo": {"name": "talker", "version": "1"},
        }
    if method in ("server/discover", "initialize"):
        raise LookupError(method)
    if method.endswith("/list"):
        return listed(method)
    if method == "tools/call" and params["arguments"].get("what") == "hang":
        hang(request["id"])
        return None
    if method == "tools/call":
        result = do(params)
        if params["arguments"].get("what") == "later":
            send({"id": request["id"], "result": result})
            told = ask("late", "roots/list", {"x-kept": 1})
            tell("notifications/message", {"level": "info", "data": told})
            return None
        return result
    if method == "subscriptions/listen":
        if "no-listen" in MODES:
            raise LookupError(method)
        listens[request["id"]] = params["notifications"]
        meta = {SUBSCRIPTION: request["id"]}
        tell(
            "notifications/subscriptions/acknowledged",
            {"notifications": params["notifications"], "_meta": meta},
        )
        return None
    if method == "logging/setLevel":
        level = params["level"]
        return {}
    if method == "resources/subscribe":
        subscribed.add(params["uri"])
        return {}
    if method == "resources/unsubscribe":
        subscribed.discard(params["uri"])
        return {}
    if method == "fail":
        raise ValueError(params["message"])
    return {"method": method, "params": params, "x-kept": {"deep": [None, 1.5]}}


def capabilities() -> Message:
    told = {"listChanged": True}
    return {
        "tools": told,
        "prompts": told,
        "resources": {**told, "subscribe": True},
        "logging": {},
        "x-kept": {"a": 1},
    }


def take(message: Message) -> None:
    if "method" not in message:
        return
    subject = message.get("params", {}).get("uri", "")
    note(f"{os.getpid()} {message['method']} {subject}".rstrip())
    if "id" not in message:
        if message["method"] == "notifications/cancelled":
            listens.pop(message["params"]["requestId"], None)
        return
    try:
        result = answer(message)
    except LookupError as error:
        send({"id": message["id"], "error": {"code": -32601, "message": str(error)}})
    except ValueError as error:
        data = {"why": ["because", None]}
        send({"id": message["id"], "error": {"code": -31999, "message": str(error), "data": data}})
    else:
        if result is not None:
            send({"id": message["id"], "result": result})


note(f"{os.getpid()} start")
while True:
    take(waiting.pop(0) if waiting else read())
