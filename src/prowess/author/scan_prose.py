"""Every rule about English sentences, in one list. Pure."""

from __future__ import annotations

from prowess.author.scan_conduct import MANIPULATING, REMOTE, UNASKED
from prowess.author.scan_instructions import CONCEALING, OVERRIDING
from prowess.author.scan_patterns import Pattern
from prowess.author.scan_private import ASKING, HANDING_ON, LEAKING
from prowess.author.scan_results import FAKING, STANDING

PROSE: tuple[Pattern, ...] = (
    *OVERRIDING,
    *CONCEALING,
    *LEAKING,
    *HANDING_ON,
    *ASKING,
    *REMOTE,
    *MANIPULATING,
    *UNASKED,
    *FAKING,
    *STANDING,
)
