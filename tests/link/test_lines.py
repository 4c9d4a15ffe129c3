"""Lines of a stream, whatever its chunks, and whose answer an unreadable line is."""

from __future__ import annotations

import json

from hypothesis import given
from hypothesis import strategies as st

from prowess.link.channel import Notes, Tail
from prowess.link.environment import base_environment
from prowess.link.lines import Lines, TooLong, answered_id
from prowess.link.shown import Shown
from prowess.spec.model import HttpServer, StdioServer

LIMIT = 2_000


def cut(data: bytes, sizes: list[int]) -> list[bytes]:
    chunks, at = [], 0
    for size in sizes:
        chunks.append(data[at : at + size])
        at += size
    return [*chunks, data[at:]]


@given(
    lines=st.lists(
        st.one_of(st.binary(max_size=50), st.integers(1_900, 2_100).map(lambda n: b"x" * n)), max_size=8
    ),
    sizes=st.lists(st.integers(1, 900), max_size=20),
)
def test_lines_do_not_depend_on_how_they_arrive(lines: list[bytes], sizes: list[int]) -> None:
    data = b"".join(line + b"\n" for line in lines)
    whole = Lines(LIMIT).feed(data)
    pieces, parts = Lines(LIMIT), []
    for chunk in cut(data, sizes):
        parts += pieces.feed(chunk)
    assert parts == whole
    expected = [piece for piece in data.split(b"\n") if len(piece) > LIMIT or piece.strip()]
    assert len(whole) == len(expected)
    for found, piece in zip(whole, expected, strict=True):
        if len(piece) > LIMIT:
            assert found == TooLong(head=piece[:512], tail=piece[-512:], length=len(piece))
        else:
            assert found == piece.strip()


def test_a_line_without_its_end_is_no_line_yet() -> None:
    lines = Lines()
    assert lines.feed(b'{"a"') == []
    assert lines.feed(b": 1}\n") == [b'{"a": 1}']


@given(st.integers(0, 10**17), st.booleans(), st.sampled_from([(",", ":"), (", ", ": ")]))
def test_the_id_is_found_at_either_end(number: int, first: bool, separators: tuple[str, str]) -> None:
    message = {"jsonrpc": "2.0", "id": number, "result": {"id": 7, "x": "y" * 3_000}}
    if not first:
        message = dict(reversed(message.items()))
    line = json.dumps(message, separators=separators).encode()
    assert answered_id(line[:512], line[-512:]) == number


def test_an_id_inside_a_result_is_nobodys() -> None:
    line = b'{"jsonrpc":"2.0","result":{"id":3},"x":"' + b"y" * 600
    assert answered_id(line[:512], line[-512:]) is None


@given(st.lists(st.binary(min_size=1, max_size=40), max_size=40))
def test_a_tail_is_bounded_and_keeps_the_end(chunks: list[bytes]) -> None:
    tail = Tail(100)
    for chunk in chunks:
        tail.add(chunk)
    data = b"".join(chunks)
    kept = tail.text()
    assert len(kept) <= 140
    if len(data) < 100:
        assert kept == data.decode("utf-8", "replace")
    else:
        assert data.decode("utf-8", "replace").endswith(kept) or "�" in kept


def test_notes_are_few_and_count() -> None:
    notes = Notes(Shown())
    for number in range(100):
        notes.add("the same", f"sample {number}")
        notes.add(f"note {number}")
    assert len(notes.all()) == 8
    assert notes.all()[0] == "the same (100 times), first: sample 0"


def test_configured_secrets_are_masked_before_a_text_is_cut() -> None:
    token = "Q7f9a77c1e0b2d3e4f5a6b7c8"
    header = Shown(
        HttpServer(id="a", type="sse", url="https://a.example", headers={"Authorization": f"Bearer {token}"})
    )
    env = Shown(StdioServer(id="a", command="a", env={"API_KEY": token}))
    for show in (header, env):
        assert token[:8] not in show("x" * 190 + token)
        assert token not in show(f"Traceback: bad key {token}\n")


def test_the_base_environment_holds_no_token_and_no_proxy_with_a_password() -> None:
    environ = {
        "PATH": "/bin",
        "HOME": "/home/a",
        "LANG": "C.UTF-8",
        "TZ": "UTC",
        "SSL_CERT_FILE": "/ca.pem",
        "AWS_SECRET_ACCESS_KEY": "x",
        "PYTHONPATH": "/x",
        "LD_PRELOAD": "/x",
        "NODE_OPTIONS": "-r x",
        "HTTP_PROXY": "http://proxy:3128",
        "https_proxy": "http://user:pass@proxy:3128",
    }
    assert set(base_environment(environ)) == {"PATH", "HOME", "LANG", "TZ", "SSL_CERT_FILE", "HTTP_PROXY"}
