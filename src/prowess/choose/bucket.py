"""Which of 10,000 buckets a key falls into: the same in every process, on every machine, for good.

SHA-256 rather than `hash()`, which differs from process to process. The buckets of one key under
two salts have nothing to do with each other, so nobody is always among the first.
"""

from __future__ import annotations

from hashlib import sha256

BUCKETS = 10_000
PER_PERCENT = BUCKETS // 100


def bucket(key: str, salt: str) -> int:
    """A number from 0 to 9999.

    The length before the salt keeps `("bc", "a")` and `("c", "ab")` apart. Eight bytes are a number
    so large that what is left of it by 10,000 is even to one part in a million millions.
    """
    text = f"{len(salt)}:{salt}{key}".encode("utf-8", "surrogatepass")
    return int.from_bytes(sha256(text).digest()[:8], "big") % BUCKETS


def within(key: str, salt: str, percent: float) -> bool:
    """Whether `key` is among the first `percent` of a hundred; who is stays so when it grows."""
    return bucket(key, salt) < round(percent * PER_PERCENT)
