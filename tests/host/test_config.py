"""`prowess.toml`: what it means, and what is said about one that is wrong."""

from __future__ import annotations

import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.call.limits import Limits, ToolLimits
from prowess.call.log_lines import LogSection
from prowess.call.policy import Policy, Rule
from prowess.credentials.sections import CredentialSection, Given, Secret, ServerSection, TokenSection
from prowess.errors import ProwessError, Unreadable, UsageError
from prowess.host.config import Config, load_config
from prowess.host.sections import ContentSection, RecordsSection, RedactionSection, StoreSection, UnitsSection
from prowess.host.serving import BearerSection, ServeSection
from prowess.spec.toml_lines import line_of
from prowess.workflow.queues import WorkflowsSection

WHOLE = """\
format = 1

[plugins]
shop = "plugins/shop"
crm = "/opt/crm"

[policy]
default = "ask"
redact_results = ["get_*"]
[[policy.rules]]
action = "allow"
tool = "get_*"
[[policy.rules]]
action = "deny"
server = "crm"

[units]
paths = ["units", "/opt/tools.py"]
watch = true

[limits]
timeout = 30
tools = [{ tool = "slow_*", timeout = 300 }]

[credentials.erp]
use = "round-robin"
tokens = [{ env = "ERP_TOKEN" }, { file = "secrets/erp" }, { keyring = "erp/me" }]

[[credentials.crm.tokens]]
grant = "client-credentials"
token_url = "https://auth.example/token"
client_id = "prowess"
client_secret = { file = "~/crm-secret" }
scope = "read write"

[servers."shop/api"]
credential = "erp"
headers = { X-Team = "finance", X-Key = { file = "secrets/key", prefix = "Key " } }
timeout = 20

[servers."crm/local".env]
MODE = "fast"
CRM_TOKEN = { credential = "crm" }

[redaction]
personal = true

[records]
sqlite = "state/records.sqlite"
postgres = { env = "RECORDS_URL" }
keep_days = 90

[store]
postgres = { file = "secrets/store" }
name = "shops"

[serve]
allowed_hosts = ["mcp.example.com"]
[serve.tokens.ann]
token = { file = "secrets/ann" }
expires = 2027-01-31T00:00:00Z

[log]
to = "state/calls.log"
"""


def config(tmp_path: Path, text: str) -> Config:
    (tmp_path / "prowess.toml").write_text(text)
    return load_config(str(tmp_path / "prowess.toml"))


def fault(tmp_path: Path, text: str) -> ProwessError:
    with pytest.raises(ProwessError) as caught:
        config(tmp_path, text)
    return caught.value


