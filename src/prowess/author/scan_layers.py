"""What a text holds in disguise: decoded layer by layer, in bounded depth, number and size. Pure.

A layer is a text that somebody gets who decodes a part of the one above: base64, base32, base85, hex,
percent-encoding, escapes, character codes, pieces of strings put together, compressed bytes, Unicode
tags, look-alike letters, letters with invisible ones between them. Whether a layer is worth reporting
is not decided here; where nothing readable comes out there is no layer.
"""

from __future__ import annotations

import base64
import binascii
import codecs
import html
import re
import unicodedata
import zlib
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import unquote

from prowess.author.scan_characters import INVISIBLE, LOOKALIKES, tags_as_text

DEEPEST = 4
MOST_LAYERS = 400  # of one file
MOST_CHARACTERS = 1 << 20  # of all layers of one file
LONGEST_CODED = 1 << 18  # characters of one coded text
SHORTEST = 8  # characters that a decoded text must have to say anything


@dataclass(frozen=True, slots=True, kw_only=True)
class Layer:
    """One text. `path` names the decodings that led to it, the outermost first; the file itself has none.

    `line` is where in the file it begins. `spread` is true where its own lines are those of the file.
    """

    text: str
    path: tuple[str, ...] = ()
    line: int = 1
    spread: bool = True

    def line_of(self, offset: int) -> int:
        """The line in the file of a place in this text."""
        return self.line + self.text.count("\n", 0, offset) if self.spread else self.line


def layers(text: str) -> list[Layer]:
    """The text itself, and every layer below it, the nearest first."""
    found = [Layer(text=text)]
    seen = {text}
    left = MOST_CHARACTERS
    for layer in found:  # it grows meanwhile
        if len(layer.path) >= DEEPEST:
            continue
        for below in _below(layer):
            if len(found) >= MOST_LAYERS or left <= 0:
                return found
            if below.text in seen:
                continue
            seen.add(below.text)
            left -= len(below.text)
            found.append(below)
    return found


def _below(layer: Layer) -> Iterator[Layer]:
    for name, rewritten in _rewritten(layer.text):
        if rewritten != layer.text:
            path = (*layer.path, name)
            yield Layer(text=rewritten, path=path, line=layer.line, spread=layer.spread)
    for name, offset, decoded in _coded(layer.text):
        if len(decoded.strip()) >= SHORTEST and _readable(decoded):
            path = (*layer.path, name)
            yield Layer(text=decoded, path=path, line=layer.line_of(offset), spread=False)


# -- the whole text, written differently: its lines stay what they are


def _rewritten(text: str) -> Iterator[tuple[str, str]]:
    if not text.isascii():
        plain = "".join(c for c in text if c not in INVISIBLE)
        yield "invisible characters", plain
        yield "look-alike letters", unicodedata.normalize("NFKC", plain).translate(LOOKALIKES)
    if "%" in text:
        yield "url", _PERCENT.sub(lambda found: _one_line(unquote(found[0], errors="replace")), text)
    if "\\" in text:
        yield "escapes", _ESCAPES.sub(_unescaped, text)
    if "&#" in text:
        yield "entities", _ENTITIES.sub(lambda found: _one_line(html.unescape(found[0])), text)
    if _JOINT.search(text):
        yield "joined strings", _JOINT.sub("", text)
    if "=" in text and _PUT_IN.search(text):
        yield "variables", _with_values(text)
    if re.search(r"rot_?13|A-Za-z.{1,3}N-ZA-M", text, re.I):
        yield "rot13", codecs.decode(text, "rot13")
    if re.search(r"\[::-1\]|\brev\b|reverse\(\)|reversed\(", text):
        yield "reversed", _QUOTED.sub(lambda found: found[0][::-1], text)


# A name that a constant text is given, and where it is put in: shells, templates, formatted strings.
_CONSTANT = re.compile(
    r"""(?:^|[\s;&(,])\$?(?P<name>[A-Za-z_]\w{0,30})[ ]?=[ ]?(?:"\$\(printf ')?"""
    r"""(?:(?P<q>["'])(?P<value>[^"'\n`\\]{1,120})(?P=q)|(?P<bare>[\w./:$-]{1,60}))(?:\)")?(?=[\s;&,)]|$)""",
    re.M,
)
_PUT_IN = re.compile(r"\$\{(\w{1,31})\}|\$\(?([A-Za-z_]\w{0,30})\)?|(?<=[\w\"'/ {])\{(\w{1,31})\}")
MOST_CONSTANTS = 200


