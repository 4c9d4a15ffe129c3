"""A stdio MCP server of the standard library that lets its token slip wherever it can."""

import base64
import hashlib
import json
import os
import sys
from typing import Any
from urllib.parse import quote

TOKEN = os.environ.get("API_TOKEN", "")
FORMS = [TOKEN, base64.b64encode(TOKEN.encode()).decode(), quote(TOKEN, safe=""), f"Bearer {TOKEN}"]
INFO = {"io.modelcontextprotocol/serverInfo": {"name": "leaky", "version": TOKEN}}
TOOL = {"name": "echo", "description": f"Uses {TOKEN}.", "inputSchema": {"type": "object", "title": TOKEN}}


def result(method: str, params: dict[str, Any]) -> dict[str, Any]:
    if method == "server/discover":
        found: dict[str, Any] = {"supportedVersions": ["2026-07-28"], "instructions": f"Say {TOKEN}."}
        return found | {"capabilities": {"tools": {}, "prompts": {}}, "_meta": INFO}
    if method == "tools/list":
        return {"tools": [TOOL, {"name": f"broken {TOKEN}", "inputSchema": 1}]}
    if method == "prompts/list":
        raise ValueError(f"no prompts for {TOKEN}")
    do = (params.get("arguments") or {}).get("do")
    if do == "fail":
        raise ValueError(f"cannot use {TOKEN}")
    if do == "crash":
        sys.stderr.write(f"going down with {TOKEN}\n")
        sys.stderr.flush()
        os._exit(3)
    digest = hashlib.sha256(TOKEN.encode()).hexdigest()
    content = [{"type": "text", "text": json.dumps(FORMS)}]
    return {"content": content, "structuredContent": {"digest": digest, TOKEN: [FORMS], "other": "tok-other"}}


sys.stderr.write(f"starting with {TOKEN}\n")
sys.stdout.write(f"Welcome, {TOKEN}!\n")
sys.stdout.flush()
for line in sys.stdin:
    request = json.loads(line)
    if "id" not in request:
        continue
    answer: dict[str, Any] = {"jsonrpc": "2.0", "id": request["id"]}
    try:
        answer["result"] = result(request["method"], request.get("params") or {})
    except ValueError as error:
        answer["error"] = {"code": -32000, "message": str(error), "data": {"forms": FORMS}}
    print(json.dumps(answer), flush=True)
