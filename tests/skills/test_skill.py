"""A SKILL.md judged by the letter (Agent Plugins 7.1, Agent Skills): what loads, what is skipped and why."""

from __future__ import annotations

import unicodedata

import pytest

from prowess.spec.diagnostics import Reach
from prowess.spec.model import Profile
from prowess.spec.skill import SkillVerdict, parse_skill, read_body

DESCRIPTION = "description: Sorts the lines of a file. Use it when a sorted list is asked for.\n"
NAME = "name: sort-lines\n"


def judged(head: str, *, directory: str = "sort-lines", profile: Profile = "spec") -> SkillVerdict:
    return file_judged(f"---\n{head}---\nSort with care.\n".encode(), directory=directory, profile=profile)


def file_judged(data: bytes, *, directory: str = "sort-lines", profile: Profile = "spec") -> SkillVerdict:
    path = f"skills/{directory}/SKILL.md"
    return parse_skill(data, directory=directory, path=path, profile=profile)


def rules(verdict: SkillVerdict) -> list[str]:
    return [each.rule for each in verdict.diagnostics]


def assert_skipped(verdict: SkillVerdict, *expected: str) -> None:
    assert verdict.skill is None
    assert not verdict.strict
    skipping = [each for each in verdict.diagnostics if each.reach is Reach.ENTRY]
    assert [each.rule for each in skipping] == list(expected)
    assert {each.subject for each in skipping} == {skipping[0].place.file.rpartition("/")[0]}


# -- fences and encoding


@pytest.mark.req("AP-7.1-3")
@pytest.mark.parametrize(
    "text",
    [
        f"---\n{NAME}{DESCRIPTION}---\nbody",
        f"---\n{NAME}{DESCRIPTION}---",
        f"---\r\n{NAME}{DESCRIPTION}---\r\nbody".replace("\n", "\r\n").replace("\r\r", "\r"),
        f"---\n{NAME}{DESCRIPTION}---\n\n---\nname: a rule in the body\n---\n",
        f"---\n\n# a comment\n{NAME}{DESCRIPTION}\n---\n",
        f"---\n{NAME}{DESCRIPTION}...\n---\n",
    ],
)
def test_frontmatter_between_two_fences_loads(text: str) -> None:
    verdict = file_judged(text.encode())
    assert verdict.strict
    assert verdict.skill is not None
    assert (verdict.skill.name, verdict.diagnostics) == ("sort-lines", ())
    assert verdict.skill.description == "Sorts the lines of a file. Use it when a sorted list is asked for."


@pytest.mark.req("AP-7.1-3")
@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("", "skill-frontmatter-missing"),
        ("# Sort lines\n", "skill-frontmatter-missing"),
        (f"\n---\n{NAME}{DESCRIPTION}---\n", "skill-frontmatter-missing"),
        (f" ---\n{NAME}{DESCRIPTION}---\n", "skill-frontmatter-missing"),
        (f"--- \n{NAME}{DESCRIPTION}---\n", "skill-frontmatter-missing"),
        (f"----\n{NAME}{DESCRIPTION}---\n", "skill-frontmatter-missing"),
        (f"---\r{NAME}{DESCRIPTION}---\n", "skill-frontmatter-missing"),
        ("---", "skill-frontmatter-open"),
        (f"---\n{NAME}{DESCRIPTION}", "skill-frontmatter-open"),
        (f"---\n{NAME}{DESCRIPTION}--- \n", "skill-frontmatter-open"),
        (f"---\n{NAME}{DESCRIPTION} ---\n", "skill-frontmatter-open"),
        (f"---\n{NAME}{DESCRIPTION}...\n", "skill-frontmatter-open"),
    ],
)
def test_a_fence_is_a_line_of_exactly_three_hyphens(text: str, rule: str) -> None:
    assert_skipped(file_judged(text.encode()), rule)


def test_two_fences_with_nothing_between_lack_both_required_fields() -> None:
    assert_skipped(file_judged(b"---\n---\n"), "skill-name-missing", "skill-description-missing")


