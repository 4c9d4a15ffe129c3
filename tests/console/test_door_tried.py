"""What a hostile page, another port and an impatient person try at the door."""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Iterator

import pytest
from tests.bounds import bound
from tests.console import offering
from tests.console.visiting import Visitor, visiting

from prowess.console.door import MOST_SAID, Door
from prowess.console.guard import Guard

FORM = "application/x-www-form-urlencoded"


@pytest.fixture(scope="module")
def sent() -> offering.Sent:
    return []


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory, sent: offering.Sent) -> Iterator[Visitor]:
    folder = offering.plugin(tmp_path_factory.mktemp("desk") / "desk")
    files = folder / "skills" / "write-letters" / "references"
    with open(os.path.join(os.fsencode(files), b"no-text-\xff.md"), "w") as file:
        file.write("# hello")
    with visiting(folder, providers=[offering.tools(sent)]) as found:
        yield found


def status(visitor: Visitor, *headers: tuple[str, str], cookie: str = "") -> int:
    """What a GET with just these headers besides the address and the cookie gets."""
    with socket.create_connection(("127.0.0.1", port(visitor)), timeout=bound(10)) as line:
        said = [("Host", f"127.0.0.1:{port(visitor)}"), ("Cookie", cookie or mine(visitor)), *headers]
        text = "".join(f"{name}: {value}\r\n" for name, value in said)
        line.sendall(f"GET /packages HTTP/1.1\r\n{text}Connection: close\r\n\r\n".encode())
        return int(line.recv(12).split()[1])


def port(visitor: Visitor) -> int:
    return int(visitor.place.rpartition(":")[2])


def mine(visitor: Visitor) -> str:
    (cookie,) = (each for each in visitor.client.cookies.jar if each.name.startswith("prowess_"))
    return f"{cookie.name}={cookie.value}"


@pytest.mark.parametrize(
    "headers",
    [
        [("Sec-Fetch-Site", "cross-site"), ("Sec-Fetch-Site", "same-origin")],
        [("Origin", "http://evil.example"), ("Origin", "http://evil.example")],
        [("sec-fetch-site", "Cross-Site")],
    ],
)
def test_a_header_that_stands_twice_opens_nothing(visitor: Visitor, headers: list[tuple[str, str]]) -> None:
    assert status(visitor) == 200
    assert status(visitor, *headers) == 403


@pytest.mark.parametrize("order", [1, -1])
def test_a_cookie_of_another_port_shuts_nobody_out(visitor: Visitor, order: int) -> None:
    name = mine(visitor).partition("=")[0]
    both = [mine(visitor), f"{name}=of-another-port"][::order]
    assert status(visitor, cookie="; ".join(both)) == 200
    assert status(visitor, cookie=both[-1].replace(mine(visitor), f"{name}=x")) == 401


@pytest.mark.parametrize(("host", "expected"), [("127.0.0.1", None), ("127.0.0.1:80", None), ("evil", 421)])
def test_at_port_80_the_port_may_be_left_out(host: str, expected: int | None) -> None:
    door = Door()
    session = door.enter(door.link())
    headers = [(b"host", host.encode()), (b"cookie", f"prowess_80={session}".encode())]
    scope = {"type": "http", "method": "GET", "path": "/", "server": ("127.0.0.1", 80), "headers": headers}
    refusal = Guard(None, door)._refusal(scope)  # type: ignore[arg-type]
    assert (refusal[0] if refusal else None) == expected


def test_a_yes_counts_once(visitor: Visitor, sent: offering.Sent) -> None:
    asked = visitor.send("/capabilities/tool/call", server="ledger", name="delete", arguments="{}")
    assert visitor.confirmed(asked).status == 200
    assert visitor.confirmed(asked).status == 409
    assert [name for name, _ in sent] == ["delete"]
    again = visitor.send("/capabilities/tool/call", server="ledger", name="delete", arguments="{}")
    assert visitor.confirmed(again).status == 200
    assert [name for name, _ in sent] == ["delete", "delete"]


def test_a_yes_is_to_one_path_one_session_and_these_fields() -> None:
    door, fields = Door(), [("a", "1")]
    given = door.confirmation("me", "/here", fields)
    assert door.confirmed(given, "you", "/here", fields) == "no"
    assert door.confirmed(given, "me", "/there", fields) == "no"
    assert door.confirmed(given, "me", "/here", [("a", "2")]) == "no"
    assert door.confirmed(f"x{given}", "me", "/here", fields) == "no"
    assert door.confirmed(given, "me", "/here", fields) == "yes"
    assert door.confirmed(given, "me", "/here", fields) == "again"


def test_only_so_many_yeses_are_remembered() -> None:
    door = Door()
    for _ in range(MOST_SAID + 5):
        assert door.confirmed(door.confirmation("me", "/", []), "me", "/", []) == "yes"
    assert len(door._said) == MOST_SAID


@pytest.mark.parametrize("kind", [FORM, "multipart/form-data; boundary=x"])
def test_who_goes_away_while_sending_is_no_fault_of_ours(
    visitor: Visitor, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR), socket.create_connection(("127.0.0.1", port(visitor))) as line:
        head = f"POST /display HTTP/1.1\r\nHost: 127.0.0.1:{port(visitor)}\r\nCookie: {mine(visitor)}\r\n"
        more = f"Sec-Fetch-Site: same-origin\r\nContent-Type: {kind}\r\nContent-Length: 500\r\n"
        line.sendall(f"{head}{more}Expect: 100-continue\r\n\r\n".encode())
        assert line.recv(100).startswith(b"HTTP/1.1 100")  # the form is being read now
        line.shutdown(socket.SHUT_RDWR)
    visitor.get("/packages")
    assert [each for each in caplog.records if each.name == "prowess.console"] == []


def test_half_a_surrogate_pair_breaks_no_page(visitor: Visitor) -> None:
    token = visitor.get("/workbench").form("/display")["csrf"]
    parts = {"csrf": token, "text": '["\\ud800"]'}
    body = "".join(
        f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in parts.items()
    )
    kind = "multipart/form-data; boundary=x; charset=unicode_escape"
    answer = visitor.client.post(
        f"{visitor.place}/workbench",
        content=f"{body}--x--\r\n",
        headers={"Origin": visitor.place, "Content-Type": kind},
    )
    assert answer.status_code == 200
    assert "<h1>Workbench</h1>" in answer.text


def test_a_folder_with_a_name_that_is_no_text_is_listed(visitor: Visitor) -> None:
    page = visitor.get("/packages/desk/file?path=skills/write-letters/references")
    assert page.status == 200
    assert any("no-text-" in each for each in page.texts("li"))
