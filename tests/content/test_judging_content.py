"""What `prowess check` says of content: every rule, at its place, and advice that blames no prompt."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest
from tests.content.conftest import ANALYZE

from prowess.content.files import MemoryFiles
from prowess.content.judging import advice_for_plugin, judge
from prowess.content.recognising import holds_content
from prowess.errors import NotFound
from prowess.source.memory import Content, Link
from prowess.spec.advice_on_prompts import reads_like_a_guide
from prowess.spec.rules import RULES

HEAD = "---\nname: x\n"
ARGUED = f"{HEAD}arguments: [{{name: a}}]\n---\n"


def told(files: Mapping[str, Content]) -> list[tuple[str, str]]:
    return [(each.rule, str(each.place)) for each in judge(MemoryFiles(files)).diagnostics]


CASES: list[tuple[str, Content, str, str]] = [
    ("prompts/a.md", b"\xff\xfe", "content-unreadable", "prompts/a.md:1"),
    ("resources/a.md", b"---\nname: \xb2\n---\n", "content-unreadable", "resources/a.md:2"),
    ("resources/a", Link("nowhere"), "content-unreadable", "resources/a"),
    ("resources/a", Link("/etc/passwd"), "content-outside", "resources/a"),
    (
        "templates/a.md",
        "---\nuriTemplate: a:{x}\nfolder: ../..\n---\n",
        "content-outside",
        "templates/a.md:3",
    ),
    ("prompts/a.md", "Do it.", "content-frontmatter", "prompts/a.md:1"),
    ("prompts/a.md", "---\nname: x\n", "content-frontmatter", "prompts/a.md:1"),
    ("prompts/a.md", "---\nname: x\nname: y\n---\nDo it.", "content-frontmatter", "prompts/a.md:3"),
    ("resources/a.md", "---\n\tname: x\n---\n", "content-frontmatter", "resources/a.md:2"),
    ("prompts/a.md", f"{HEAD}---\n\n", "content-required-field", "prompts/a.md:4"),
    ("templates/a.md", "---\nname: x\n---\nText", "content-required-field", "templates/a.md:1"),
    ("templates/a.md", "---\nuriTemplate: a:{x}\n---\n", "content-required-field", "templates/a.md:1"),
    ("prompts/a.md", f"{HEAD}title: [x]\n---\nDo it.", "content-field", "prompts/a.md:3"),
    ("prompts/a.md", f"{HEAD}arguments: x\n---\nDo it.", "content-field", "prompts/a.md:3"),
    ("prompts/a.md", f"{HEAD}arguments: [x]\n---\nDo it.", "content-field", "prompts/a.md:3"),
    ("prompts/a.md", f"{HEAD}arguments: [{{name: a b}}]\n---\nDo it.", "content-field", "prompts/a.md:3"),
    (
        "prompts/a.md",
        f"{HEAD}arguments: [{{name: a}}, {{name: a}}]\n---\n{{a}}",
        "content-field",
        "prompts/a.md:3",
    ),
    (
        "prompts/a.md",
        f"{HEAD}arguments: [{{name: a, required: 1}}]\n---\n{{a}}",
        "content-field",
        "prompts/a.md:3",
    ),
    (
        "prompts/a.md",
        f"{HEAD}arguments: [{{name: a, title: [b]}}]\n---\n{{a}}",
        "content-field",
        "prompts/a.md:3",
    ),
    (
        "prompts/a.md",
        f"{HEAD}arguments: [{{name: a, complete: {{}}}}]\n---\n{{a}}",
        "content-field",
        "prompts/a.md:3",
    ),
    ("prompts/a.md", '---\nname: "a\\tb"\n---\nDo it.', "content-field", "prompts/a.md:2"),
    ("resources/a.md", "---\nuri: nothing\n---\n", "content-field", "resources/a.md:2"),
    ("resources/a.md", "---\nannotations: {priority: 2}\n---\n", "content-field", "resources/a.md:2"),
    ("resources/a.md", "---\nannotations: {audience: [all]}\n---\n", "content-field", "resources/a.md:2"),
    ("resources/a.md", "---\nannotations: {lastModified: soon}\n---\n", "content-field", "resources/a.md:2"),
    ("resources/a.md", "---\nannotations: {other: x}\n---\n", "content-field", "resources/a.md:2"),
    (
        "templates/a.md",
        "---\nuriTemplate: a:{x}\ncomplete: {y: [b]}\n---\n{x}",
        "content-field",
        "templates/a.md:3",
    ),
    (
        "templates/a.md",
        "---\nuriTemplate: a:{x}\ncomplete: [b]\n---\n{x}",
        "content-field",
        "templates/a.md:3",
    ),
    ("templates/a.md", "---\nuriTemplate: a:{x}\nfunction: b:f\n---\n", "content-field", "templates/a.md:3"),
    ("templates/a.md", "---\nuriTemplate: a:{x\n---\nText", "content-template", "templates/a.md:2"),
    ("templates/a.md", "---\nuriTemplate: a:x\n---\nText", "content-template", "templates/a.md:2"),
    (
        "templates/a.md",
        "---\nuriTemplate: a:{x}\nfolder: b\ntable: c\n---\n",
        "content-template",
        "templates/a.md:4",
    ),
    ("templates/a.md", "---\nuriTemplate: a:{x}\nfolder: b\n---\n", "content-source", "templates/a.md:3"),
    ("templates/a.md", "---\nuriTemplate: a:{x}\ntable: b.csv\n---\n", "content-source", "templates/a.md:3"),
    (
        "templates/a.md",
        "---\nuriTemplate: a:{x}\nfunction: b.py:f\n---\n",
        "content-source",
        "templates/a.md:3",
    ),
    (
        "prompts/a.md",
        f"{HEAD}arguments: [{{name: a, complete: b.txt}}]\n---\n{{a}}",
        "content-source",
        "prompts/a.md:3",
    ),
    ("prompts/more/a.md", "Do it.", "content-misplaced", "prompts/more"),
    ("prompts/a.md", f"{HEAD}desc: x\n---\nDo it.", "content-unknown-field", "prompts/a.md:3"),
    ("resources/a.md", "---\ntags: x\n---\n", "content-unknown-field", "resources/a.md:2"),
    (
        "prompts/a.md",
        f"{HEAD}arguments: [{{name: a, type: x}}]\n---\n{{a}}",
        "content-unknown-field",
        "prompts/a.md:3",
    ),
    ("prompts/a.md", f"{ARGUED}Do {{{{a}}}}.", "content-argument-unused", "prompts/a.md:3"),
    ("prompts/a.md", f"{ARGUED}Do {{a}}\nand {{b}}.", "content-placeholder-undeclared", "prompts/a.md:6"),
]


@pytest.mark.parametrize(("path", "content", "rule", "place"), CASES)
def test_a_fault_is_told_once_by_its_rule_at_its_place(
    path: str, content: Content, rule: str, place: str
) -> None:
    assert told({path: content}) == [(rule, place)]


COMPLETED = f"{HEAD}arguments: [{{name: a, complete: FILE}}]\n---\nDo {{a}}."
SERVED = "---\nuriTemplate: a:{x}\nfunction: code.py:f\n---\n"


@pytest.mark.parametrize(
    ("content", "path", "beside", "rule"),
    [
        (COMPLETED.replace("FILE", "v.txt"), "prompts/v.txt", "认".encode("gb18030"), "content-source"),
        (COMPLETED.replace("FILE", "v.json"), "prompts/v.json", '{"a": 1}', "content-source"),
        (COMPLETED.replace("FILE", "v.json"), "prompts/v.json", "[1]", "content-field"),
        (
            COMPLETED.replace("FILE", "v.txt"),
            "prompts/v.txt",
            "\n".join(map(str, range(10_001))),
            "content-field",
        ),
        (COMPLETED.replace("FILE", ".v.txt"), "prompts/.v.txt", "a", "content-outside"),
        (COMPLETED.replace("FILE", "/etc/hostname"), "other.txt", "a", "content-outside"),
    ],
)
def test_a_file_of_values_that_cannot_be_used_is_told(
    content: str, path: str, beside: str | bytes, rule: str
) -> None:
    assert told({"prompts/a.md": content, path: beside}) == [(rule, "prompts/a.md:3")]


@pytest.mark.parametrize(
    ("code", "rules"),
    [
        ("def f(x): return x", []),
        ("async def f(x): return x", []),
        ("def g(x): return x", ["content-source"]),
        ("f = 1", ["content-source"]),
        ("def f(x", ["content-source"]),
        ("raise SystemExit('it ran')\ndef f(x): return x", []),
    ],
)
def test_code_is_judged_by_reading_alone(code: str, rules: list[str]) -> None:
    assert [each for each, _ in told({"templates/a.md": SERVED, "templates/code.py": code})] == rules


@pytest.mark.parametrize(
    "field", ["annotations: x", "annotations: {priority: [1]}", "annotations: {priority: high}"]
)
def test_annotations_are_the_protocols_own(field: str) -> None:
    assert told({"resources/a.md": f"---\n{field}\n---\n"}) == [("content-field", "resources/a.md:2")]


def test_files_without_end_are_told_and_not_looked_at() -> None:
    files: dict[str, Content] = {f"resources/{number:05}.txt": "" for number in range(10_001)}
    found = judge(MemoryFiles(files))
    assert len(found.resources) == 10_000
    assert [each.rule for each in found.diagnostics] == ["content-unreadable"]


def test_every_rule_about_content_is_shown_here() -> None:
    ours = {each for each in RULES if each.startswith("content-")}
    assert ours == {rule for _, _, rule, _ in CASES} | {"content-duplicate"}


def test_two_files_of_one_name_are_told_at_the_second() -> None:
    prompt = f"{HEAD}---\nDo it."
    assert told({"prompts/a.md": prompt, "prompts/b.md": prompt}) == [("content-duplicate", "prompts/b.md")]


@pytest.mark.parametrize(
    "text", ["`{b}` {a}", "```json\n{b}\n```\n{a}", "${b} {a}", "{1} {a}", '{"b": 1} {a}', "{a} {b c}"]
)
def test_braces_in_code_and_those_of_other_languages_are_left_alone(text: str) -> None:
    assert told({"prompts/a.md": f"{ARGUED}{text}\n"}) == []


def test_good_content_has_nothing_to_report() -> None:
    files: dict[str, Content] = {
        "prompts/a.md": ANALYZE,
        "resources/指南.md": "# 指南\n",
        "resources/a.bin": b"\x00",
    }
    assert told(files) == []


def test_a_folder_that_is_not_there_is_not_judged(tmp_path: Path) -> None:
    with pytest.raises(NotFound):
        judge(str(tmp_path / "none"))


# -- advice

FILLER = "The service keeps one list for each region and answers with the newest entries first. " * 5
GUIDE = f"# The reports API\n\n{FILLER}\n\n## Errors\n\n{FILLER}\n\n## Limits\n\n{FILLER}\n"
GUIDE_ZH = (
    "# 报表接口\n\n"
    + "## 概述\n\n"
    + "接口返回最近的报表，每页五十条，按时间倒序排列。" * 30
    + "\n\n## 限制\n\n每分钟六十次。\n"
)


@pytest.mark.parametrize("text", [GUIDE, GUIDE_ZH])
def test_a_prompt_that_reads_like_a_guide_belongs_among_the_resources(text: str) -> None:
    assert told({"prompts/a.md": f"{HEAD}---\n{text}"}) == [("advice-prompt-guide", "prompts/a.md")]


@pytest.mark.parametrize(
    "text",
    [
        GUIDE[:300],
        GUIDE.replace("#", ""),
        f"You are an editor.\n\n{GUIDE}",
        f"Review the integration by these rules.\n\n{GUIDE}",
        f"{GUIDE}\n\n1. List what is missing.\n2. Write it down.\n",
        f"{GUIDE}\n\nPlease keep to it.",
        f"{GUIDE_ZH}\n\n请按此检查。",
        f"检查以下内容。\n\n{GUIDE_ZH}",
        f"```\n{GUIDE}\n```",
        "",
    ],
)
def test_a_text_that_asks_for_something_is_a_prompt(text: str) -> None:
    assert reads_like_a_guide(text) == ""


def test_a_prompt_with_arguments_or_an_answer_in_it_is_no_guide() -> None:
    assert told({"prompts/a.md": f"{ARGUED}{GUIDE}\n{{a}}"}) == []
    assert told({"prompts/a.md": f"{HEAD}---\n{GUIDE}\n<!-- assistant -->\nYes.\n"}) == []


def test_a_plugin_hears_advice_about_its_prompts_and_nothing_else() -> None:
    files = {
        "prompts/guide.md": f"{HEAD}---\n{GUIDE}",
        "prompts/bad.md": "no frontmatter",
        "prompts/odd.md": f"{HEAD}other: x\n---\nDo it.",
        "resources/bad.md": "---\nopen",
    }
    assert [each.rule for each in advice_for_plugin(MemoryFiles(files))] == ["advice-prompt-guide"]


# -- which folder is one


@pytest.mark.parametrize(
    ("names", "is_content"),
    [
        (["prompts/"], True),
        (["resources/", "README.md"], True),
        (["templates/"], True),
        (["other/"], False),
        (["prompts"], False),
        (["prompts/", "plugin.json"], False),
        (["prompts/", "prowess.toml"], False),
        (["resources/", "greet/SKILL.md"], False),
    ],
)
def test_a_folder_of_content_is_known_by_names(tmp_path: Path, names: list[str], is_content: bool) -> None:
    for name in names:
        file = tmp_path / name
        file.parent.mkdir(parents=True, exist_ok=True)
        if name.endswith("/"):
            file.mkdir()
        else:
            file.touch()
    assert holds_content(str(tmp_path)) is is_content
