"""What the mirror offers: ordinary things with members that no SDK knows, and names that are odd."""

from __future__ import annotations

from typing import Any

ANY_OBJECT: dict[str, Any] = {"type": "object"}
ICONS = [
    {"src": "https://example.com/i.png", "mimeType": "image/png", "sizes": ["48x48", "any"], "theme": "dark"},
    {"src": "data:image/svg+xml;base64,PHN2Zy8+", "unknown": None},
]
TOOLS: list[dict[str, Any]] = [
    {
        "name": "do",
        "title": "Do what the request says",
        "description": "First line.\n\n  second\tline \u00e9\u4e2d\U0001f600 \u2028 end",
        "inputSchema": {
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "type": "object",
            "properties": {"value": {"x-unknown": [1, None], "description": "anything"}},
            "additionalProperties": True,
            "x-own": {"deep": [{"er": None}]},
        },
        "annotations": {"readOnlyHint": False, "title": "T", "vendor/hint": None, "number": 1.50},
        "icons": ICONS,
        "execution": {"taskSupport": "forbidden", "unknown": []},
        "_meta": {"vendor.example/one": {"a": [None, True, 1, 1.0, "x"]}, "bare": 1},
        "unknownMember": {"null": None, "list": [[], {}]},
    },
    {
        "name": "typed",
        "description": "",
        "inputSchema": ANY_OBJECT,
        "outputSchema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]},
    },
    {"name": "state", "inputSchema": ANY_OBJECT, "annotations": {"readOnlyHint": True}},
    {"name": "go", "inputSchema": ANY_OBJECT},
    {"name": "change", "inputSchema": ANY_OBJECT},
    # Not in the order of the alphabet, and nearly the same.
    {"name": "Zeta.tool", "inputSchema": ANY_OBJECT},
    {"name": "alpha/tool", "inputSchema": ANY_OBJECT},
    {"name": "alpha.tool", "inputSchema": ANY_OBJECT},
    {"name": "alpha_tool", "inputSchema": ANY_OBJECT},
    {"name": "\u5de5\u5177\u4e00", "inputSchema": ANY_OBJECT},
    {"name": "\u5de5\u5177\u4e8c", "inputSchema": ANY_OBJECT},
    {"name": "n" * 70 + "1", "inputSchema": ANY_OBJECT},
    {"name": "n" * 70 + "2", "inputSchema": ANY_OBJECT},
    {"name": "with space", "inputSchema": ANY_OBJECT},
    {"name": "9digits", "inputSchema": ANY_OBJECT},
]
PROMPTS: list[dict[str, Any]] = [
    {
        "name": "zebra",
        "title": "Zebra",
        "description": "A prompt",
        "arguments": [{"name": "a", "required": True, "unknown": None}, {"name": "b", "title": "B"}],
        "icons": ICONS,
        "_meta": {"vendor.example/p": None},
        "unknownMember": 1e100,
    },
    {"name": "apple"},
    {"name": "\u5de5\u5177/x.y"},
]
RESOURCES: list[dict[str, Any]] = [
    {
        "uri": "memo://z",
        "name": "z",
        "title": "Z",
        "description": "d",
        "mimeType": "text/plain; charset=utf-8",
        "size": 12345678901234567890,
        "annotations": {
            "audience": ["user"],
            "priority": 0.5,
            "lastModified": "2026-01-01T00:00:00Z",
            "x": None,
        },
        "icons": ICONS,
        "_meta": {},
        "unknownMember": [],
    },
    {"uri": "memo://a", "name": "a"},
    {"uri": "file:///w%C3%A4hrung/%E4%BD%A0?q=1#f", "name": "odd"},
]
TEMPLATES: list[dict[str, Any]] = [
    {
        "uriTemplate": "thing://{kind}/{+path}{?q,r*}",
        "name": "t",
        "annotations": {"x": None},
        "unknownMember": 0,
    },
    {"uriTemplate": "other://{id}", "name": "o", "_meta": {"vendor.example/t": [1]}},
]
LISTS: dict[str, tuple[str, list[dict[str, Any]]]] = {
    "tools/list": ("tools", TOOLS),
    "prompts/list": ("prompts", PROMPTS),
    "resources/list": ("resources", RESOURCES),
    "resources/templates/list": ("resourceTemplates", TEMPLATES),
}
CAPABILITIES: dict[str, Any] = {
    "tools": {"listChanged": True},
    "prompts": {"listChanged": True},
    "resources": {"listChanged": True, "subscribe": True},
    "completions": {},
    "logging": {},
    "experimental": {"vendor.example/e": {"x": None}},
    "extensions": {"vendor.example/ext": {"setting": [1, None]}},
}
INSTRUCTIONS = "Use it with care.\nOn two lines."
