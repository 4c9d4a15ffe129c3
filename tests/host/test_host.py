from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from prowess.capability.offer import Offer
from prowess.errors import NotFound, PackageRejected
from prowess.host import Host
from prowess.provider import Invocation, MemoryProvider, Outcome, Provider, Refused

pytestmark = pytest.mark.anyio

SECONDS = 10
PLUGIN = {"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "sample"}
SKILL = "---\nname: greet\ndescription: Greets people. Use when somebody arrives.\n---\nSay hello.\n"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    root = tmp_path / "sample"
    (root / "skills" / "greet").mkdir(parents=True)
    (root / "plugin.json").write_text(json.dumps(PLUGIN))
    (root / "skills" / "greet" / "SKILL.md").write_text(SKILL)
    return root


async def echo(arguments: Mapping[str, Any]) -> Any:
    return dict(arguments)


def memory(label: str) -> MemoryProvider:
    return MemoryProvider(label, {"echo": ({"inputSchema": {"type": "object"}}, echo)})


class Faulty:
    """A provider that breaks the protocol in the ways that a test asks for."""

    def __init__(self, label: str, *, opens: Any = None, closes: Any = None, hangs: bool = False) -> None:
        self.label = label
        self.opens, self.closes, self.hangs = opens, closes, hangs
        self.opening = asyncio.Event()
        self.closed = 0

    async def open(self) -> Offer:
        self.opening.set()
        if self.hangs:
            await asyncio.Event().wait()
        if self.opens:
            raise self.opens
        return self.offer()

    def offer(self) -> Offer:
        if self.opens:
            raise self.opens
        return Offer(id=self.label, type="memory", status="not-started")

    async def call(self, invocation: Invocation) -> Outcome:
        return Refused(reason="never")

    async def close(self) -> None:
        self.closed += 1
        if self.closes:
            raise self.closes


async def test_what_is_on_offer_is_frozen_into_the_snapshot(package: Path) -> None:
    async with Host.open(package, providers=[memory("b"), memory("a")]) as host:
        assert [offer.id for offer in host.offers] == ["a", "b"]
        document = json.loads(host.snapshot().to_json())
    assert [(tool["name"], tool["server"]) for tool in document["tools"]] == [("echo", "a"), ("echo", "b")]


async def test_without_connecting_nothing_is_opened(package: Path) -> None:
    provider = Faulty("a")
    async with Host.open(package, connect=False, providers=[provider]) as host:
        assert host.offers[0].status == "not-started"
    assert not provider.opening.is_set()


@pytest.mark.req("AP-11-2")
async def test_a_provider_that_raises_fails_alone(package: Path) -> None:
    settled: list[str] = []
    providers: list[Provider] = [Faulty("bad", opens=RuntimeError("boom\x1b[31m")), memory("good")]
    async with Host.open(package, providers=providers, on_offer=lambda o: settled.append(o.id)) as host:
        assert {offer.id: offer.status for offer in host.offers} == {"bad": "failed", "good": "connected"}
        assert "\x1b" not in host.offers[0].reason
    assert sorted(settled) == ["bad", "good"]


async def test_a_provider_that_raises_on_closing_keeps_no_other_open(package: Path) -> None:
    bad, other = Faulty("bad", closes=RuntimeError("boom")), Faulty("other")
    async with Host.open(package, providers=[bad, other]):
        pass
    assert (bad.closed, other.closed) == (1, 1)


async def test_an_exception_in_the_block_closes_everything_and_is_kept(package: Path) -> None:
    provider = Faulty("a")
    with pytest.raises(ZeroDivisionError):
        async with Host.open(package, providers=[provider]):
            raise ZeroDivisionError
    assert provider.closed == 1


async def test_cancelling_a_slow_start_closes_everything(package: Path) -> None:
    slow, other = Faulty("slow", hangs=True), Faulty("other")

    async def work() -> None:
        async with Host.open(package, providers=[slow, other]):
            raise AssertionError("it never comes up")

    task = asyncio.ensure_future(work())
    async with asyncio.timeout(SECONDS):
        await slow.opening.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert (slow.closed, other.closed) == (1, 1)


async def test_closing_goes_to_its_end_however_often_it_is_cancelled(package: Path) -> None:
    closing, release = asyncio.Event(), asyncio.Event()

    class Slow(Faulty):
        async def close(self) -> None:
            closing.set()
            await release.wait()
            self.closed += 1

    provider = Slow("a")

    async def work() -> None:
        async with Host.open(package, providers=[provider]):
            pass

    task = asyncio.ensure_future(work())
    async with asyncio.timeout(SECONDS):
        await closing.wait()
        for _ in range(3):
            task.cancel()
            await asyncio.sleep(0)
        release.set()
        with pytest.raises(asyncio.CancelledError):
            await task
    assert provider.closed == 1


async def test_all_providers_open_at_once(package: Path) -> None:
    first, second = Faulty("a"), Faulty("b")

    class Waits(Faulty):
        async def open(self) -> Offer:
            await first.opening.wait()
            await second.opening.wait()
            return self.offer()

    async with asyncio.timeout(SECONDS), Host.open(package, providers=[Waits("c"), first, second]):
        pass


@pytest.mark.req("AP-5.2-3")
async def test_a_rejected_plugin_starts_nothing(package: Path) -> None:
    (package / "plugin.json").write_text('{"name": "sample"}')
    provider = Faulty("a")
    with pytest.raises(PackageRejected):
        async with Host.open(package, providers=[provider]):
            raise AssertionError("it never opens")
    assert not provider.opening.is_set()


async def test_a_body_is_in_the_snapshot_only_once_it_was_loaded(package: Path) -> None:
    async with Host.open(package) as host:
        assert host.read_skill("greet") == "Say hello.\n"
        assert host.snapshot().skills[0].loaded == "metadata"
        assert host.load_body("greet") == "Say hello.\n"
        assert host.snapshot().skills[0].loaded == "body"


async def test_a_skill_that_is_not_there_is_not_found(package: Path) -> None:
    async with Host.open(package) as host:
        with pytest.raises(NotFound):
            host.load_body("other")
