"""Redaction: how much it finds, how little it finds wrongly, and that what is known never passes."""

from __future__ import annotations

import base64
import html
import json
import re
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import assume, example, given, settings
from hypothesis import strategies as st
from tests.bounds import bound
from tests.redact import redaction_corpus as corpus

from prowess.redact import MASK, Redactor, looks_secret, masked, printable, secrets_in_arguments

# -- measured on the corpus


def test_at_least_95_of_100_tokens_of_each_known_kind_are_masked() -> None:
    redactor = Redactor()
    made, found = Counter[str](), Counter[str]()
    for kind, text, secret in corpus.secrets(14):
        made[kind] += 1
        found[kind] += secret not in redactor.text(text)
    assert len(made) >= 25
    assert found.total() / made.total() >= 0.95
    assert {kind: found[kind] / made[kind] for kind in made if found[kind] / made[kind] < 0.9} == {}


def test_at_most_5_of_1000_lines_without_a_secret_are_changed() -> None:
    redactor = Redactor()
    lines = list(corpus.benign(30))
    changed = [line for line in lines if redactor.text(line) != line]
    assert len(lines) >= 1_500
    assert len(changed) / len(lines) <= 0.005, changed[:5]


def test_personal_patterns_too_leave_identifiers_alone() -> None:
    redactor = Redactor(personal=True)
    lines = list(corpus.benign(30))
    changed = [line for line in lines if redactor.text(line) != line]
    assert len(changed) / len(lines) <= 0.005, changed[:5]


def test_a_masked_token_leaves_no_long_piece_of_itself() -> None:
    redactor = Redactor()
    for kind, text, secret in corpus.secrets(4):
        shown = redactor.text(text)
        if secret in shown:
            continue  # counted above
        pieces = {secret[at : at + 10] for at in range(max(1, len(secret) - 9))}
        assert not any(piece in shown for piece in pieces), (kind, shown)


# -- exact values

KNOWN = st.text(st.characters(codec="utf-8", exclude_characters="*"), min_size=9, max_size=60)
ENCODINGS: dict[str, Callable[[str], str]] = {
    "plain": lambda value: value,
    "base64": lambda value: base64.b64encode(value.encode()).decode(),
    "base64 for urls": lambda value: base64.urlsafe_b64encode(value.encode()).decode().rstrip("="),
    "percent": lambda value: quote(value, safe=""),
    "percent, small letters": lambda value: re.sub("%..", lambda m: m[0].lower(), quote(value, safe="")),
    "json": lambda value: json.dumps(value),
    "json as utf-8": lambda value: json.dumps(value, ensure_ascii=False),
    "json in json": lambda value: json.dumps(json.dumps(value)),
    "json of PHP": lambda value: json.dumps(value).replace("/", "\\/"),
    "html": html.escape,
    "hexadecimal": lambda value: value.encode().hex(),
    "hexadecimal in capitals": lambda value: value.encode().hex().upper(),
}


@pytest.mark.parametrize("encode", ENCODINGS.values(), ids=ENCODINGS.keys())
@settings(max_examples=60)
@given(value=KNOWN)
@example(value="pass/word+1:é")
@example(value='quote"d and \\ back')
def test_a_known_value_never_passes_in_any_common_encoding(encode: Callable[[str], str], value: str) -> None:
    form = encode(value)
    assume(form not in "before  after")
    shown = Redactor([value]).text(f"before {form} after")
    assert form not in shown
    assert MASK in shown


@settings(max_examples=150)
@given(value=KNOWN, before=st.binary(max_size=8), after=st.binary(max_size=8))
def test_a_known_value_inside_other_base64_is_masked_at_every_offset(
    value: str, before: bytes, after: bytes
) -> None:
    raw = before + value.encode() + after
    for encoded in (base64.b64encode(raw), base64.urlsafe_b64encode(raw)):
        assert MASK in Redactor([value]).text(encoded.decode())


@pytest.mark.parametrize("end", ["\n", "\r\n"])
@settings(max_examples=100)
@given(value=st.text(st.characters(codec="ascii", exclude_characters="*\r\n"), min_size=9, max_size=60))
def test_a_known_value_broken_over_lines_is_masked_whole(value: str, end: str) -> None:
    broken = end.join(value[at : at + 5] for at in range(0, len(value), 5))
    assert Redactor([value]).known(f"before{end}{broken}{end}after") == f"before{end}***{end}after"
    encoded = base64.encodebytes(f"name:{value * 3}".encode()).decode().replace("\n", end)
    assert MASK in Redactor([value * 3]).known(encoded)


