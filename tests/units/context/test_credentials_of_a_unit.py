"""What part 2 holds for an origin is put on every request to it, and onto no other."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest
from tests.units.context.conftest import NAME, Desk
from tests.units.context.upstream import Answer, Seen, Upstream, serving

from prowess.credentials.injecting import Injection
from prowess.errors import CredentialFailed

pytestmark = pytest.mark.anyio


class Turns:
    """An injector with tokens that take turns; it remembers which were turned away."""

    def __init__(self, *tokens: str) -> None:
        self.tokens = list(tokens)
        self.away: list[str] = []
        self.waits: list[float | None] = []

    async def current(self) -> Injection:
        return self._made()

    async def turned_away(self, injection: Injection) -> Injection:
        self.away.append(self.tokens.pop(0))
        if not self.tokens:
            raise CredentialFailed("no token is left", code="credential-rejected")
        return self._made()

    async def insufficient(self, injection: Injection, scope: str) -> Injection | None:
        return None

    async def exhausted(self, injection: Injection, retry_after: float | None) -> Injection | None:
        self.waits.append(retry_after)
        self.away.append(self.tokens.pop(0))
        return self._made() if self.tokens else None

    def _made(self) -> Injection:
        token = self.tokens[0]
        return Injection(headers={"Authorization": f"Bearer {token}"}, secrets=(token,))


def guarded(right: str, status: int = 401, **headers: str) -> object:
    def answer(seen: Seen) -> Answer:
        if seen.headers.get("authorization") == f"Bearer {right}":
            return Answer()
        return Answer(status=status, headers=headers)

    return answer


def origin(upstream: Upstream) -> str:
    return f"http://{NAME}:{upstream.port}"


async def test_the_credential_of_an_origin_is_sent_to_it(desk: Desk, upstream: Upstream) -> None:
    desk.injectors[origin(upstream)] = Turns("t-1")
    async with desk.context([f"{NAME}:{upstream.port}"]) as ctx:
        answer = await ctx.http.get(origin(upstream), headers={"Authorization": "Bearer mine"})
        assert "authorization" in answer.request.headers  # the unit sees its own, and never ours
        assert answer.request.headers["authorization"] == "Bearer mine"
    assert upstream.seen[0].headers["authorization"] == "Bearer t-1"


async def test_it_does_not_follow_a_redirect_to_another_declared_origin(
    desk: Desk, upstream: Upstream
) -> None:
    desk.injectors[origin(upstream)] = Turns("t-1")
    desk.resolver.answers["other.test"] = ["127.0.0.1"]
    with serving() as other:
        target = f"http://other.test:{other.port}/"
        upstream.answers["/"] = Answer(status=307, headers={"location": target})
        async with desk.context([f"{NAME}:{upstream.port}", f"other.test:{other.port}"]) as ctx:
            await ctx.http.get(origin(upstream), follow_redirects=True)
        assert upstream.seen[0].headers["authorization"] == "Bearer t-1"
        assert "authorization" not in other.seen[0].headers


async def test_a_token_that_is_turned_away_gives_way_to_the_next(desk: Desk, upstream: Upstream) -> None:
    turns = desk.injectors[origin(upstream)] = Turns("old", "new")
    upstream.answers["/"] = guarded("new")  # type: ignore[assignment]
    async with desk.context([f"{NAME}:{upstream.port}"]) as ctx:
        answer = await ctx.http.post(origin(upstream), json={"n": 1})
    assert answer.status_code == 200
    assert turns.away == ["old"]
    assert [each.body for each in upstream.seen] == [b'{"n":1}', b'{"n":1}']
    assert [each.status for each in desk.records] == [401, 200]


async def test_a_token_over_its_rate_gives_way_to_the_next(desk: Desk, upstream: Upstream) -> None:
    turns = desk.injectors[origin(upstream)] = Turns("busy", "idle")
    upstream.answers["/"] = guarded("idle", 429, **{"retry-after": "30"})  # type: ignore[assignment]
    async with desk.context([f"{NAME}:{upstream.port}"]) as ctx:
        answer = await ctx.http.get(origin(upstream))
    assert answer.status_code == 200
    assert turns.waits == [30.0]


async def test_a_unit_without_a_token_left_hears_which_error_it_is(desk: Desk, upstream: Upstream) -> None:
    desk.injectors[origin(upstream)] = Turns("only")
    upstream.answers["/"] = Answer(status=401)
    async with desk.context([f"{NAME}:{upstream.port}"]) as ctx:
        with pytest.raises(CredentialFailed) as caught:
            await ctx.http.get(origin(upstream))
    assert caught.value.code == "credential-rejected"
    assert "only" not in str(caught.value)


async def test_a_body_that_can_be_read_once_is_not_sent_twice(desk: Desk, upstream: Upstream) -> None:
    async def body() -> AsyncIterator[bytes]:
        yield b"once"

    desk.injectors[origin(upstream)] = Turns("old", "new")
    upstream.answers["/"] = guarded("new")  # type: ignore[assignment]
    async with desk.context([f"{NAME}:{upstream.port}"]) as ctx:
        headers = {"content-length": "4"}
        answer = await ctx.http.post(origin(upstream), content=body(), headers=headers)
    assert answer.status_code == 401
    assert len(upstream.seen) == 1
