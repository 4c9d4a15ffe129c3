"""An endpoint that stops while calls run: they are told, nothing is left behind, no traceback appears."""

from __future__ import annotations

import asyncio
import logging

import httpx2
import pytest
from tests.bounds import bound
from tests.serve_http.fronted import Small, ask, fronted

from prowess.host.serving import ServeSection

pytestmark = pytest.mark.anyio


async def test_whoever_is_cut_off_is_told_to_come_again(caplog: pytest.LogCaptureFixture) -> None:
    small = Small()
    with caplog.at_level(logging.ERROR):
        async with httpx2.AsyncClient(trust_env=False, timeout=bound(10)) as client:
            async with fronted(ServeSection(shutdown_seconds=0.1), small) as url:
                asked = asyncio.ensure_future(ask(client, url, name="wait"))
                await asyncio.wait_for(small.waiting.wait(), bound(5))
            answer = await asyncio.wait_for(asked, bound(5))
    assert answer.status_code == 503
    assert int(answer.headers["retry-after"]) > 0
    assert answer.json()["error"] == "stopping"
    assert not caplog.records
