"""Generated Agent Plugins packages for the benchmarks: the same bytes for the same arguments.

Each package is valid for every peer too: five skills (frontmatter of about 300 bytes in the styles
people write, bodies of 2 to 6 kB, a reference file in every third) and two servers, one stdio and one
streamable-http. Nothing in them is ever run.

    python -m bench.packages DIRECTORY [COUNT]
"""

from __future__ import annotations

import json
import random
import sys
import textwrap
from collections.abc import Mapping
from pathlib import Path

SCHEMAS = "https://agent-plugins.org/schemas/1.0.0"
SKILLS = 5
SERVERS = 2

VERBS = (
    "review",
    "draft",
    "summarise",
    "reconcile",
    "translate",
    "compare",
    "archive",
    "classify",
    "schedule",
    "forecast",
)
THINGS = (
    "contracts",
    "invoices",
    "incidents",
    "releases",
    "tickets",
    "surveys",
    "meetings",
    "budgets",
    "datasets",
    "drawings",
)
FIELDS = (
    "finance",
    "legal",
    "support",
    "research",
    "design",
    "hiring",
    "security",
    "sales",
    "logistics",
    "teaching",
)
DETAILS = (
    "with the figures taken from the ledger and not from memory",
    "in the order in which the team works through them",
    "and says which of them need a second pair of eyes",
    "so that the reader sees first what changed since last week",
    "keeping the wording that was agreed on with the customer",
    "and leaves out everything that is already closed",
)
STEPS = (
    "Read the whole input before you write a line.",
    "Ask for the period when none was given; never guess it.",
    "Put amounts in the currency of the source, with two decimals.",
    "Group the entries by owner, the oldest first.",
    "Note each entry that you left out, with the reason in five words.",
    "Compare the total with the one in the source; stop when they differ.",
    "Quote names exactly as they are written, accents and capitals included.",
    "When a step fails, say which one and hand back what you have.",
)


def generate(directory: Path, count: int) -> list[Path]:
    """`count` packages under `directory`, written anew; the paths in order."""
    packages = [directory / f"package-{index:04}" for index in range(count)]
    for package in packages:
        write_package(package)
    return packages


def write_package(package: Path) -> None:
    """One package; its content follows from its directory's name alone."""
    chance = random.Random(package.name)
    write_json(package / "plugin.json", manifest(package.name, chance))
    write_json(package / "mcp.json", configuration(chance))
    script = package / "bin" / "serve"
    script.parent.mkdir(parents=True, exist_ok=True)
    script.write_text("#!/usr/bin/env python3\nraise SystemExit(0)\n", encoding="utf-8")
    script.chmod(0o755)
    for number, verb in enumerate(chance.sample(VERBS, SKILLS)):
        write_skill(package / "skills" / f"{verb}-{chance.choice(THINGS)}", number, chance)


def manifest(name: str, chance: random.Random) -> dict[str, object]:
    """A manifest with every metadata field."""
    field = chance.choice(FIELDS)
    return {
        "$schema": f"{SCHEMAS}/plugin.schema.json",
        "name": name,
        "version": f"{chance.randrange(3)}.{chance.randrange(20)}.{chance.randrange(9)}",
        "description": f"Everyday work in {field}: skills that say how, servers that hold the records.",
        "author": {"name": f"The {field} team", "email": f"{field}@example.com"},
        "homepage": f"https://example.com/plugins/{name}",
        "repository": f"https://example.com/git/{name}",
        "license": "Apache-2.0",
        "keywords": [field, *chance.sample(THINGS, 3)],
        "extensions": {"com.example.catalogue": {"shelf": field, "rank": chance.randrange(100)}},
    }


def configuration(chance: random.Random) -> dict[str, object]:
    """An `mcp.json` with one stdio and one streamable-http server."""
    field = chance.choice(FIELDS)
    local = {
        "type": "stdio",
        "command": "./bin/serve",
        "args": ["--database", "${PLUGIN_DATA}/records.db", "--field", field],
        "env": {"LOG_LEVEL": "info", "REGION": chance.choice(["north", "south"])},
        "cwd": "${PLUGIN_ROOT}",
    }
    remote = {
        "type": "streamable-http",
        "url": f"https://{field}.example.com/mcp",
        "headers": {"X-Tenant": f"tenant-{chance.randrange(1000)}"},
    }
    servers = {f"{field}-records": local, f"{field}-search": remote}
    return {"$schema": f"{SCHEMAS}/mcp.schema.json", "mcpServers": servers}


def write_skill(directory: Path, number: int, chance: random.Random) -> None:
    """One skill; every third has a reference file."""
    directory.mkdir(parents=True, exist_ok=True)
    text = f"---\n{frontmatter(directory.name, number, chance)}---\n\n{body(directory.name, chance)}"
    (directory / "SKILL.md").write_text(text, encoding="utf-8")
    if number % 3 == 0:
        reference = directory / "references" / "terms.md"
        reference.parent.mkdir(exist_ok=True)
        reference.write_text("# Terms\n\n" + "\n".join(f"- {step}" for step in STEPS), encoding="utf-8")


def frontmatter(name: str, number: int, chance: random.Random) -> str:
    """Frontmatter in one of the styles that people write."""
    verb, _, thing = name.partition("-")
    what = f"{verb.capitalize()} {thing} {chance.choice(DETAILS)}."
    when = f"Use when somebody asks to {verb} {thing}, or hands over {thing} and asks what to do with them."
    description = f"{what} {when}"
    style = number % 3
    if style == 0:
        lines = [f"name: {name}", f"description: {description}"]
    elif style == 1:
        lines = [f"name: {name}", "description: >-", textwrap.indent(textwrap.fill(description, 90), "  ")]
    else:
        lines = [f"name: {name}", f'description: "{description}"']
    lines.append("license: Apache-2.0")
    if number % 2:
        lines.append("compatibility: Needs Python 3.11 or newer, and the records server of this plugin")
    if number != 2:
        lines += ["metadata:", f"  author: {chance.choice(FIELDS)}-team", '  version: "1.4"']
    if number == 3:
        lines.append("allowed-tools: Read Grep Bash(git:*)")
    return "\n".join(lines) + "\n"


def body(name: str, chance: random.Random) -> str:
    """Markdown of 2 to 6 kB: steps, an example, a table."""
    size = chance.randrange(2_000, 6_000)
    title = name.replace("-", " ")
    parts = [f"# {title.capitalize()}\n\n"]
    length = len(parts[0])
    while length < size - 400:
        part = section(title, chance)
        parts.append(part)
        length += len(part)
    return "".join(parts)


def section(title: str, chance: random.Random) -> str:
    """A headed part with steps, sometimes an example or a table."""
    steps = "".join(f"{number}. {step}\n" for number, step in enumerate(chance.sample(STEPS, 4), start=1))
    text = f"## How to {title} in {chance.choice(FIELDS)}\n\n{steps}\n"
    if chance.random() < 0.3:
        text += (
            f"```sh\nrecords export --field {chance.choice(FIELDS)} --limit {chance.randrange(500)}\n```\n\n"
        )
    if chance.random() < 0.3:
        text += "| column | meaning |\n| --- | --- |\n| due | the last day |\n| owner | who answers |\n\n"
    return text


def write_json(path: Path, value: Mapping[str, object]) -> None:
    """Pretty-printed, as people keep it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(value, indent=2) + "\n", encoding="utf-8")


if __name__ == "__main__":
    generate(Path(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 10)