def test_a_byte_order_mark_is_tolerated_and_noted() -> None:
    verdict = file_judged(f"\ufeff---\n{NAME}{DESCRIPTION}---\n".encode())
    assert verdict.strict
    assert rules(verdict) == ["skill-bom"]
    assert verdict.diagnostics[0].reach is Reach.NOTE


@pytest.mark.parametrize("encoding", ["utf-16", "utf-16-le", "utf-32"])
def test_another_unicode_encoding_is_skipped(encoding: str) -> None:
    assert file_judged(f"---\n{NAME}{DESCRIPTION}---\n".encode(encoding)).skill is None


def test_bytes_that_are_no_utf_8_are_skipped_with_their_line() -> None:
    verdict = file_judged(f"---\n{NAME}{DESCRIPTION}---\ncaf".encode() + b"\xe9\n")
    assert_skipped(verdict, "skill-encoding")
    assert verdict.diagnostics[0].place.line == 5


def test_the_body_is_what_follows_the_second_fence() -> None:
    assert (
        read_body(f"---\n{NAME}{DESCRIPTION}---\n\nSort.\n---\nMore.\n".encode()) == "\nSort.\n---\nMore.\n"
    )
    assert read_body(b"no fence") == "no fence"


# -- scalars are text; what YAML readers may differ on is refused


@pytest.mark.req("AP-7.1-3")
@pytest.mark.parametrize("name", ["123", "yes", "null", "1e3", "0x1f", "on", "2026-01-01"])
@pytest.mark.parametrize("quote", ["", "'", '"'])
def test_a_scalar_is_text_whatever_it_looks_like(name: str, quote: str) -> None:
    verdict = judged(f"name: {quote}{name}{quote}\n{DESCRIPTION}", directory=name)
    assert verdict.skill is not None
    assert verdict.skill.name == name


def test_metadata_keeps_the_text_of_its_values() -> None:
    head = f"{NAME}{DESCRIPTION}metadata: {{version: 1.10, stable: true, since: 2026-01-01, none: ~}}\n"
    verdict = judged(head)
    assert verdict.skill is not None
    expected = {"version": "1.10", "stable": "true", "since": "2026-01-01", "none": "~"}
    assert verdict.skill.metadata == expected


@pytest.mark.req("AP-7.1-3")
@pytest.mark.parametrize(
    ("head", "rule", "line"),
    [
        (f"{NAME}{DESCRIPTION}name: sort-words\n", "skill-duplicate-key", 4),
        (f'{NAME}{DESCRIPTION}"name": sort-lines\n', "skill-duplicate-key", 4),
        (f"{NAME}{DESCRIPTION}extra: [{{a: 1, a: 2}}]\n", "skill-duplicate-key", 4),
        (f"name: !!str sort-lines\n{DESCRIPTION}", "skill-yaml-feature", 2),
        (f"name: ! sort-lines\n{DESCRIPTION}", "skill-yaml-feature", 2),
        (f"{NAME}{DESCRIPTION}extra: !!python/object:os.system x\n", "skill-yaml-feature", 4),
        (f"{NAME}{DESCRIPTION}...\n--- {{}}\n", "skill-yaml-feature", 5),
        (f"{NAME}{DESCRIPTION}...\nname: again\n", "skill-yaml-feature", 5),
        (f"{NAME}{DESCRIPTION}extra: &a [*a]\n", "skill-yaml", 4),
        (f"{NAME}{DESCRIPTION}extra: *nowhere\n", "skill-yaml", 4),
        (f"{NAME}{DESCRIPTION}? [a, b]\n: c\n", "skill-yaml", 4),
        (f"{NAME}{DESCRIPTION}? {{a: b}}\n: c\n", "skill-yaml", 4),
        (f"{NAME}{DESCRIPTION}extra: 'open\n", "skill-yaml", 5),
        ("just text\n", "skill-yaml", 2),
        ("- a\n- b\n", "skill-yaml", 2),
    ],
)
def test_what_readers_of_yaml_may_differ_on_is_skipped(head: str, rule: str, line: int) -> None:
    verdict = judged(head)
    assert_skipped(verdict, rule)
    assert verdict.diagnostics[0].place.line == line


