"""Addresses an HTTP front listens on."""

from __future__ import annotations

import socket

from prowess.serve.address import bound, resolve


def test_what_is_answered_is_sent_at_once() -> None:
    (listening,) = bound(resolve("127.0.0.1", 0))
    with listening, socket.create_connection(listening.getsockname()) as _:
        accepted, _ = listening.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0
