"""Exact counts of tokens by one vocabulary, with the extra `tokens` (tiktoken).

`choose.estimate.tokens` is near enough for a budget and needs nothing. This is for whoever has to
know: `Counter` is the port that both are. tiktoken fetches a vocabulary once and keeps it (where
TIKTOKEN_CACHE_DIR says); nothing is fetched before somebody asks for a counter.
"""

from __future__ import annotations

from prowess.choose.estimate import Counter
from prowess.errors import UsageError
from prowess.redact import printable

DEFAULT = "o200k_base"


def counter(encoding: str = DEFAULT) -> Counter:
    """A counter by the vocabulary named `encoding`.

    Raises UsageError when the extra is missing, the name is unknown or the vocabulary cannot be had.
    """
    try:
        import tiktoken
    except ModuleNotFoundError:
        hint = "pip install 'prowess[tokens]'"
        raise UsageError("exact counts of tokens need tiktoken", hint=hint) from None
    name = printable(encoding, 60)
    try:
        vocabulary = tiktoken.get_encoding(encoding)
    except ValueError:
        known = ", ".join(sorted(tiktoken.list_encoding_names()))
        raise UsageError(f"no vocabulary {name}", hint=f"one of {printable(known, 400)}") from None
    except OSError as error:
        raise UsageError(
            f"the vocabulary {name} could not be fetched ({type(error).__name__})",
            hint="tiktoken fetches it once and keeps it in TIKTOKEN_CACHE_DIR; the estimate needs none",
        ) from error
    return lambda text: len(vocabulary.encode_ordinary(text))