def test_an_alias_within_the_bound_stands_for_its_anchor() -> None:
    verdict = judged(f"{NAME}{DESCRIPTION}license: &l MIT\nmetadata: {{license: *l}}\n")
    assert verdict.skill is not None
    assert verdict.skill.metadata == {"license": "MIT"}


def test_a_tab_for_indentation_says_so() -> None:
    verdict = judged(f"{NAME}{DESCRIPTION}metadata:\n\tauthor: x\n")
    assert_skipped(verdict, "skill-yaml")
    assert "tabs" in verdict.diagnostics[0].hint


# -- names


@pytest.mark.req("AP-7.1-3")
@pytest.mark.parametrize(
    "name",
    [
        "a",
        "7",
        "s" * 64,
        "a-b-c",
        "pdf2text",
        "café",
        "技能",
        "整理-表格",
        "навык",
        "ß",
        "𝐚bc",
        "ⅳ",
        "ﬁle",
        "〇",
    ],
)
def test_a_name_of_any_script_loads_in_nfkc(name: str) -> None:
    verdict = judged(f"name: {name}\n{DESCRIPTION}", directory=name)
    assert verdict.skill is not None, rules(verdict)
    assert verdict.skill.name == unicodedata.normalize("NFKC", name)


@pytest.mark.req("AP-7.1-3")
@pytest.mark.parametrize(
    "name",
    [
        *("Sort-Lines", "sOrt", "É", "Навык", "ⅳⅣ", "s" * 65, "-a", "a-", "a--b", "'-'", "a_b", "a b", "a.b"),
        *("a/b", "a\u2010b", "a\u200bb", "😀", "a😀", "½", "..", "'a\nb'", "'a\n'", "a\u0301\u0301b"),
    ],
)
def test_a_name_outside_the_rule_is_skipped(name: str) -> None:
    assert_skipped(judged(f"name: {name}\n{DESCRIPTION}", directory=name.strip("'")), "skill-name-invalid")


def test_the_limit_of_a_name_counts_characters_after_nfkc() -> None:
    ligatures = "ﬁ" * 33
    assert_skipped(judged(f"name: {ligatures}\n{DESCRIPTION}", directory=ligatures), "skill-name-invalid")
    decomposed = "e\u0301" * 64
    assert judged(f"name: {decomposed}\n{DESCRIPTION}", directory="é" * 64).strict


def test_a_name_in_capitals_gets_the_name_it_could_have() -> None:
    verdict = judged(f"name: Invoice-Ops\n{DESCRIPTION}", directory="Invoice-Ops")
    assert_skipped(verdict, "skill-name-invalid")
    assert "invoice-ops" in verdict.diagnostics[0].hint


@pytest.mark.parametrize(
    ("name", "better"),
    [
        ("Weekly_Report", "weekly-report"),
        ("weekly report", "weekly-report"),
        ("-a--b-", "a-b"),
        ("Résumé", "résumé"),
        ("हिन्दी", ""),
        ("--", ""),
        ("a" * 65, ""),
    ],
)
def test_the_name_that_a_hint_suggests_is_valid(name: str, better: str) -> None:
    hint = judged(f"name: {name}\n{DESCRIPTION}", directory=name).diagnostics[0].hint
    assert hint
    suggested = hint.partition("write ")[2].partition(",")[0]
    assert suggested == better
    assert not better or judged(f"name: {better}\n{DESCRIPTION}", directory=better).strict


@pytest.mark.req("AP-7.1-3")
def test_a_name_is_compared_with_its_directory_in_nfkc() -> None:
    for name, directory in (("café", "cafe\u0301"), ("cafe\u0301", "café"), ("file", "ﬁle")):
        verdict = judged(f"name: {name}\n{DESCRIPTION}", directory=directory)
        assert verdict.skill is not None
        assert verdict.skill.name == unicodedata.normalize("NFKC", name)
    assert_skipped(judged(f"name: sort\n{DESCRIPTION}", directory="Sort"), "skill-name-directory")
    assert_skipped(judged(f"name: sort\n{DESCRIPTION}", directory="order"), "skill-name-directory")


@pytest.mark.parametrize(("name", "rule"), [("", "missing"), ("''", "missing"), ("[sort]", "invalid")])
def test_a_name_that_is_empty_or_no_text_is_skipped(name: str, rule: str) -> None:
    assert_skipped(judged(f"name: {name}\n{DESCRIPTION}"), f"skill-name-{rule}")


