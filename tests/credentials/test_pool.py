"""Several tokens taking turns: failover, round robin, rest, and what each HTTP status does."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

import pytest
from tests.credentials.token_endpoint import Now

from prowess.credentials.pool import Held, Pool
from prowess.credentials.sections import CredentialSection, Secret, TokenSection
from prowess.credentials.source import KeptToken, rejected_again
from prowess.credentials.token import Token
from prowess.errors import CredentialFailed, UsageError

pytestmark = pytest.mark.anyio


class Renewable:
    """A source whose every renewal gives the next value; `fault` is raised instead while it is set."""

    def __init__(self, name: str) -> None:
        self.name, self.count = name, 0
        self.fault: CredentialFailed | None = None
        self.closed = False

    async def token(self) -> Token:
        if self.fault is not None:
            raise self.fault
        return Token(value=f"{self.name}{self.count}")

    async def another(self, rejected: str) -> Token:
        if rejected == f"{self.name}{self.count}":
            self.count += 1
        return await self.token()

    async def wider(self, lacking: str, scope: str) -> Token | None:
        return None

    def hopeless(self) -> CredentialFailed:
        return rejected_again()

    async def close(self) -> None:
        self.closed = True


def pool_of(names: str, now: Now, use: str = "failover") -> tuple[Pool, Sequence[Renewable]]:
    sources = [Renewable(name) for name in names]
    section = CredentialSection(tokens=(TokenSection(env="X"),), use=use)  # type: ignore[arg-type]
    return Pool("erp", sources, use=section.use, rest_seconds=60, now=now), sources


async def values(pool: Pool, count: int) -> str:
    return " ".join([(await pool.take()).token.value for _ in range(count)])


async def failure(pool: Pool) -> CredentialFailed:
    with pytest.raises(CredentialFailed) as caught:
        await pool.take()
    return caught.value


async def test_failover_stays_with_the_first_token_and_round_robin_takes_each_in_turn() -> None:
    pool, _ = pool_of("abc", Now())
    assert await values(pool, 4) == "a0 a0 a0 a0"
    pool, _ = pool_of("abc", Now(), "round-robin")
    assert await values(pool, 5) == "a0 b0 c0 a0 b0"


async def test_a_token_that_is_turned_away_is_renewed_once_and_then_rests() -> None:
    now = Now()
    pool, _ = pool_of("a", now)
    renewed = await pool.turned_away(await pool.take())
    assert renewed.token.value == "a1"
    with pytest.raises(CredentialFailed) as caught:
        await pool.turned_away(renewed)
    assert caught.value.code == "credential-rejected"
    assert (await failure(pool)).code == "credential-rejected"  # and nothing is asked meanwhile
    now.passes(61)
    assert await values(pool, 1) == "a1"


async def test_when_a_renewed_token_is_turned_away_too_the_next_takes_over() -> None:
    now = Now()
    pool, _ = pool_of("ab", now)
    other = await pool.turned_away(await pool.turned_away(await pool.take()))
    assert other.token.value == "b0" and await values(pool, 2) == "b0 b0"
    now.passes(61)
    assert await values(pool, 1) == "a1"


async def test_a_renewed_token_that_is_turned_away_much_later_is_renewed_again() -> None:
    now = Now()
    pool, _ = pool_of("a", now)
    renewed = await pool.turned_away(await pool.take())
    now.passes(3600)
    assert (await pool.turned_away(renewed)).token.value == "a2"


async def test_a_token_over_its_rate_rests_as_long_as_the_server_asks() -> None:
    now = Now()
    pool, _ = pool_of("ab", now)
    other = await pool.exhausted(await pool.take(), 5.0)
    assert other is not None and other.token.value == "b0"
    assert await values(pool, 2) == "b0 b0"
    now.passes(6)
    assert await values(pool, 1) == "a0"


async def test_when_all_are_over_their_rate_nothing_is_sent_and_the_wait_is_told() -> None:
    now = Now()
    pool, _ = pool_of("ab", now)
    other = await pool.exhausted(await pool.take(), 30.0)
    assert other is not None and await pool.exhausted(other, 5.0) is None
    error = await failure(pool)
    assert error.code == "credential-exhausted" and error.retry_after == 5.0
    now.passes(5)
    assert await values(pool, 1) == "b0"


async def test_without_a_word_from_the_server_only_a_token_that_has_an_other_rests() -> None:
    now = Now()
    pool, _ = pool_of("ab", now)
    await pool.exhausted(await pool.take(), None)
    now.passes(59)
    assert await values(pool, 1) == "b0"
    now.passes(2)
    assert await values(pool, 1) == "a0"
    alone, _ = pool_of("a", now)
    assert await alone.exhausted(await alone.take(), None) is None
    assert await values(alone, 1) == "a0"


async def test_a_rest_is_bounded_whatever_the_server_asks() -> None:
    now = Now()
    pool, _ = pool_of("a", now)
    await pool.exhausted(await pool.take(), 9_999_999.0)
    now.passes(3_601)
    assert await values(pool, 1) == "a0"


@pytest.mark.parametrize("code", ["credential-missing", "credential-unreachable", "credential-rejected"])
async def test_a_token_that_is_not_to_be_had_is_passed_over(code: str) -> None:
    pool, sources = pool_of("ab", Now())
    sources[0].fault = CredentialFailed("no", code=code)
    assert await values(pool, 2) == "b0 b0"


async def test_an_endpoint_that_is_down_is_not_asked_at_every_call() -> None:
    now = Now()
    pool, sources = pool_of("a", now)
    sources[0].fault = CredentialFailed("down", code="credential-unreachable")
    assert (await failure(pool)).code == "credential-unreachable"
    sources[0].fault = None
    assert (await failure(pool)).code == "credential-unreachable"
    now.passes(3)
    assert await values(pool, 1) == "a0"


async def test_a_missing_secret_that_was_put_in_place_is_found_at_once() -> None:
    pool, sources = pool_of("a", Now())
    sources[0].fault = CredentialFailed("no", code="credential-missing", hint="set it")
    assert (await failure(pool)).hint == "set it"
    sources[0].fault = None
    assert await values(pool, 1) == "a0"


async def test_callers_that_are_turned_away_together_share_one_renewal() -> None:
    pool, sources = pool_of("a", Now())
    held = await pool.take()
    others: list[Held] = await asyncio.gather(*(pool.turned_away(held) for _ in range(50)))
    assert {each.token.value for each in others} == {"a1"} and sources[0].count == 1


async def test_a_kept_token_that_was_replaced_in_its_file_is_read_again(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("one-1111")
    file.chmod(0o600)
    pool = Pool("x", [KeptToken(Secret(file=str(file)))], now=Now())
    held = await pool.take()
    file.write_text("two-2222")
    assert (await pool.take()).token == held.token  # a token in use is not read at each request
    assert (await pool.turned_away(held)).token.value == "two-2222"


async def test_a_kept_token_that_is_turned_away_and_unchanged_is_rejected(tmp_path: Path) -> None:
    file = tmp_path / "token"
    file.write_text("one-1111")
    file.chmod(0o600)
    pool = Pool("x", [KeptToken(Secret(file=str(file)))], now=Now())
    with pytest.raises(CredentialFailed) as caught:
        await pool.turned_away(await pool.take())
    assert caught.value.code == "credential-rejected" and "one-1111" not in caught.value.message


async def test_closing_a_pool_closes_its_sources() -> None:
    pool, sources = pool_of("ab", Now())
    await pool.close()
    assert all(each.closed for each in sources)


@pytest.mark.parametrize("more", [{"tokens": ()}, {"rest_seconds": 0.0}, {"skew_seconds": -1.0}])
def test_a_credential_that_makes_no_sense_is_refused(more: dict[str, float]) -> None:
    with pytest.raises(UsageError):
        CredentialSection(**{"tokens": (TokenSection(env="X"),), **more})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "more",
    [
        {},
        {"env": "A", "scope": "x"},
        {"env": "A", "client_id": "x"},
        {"grant": "client-credentials"},
        {"grant": "client-credentials", "token_url": "https://a.example", "client_id": "c"},
        {"grant": "refresh-token", "token_url": "https://a.example", "client_id": "c"},
    ],
)
def test_a_token_without_what_its_grant_needs_is_refused(more: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        TokenSection(**more)  # type: ignore[arg-type]
