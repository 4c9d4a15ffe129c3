"""Why an expression is none, or gives nothing: one exception with a code, a message and a hint.

syntax      it is not in the language
undefined   it names what is not there
type        a value is of a kind that the operation does not take
limit       it is too large, or makes something too large
"""

from __future__ import annotations

from typing import Literal

from prowess.errors import ProwessError

Code = Literal["syntax", "undefined", "type", "limit"]


class ExpressionFault(ProwessError):
    """An expression cannot be read or evaluated; `code` says why."""

    def __init__(self, code: Code, message: str, *, hint: str = "") -> None:
        super().__init__(message, hint=hint)
        self.code = code
