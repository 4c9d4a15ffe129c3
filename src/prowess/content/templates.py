"""One file of `templates/`: a family of resources under one URI template (MCP 2026-07-28, RFC 6570).

    uriTemplate: embedded:guide/{section}

It is served from `folder:` (a file for each value), `table:` (a row of a CSV or JSON file), `function:`
(Python, which runs only where somebody has agreed to it), or from its own body with the variables put
in. Without any of them, a folder beside the file that has its name is the folder.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping

from prowess.content.body_values import BodyValues
from prowess.content.choices import beside, choices, read_beside
from prowess.content.files import Files, walk
from prowess.content.folder_values import FolderValues, folder_values
from prowess.content.function_values import FunctionValues
from prowess.content.markdown import Fields, Markdown, read_markdown
from prowess.content.model import TemplateFile, Values
from prowess.content.table_values import TableFault, table_values
from prowess.content.uri_template import BadTemplate, UriTemplate, parse
from prowess.content.uris import LONGEST, has_scheme, stem
from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic

SOURCES = ("folder", "table", "function")
FIELDS = (
    *("name", "title", "description", "uriTemplate", "mimeType", "annotations"),
    *(*SOURCES, "column", "complete"),
)


def read_template(files: Files, path: str) -> tuple[TemplateFile | None, list[Diagnostic]]:
    """The template in the file at `path`, and what is wrong with it or worth knowing."""
    read = read_markdown(files, path, fenced=True)
    if isinstance(read, Diagnostic):
        return None, [read]
    fields = Fields(path, read)
    fields.only(*FIELDS)
    template = _template(fields)
    wire = fields.described({"uriTemplate": template.text, "name": fields.name(_file_stem(path))})
    offered = _choices(fields, files, template)
    values, code = _values(fields, files, template, read)
    if annotations := fields.annotations():
        wire["annotations"] = annotations
    if values is None or not fields.usable:
        return None, fields.all
    if type := fields.text("mimeType") or _type_of(values):
        wire["mimeType"] = type
    made = TemplateFile(path=path, wire=wire, template=template, values=values, choices=offered, code=code)
    return made, fields.all


def _file_stem(path: str) -> str:
    return stem(path.rpartition("/")[2])


def _type_of(values: Values) -> str:
    """The media type that all resources of the template have, or an empty text."""
    return str(getattr(values, "type", ""))


def _template(fields: Fields) -> UriTemplate:
    text = fields.text("uriTemplate")
    hint = "uriTemplate: embedded:guide/{section}"
    if not text:
        fields.tell("content-required-field", "uriTemplate is missing", hint=hint)
        return UriTemplate("", ())
    try:
        template = parse(text)
    except BadTemplate as fault:
        fields.tell("content-template", f"uriTemplate: {fault}", field="uriTemplate", hint=hint)
        return UriTemplate(text, ())
    if not template.variables:
        message = "uriTemplate has no variable; a file below resources/ has a fixed URI"
        fields.tell("content-template", message, field="uriTemplate", hint=hint)
    elif not has_scheme(text) or len(text) > LONGEST:
        fields.tell(
            "content-template", "uriTemplate must begin with a scheme", field="uriTemplate", hint=hint
        )
    return template


def _choices(fields: Fields, files: Files, template: UriTemplate) -> dict[str, tuple[str, ...]]:
    said = fields.get("complete")
    if said is None:
        return {}
    hint = "complete: {section: [one, two]}"
    if not isinstance(said, Mapping):
        message = "complete must say for each variable which values it has"
        fields.tell("content-field", message, field="complete", hint=hint)
        return {}
    for name in said:
        if name not in template.variables:
            message = f"complete: there is no variable {printable(name, 60)}"
            known = f"variables: {', '.join(template.variables) or 'none'}"
            fields.tell("content-field", message, field="complete", hint=known)
    return {name: choices(fields, files, value, "complete") for name, value in said.items()}


def _values(
    fields: Fields, files: Files, template: UriTemplate, read: Markdown
) -> tuple[Values | None, str | None]:
    """Where the resources come from, and the file of the function if it is one."""
    named = [each for each in SOURCES if fields.get(each) is not None]
    if len(named) > 1:
        message = f"{' and '.join(named)} stand side by side; a template is served from one of them"
        fields.tell("content-template", message, field=named[1])
        return None, None
    if fields.get("column") is not None and named != ["table"]:
        fields.tell("content-field", "column says which one of a table", field="column")
    if named == ["table"]:
        return _table(fields, files, template), None
    if named == ["function"]:
        return _function(fields, files)
    own = _file_stem(fields.path)
    if named or files.source.kind(beside(fields.path, own)) == "directory":
        return _folder(fields, files, template, fields.text("folder") or own), None
    if read.body.strip():
        type = fields.text("mimeType")
        return BodyValues(read.body, template.variables, type, files, fields.path), None
    hint = "folder: NAME, table: NAME.csv, function: NAME.py:FUNCTION, or a text below the frontmatter"
    fields.tell("content-required-field", "nothing says what the template is served from", hint=hint)
    return None, None


def _folder(fields: Fields, files: Files, template: UriTemplate, relative: str) -> FolderValues | None:
    top = beside(fields.path, relative)
    if top.startswith(("/", "..")) or top == "." or not files.source.confined(top) or files.is_hidden(top):
        message = f"folder: {printable(relative, 200)} leads out of the folder, or to something hidden"
        fields.tell("content-outside", message, field="folder")
        return None
    if files.source.kind(top) != "directory":
        message = f"folder: there is no folder {printable(relative, 200)} beside the file"
        fields.tell("content-source", message, field="folder")
        return None
    walked = walk(files, top)
    values, told = folder_values(files, top, walked.paths, template, fields.text("mimeType"))
    fields.of_others += [*walked.diagnostics, *told]
    return values


def _table(fields: Fields, files: Files, template: UriTemplate) -> Values | None:
    found = read_beside(fields, files, fields.text("table"), "table")
    if found is None:
        return None
    path, data = found
    column, type = fields.text("column"), fields.text("mimeType")
    try:
        return table_values(data, path, template, column=column, type=type, files=files)
    except TableFault as fault:
        at = f"{printable(path, 200)}:{fault.line}" if fault.line else printable(path, 200)
        fields.tell("content-source", f"table: {at}: {fault}", field="table")
        return None


def _function(fields: Fields, files: Files) -> tuple[Values | None, str | None]:
    said = fields.text("function")
    relative, _, name = said.rpartition(":")
    hint = "function: NAME.py:FUNCTION, a file beside this one"
    if not relative.endswith(".py") or not name.isidentifier():
        fields.tell(
            "content-field", "function must name a Python file and a function", field="function", hint=hint
        )
        return None, None
    found = read_beside(fields, files, relative, "function")
    if found is None:
        return None, None
    path, source = found
    if not _defines(source, name):
        message = f"function: {printable(path, 200)} defines no function {printable(name, 80)}"
        fields.tell("content-source", message, field="function")
        return None, None
    return FunctionValues(path, name, fields.text("mimeType"), files), path


def _defines(source: bytes, name: str) -> bool:
    """Whether a module has the function, told by reading it."""
    try:
        body = ast.parse(source).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    functions = (each for each in body if isinstance(each, (ast.FunctionDef, ast.AsyncFunctionDef)))
    return any(each.name == name for each in functions)