def _with_values(text: str) -> str:
    """The text with the constants put in that its names stand for."""
    values: dict[str, str] = {}

    def put(found: re.Match[str]) -> str:
        return values.get(found[1] or found[2] or found[3], found[0])

    for found in _CONSTANT.finditer(text):
        if len(values) >= MOST_CONSTANTS:
            break
        value = _PUT_IN.sub(put, found["value"] or found["bare"])
        if len(value) <= 200:
            values[found["name"]] = value
    return _PUT_IN.sub(put, text)


_PERCENT = re.compile(r"(?:%[0-9A-Fa-f]{2}[\w.~/:?=&+-]{0,80}){1,2000}")
_ESCAPES = re.compile(
    r"(?:\\x[0-9A-Fa-f]{2}|\\u[0-9A-Fa-f]{4}|\\u\{[0-9A-Fa-f]{2,5}\}|\\[0-3][0-7]{2}){3,5000}"
)
_ENTITIES = re.compile(r"(?:&#(?:\d{2,6}|[xX][0-9A-Fa-f]{2,5});){3,5000}")
# "cu" + "rl", also over the end of a line; without the line end, which would move what comes after it.
_JOINT = re.compile(r"""(?<=[\w/.:@ -])(?P<q>["'])[ \t]*\+[ \t]*(?P=q)(?=[\w/.:@ -])""")
_QUOTED = re.compile(r"""(?<=["'])[^"'\n]{8,4000}(?=["'])""")


def _written_out(name: str, found: re.Match[str]) -> str:
    if name == "escapes":
        return _unescaped(found)
    return _one_line(unquote(found[0], errors="replace") if name == "url" else html.unescape(found[0]))


def _one_line(text: str) -> str:
    """Without line ends, which would move what comes after it."""
    return text.replace("\n", " ")


def _unescaped(found: re.Match[str]) -> str:
    parts = re.findall(r"\\x([0-9A-Fa-f]{2})|\\u\{?([0-9A-Fa-f]{2,5})\}?|\\([0-3][0-7]{2})", found[0])
    codes = [int(octal, 8) if octal else int(byte or point, 16) for byte, point, octal in parts]
    return _characters(codes)


def _characters(codes: list[int]) -> str:
    return "".join(chr(each) if 0 < each < 0x110000 and each != 10 else " " for each in codes)


# -- parts of the text that stand for another text

_BASE64 = re.compile(
    r"(?<![\w+/=-])[A-Za-z0-9+/_-]{16,}={0,2}(?:\s+[A-Za-z0-9+/_-]{16,}={0,2})*"
    r"(?:\s+[A-Za-z0-9+/_-]{1,15}={0,2}(?!\S))?"  # the rest of what is broken into lines
)
_BASE32 = re.compile(r"(?<![\w=])[A-Z2-7]{24,}={0,6}(?!\w)")
_BASE85 = re.compile(r"[!-~]{20,}")
_HEX = re.compile(r"(?<![\w])(?:0x)?(?:[0-9A-Fa-f]{2}[ :,]?(?:0x)?){10,}(?![\w])")
_CODES = re.compile(r"(?:\b\d{2,3}\b[\s,;]{1,3}){7,}\d{2,3}\b")
_CHR = re.compile(r"(?:chr\(\s*(?:0x[0-9A-Fa-f]+|\d+)\s*\)[\s+.,|&]{0,4}){4,}")
_PIECES = re.compile(
    r"""[\[(]\s*(?:["'][A-Za-z0-9+/=_-]{2,}["']\s*,\s*){2,}["'][A-Za-z0-9+/=_-]{2,}["']\s*,?\s*[\])]"""
)
_PICTURE = re.compile(r"data:(?:image|font|audio|video)/[\w.+-]+;base64,$")
_QUOTES = "\"'`()[]<>,;"


