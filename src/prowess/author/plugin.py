"""A plugin to begin with: a manifest, a skill, and a tool that the skill leads to.

Agent Plugins 1.0.0. The tool is a unit in our own namespace directory (8.2), which `mcp.json` has served
by `prowess serve`: the directory is a whole package as it stands, and any client that reads `mcp.json`
starts it. Without the tool it is the manifest and a skill.
"""

from __future__ import annotations

import os

from prowess.author.fixtures_ci import WORKFLOW_FILE, ci_job
from prowess.author.scaffold import CASES, cases_of, json_file, titled, write_folder
from prowess.author.skill import BY_HAND, skill_text
from prowess.author.unit import unit_files
from prowess.errors import UsageError
from prowess.redact import printable
from prowess.spec.names import name_problem, suggested_name
from prowess.spec.versions import SUPPORTED

NAMESPACE = "dev.prowess"
TOOL = "count_words"
COMMAND = "prowess"

README = """\
# {title}

An Agent Plugins package: skills that say when and how, and tools that do it.

| file | is |
| --- | --- |
| `plugin.json` | the manifest |
| `skills/{skill}/SKILL.md` | what a model reads when it is to count words |
{tools}| `{cases}` | what people say, and what is to be chosen for it |
| `fixtures/` | what was reviewed, frozen; `prowess fixtures verify .` compares |

`prowess check .` judges it, `prowess snapshot .` shows what it offers.
"""

TOOLS = """\
| `mcp.json` | starts `prowess serve` on the units |
| `{namespace}/units/{tool}/` | the tool itself |
"""


def write_plugin(name: str, folder: str, *, tool: bool = True) -> tuple[str, ...]:
    """Write the package `name` into `folder`, with a tool or without; the files. Raises UsageError."""
    if (problem := name_problem(name)) is not None:
        near = suggested_name(name)
        hint = f"perhaps {near}" if near else "lower case letters and digits, - and . between them"
        shown = printable(name, 80) or "an empty text"
        raise UsageError(f"{shown} is no name for a plugin: it {problem}", hint=hint)
    return write_folder(os.path.join(folder, name), plugin_files(name, tool=tool))


def plugin_files(name: str, *, tool: bool = True) -> dict[str, str]:
    """The files of a new package by their paths."""
    skill = name.replace(".", "-")
    use = f"Call the tool `{TOOL}` with the text and take its number." if tool else BY_HAND
    tools = TOOLS.format(namespace=NAMESPACE, tool=TOOL) if tool else ""
    files = {
        "plugin.json": json_file(_manifest(name)),
        "README.md": README.format(title=titled(name), skill=skill, tools=tools, cases=CASES),
        f"skills/{skill}/SKILL.md": skill_text(skill, use),
        CASES: cases_of(skill, (TOOL,) if tool else ()),
        WORKFLOW_FILE: ci_job("."),
    }
    if tool:
        servers = {name: serving((f"{NAMESPACE}/units",))}
        files["mcp.json"] = json_file({"$schema": SUPPORTED[-1].mcp_schema, "mcpServers": servers})
        units = f"{NAMESPACE}/units/{TOOL}"
        files |= {f"{units}/{path}": text for path, text in unit_files(TOOL).items()}
    return files


def _manifest(name: str) -> dict[str, object]:
    return {
        "$schema": SUPPORTED[-1].plugin_schema,
        "name": name,
        "version": "0.1.0",
        "description": "Counts the words of a text.",
        "keywords": ["text", "words"],
    }


def serving(places: tuple[str, ...]) -> dict[str, object]:
    """The `mcp.json` entry that has `prowess serve` offer these places of the package, under plain names."""
    paths = [f"${{PLUGIN_ROOT}}/{each}" for each in places]
    return {"type": "stdio", "command": COMMAND, "args": ["serve", *paths, "--names", "raw"]}