def test_a_whole_file_becomes_one_value_with_every_path_absolute(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", "/home/me")
    here = str(tmp_path)
    assert config(tmp_path, WHOLE) == Config(
        file=f"{here}/prowess.toml",
        plugins=(("shop", f"{here}/plugins/shop"), ("crm", "/opt/crm")),
        policy=Policy(
            default="ask",
            redact_results=("get_*",),
            rules=(Rule(action="allow", tool="get_*"), Rule(action="deny", server="crm")),
        ),
        limits=Limits(timeout=30.0, tools=(ToolLimits(tool="slow_*", timeout=300.0),)),
        credentials={
            "erp": CredentialSection(
                use="round-robin",
                tokens=(
                    TokenSection(env="ERP_TOKEN"),
                    TokenSection(file=f"{here}/secrets/erp"),
                    TokenSection(keyring="erp/me"),
                ),
            ),
            "crm": CredentialSection(
                tokens=(
                    TokenSection(
                        grant="client-credentials",
                        token_url="https://auth.example/token",
                        client_id="prowess",
                        client_secret=Secret(file="/home/me/crm-secret"),
                        scope="read write",
                    ),
                )
            ),
        },
        servers={
            "shop/api": ServerSection(
                credential="erp",
                headers={
                    "X-Team": Given(value="finance"),
                    "X-Key": Given(file=f"{here}/secrets/key", prefix="Key "),
                },
                timeout=20.0,
            ),
            "crm/local": ServerSection(
                env={"MODE": Given(value="fast"), "CRM_TOKEN": Given(credential="crm")}
            ),
        },
        redaction=RedactionSection(personal=True),
        records=RecordsSection(
            sqlite=f"{here}/state/records.sqlite", postgres=Secret(env="RECORDS_URL"), keep_days=90.0
        ),
        log=LogSection(to=f"{here}/state/calls.log"),
        units=UnitsSection(paths=(f"{here}/units", "/opt/tools.py"), watch=True),
        content=ContentSection(),
        store=StoreSection(postgres=Secret(file=f"{here}/secrets/store"), name="shops"),
        workflows=WorkflowsSection(),
        serve=ServeSection(
            allowed_hosts=("mcp.example.com",),
            tokens={
                "ann": BearerSection(
                    token=Secret(file=f"{here}/secrets/ann"), expires=datetime(2027, 1, 31, tzinfo=UTC)
                )
            },
        ),
    )


def test_an_empty_file_means_the_defaults(tmp_path: Path) -> None:
    assert config(tmp_path, "") == Config(
        file=str(tmp_path / "prowess.toml"),
        plugins=(),
        policy=Policy(),
        limits=Limits(),
        redaction=RedactionSection(),
        records=RecordsSection(),
        log=LogSection(),
        units=UnitsSection(),
        content=ContentSection(),
        store=StoreSection(),
        serve=ServeSection(),
        workflows=WorkflowsSection(),
    )


def test_paths_count_from_the_folder_of_the_file_wherever_one_stands(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "my.toml").write_text('[plugins]\na = "../plugins/a"')
    monkeypatch.chdir(tmp_path)
    found = load_config(os.path.join("there", "my.toml"))
    assert found.plugins == (("a", str(tmp_path / "plugins" / "a")),)


# -- what is wrong, where, and what to do


@pytest.mark.parametrize(
    ("text", "line", "said", "hint"),
    [
        ("\nlimit = 1", 2, "no table or field limit", "did you mean limits?"),
        ("[zzz]\na = 1", 1, "no table or field zzz", "tables: format, plugins"),
        ("[limits]\n\ntimeuot = 3", 3, "[limits] has no field timeuot", "did you mean timeout?"),
        ("[limits]\n'timeout' = true", 2, "[limits] timeout must be a number", ""),
        ("[limits]\ntimeout = 0 # soon", 2, "[limits] timeout must be above 0", ""),
        ("limits.attempts = 4", 1, "[limits] attempts must be at most 3", ""),
        (
            "[limits]\ntools = [\n  {},\n  { timout = 1 },\n]",
            2,
            "[limits] tools[1] has no field timout",
            "timeout",
        ),
        ("limits = 1", 1, "[limits] must be a table", ""),
        (
            '[[policy.rules]]\naction = "allow"\n[[policy.rules]]\naction = "alow"',
            4,
            "[policy] rules[1] action must be one of allow, ask, deny",
            "",
        ),
        ('[[policy.rules]]\ntool = "a"', 1, "[policy] rules[0] lacks action", ""),
        (
            '[policy]\ndefault = """\nallow"""\n[[policy.rules]]\n"acton" = 1',
            5,
            "[policy] rules[0] has no field acton",
            "action",
        ),
        ("[credentials]\na = 1", 2, "[credentials.a] must be a table", ""),
        ("credentials = 1", 1, "[credentials] must be a table", ""),
        ("[credentials.a]\nuse = 'failover'", 1, "[credentials.a] lacks tokens", 'env = "NAME"'),
        ("[credentials.a]\ntokens = [{}]", 2, "[credentials.a] tokens[0] names one of env", ""),
        (
            "[[credentials.a.tokens]]\nenv = 'A'\n[[credentials.a.tokens]]\nfile = 'b'\nenvv = 'C'",
            5,
            "[credentials.a] tokens[1] has no field envv",
            "did you mean env?",
        ),
        (
            "[[credentials.a.tokens]]\ngrant = 'client-credentials'\nclient_id = 'c'\n"
            "token_url = 'http://auth.example'\nclient_secret = { env = 'S' }",
            4,
            "[credentials.a] tokens[0] token_url must be an https URL",
            "",
        ),
        ("[plugins]\na = 1", 2, "[plugins] a must be a path", ""),
        ("[plugins]\n'a/b' = 'x'", 2, "[plugins] a/b is no label", ""),
        ("plugins = 'a'", 1, "[plugins] must be a table", ""),
        ("[servers.api]", 1, '[servers."api"] must be named plugin/server', "plugin/server"),
        (
            "[plugins]\nshop = 'x'\n[servers.'shp/api']\ntimeout = 1",
            3,
            "there is no plugin shp",
            "did you mean shop?",
        ),
        (
            "[plugins]\nshop = 'x'\n[servers.'shop/api']\ncredential = 'er'",
            3,
            "there is no credential er",
            "[credentials] has nothing",
        ),
        (
            "[plugins]\nshop = 'x'\n[servers.'shop/api'.env]\nA-B = 'x'",
            3,
            '[servers."shop/api"] env A-B is not a name',
            "",
        ),
        (
            "[plugins]\nshop = 'x'\n[servers.'shop/api'.env]\nA = 5",
            4,
            '[servers."shop/api"] env A must be text, or a table',
            "",
        ),
        (
            "[plugins]\nshop = 'x'\n[servers.'shop/api'.headers]\nX-A = { credental = 'x' }",
            4,
            '[servers."shop/api"] headers X-A has no field credental',
            "did you mean credential?",
        ),
        ("[records]\nkeep_days = -1", 2, "[records] keep_days must be above 0", ""),
        ("[redaction]\npersonal = 'yes'", 2, "[redaction] personal must be true or false", ""),
        ("# new\nformat = 2", 2, "format 2 is newer", "newer prowess"),
        ("format = '1'", 1, "format must be a whole number", "format = 1"),
        ("format = true", 1, "format must be a whole number", "format = 1"),
    ],
)
def test_a_fault_is_told_with_its_line_and_what_to_write(
    text: str, line: int, said: str, hint: str, tmp_path: Path
) -> None:
    error = fault(tmp_path, text)
    assert isinstance(error, UsageError)
    assert error.message.startswith(f"{tmp_path}/prowess.toml:{line}: ") and said in error.message
    assert hint in error.hint


LITERAL = "hunter2-9f8e7d6c5b"


@pytest.mark.parametrize(
    "text",
    [
        f"[credentials.a]\ntokens = ['{LITERAL}']",
        f"[credentials.a]\ntokens = '{LITERAL}'",
        f"[credentials.a]\ntokens = [{{ env = 'ghp_{'a1B2c3D4e5F6' * 3}' }}]",
        f"[[credentials.a.tokens]]\nclient_secret = '{LITERAL}'",
        f"[[credentials.a.tokens]]\nrefresh_token = '{LITERAL}'",
        f"[[credentials.a.tokens]]\ntoken_url = 'https://me:{LITERAL}@auth.example'",
        f"[servers.'a/b'.env]\nAPI_KEY = '{LITERAL}'",
        f"[servers.'a/b'.env]\nAPI_KEY = {{ value = '{LITERAL}' }}",
        f"[servers.'a/b'.env]\nvalue = {{ value = 'ghp_{'a1B2c3D4e5F6' * 3}' }}",
        f"[servers.'a/b'.headers]\nAuthorization = 'Bearer {LITERAL}'",
        f"[servers.'a/b'.headers]\nX-Other = 'ghp_{'a1B2c3D4e5F6' * 3}'",
        f"[records]\npostgres = 'postgres://me:{LITERAL}@db.example/records'",
        f"[records]\nsqlite = 'postgres://me:{LITERAL}@db.example/records'",
        f"[plugins]\na = 'https://me:{LITERAL}@git.example/a'",
    ],
)
def test_a_secret_written_out_is_refused_and_not_repeated(text: str, tmp_path: Path) -> None:
    error = fault(tmp_path, text)
    assert "a secret itself" in error.message or "must be a table" in error.message
    assert ":2: " in error.message
    assert LITERAL not in f"{error.message}{error.hint}" and "ghp_" not in error.message


@pytest.mark.parametrize("value", ["finance", "${TOKEN}", "", "true"])
def test_a_plain_value_is_no_secret(value: str, tmp_path: Path) -> None:
    text = f"[plugins]\na = 'x'\n[servers.'a/b'.env]\nAPI_KEY_MODE = '{value}'"
    assert config(tmp_path, text).servers["a/b"].env["API_KEY_MODE"].value == value


def test_a_credential_may_have_any_name(tmp_path: Path) -> None:
    text = (
        "[plugins]\na = 'x'\n[credentials.erp-production-2026]\ntokens = [{ env = 'ERP_TOKEN_2026a' }]\n"
        "[servers.'a/b']\ncredential = 'erp-production-2026'\n"
        "headers = { X-Token = { credential = 'erp-production-2026' } }"
    )
    assert config(tmp_path, text).servers["a/b"].credentials == ("erp-production-2026",)


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (b"a = ", UsageError),
        (b"a = 1\na = 2", UsageError),
        (b"a = " + b"[" * 5_000, UsageError),
        (b"a = " + b"9" * 5_000, UsageError),
        (b"\xff\xfea", Unreadable),
        (b"#" * 1_000_001, Unreadable),
    ],
)
def test_what_is_no_toml_says_so(data: bytes, kind: type[ProwessError], tmp_path: Path) -> None:
    (tmp_path / "prowess.toml").write_bytes(data)
    with pytest.raises(kind):
        load_config(str(tmp_path / "prowess.toml"))