def _coded(text: str) -> Iterator[tuple[str, int, str]]:
    for offset, decoded in tags_as_text(text):
        yield "unicode tags", offset, decoded
    for name, form in (("url", _PERCENT), ("escapes", _ESCAPES), ("entities", _ENTITIES)):
        for found in form.finditer(text):
            decoded = _written_out(name, found)
            if decoded.count(" ") >= 3:  # words, not an address
                yield name, found.start(), decoded
    for found in _BASE64.finditer(text):
        if not _PICTURE.search(text, max(0, found.start() - 60), found.start()):
            yield from _all(found, "base64", _base64)
    for found in _BASE32.finditer(text):
        yield from _all(found, "base32", _base32)
    for found in _HEX.finditer(text):
        yield from _all(found, "hex", _hex)
    for found in _CODES.finditer(text):
        yield "character codes", found.start(), _characters([int(n) for n in re.findall(r"\d+", found[0])])
    for found in _CHR.finditer(text):
        codes = re.findall(r"\(\s*(0x[0-9A-Fa-f]+|\d+)\s*\)", found[0])
        yield "character codes", found.start(), _characters([int(n, 0) for n in codes])
    for found in _PIECES.finditer(text):
        yield "joined strings", found.start(), "".join(re.findall(r"""["']([^"']*)["']""", found[0]))
    if "join(" in text:
        for found in _JOINED.finditer(text):
            pieces = re.findall(r"""'([^'\n]*)'|"([^"\n]*)\"""", found[0])
            yield "joined strings", found.start(), "".join(one or other for one, other in pieces)
    for found in _BASE85.finditer(text):
        yield from _all(found, "base85", _base85)


_JOINED = re.compile(
    r"""[\[(]\s*(?:(?:'[^'\n]{1,300}'|"[^"\n]{1,300}")\s*,\s*){2,200}(?:'[^'\n]{1,300}'|"
    r""[^"\n]{1,300}")\s*,?\s*[\])](?:\s*\)|\.join)"""
)


def _all(found: re.Match[str], name: str, decode: object) -> Iterator[tuple[str, int, str]]:
    assert callable(decode)
    for data in decode(found[0][:LONGEST_CODED]):
        for how, decoded in _texts(data):
            yield f"{name}{how}", found.start(), decoded


def _base64(coded: str) -> Iterator[bytes]:
    pieces = coded.split()
    for each in dict.fromkeys(("".join(pieces), "".join(pieces[:-1]), *pieces)):
        body = each.rstrip("=").replace("-", "+").replace("_", "/")
        if len(body) % 4 != 1:
            try:
                yield base64.b64decode(body + "=" * (-len(body) % 4), validate=True)
            except (binascii.Error, ValueError):
                continue


def _base32(coded: str) -> Iterator[bytes]:
    body = coded.rstrip("=")
    try:
        yield base64.b32decode(body + "=" * (-len(body) % 8))
    except (binascii.Error, ValueError):
        return


def _hex(coded: str) -> Iterator[bytes]:
    digits = re.sub(r"0x|[ :,]", "", coded)
    if len(digits) % 2 == 0:
        yield bytes.fromhex(digits)


def _base85(coded: str) -> Iterator[bytes]:
    framed = re.search(r"<~(.+?)~>", coded)
    for each in (framed[1] if framed else "", coded.strip(_QUOTES), *re.split(r"[\"'`]", coded)):
        if len(each) >= 20 and not each.isalnum():
            for decode in (base64.b85decode, base64.a85decode):
                try:
                    yield decode(each)
                except ValueError:
                    continue


def _texts(data: bytes) -> Iterator[tuple[str, str]]:
    """What bytes may be read as."""
    if data[:2] == b"\x1f\x8b" or (data[:1] == b"\x78" and data[1:2] in b"\x01\x5e\x9c\xda"):
        unpacked = _unpacked(data)
        if unpacked:
            yield " > compressed", unpacked.decode("utf-8", "replace")
    if len(data) % 2 == 0 and data[1::2].count(0) * 4 > len(data) * 1.5:
        yield "", data.decode("utf-16-le", "replace")
    else:
        try:
            yield "", data.decode("utf-8")
        except UnicodeDecodeError:
            return


def _unpacked(data: bytes) -> bytes:
    try:
        return zlib.decompressobj(wbits=47).decompress(data, MOST_CHARACTERS)
    except zlib.error:
        return b""


def _readable(text: str) -> bool:
    """Whether it is text at all: chance makes control characters and letters of many scripts."""
    fit = sum(c.isprintable() or c in "\n\r\t" for c in text)
    plain = sum(c.isascii() or "\u4e00" <= c <= "\u9fff" or c in "，。：；！？（）、" for c in text)
    return fit >= len(text) * 0.97 and plain >= len(text) * 0.9
