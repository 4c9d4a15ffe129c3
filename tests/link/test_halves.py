"""Half characters in JSON text: each replaced, wherever a body is cut, and nothing else touched."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator

import httpx2
from hypothesis import given
from hypothesis import strategies as st

from prowess.link.halves import WholeStream, whole

PIECES = st.sampled_from(
    [b"\\", b"\\\\", b"u", b"\\ud83d", b"\\uDE00", b"\\u0041", b"d83d", b"D", b"a", b"\n"]
)
TEXTS = st.text(st.one_of(st.characters(categories=["Cs"]), st.characters(), st.just("\\")), max_size=20)


class Chunks(httpx2.AsyncByteStream):
    """A body that arrives in these pieces."""

    def __init__(self, chunks: list[bytes]) -> None:
        self.chunks = chunks
        self.closed = False

    async def __aiter__(self) -> AsyncIterator[bytes]:
        for chunk in self.chunks:
            yield chunk

    async def aclose(self) -> None:
        self.closed = True


@given(st.lists(st.one_of(PIECES, st.binary(max_size=3)), max_size=12))
def test_halves_are_found_wherever_a_body_is_cut(chunks: list[bytes]) -> None:
    told: list[None] = []
    inner = Chunks(chunks)

    async def read() -> bytes:
        stream = WholeStream(inner, lambda: told.append(None))
        body = b"".join([chunk async for chunk in stream])
        await stream.aclose()
        return body

    body = b"".join(chunks)
    assert asyncio.run(read()) == whole(body) and inner.closed
    assert bool(told) == (whole(body) != body)


@given(TEXTS)
def test_each_half_is_replaced_and_the_rest_of_the_text_stays(text: str) -> None:
    joined = text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
    assert json.loads(whole(json.dumps(text).encode())) == re.sub("[\ud800-\udfff]", "\ufffd", joined)
