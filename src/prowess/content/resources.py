"""One file below `resources/`: a resource (MCP 2026-07-28, "Resources").

Any file will do. The frontmatter of a Markdown file may give its `uri`, `name`, `title`, `description`,
`mimeType` and `annotations`, and is no part of what is served. Text is served as text, everything else
as it is.
"""

from __future__ import annotations

import base64
from typing import Any

from prowess.content.files import RESOURCE_BYTES, Files
from prowess.content.markdown import Fields, Markdown, markdown_of, read_markdown
from prowess.content.media_types import MARKDOWN, is_text, media_type
from prowess.content.model import Content, ResourceFile
from prowess.content.uris import LONGEST, default_uri, has_scheme, normal, stem
from prowess.errors import NotFound, Unreadable
from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.questions import Failure
from prowess.spec.rules import report

FIELDS = ("uri", "name", "title", "description", "mimeType", "annotations")
TOP = "resources"


def read_resource(files: Files, path: str) -> tuple[ResourceFile | None, list[Diagnostic]]:
    """The resource in the file at `path`, and what is wrong with it or worth knowing."""
    below = path.removeprefix(f"{TOP}/")
    if not is_markdown(path):
        return _any_file(files, path, below)
    read = read_markdown(files, path, fenced=False)
    if isinstance(read, Diagnostic):
        return None, [read]
    fields = Fields(path, read)
    fields.only(*FIELDS)
    uri = _uri(fields, default_uri(files.name, below))
    wire = fields.described({"uri": uri, "name": fields.name(stem(below))})
    wire["mimeType"] = fields.text("mimeType") or MARKDOWN
    wire["size"] = len(read.body.encode("utf-8"))
    if annotations := fields.annotations():
        wire["annotations"] = annotations
    resource = ResourceFile(path=path, wire=wire, key=normal(uri), files=files)
    return resource if fields.usable else None, fields.diagnostics


def _uri(fields: Fields, otherwise: str) -> str:
    said = fields.text("uri") or otherwise
    if not has_scheme(said) or not said.isprintable() or " " in said or len(said) > LONGEST:
        hint = "uri: embedded:guide/api"
        fields.tell("content-field", "uri must be a URI, with a scheme", field="uri", hint=hint)
    return said


def _any_file(files: Files, path: str, below: str) -> tuple[ResourceFile | None, list[Diagnostic]]:
    size = files.size(path)
    if size > RESOURCE_BYTES:
        message = f"it is larger than {RESOURCE_BYTES} bytes"
        return None, [report("content-unreadable", Place(file=path), message, subject=path)]
    uri = default_uri(files.name, below)
    wire: dict[str, Any] = {"uri": uri, "name": below, "mimeType": media_type(path), "size": size}
    return ResourceFile(path=path, wire=wire, key=normal(uri), files=files), []


def is_markdown(path: str) -> bool:
    """Whether a file is Markdown, by its name."""
    return path.lower().endswith(".md")


def load(files: Files, path: str, type: str) -> Content:
    """What the file at `path` holds now. Blocking. Raises NotFound and Unreadable."""
    data: bytes | Failure = Failure("missing", "it does not exist")
    if not files.is_hidden(path):
        data = files.source.read(path, RESOURCE_BYTES)
    if isinstance(data, Failure):
        message = f"{printable(path, 300)}: {printable(data.detail or data.reason)}"
        raise (NotFound if data.reason in ("missing", "outside") else Unreadable)(message)
    if is_markdown(path):
        read: Markdown | Diagnostic = markdown_of(data, path, fenced=False)
        if isinstance(read, Diagnostic):
            raise Unreadable(f"{read.place}: {read.message}", hint=read.hint)
        return Content(read.body, type)
    if is_text(type):
        try:
            return Content(data.decode("utf-8"), type)
        except UnicodeDecodeError:
            pass  # in another encoding: its bytes are handed over as they are
    return Content(data, type)


def wired(content: Content, uri: str) -> dict[str, Any]:
    """MCP's ResourceContents: `text`, or `blob` in base64."""
    if isinstance(content.data, str):
        return {"uri": uri, "mimeType": content.type, "text": content.data}
    return {"uri": uri, "mimeType": content.type, "blob": base64.b64encode(content.data).decode("ascii")}
