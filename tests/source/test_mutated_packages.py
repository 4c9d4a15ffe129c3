"""Packages of the corpus, mutated: both sources judge them alike, and no verdict contradicts itself.

Seeded, so that a failure names the package that shows it; the seeds are few here and any number can
be tried by hand.
"""

from __future__ import annotations

import json
import random
import time
from pathlib import Path
from typing import Any

import pytest
from tests.bounds import bound
from tests.source.test_memory_source import on_disk
from tests.spec.test_any_bytes import PACKAGES, SNIPPETS, check

from prowess.source.judging import judge
from prowess.source.memory import Content, Link, MemorySource, Special
from prowess.spec.model import Judgement

EACH = 150  # packages a seed
NAMES = ["a", "skills", "SKILL.md", "skill.md", "mcp.json", "plugin.json", "new\nline", "\x1b[0m", "e\u0301"]
TARGETS = [".", "..", "../..", "plugin.json", "skills", "../skills", "nowhere", "/nowhere", "a/../../x", "a"]
PIECES = [
    *SNIPPETS,
    b'"type": "stdio",',
    b'"command": "./x",',
    b"${PLUGIN_DATA}/..",
    b"name: a\n",
    b": ",
    b"- ",
]
VALUES: list[Any] = [
    *(None, True, 0, "", "x", "./x", "../x", "a b", "\0", "A\n", "x" * 1025, [], ["x"], {}, {"a": "b"}),
    {"type": "stdio", "command": "x", "cwd": "./skills"},
    {"type": "sse", "url": "https://h"},
]


def mutated(files: dict[str, Content], chance: random.Random) -> dict[str, Content]:
    """The package with a few things about it changed."""
    files = dict(files)
    for _ in range(chance.choice([1, 1, 2, 4])):
        path = chance.choice(sorted(files))
        content = files[path]
        way = chance.random()
        if way < 0.4 and isinstance(content, bytes):
            files[path] = other_bytes(content, chance)
        elif way < 0.65 and path.endswith(".json") and isinstance(content, bytes):
            files[path] = other_json(content, chance)
        elif way < 0.8:
            files[path] = Link(chance.choice(TARGETS)) if chance.random() < 0.7 else Special("fifo")
        elif way < 0.9:
            files[f"{path.rpartition('/')[0]}/{chance.choice(NAMES)}".lstrip("/")] = files.pop(path)
        else:
            above = chance.choice(["", "skills/", "skills/a/", "skills/deep/deeper/"])
            copied = chance.random() < 0.5
            files[above + chance.choice(NAMES)] = content if copied else Link(chance.choice(TARGETS))
    return files


def other_bytes(content: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(content) + 1)
    cut = chance.choice([0, 0, 1, 5, 40])
    return content[:at] + chance.choice([b"", *PIECES]) + content[at + cut :]


def other_json(content: bytes, chance: random.Random) -> bytes:
    try:
        value = json.loads(content)
    except ValueError:
        return content + b" "
    return json.dumps(with_other_value(value, chance)).encode("utf-8", "replace")


def with_other_value(value: Any, chance: random.Random) -> Any:
    if isinstance(value, dict) and value and chance.random() < 0.8:
        key = chance.choice(list(value))
        if chance.random() < 0.2:
            key += chance.choice([" ", "\n", "X"])
        return {**value, key: with_other_value(value.get(key), chance)}
    return chance.choice(VALUES)


def told(found: Judgement) -> object:
    plugin = found.plugin
    return (
        [(each.name, each.path) for each in plugin.skills] if plugin else None,
        plugin.servers if plugin else None,
        [(each.rule, str(each.place), each.subject) for each in found.diagnostics],
        found.strict_skills,
    )


def consistent(found: Judgement) -> None:
    """What loads is not skipped, and what is disabled is empty."""
    check(found)
    skipped = {each.subject for each in found.skipped}
    if found.plugin is None:
        assert not skipped
        return
    skills = [each.directory for each in found.plugin.skills]
    servers = [f"mcp.json#{each.id}" for each in found.plugin.servers]
    assert not skipped.intersection(skills + servers)
    assert not skills or "skills" not in skipped
    assert not servers or "mcp.json" not in skipped
    assert len({each.name for each in found.plugin.skills}) == len(skills)
    assert found.strict_skills <= len(skills)


@pytest.mark.req("AP-4.1-2", "AP-11-2")
@pytest.mark.timeout(60)
@pytest.mark.parametrize("seed", range(8))
def test_a_mutated_package_is_judged_alike_by_both_sources(seed: int, tmp_path: Path) -> None:
    chance = random.Random(seed)
    judged = 0
    for number in range(EACH):
        files = mutated(chance.choice(PACKAGES), chance)
        try:
            memory = MemorySource(files)
            disk = on_disk(tmp_path / str(number), files)
        except (ValueError, OSError):
            continue  # one path runs through another that is a file: no such package can exist
        judged += 1
        started = time.process_time()
        strict, lenient = judge(disk), judge(disk, profile="lenient")
        assert time.process_time() - started < bound(2)
        assert told(strict) == told(judge(memory)), (seed, number)
        assert told(lenient) == told(judge(memory, profile="lenient")), (seed, number)
        consistent(strict)
        consistent(lenient)
        assert strict.strict_skills == lenient.strict_skills
        if strict.plugin is not None and lenient.plugin is not None:
            assert len(strict.plugin.skills) == strict.strict_skills
            assert {each.path for each in strict.plugin.skills} <= {
                each.path for each in lenient.plugin.skills
            }
    assert judged > EACH / 2  # most packages can exist