def test_a_file_that_is_not_there_is_the_callers_mistake(tmp_path: Path) -> None:
    with pytest.raises(UsageError):
        load_config(str(tmp_path / "prowess.toml"))
    with pytest.raises(Unreadable):
        load_config(str(tmp_path))


def test_a_byte_order_mark_and_windows_line_ends_change_nothing(tmp_path: Path) -> None:
    (tmp_path / "prowess.toml").write_bytes(b"\xef\xbb\xbf[limits]\r\ntimeout = 7\r\nx = 1\r\n")
    with pytest.raises(UsageError, match=r"prowess\.toml:3: "):
        load_config(str(tmp_path / "prowess.toml"))


TABLES = ("format", "plugins", "policy", "limits", "credentials", "servers", "redaction", "records", "x")
SCALARS = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8)
VALUES = st.recursive(
    SCALARS.filter(lambda each: each is not None),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.text("abctokens", max_size=6), inner, max_size=3)
    ),
    max_leaves=6,
)


def toml(value: Any) -> str:
    """A value as inline TOML."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return (
            '"' + "".join(f"\\u{ord(c):04x}" if ord(c) < 0x10000 else f"\\U{ord(c):08x}" for c in value) + '"'
        )
    if isinstance(value, float):
        return {"inf": "inf", "-inf": "-inf"}.get(repr(value), repr(value))
    if isinstance(value, list):
        return "[" + ", ".join(toml(each) for each in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{toml(key)} = {toml(each)}" for key, each in value.items()) + "}"
    return repr(value)


@given(st.dictionaries(st.sampled_from(TABLES), VALUES, max_size=3))
def test_any_value_anywhere_is_read_or_is_a_fault_with_a_place(
    tmp_path_factory: pytest.TempPathFactory, document: dict[str, Any]
) -> None:
    file = tmp_path_factory.mktemp("any") / "prowess.toml"
    file.write_text("\n".join(f"{key} = {toml(value)}" for key, value in document.items()), "utf-8")
    try:
        load_config(str(file))
    except ProwessError as error:
        assert error.message.startswith(str(file)) and error.message.isprintable()


# -- lines


LINES = '''\
a = 1
b.c = 2
"d e" = """
f = 3
"""
[g."h.i"]  # [not.this]
j = [
  1,
]
[[k]]
l = 1
[[k]]
l = 2
[k.m]
n = 3
[[k.o]]
p = 4
'''


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (("a",), 1),
        (("b",), 2),
        (("b", "c"), 2),
        (("b", "c", "deeper", 5), 2),
        (("d e",), 3),
        (("f",), None),
        (("g", "h.i"), 6),
        (("g",), 6),
        (("k",), 10),
        (("g", "h.i", "j", 0), 7),
        (("k", 0, "l"), 11),
        (("k", 1, "l"), 13),
        (("k", 1), 12),
        (("k", 1, "m", "n"), 15),
        (("k", 1, "o", 0, "p"), 17),
        (("nowhere",), None),
        ((), None),
    ],
)
def test_a_key_is_found_on_its_line_or_the_nearest_above_it(
    keys: tuple[str | int, ...], line: int | None
) -> None:
    assert line_of(LINES, keys) == line