def test_the_longer_of_two_known_values_is_masked_whole() -> None:
    assert Redactor(["tangerine", "tangerine-two"]).text("a tangerine-two b tangerine") == "a *** b ***"


def test_a_very_short_known_value_is_masked_only_alone() -> None:
    redactor = Redactor(["abc", ""])
    assert redactor.text("abc") == MASK
    assert redactor.text("abcdef") == "abcdef"
    assert redactor.text("") == ""


def test_a_redactor_never_shows_what_it_knows() -> None:
    assert "tangerine" not in repr(Redactor(["tangerine"]))


# -- JSON values


def test_a_json_value_is_masked_at_any_depth_and_left_as_it_was() -> None:
    given_value: dict[str, Any] = {
        "user": "ann",
        "password": "correct",
        "deep": [{"accessToken": "x1", "n": 3}, "say tangerine"],
        "credentials": {"user": "ann", "key": "k"},
        "api_keys": ["a", "b"],
        "secret": None,
        "token": "",
        "authorization": "Bearer ${TOKEN}",
    }
    before = json.dumps(given_value)
    assert Redactor(["tangerine"]).value(given_value) == {
        "user": "ann",
        "password": MASK,
        "deep": [{"accessToken": MASK, "n": 3}, f"say {MASK}"],
        "credentials": {"user": MASK, "key": MASK},
        "api_keys": [MASK, MASK],
        "secret": None,
        "token": "",
        "authorization": "Bearer ${TOKEN}",
    }
    assert json.dumps(given_value) == before


def test_a_key_that_holds_a_known_value_is_masked_too() -> None:
    assert Redactor(["tangerine"]).value({"tangerine": 1}) == {MASK: 1}


def test_a_schema_that_describes_a_secret_is_left_as_it_is() -> None:
    schema = {
        "type": "object",
        "properties": {
            "password": {"type": "string", "description": "the user's own", "minLength": 8},
            "token": {"anyOf": [{"type": "string"}, {"type": "null"}]},
            "secret": {"type": ["string", "null"]},
        },
        "required": ["password", "token"],
    }
    assert Redactor().value(schema) == schema


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=40),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=12), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=200)
@given(JSON)
def test_redacting_twice_changes_nothing_more_and_the_shape_stays(value: Any) -> None:
    redactor = Redactor(["tangerine"], personal=True)
    once = redactor.value(value)
    assert redactor.value(once) == once
    assert type(once) is type(value)


# -- names of keys

SECRET = [
    ("API_KEY", "9f8s7d6f5g4h"),
    ("OPENAI_API_KEY", "whatever-1"),
    ("GITHUB_TOKEN", "abcd1234"),
    ("DB_PASSWORD", "hunter22"),
    ("DB_PASS", "hunter-2-hunter"),
    ("PGPASSWORD", "s3cret!"),
    ("clientSecret", "Zx81Zx81"),
    ("AWS_SECRET_ACCESS_KEY", "wJalrXUtnFEMIK7MDENGbPxRfiCYzzzzzzzzzzzz"),
    ("Authorization", "Bearer abcdefgh12345678"),
    ("authorization", "Basic dXNlcjpwYXNzd29yZA=="),
    ("X-Api-Key", "1234567890"),
    ("Cookie", "session=0a1b2c3d"),
    ("PRIVATE_KEY_2", "MIIEvQIBADANBg"),
    ("SOME_TOKEN", "correct horse battery staple"),
    ("DATABASE_URL", "postgres://app:pa55@db.internal/main"),
    ("NOTE", "gh" + "p_" + "a1B2" * 9),
    ("ARGS", "--password=Tr0ub4dor"[11:] + " sk" + "-ant-" + "x9Y8" * 8),
]
NO_SECRET = [
    ("API_KEY", ""),
    ("API_KEY", "${API_KEY}"),
    ("API_KEY", "$API_KEY"),
    ("API_KEY", "<your-key>"),
    ("API_KEY", "{{ secrets.key }}"),
    ("API_KEY", "%API_KEY%"),
    ("API_KEY", "your-api-key-here"),
    ("API_KEY", "sk-xxxxxxxxxxxxxxxxxxxxxxxx"),
    ("API_KEY", "changeme"),
    ("API_KEY", "none"),
    ("Authorization", "Bearer ${TOKEN}"),
    ("Authorization", "Bearer <token>"),
    ("TOKEN", "required"),
    ("TOKEN", "0"),
    ("TOKEN", "..."),
    ("SSH_PRIVATE_KEY", "./keys/id_ed25519"),
    ("GOOGLE_APPLICATION_CREDENTIALS", "/etc/keys/service.json"),
    ("CREDENTIALS", "${PLUGIN_DATA}/credentials.json"),
    ("TOKEN_TTL", "3600"),
    ("MAX_TOKENS", "128000"),
    ("NEXT_PAGE_TOKEN", "abc123def456"),
    ("PASSWORD_FILE", "secrets-1.txt"),
    ("LOG_LEVEL", "debug-2"),
    ("BUILD_ID", "3f1c6a52-7a4e-4e57-9b0e-2f0d3a1b4c5d"),
    ("DIGEST", "sha256:" + "0a1b2c3d" * 8),
    ("BASE_URL", "https://api.internal/v1"),
    ("DATABASE_URL", "postgres://app:${DB_PASSWORD}@db.internal/main"),
    ("KEY", "value-1"),
    ("MONKEY", "george-1"),
]


