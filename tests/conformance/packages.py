"""The packages that the cases need, written into a directory: core, recovery and invalid-mcp.

They hold what the public suite's plugins of these names hold, in our own words and files.
"""

from __future__ import annotations

import json
import shlex
import shutil
import sys
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
SPEC = "https://agent-plugins.org/schemas/1.0.0"
LITERAL = "${PLUGIN_ROOT}|${PLUGIN_DATA}|fixture value with spaces"
ARGS = ["arg with spaces", "", "${PLUGIN_ROOT}", "${PLUGIN_DATA}"]
KEPT_ARGS = ["${APC_UNKNOWN}", "$APC_VALUE", "${PLUGIN_ROOT_SUFFIX}"]
ENV = {
    "APC_VALUE": "configured value",
    "APC_EXPANSION": "${PLUGIN_ROOT}|${PLUGIN_DATA}|${PLUGIN_ROOT}",
    "APC_LITERAL": "${APC_UNKNOWN}|$APC_VALUE|${PLUGIN_ROOT_SUFFIX}",
}
QUERY = "/conformance/{route}?value=$APC_HTTP_VALUE"


def write_json(path: Path, value: object) -> None:
    path.write_text(json.dumps(value, indent=2), encoding="utf-8")


def write_skill(directory: Path, name: str, description: str = "Proves that a skill is found.") -> None:
    directory.mkdir(parents=True)
    text = f"---\nname: {name}\ndescription: {description}\n---\n\nNothing to do.\n"
    (directory / "SKILL.md").write_text(text, encoding="utf-8")


def write_program(path: Path, probe: Path) -> None:
    """An executable that runs the probe and tells it by which file name it was executed."""
    path.parent.mkdir(parents=True, exist_ok=True)
    command = f"{shlex.quote(sys.executable)} -IS {shlex.quote(str(probe))}"
    path.write_text(f'#!/bin/sh\nexec {command} "${{0##*/}}" "$@"\n', encoding="utf-8")
    path.chmod(0o755)


def package(root: Path, manifest: dict[str, Any], servers: dict[str, Any]) -> Path:
    """A package at `root` with a probe in it; `manifest` adds to the least that is valid."""
    root.mkdir(parents=True)
    write_json(root / "plugin.json", {"$schema": f"{SPEC}/plugin.schema.json", "name": root.name, **manifest})
    write_json(root / "mcp.json", {"$schema": f"{SPEC}/mcp.schema.json", "mcpServers": servers})
    shutil.copy(HERE / "probe.py", root / "probe.py")
    write_program(root / "bin" / "probe", root / "probe.py")
    write_program(root / "bin" / "probe token", root / "probe.py")
    return root


def stdio(name: str, **more: Any) -> dict[str, Any]:
    """A stdio entry that runs the probe; `name` is its first argument."""
    return {"type": "stdio", "command": "./bin/probe", "args": [name], **more}


def http(kind: str, url: str, **headers: str) -> dict[str, Any]:
    return {"type": kind, "url": url, "headers": {"X-APC-Literal": LITERAL, **headers}}


def core(root: Path, origin: str) -> Path:
    """Everything valid: four working directories, a command with a space, both HTTP transports."""
    servers = {
        "default": stdio("default", args=["default", *ARGS, *KEPT_ARGS], env=ENV),
        "relative": stdio("relative", cwd="./probe-workdir"),
        "root": stdio("root", cwd="${PLUGIN_ROOT}"),
        "data": stdio("data", cwd="${PLUGIN_DATA}"),
        "token": stdio("token", command="./bin/probe token"),
        "http": http("streamable-http", origin + QUERY.format(route="mcp"), AcCePt="text/plain"),
        "sse": http("sse", origin + QUERY.format(route="sse"), AcCePt="text/plain"),
        "http-redirect": http("streamable-http", f"{origin}/redirect/conformance/mcp"),
        "sse-redirect": http("sse", f"{origin}/redirect/conformance/sse"),
        "sse-endpoint": http("sse", f"{origin}/foreign-endpoint/sse"),
    }
    package(root, {}, servers)
    (root / "probe-workdir").mkdir()
    for name in ("conformance-alpha", "conformance-beta"):
        write_skill(root / "skills" / name, name)
    write_skill(
        root / "skills" / "conformance-alpha" / "references" / "conformance-nested", "conformance-nested"
    )
    (root / "skills" / "without-skill").mkdir()
    (root / "skills" / "without-skill" / "README.md").write_text("No skill here.\n", encoding="utf-8")
    return root


def recovery(root: Path, outside: Path, origin: str) -> Path:
    """One valid server and one valid skill among every fault that costs one entry."""
    servers = {"valid": stdio("valid"), **bad_stdio_entries(), **bad_http_entries(origin)}
    package(root, {"fancy": {"on": True}, "extensions": "on"}, servers)
    write_skill(root / "skills" / "conformance-recovery-valid", "conformance-recovery-valid")
    write_skill(root / "skills" / "conformance-recovery-invalid", "another-name")
    outside.mkdir()
    # What the link leads to would run, and leave its mark in the package, if it were followed.
    write_program(outside / "program", root / "probe.py")
    (root / "escape-command").symlink_to(outside / "program")
    (root / "escape-link").symlink_to(outside, target_is_directory=True)
    return root


def bad_stdio_entries() -> dict[str, Any]:
    without_type = stdio("missing-type")
    del without_type["type"]
    return {
        "unknown-field": stdio("unknown-field", timeout=5),
        "missing-type": without_type,
        "reserved-root": stdio("reserved-root", env={"PLUGIN_ROOT": "."}),
        "reserved-data": stdio("reserved-data", env={"PLUGIN_DATA": "."}),
        "cwd-form": stdio("cwd-form", cwd="probe-workdir"),
        "cwd-escape": stdio("cwd-escape", cwd="./.."),
        "cwd-data-escape": stdio("cwd-data-escape", cwd="${PLUGIN_DATA}/.."),
        "cwd-link": stdio("cwd-link", cwd="./escape-link"),
        "command-link": stdio("command-link", command="./escape-command"),
    }


def bad_http_entries(origin: str) -> dict[str, Any]:
    """For each of the two transports; every URL that could be reached leads to `origin`."""
    entries: dict[str, Any] = {"legacy-type": http("http", f"{origin}/conformance/mcp")}
    for kind, route in (("streamable-http", "mcp"), ("sse", "sse")):
        path = f"/conformance/{route}"
        urls = {
            "non-loopback": f"http://192.0.2.1{path}",
            "relative": path,
            "fragment": f"{origin}{path}#part",
            "userinfo": f"{origin.replace('//', '//user:word@')}{path}",
        }
        headers = {
            "duplicate": {"X-Twice": "1", "x-tWICE": "2"},
            "name": {"X Spaced": "1"},
            "value": {"X-Broken": "one\r\ntwo"},
        }
        entries |= {f"{kind}-{name}": http(kind, url) for name, url in urls.items()}
        entries |= {f"{kind}-{name}": http(kind, origin + path, **more) for name, more in headers.items()}
    return entries


def invalid_mcp(root: Path) -> Path:
    """A skill beside an `mcp.json` that is not JSON."""
    package(root, {}, {})
    (root / "mcp.json").write_text('{"$schema": ', encoding="utf-8")
    write_skill(root / "skills" / "conformance-invalid-mcp-valid", "conformance-invalid-mcp-valid")
    return root
