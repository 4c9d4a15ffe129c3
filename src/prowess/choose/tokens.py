"""Text of any script as terms to rank by: Unicode NFKC and case folding, then words, parts and pairs.

    query_invoices, queryInvoices   queryinvoices, queri, invoic      whole, and its parts stemmed
    GPT-4o                          gpt4o, gpt, 4, o
    naïve café                      naiv, cafe                        marks folded: Latin, Greek, ё
    未付請求書                       未付, 付請, 請求, 求書             pairs; one alone stands for itself
    unpaid invoices                  unpaid, invoic, and `pairs` has unpaid·invoic
    ใบแจ้งหนี้                        threes of what carries a mark     Thai, Lao, Khmer, Burmese

Unicode 15 (NFKC, case folding), Snowball's English stemmer (Porter2). Whoever stores terms stores
`VERSION` with them. It does not know what the terms are for, and never raises.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

from prowess.choose.stop_words import STOP_WORDS, WEAK_WORDS

VERSION = 2
LONGEST = 200_000  # characters of one text that are looked at
PAIRED = "\u00b7"  # between the two of a pair; stands in no term, and FTS5 does not part at it
LONGEST_TERM = 64  # characters; a hash or a blob says nothing more beyond
_STEMMED = 65_536  # words whose stem is remembered
_SHORTEST_STEMMED = 3

# Scripts that are written without spaces. Japanese mixes its three, so a run holds them together.
_PAIRED = "\u3005-\u3007\u3041-\u3096\u30a1-\u30fa\u30fc\u3105-\u312f\u31a0-\u31bf\u31f0-\u31ff\u3400-\u4dbf"
_PAIRED += "\u4e00-\u9fff\uac00-\ud7a3\U00020000-\U0003347f"
_CLUSTERED = "\u0e01-\u0e3a\u0e40-\u0e4e\u0e81-\u0ece\u1000-\u1049\u1050-\u109f\u1780-\u17d3"
_GRAM = re.compile(f"[{_PAIRED}{_CLUSTERED}]")
# Marks that belong to a word, which `\w` leaves out.
_MARKS = "\u0300-\u036f\u0483-\u0487\u0591-\u05bd\u05bf-\u05c2\u05c4-\u05c7\u0610-\u061a\u064b-\u065f\u0670"
_MARKS += (
    "\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u0900-\u0963\u0970-\u0dff\u0f71-\u0f84\u0f90-\u0fbc\u3099\u309a"
)
_WORD = rf"(?:[^\W_{_PAIRED}{_CLUSTERED}]|[{_MARKS}])+"
# Parts joined by one `_`, `-` or `.` make one identifier; `C++`, `C#` and `F#` are names.
_ASCII_PIECES = re.compile(
    r"(?P<language>(?<![A-Za-z0-9_])[cCfF](?:\+\+|#)(?![\w+#]))|(?P<word>[A-Za-z0-9]+(?:[_.-][A-Za-z0-9]+)*)"
)
_PIECES = re.compile(
    rf"(?P<language>(?<![^\W_])[cCfF](?:\+\+|\#)(?![\w+#]))"
    rf"|(?P<word>{_WORD}(?:[_.-]{_WORD})*)"
    rf"|(?P<paired>[{_PAIRED}]+)|(?P<clustered>[{_CLUSTERED}]+)"
)
_LANGUAGES = {"c++": "cplusplus", "c#": "csharp", "f#": "fsharp", "f++": "fplusplus"}
# Where `HTTPServer2` comes apart: before a capital after a small letter, before the last of several
# capitals when a small letter follows, and between letters and digits.
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")
_JOINERS = re.compile(r"[_.-]+")
# What `_folded` leaves out of decomposed text: a mark after a Latin or Greek letter (also a second
# one), the dots of `ё`, the points of Hebrew, the vowels of Arabic and the hamza on a letter.
_LEFT_OUT = re.compile(
    "(?<=[a-z\u00df-\u03ff])[\u0300-\u036f]+|(?<=\u0435)\u0308|[\u0591-\u05bd\u05bf-\u05c7\u064b-\u0655\u0670]"
)
_ARTICLE = re.compile("^[\u0648\u0628\u0643\u0641]?\u0627\u0644(?=\\w{3})")
_LETTERS = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ı": "i", "æ": "ae", "œ": "oe", "ð": "d", "þ": "th", "ى": "ي", "ة": "ه"}
)
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u0640\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufe00-\ufe0f\ufeff]+"
)
_CLUSTER = re.compile(r".[\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u0eb1\u0eb4-\u0ebc\u0ec8-\u0ece"
                      r"\u102b-\u103e\u1056-\u1059\u105e-\u1060\u17b4-\u17d3]*")  # fmt: skip


class Term(NamedTuple):
    """One term and the piece of the text that it comes from, in case-folded form."""

    text: str
    word: str


def terms(text: str) -> tuple[str, ...]:
    """The terms of `text` in its order, stop words left out; at most two for each of its characters."""
    return tuple(each.text for each in terms_with_words(text))


def terms_with_words(text: str) -> Iterator[Term]:
    """The terms of `text` together with what a person would recognise them by."""
    plain = _plain(text[:LONGEST])
    pieces = _ASCII_PIECES if plain.isascii() else _PIECES
    for piece in pieces.finditer(plain):
        kind, found = piece.lastgroup, piece.group()
        if kind == "word":
            yield from _of_word(found)
        elif kind == "paired":
            yield from _grams(list(found), 2)
        elif kind == "clustered":
            yield from _grams(_CLUSTER.findall(found), 3)
        else:
            name = found.casefold()
            yield Term(_LANGUAGES[name], name)


def pairs(text: Iterable[Term]) -> Iterator[Term]:
    """Every two neighbours of words as one term more; what is cut into grams already makes none."""
    before: Term | None = None
    for each in text:
        if not each.text.isascii() and _GRAM.match(each.text):
            before = None
            continue
        if before is not None:
            yield Term(f"{before.text}{PAIRED}{each.text}", f"{before.word} {each.word}")
        before = each


@lru_cache(1)
def weak_terms() -> frozenset[str]:
    """The terms of `WEAK_WORDS`: what any request is phrased with."""
    return frozenset(_stem(word) for word in WEAK_WORDS)


def _plain(text: str) -> str:
    """NFKC without invisible characters; case is kept, since `camelCase` needs it."""
    if text.isascii():
        return text
    return _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))[:LONGEST]


def _of_word(found: str) -> Iterator[Term]:
    if found.isalpha() and found.islower():
        parts = [found]
    else:
        parts = [part for piece in _JOINERS.split(found) for part in _parts_of(piece)]
    if len(parts) > 1:
        whole = _folded("".join(parts))[:LONGEST_TERM]
        if _says(whole):
            yield Term(whole, found.casefold())
    for part in parts:
        term = _stem(part)
        if term:
            yield Term(term, part.casefold())


def _parts_of(piece: str) -> list[str]:
    """`queryInvoices` as two; what is not ASCII comes apart nowhere."""
    return _PARTS.findall(piece) if piece.isascii() else [piece]


def _grams(units: list[str], size: int) -> Iterator[Term]:
    """Every `size` neighbours as one term; fewer than that are one by themselves."""
    for start in range(max(1, len(units) - size + 1)):
        word = "".join(units[start : start + size])[:LONGEST_TERM]
        yield Term(word, word)


@lru_cache(_STEMMED)
def _stem(part: str) -> str:
    """The term of one part; empty for a stop word and for what is nothing but marks."""
    word = _folded(part)[:LONGEST_TERM]
    if word in STOP_WORDS or not _says(word):
        return ""
    if len(word) < _SHORTEST_STEMMED or not (word.isascii() and word.isalpha()):
        return word
    return _stemmer()(word)


def _says(word: str) -> bool:
    return any(map(str.isalnum, word))


def _folded(part: str) -> str:
    """Case folded; marks left out where people leave them out: Latin, Greek, Arabic, Hebrew, `ё`."""
    word = part.casefold()
    if word.isascii():
        return word
    if word.isdecimal():
        return "".join(str(unicodedata.decimal(each)) for each in word)
    bare = _LEFT_OUT.sub("", unicodedata.normalize("NFD", word.translate(_LETTERS)))
    bare = _ARTICLE.sub("", bare)
    return unicodedata.normalize("NFC", bare)


@lru_cache(1)
def _stemmer() -> Callable[[str], str]:
    # The one in Python even where the one in C is installed: the same terms on every machine.
    from snowballstemmer.english_stemmer import EnglishStemmer  # type: ignore[import-untyped]

    stem: Callable[[str], str] = EnglishStemmer().stemWord
    return stem
