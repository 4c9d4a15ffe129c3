"""Provider dialects: tools as function definitions, a model's calls read, results in its form.

Function calling as OpenAI (Chat Completions; calls of the Responses API are read and answered as
well), Anthropic (Messages) and Gemini (generateContent) write it. Plain JSON objects in and out: no
provider's library is imported, and no request is made. What a definition loosens is checked again
on the call path, against the tool's own schema.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal, NoReturn, get_args

from prowess.capability.canonical import plain
from prowess.capability.naming import ModelNames
from prowess.capability.offer import Tool
from prowess.capability.schema_documents import followed
from prowess.errors import UsageError
from prowess.redact import printable

Dialect = Literal["openai", "anthropic", "gemini"]
Form = Literal["openai", "openai-responses", "anthropic", "gemini"]
DIALECTS: tuple[Dialect, ...] = get_args(Dialect)

# OpenAI refuses a request that holds a longer description.
OPENAI_DESCRIPTION = 1_024
# OpenAI and Anthropic refuse a request whose parameters have one of these at the top.
_COMPOSED = ("allOf", "anyOf", "oneOf")
_REFUSED_AT_THE_TOP = (*_COMPOSED, "not", "enum", "if", "then", "else")


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelCall:
    """What a model asked for: a name, arguments, the call's id, and the form to answer in.

    `problem` says, in words for the model, why the arguments could not be read; they are empty then.
    """

    form: Form
    name: str
    id: str
    arguments: Mapping[str, Any]
    problem: str = ""


def checked_dialect(word: str) -> Dialect:
    """`word` as a dialect, or a UsageError that names those there are."""
    for dialect in DIALECTS:
        if dialect == word:
            return dialect
    raise UsageError(f"no provider dialect {printable(word, 40)}", hint="one of " + ", ".join(DIALECTS))


def definitions(
    dialect: Dialect, names: ModelNames, tools: Mapping[tuple[str, str], Tool]
) -> list[dict[str, Any]]:
    """The function definitions of `tools`, by their model-facing names, sorted by name."""
    return [
        definition(dialect, name, tools[key]) for name, key in sorted(names.by_name.items()) if key in tools
    ]


def definition(dialect: Dialect, name: str, tool: Tool) -> dict[str, Any]:
    """One tool as a function definition."""
    about = tool.description or str(tool.wire.get("title") or "")
    schema = {key: each for key, each in plain(tool.input_schema).items() if key not in ("$schema", "$id")}
    if dialect == "gemini":
        return {"name": name, "description": about, "parametersJsonSchema": {**schema, "type": "object"}}
    schema = _flat(schema)
    if dialect == "anthropic":
        return {"name": name, "description": about, "input_schema": schema}
    about = about if len(about) <= OPENAI_DESCRIPTION else about[: OPENAI_DESCRIPTION - 3] + "..."
    return {"type": "function", "function": {"name": name, "description": about, "parameters": schema}}


def _flat(schema: dict[str, Any]) -> dict[str, Any]:
    """`schema` as one object with properties at the top; alternatives give theirs, as optional ones."""
    properties: dict[str, Any] = {}
    for key in _COMPOSED:
        members = schema.get(key)
        for each in members if isinstance(members, list) else []:
            properties |= _properties(_resolved(each, schema))
    kept = {key: each for key, each in schema.items() if key not in _REFUSED_AT_THE_TOP}
    return {**kept, "type": "object", "properties": properties | _properties(schema)}


def _resolved(schema: Any, root: Any) -> Any:
    try:
        return followed(schema, root, legacy=True) if isinstance(schema, dict) else schema
    except LookupError:
        return schema


def _properties(schema: Any) -> dict[str, Any]:
    found = schema.get("properties") if isinstance(schema, dict) else None
    return found if isinstance(found, dict) else {}


def read_call(dialect: Dialect, call: Any) -> ModelCall:
    """A model's call in its provider's form: the JSON object, or the provider's own model of it.

    Something that is no call at all is the caller's mistake (UsageError); arguments that cannot be
    read are the model's (`problem`).
    """
    found = _mapping(call)
    if dialect == "openai":
        return _openai_call(found)
    if dialect == "anthropic":
        return _call("anthropic", found.get("name"), found.get("id"), found.get("input", {}))
    found = _mapping(found.get("functionCall") or found.get("function_call") or found)
    arguments = found.get("args")
    return _call("gemini", found.get("name"), found.get("id") or "", {} if arguments is None else arguments)


def _mapping(call: Any) -> Mapping[str, Any]:
    dump = getattr(call, "model_dump", None)  # the providers' libraries model their objects so
    found = dump() if callable(dump) else call
    if not isinstance(found, Mapping):
        raise UsageError("a tool call is a JSON object")
    return found


def _openai_call(found: Mapping[str, Any]) -> ModelCall:
    if found.get("type") == "function_call":
        form: Form = "openai-responses"
        name, id, text = found.get("name"), found.get("call_id"), found.get("arguments")
    else:
        form, function = "openai", _mapping(found.get("function"))
        name, id, text = function.get("name"), found.get("id"), function.get("arguments")
    if not isinstance(text, str):
        return _call(form, name, id, text)
    try:
        # for no arguments a model may write nothing at all
        arguments = json.loads(text, parse_constant=_refuse) if text.strip() else {}
    except (ValueError, RecursionError) as error:
        return _call(form, name, id, {}, f"the arguments are not JSON: {printable(str(error), 120)}")
    return _call(form, name, id, arguments)


def _refuse(word: str) -> NoReturn:
    raise ValueError(f"{word} is no JSON value")


def _call(form: Form, name: Any, id: Any, arguments: Any, problem: str = "") -> ModelCall:
    if not isinstance(name, str) or not isinstance(id, str):
        raise UsageError(f"no name or no id in a tool call of the form {form}")
    if not isinstance(arguments, Mapping):
        arguments, problem = {}, "the arguments have to be a JSON object"
    return ModelCall(form=form, name=name, id=id, arguments=dict(arguments), problem=problem)


def result(call: ModelCall, value: Any, *, failed: bool = False) -> dict[str, Any]:
    """What goes back to the model in its provider's form; `failed` says that `value` tells a failure."""
    if call.form == "gemini":
        response = {"name": call.name, "response": {"error" if failed else "output": plain(value)}}
        return {"functionResponse": {"id": call.id, **response} if call.id else response}
    text = _written(value)
    if call.form == "anthropic":
        told = {"type": "tool_result", "tool_use_id": call.id, "content": text}
        return {**told, "is_error": True} if failed else told
    text = f"Error: {text}" if failed else text
    if call.form == "openai":
        return {"role": "tool", "tool_call_id": call.id, "content": text}
    return {"type": "function_call_output", "call_id": call.id, "output": text}


def _written(value: Any) -> str:
    """Text as it is, everything else as JSON; always encodable."""
    text = value if isinstance(value, str) else json.dumps(plain(value), ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace").decode()
