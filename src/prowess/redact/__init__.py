"""What may be shown: text from elsewhere made fit to print, and secrets kept out of it.

Everything that writes text for people or disks goes through here.

    shown.py      printable text, and the mask
    patterns.py   what tokens and personal data look like
    named.py      what the name of a key says about its value: `looks_secret`, `masked`
    redactor.py   all of it over whole texts and JSON values, with the exact secrets that we hold ourselves

Pure, and cheap to import: a pattern is compiled when a text first holds its literal part.
"""

from __future__ import annotations

from prowess.redact.named import looks_secret, masked, secrets_in, secrets_in_arguments
from prowess.redact.redactor import Redactor
from prowess.redact.shown import MASK, printable

__all__ = ["MASK", "Redactor", "looks_secret", "masked", "printable", "secrets_in", "secrets_in_arguments"]
