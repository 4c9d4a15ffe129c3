"""What the pages of capabilities are tried with: tools of many shapes, content, a plugin with a skill."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from prowess.content.provider import ContentProvider
from prowess.errors import ProwessError
from prowess.provider import MemoryProvider

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'\u202e\u0007"
PICTURE = {"type": "image", "mimeType": "image/png", "data": "aGVsbG8gd29ybGQ="}

INVOICES = {
    "type": "object",
    "properties": {
        "week": {
            "type": "string",
            "title": "Week",
            "description": "An ISO week",
            "pattern": "^[0-9]{4}-W[0-9]{2}$",
            "examples": ["2026-W31"],
        },
        "limit": {"type": "integer", "minimum": 1, "maximum": 100, "default": 10},
        "share": {"type": "number"},
        "state": {"enum": ["open", "paid", 3]},
        "late": {"type": "boolean"},
        "version": {"const": "v1"},
        "tags": {"type": "array", "items": {"type": "string"}, "maxItems": 3},
        "months": {"type": "array", "items": {"type": "integer"}},
        "currencies": {"type": "array", "items": {"enum": ["EUR", "CHF"]}},
        "since": {"type": "string", "format": "date"},
        "note": {"type": "string", "maxLength": 2000},
        "buyer": {"$ref": "#/$defs/buyer"},
        "area": {"anyOf": [{"type": "string"}, {"type": "null"}], "default": None},
        "filter": {"type": "object", "additionalProperties": {"type": "string"}},
    },
    "required": ["week", "version"],
    "additionalProperties": False,
    "$defs": {
        "buyer": {
            "type": "object",
            "properties": {"name": {"type": "string"}, "years": {"type": "integer", "minimum": 0}},
            "required": ["name"],
        }
    },
}
PAY = {
    "type": "object",
    "properties": {"invoice": {"type": "string"}, "amount": {"type": "number", "exclusiveMinimum": 0}},
    "required": ["invoice", "amount"],
}

_HUGE = {
    f"p{number}": {
        "type": "string",
        "title": HOSTILE * 100,
        "description": HOSTILE * 1_000,
        "enum" if number % 2 else "examples": [f"{HOSTILE * 3}{each}" for each in range(200)],
        "default": "x" * 50_000,
        "pattern": HOSTILE * 100,
    }
    for number in range(200)
}

Sent = list[tuple[str, Mapping[str, Any]]]


def tools(sent: Sent) -> MemoryProvider:
    """Tools that answer with what they were sent, and note it."""

    def answering(name: str) -> Any:
        async def answer(arguments: Mapping[str, Any]) -> Any:
            sent.append((name, dict(arguments)))
            if name == "fail":
                raise ProwessError("the ledger is closed <b>now</b>")
            if name == "lines":
                return [f"line {number} " + "x" * 80 for number in range(3_000)]
            if name == "picture":
                return [{"type": "text", "text": f"a chart {HOSTILE}"}, PICTURE]
            return {"name": name, "arguments": dict(arguments)}

        return answer

    wires: dict[str, dict[str, Any]] = {
        "find_invoices": {
            "title": "Find invoices",
            "description": "Find invoices of a week that are unpaid.\nRead only.",
            "inputSchema": INVOICES,
            "annotations": {"readOnlyHint": True},
        },
        "pay": {"description": "Pay one invoice.", "inputSchema": PAY},
        "delete": {
            "description": "Delete every invoice.",
            "inputSchema": {"type": "object"},
            "annotations": {"destructiveHint": True},
        },
        "fail": {
            "description": "Fails.",
            "inputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": True},
        },
        "picture": {
            "description": "Draws a chart.",
            "inputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": True},
        },
        "lines": {
            "description": "Gives many lines.",
            "inputSchema": {"type": "object"},
            "annotations": {"readOnlyHint": True},
        },
        f"evil {HOSTILE}": {
            "title": HOSTILE,
            "description": HOSTILE * 500,
            "inputSchema": {
                "type": "object",
                "properties": {
                    HOSTILE: {"type": "string"},
                    '"><script>x': {"title": HOSTILE, "description": HOSTILE, "enum": [HOSTILE, {"a": [1]}]},
                },
                "required": [7, HOSTILE],
            },
            "annotations": {"readOnlyHint": True},
        },
    }
    return MemoryProvider("ledger", {name: (wire, answering(name)) for name, wire in wires.items()})


def huge() -> MemoryProvider:
    """One tool of many megabytes, each field of which is hostile."""

    async def answer(arguments: Mapping[str, Any]) -> Any:
        return dict(arguments)

    wire = {
        "description": "\u202e" * 3_000_000,
        "inputSchema": {"type": "object", "properties": _HUGE},
        "outputSchema": {"type": "object", "description": HOSTILE * 10_000},
        "annotations": {"readOnlyHint": True, "title": HOSTILE},
    }
    return MemoryProvider("huge", {"huge": (wire, answer)})


def many(count: int) -> MemoryProvider:
    """So many tools."""

    async def answer(arguments: Mapping[str, Any]) -> Any:
        return dict(arguments)

    schema = {"type": "object", "properties": {"city": {"type": "string", "description": "A city"}}}
    words = ("weather", "invoice", "flight", "hotel", "letter", "meeting", "parcel", "ticket")
    wires = {
        f"{words[n % 8]}_{n:04}": {
            "description": f"Looks up the {words[n % 8]} number {n} of a city",
            "inputSchema": schema,
        }
        for n in range(count)
    }
    return MemoryProvider("many", {name: (wire, answer) for name, wire in wires.items()})


def content(folder: Path) -> ContentProvider:
    """A prompt, resources and a template."""
    files = {
        "prompts/greet.md": (
            "---\nname: greet\ntitle: Greet somebody\ndescription: Greets.\narguments:\n  - name: who\n"
            "    description: Whom\n    required: true\n"
            "  - name: tongue\n    complete: [English, 中文]\n---\n"
            "Say hello to {who} in {tongue}.\n"
        ),
        "resources/guide.md": (
            "---\nname: guide\ndescription: How to.\n---\n# The guide\n\n<script>alert(1)</script>\n\n"
            "![chart](https://evil.example/p.png) [out](https://docs.example/a) [bad](javascript:alert(1))\n"
        ),
        "templates/section.md": (
            "---\ntitle: A section\ndescription: One section.\nuriTemplate: embedded:section/{section}\n---\n"
        ),
        "templates/section/errors.md": "# Errors\n\nThere are none.\n",
    }
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    (folder / "resources" / "seal.png").write_bytes(b"\x89PNG\r\n")
    return ContentProvider([str(folder)], label="guides")


def plugin(folder: Path) -> Path:
    """A plugin with one skill."""
    skill = folder / "skills" / "write-letters"
    (skill / "references").mkdir(parents=True)
    (folder / "plugin.json").write_text(
        '{"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "desk"}'
    )
    (skill / "SKILL.md").write_text(
        "---\nname: write-letters\ndescription: Writes letters to customers.\nlicense: MIT\n---\n"
        "# Letters\n\nSee [the form](references/form.md).\n\n<img src=x onerror=alert(1)>\n",
        encoding="utf-8",
    )
    (skill / "references" / "form.md").write_text("## The form\n\nBack to [it](../SKILL.md).\n")
    (skill / "references" / "seal.bin").write_bytes(b"\xff\xfe\x00" * 10)
    return folder
