"""The person of these tests: opens every page, goes where it is sent, fills in no form."""

from __future__ import annotations

import asyncio
import urllib.error
import urllib.request
from collections.abc import Mapping
from typing import Any

SECONDS = 60.0  # many of these may run at once


class Person:
    """Opens every page that is shown, on a thread of its own."""

    def __init__(self) -> None:
        self._opening: list[asyncio.Task[None]] = []

    def __call__(self, url: str) -> None:
        """A page is shown."""
        self._opening.append(asyncio.ensure_future(asyncio.to_thread(opened, url)))

    async def done(self) -> None:
        """Until every page is read."""
        await asyncio.gather(*self._opening)


async def filled_in(server: str, params: Mapping[str, Any]) -> dict[str, Any]:
    """A person who sends every form as it is."""
    print(f"{server} asks: {params.get('message')}")
    return {}


def opened(url: str) -> None:
    """Open a page; what it says is for people."""
    try:
        with urllib.request.urlopen(url, timeout=SECONDS) as answer:
            answer.read()
    except urllib.error.HTTPError as error:
        print(f"the page answered HTTP {error.code}")