# -- the other fields


@pytest.mark.req("AP-7.1-3")
@pytest.mark.parametrize(
    ("field", "rule"),
    [
        ("description:\n", "skill-description-missing"),
        ("description: ' \t'\n", "skill-description-missing"),
        ("description: '\u3000\u00a0'\n", "skill-description-missing"),
        ("description: [a]\n", "skill-description-invalid"),
        ("description: " + "字" * 1025 + "\n", "skill-description-long"),
        ("compatibility:\n", "skill-compatibility"),
        ("compatibility: " + "c" * 501 + "\n", "skill-compatibility"),
        ("compatibility: {python: '3'}\n", "skill-compatibility"),
        ("license: [MIT]\n", "skill-license"),
        ("metadata: text\n", "skill-metadata"),
        ("metadata:\n", "skill-metadata"),
        ("metadata: [a]\n", "skill-metadata"),
        ("metadata: {a: [b]}\n", "skill-metadata"),
        ("metadata: {a: {b: c}}\n", "skill-metadata"),
        ("allowed-tools: {Read: yes}\n", "skill-allowed-tools"),
        ("allowed-tools: [[Read]]\n", "skill-allowed-tools"),
        ("allowed-tools: [Read, Write]\n", "skill-allowed-tools-list"),
    ],
)
def test_a_field_outside_its_rule_skips_the_skill(field: str, rule: str) -> None:
    head = NAME + field + ("" if field.startswith("description") else DESCRIPTION)
    assert_skipped(judged(head), rule)


@pytest.mark.req("AP-7.1-3")
@pytest.mark.parametrize(
    "field",
    [
        "description: " + "字" * 1024 + "\n",
        "description: x\n",
        "compatibility: " + "c" * 500 + "\n",
        "compatibility: c\n",
        "metadata: {}\n",
        "metadata: {a: b, c: ''}\n",
        "license: MIT\n",
        "license:\n",
        "allowed-tools: Read Bash(git add:*)\n",
    ],
)
def test_a_field_at_the_edge_of_its_rule_loads(field: str) -> None:
    head = NAME + field + ("" if field.startswith("description") else DESCRIPTION)
    verdict = judged(head)
    assert verdict.strict, rules(verdict)
    assert not verdict.diagnostics


def test_every_fault_of_a_skill_is_reported_at_once() -> None:
    verdict = judged("name: Sort\nmetadata: x\nlicense: [y]\n")
    assert_skipped(
        verdict, "skill-name-invalid", "skill-description-missing", "skill-license", "skill-metadata"
    )


def test_all_fields_are_kept() -> None:
    head = (
        f"{NAME}description: >-\n  Sorts lines.\n  Use it: often.\nlicense: MIT\ncompatibility: Linux\n"
        "allowed-tools: Read Bash(sort:*)\nmetadata:\n  author: somebody\n"
    )
    skill = judged(head).skill
    assert skill is not None
    assert skill.description == "Sorts lines. Use it: often."
    assert (skill.license, skill.compatibility, skill.allowed_tools) == ("MIT", "Linux", "Read Bash(sort:*)")
    assert (skill.metadata, skill.path, skill.body) == (
        {"author": "somebody"},
        "skills/sort-lines/SKILL.md",
        None,
    )


def test_a_key_outside_the_published_set_loads_with_a_note() -> None:
    verdict = judged(f"{NAME}{DESCRIPTION}argument-hint: [file]\nAllowed_Tools: Read\n")
    assert verdict.strict
    assert verdict.skill is not None
    assert rules(verdict) == ["skill-unknown-key", "skill-unknown-key"]
    assert {each.reach for each in verdict.diagnostics} == {Reach.NOTE}
    assert "allowed-tools" in verdict.diagnostics[1].hint


def test_a_flood_of_unknown_keys_is_counted_and_not_listed() -> None:
    keys = "".join(f"k{number}: x\n" for number in range(500))
    assert len(judged(f"{NAME}{DESCRIPTION}{keys}").diagnostics) == 21


