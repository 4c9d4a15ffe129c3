"""The console told to end while something is under way: it ends within seconds, and says nothing of it."""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx2 as httpx
import pytest
from tests.bounds import bound
from tests.console import offering
from tests.console.visiting import Visitor, serving

from prowess.provider import MemoryProvider


def test_a_call_that_is_under_way_is_cut_off_without_a_traceback(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    begun = threading.Event()

    async def endless(arguments: Mapping[str, Any]) -> Any:
        begun.set()
        await asyncio.Event().wait()

    wire = {"inputSchema": {"type": "object"}, "annotations": {"readOnlyHint": True}}
    provider = MemoryProvider("slow", {"endless": (wire, endless)})
    with serving(offering.plugin(tmp_path / "desk"), providers=[provider]) as (link, host, run):
        visitor = Visitor(link, host, run)
        visitor.get(link)

        def call() -> None:
            with suppress(httpx.HTTPError):
                visitor.send("/capabilities/tool/call", server="slow", name="endless", arguments="{}")

        calling = threading.Thread(target=call)
        calling.start()
        assert begun.wait(bound(20))
        told = time.monotonic()
    calling.join(bound(20))
    visitor.client.close()
    assert not calling.is_alive()
    assert time.monotonic() - told < bound(10)
    assert [each for each in caplog.records if each.levelno >= logging.WARNING] == []