@pytest.mark.parametrize(("key", "value"), SECRET)
def test_a_value_that_looks_secret_is_told(key: str, value: str) -> None:
    assert looks_secret(key, value)
    assert masked({key: value, "MODE": "fast"}) == {key: MASK, "MODE": "fast"}


@pytest.mark.parametrize(("key", "value"), NO_SECRET)
def test_a_placeholder_or_setting_is_no_secret(key: str, value: str) -> None:
    assert not looks_secret(key, value)
    assert masked({key: value}) == {key: value}


@pytest.mark.parametrize(("key", "value"), SECRET)
def test_a_secret_is_told_in_the_arguments_of_a_command_too(key: str, value: str) -> None:
    flag = "--" + key.lower().replace("_", "-")
    assert value in secrets_in_arguments(["run", flag, value, "--fast"])
    assert value in secrets_in_arguments([f"{flag}={value}"])
    assert secrets_in_arguments([value, flag, "--fast"]) == []


# -- personal data

PERSONAL = [
    "ann.bee+news@mail.internal.org",
    "+44 20 7946 0958",
    "+8613812345678",
    "138-1234-5678",
    "(415) 555-0134",
    "415-555-0134",
    "078-05-1120",
    "11010519491231002X",
    "QQ 12 34 56 C".replace("QQ", "AB"),
    "10.20.30.40",
    "192.168.1.77",
    "172.16.0.9",
]


@pytest.mark.parametrize("text", PERSONAL)
def test_personal_data_is_masked_on_request_only(text: str) -> None:
    line = f"contact: {text}, please"
    assert Redactor().text(line) == line
    assert Redactor(personal=True).text(line) == f"contact: {MASK}, please"


@pytest.mark.parametrize(
    "text", ["8.8.8.8", "127.0.0.1", "172.32.0.1", "1.10.0.1", "v10.2.3.4", "2026-08-01"]
)
def test_what_only_resembles_personal_data_stays(text: str) -> None:
    assert Redactor(personal=True).text(f"see {text} there") == f"see {text} there"


# -- time, imports, printing

LONG = 300_000


@pytest.mark.parametrize(
    "unit",
    [
        *("a", "token", "token=", "password: ", "://", "a:b@", "eyJa.eyJa.", "-----BEGIN PRIVATE KEY-----"),
        *("Bearer ", "A1", "M" * 24 + ".", "10.", "+1", "sk-", "=", "\\", '"', "token \t  ", "1", "${", "<"),
        *("_live_", ":AA", "hooks.slack.com/", "password=" + "x" * 50 + " ", "x@", "secret:\n"),
    ],
)
def test_time_grows_with_the_text_and_no_faster(unit: str) -> None:
    text = unit * (LONG // len(unit)) + " token= @ eyJ . 10. 19 1 A :// PRIVATE KEY"
    before = time.process_time()
    Redactor(personal=True).text(text)
    looks_secret("API_KEY", text)
    looks_secret(text, "x")
    assert time.process_time() - before < bound(2)


def test_importing_redaction_compiles_no_pattern() -> None:
    code = (
        "import sys, re\n"
        "def refuse(*a, **k): raise AssertionError(a)\n"
        "import functools, typing, collections.abc\n"
        "re.compile = refuse\n"
        "from prowess.redact import looks_secret\n"
        "assert not {'asyncio', 'pathlib', 'json', 'urllib.parse', 'base64'} & set(sys.modules)\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=20)


def test_untrusted_text_is_shown_bounded_and_without_control_characters() -> None:
    assert printable("plain é 字") == "plain é 字"
    assert printable("a\x1b[31m\u202eb\n\ud800") == "a\\u{1b}[31m\\u{202e}b\\u{a}\\u{d800}"
    assert printable("x" * 201) == "x" * 200 + "..."
    assert printable("", 0) == ""