# -- the unquoted colon and the lenient profile

COLON = "description: Sorts lines. Use when: a list is asked for\n"


@pytest.mark.parametrize(
    "field",
    [
        COLON,
        "description: Sorts lines. Use when:\n",
        "description: Sorts lines.\n  Use when: asked\n  for a list\n",
        "description: It's for sorting: lines, # and words\n",
    ],
)
def test_an_unquoted_colon_is_skipped_by_the_letter_with_a_hint_to_quote_it(field: str) -> None:
    verdict = judged(NAME + field)
    assert_skipped(verdict, "skill-unquoted-colon")
    assert verdict.diagnostics[0].place.line == 3
    assert "quot" in verdict.diagnostics[0].hint


def test_an_unquoted_colon_elsewhere_is_named_too_and_never_recovered() -> None:
    for profile in ("spec", "lenient"):
        verdict = judged(f"{NAME}{DESCRIPTION}license: See: LICENSE\n", profile=profile)
        assert_skipped(verdict, "skill-unquoted-colon")


@pytest.mark.parametrize(
    ("head", "directory"),
    [
        (NAME + COLON, "sort-lines"),
        (f"{NAME}{DESCRIPTION}allowed-tools: [Read, 'Bash(git add:*)']\n", "sort-lines"),
        (NAME + DESCRIPTION, "another"),
        (NAME + "description: " + "Sorts lines. " * 100 + "\n", "sort-lines"),
    ],
)
def test_the_lenient_profile_loads_what_others_accept_with_a_note(head: str, directory: str) -> None:
    strict = judged(head, directory=directory)
    assert strict.skill is None
    lenient = judged(head, directory=directory, profile="lenient")
    assert lenient.skill is not None
    assert not lenient.strict
    (note,) = lenient.diagnostics
    assert (note.rule, note.reach) == ("skill-lenient", Reach.NOTE)
    assert strict.diagnostics[0].rule in note.message
    assert note.hint == strict.diagnostics[0].hint


def test_what_the_lenient_profile_recovers_is_the_text_as_written() -> None:
    skill = judged(NAME + "description: It's for:  lines\n  Use when: asked\n", profile="lenient").skill
    assert skill is not None
    assert skill.description == "It's for:  lines Use when: asked"
    listed = judged(f"{NAME}{DESCRIPTION}allowed-tools:\n- Read\n- Write\n", profile="lenient").skill
    assert listed is not None
    assert listed.allowed_tools == "Read Write"


@pytest.mark.parametrize(
    "head",
    [
        f"name: Sort-Lines\n{DESCRIPTION}",
        f"name: Sort-Lines\n{COLON}",
        NAME,
        f"{NAME}{DESCRIPTION}metadata: {{a: [b]}}\n",
        f"{NAME}{DESCRIPTION}name: twice\n",
        f"{NAME}{COLON}license: a: b\n",
    ],
)
def test_the_lenient_profile_forgives_nothing_else(head: str) -> None:
    assert judged(head, profile="lenient").skill is None


@pytest.mark.req("AP-7.1-2")
def test_the_lenient_profile_judges_a_valid_skill_as_the_letter_does() -> None:
    head = f"{NAME}{DESCRIPTION}color: blue\n"
    assert judged(head) == judged(head, profile="lenient")


@pytest.mark.req("AP-7.1-2")
def test_a_skipped_skill_is_reported_with_its_rule_place_section_and_subject() -> None:
    (found,) = judged(f"name: Sort\n{DESCRIPTION}", directory="Sort").diagnostics
    assert found.subject == "skills/Sort"
    assert (found.place.file, found.place.line) == ("skills/Sort/SKILL.md", 2)
    assert found.section
    assert found.hint


def test_untrusted_text_in_a_message_is_bounded_and_printable() -> None:
    odd = "Z\u202e\x1b[31m" + "x" * 5_000
    for head in (
        f'name: "{odd!s}"\n'.replace("\x1b", "\\e") + DESCRIPTION,
        f'{NAME}{DESCRIPTION}"{odd}": x\n',
    ):
        for found in judged(head, directory=odd).diagnostics:
            assert (found.message + found.hint).isprintable()
            assert len(found.message) < 400
