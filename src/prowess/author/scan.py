"""Reads what would be given to a model, and what it would run, for what should make a person look twice.

Pure: files as bytes in, findings out. Texts are decoded layer by layer first (`scan_layers`), then a
small set of rules is held against each: sentences in English and Chinese, commands, what flows from one
line to another, what is hidden. Findings are not proof: an honest text may have one, and a clever one
none. Nothing is run, fetched or followed.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from prowess.author.scan_chinese import CHINESE
from prowess.author.scan_commands import COMMANDS
from prowess.author.scan_context import View, spoken_about, view_of
from prowess.author.scan_flow import flows
from prowess.author.scan_hidden import hidden_characters, hidden_spans, hidden_texts
from prowess.author.scan_layers import Layer, layers
from prowess.author.scan_patterns import Pattern
from prowess.author.scan_prose import PROSE
from prowess.author.scan_told import told
from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.rules import report

LARGEST = 1 << 20  # bytes of a text that is read
SECONDS = 20.0  # for one file; what takes longer is a finding by itself
MOST_CELLS = 2_000  # of a notebook
SHOWN = 160  # characters of an excerpt
MOST = 20  # findings of one rule in one file
PIECE, OVERLAP = 4_000, 500  # characters that a pattern sees at once
HINT = "read it in full; if it is meant, and you trust who wrote it, suppress it with a reason"


@dataclass(frozen=True, slots=True, kw_only=True)
class Finding:
    """One thing that a person should look at.

    `says` is what the text does there. `excerpt` is the place itself, decoded and fit to print.
    `layers` names how it was decoded, the outermost first; empty where it stands in the file as it is.
    `reason` is why it is suppressed; empty where it is not.
    """

    rule: str
    place: Place
    says: str
    excerpt: str = ""
    layers: tuple[str, ...] = ()
    reason: str = ""

    @property
    def message(self) -> str:
        """What was found, in one line."""
        decoded = f", decoded from {' > '.join(self.layers)}" if self.layers else ""
        return f"{self.says}{decoded}" + (f": {self.excerpt}" if self.excerpt else "")

    def diagnostic(self) -> Diagnostic:
        """The same, as `check` reports what it finds."""
        return report(self.rule, self.place, self.message, hint=HINT)


def scan_files(files: Mapping[str, bytes]) -> tuple[Finding, ...]:
    """What is found in files, by their paths with `/`; sorted by place, one for a rule and a line."""
    read = (path for path in sorted(files) if not _is_cache(path, files))
    abouts = {path.rpartition("/")[0]: _about(files[path]) for path in files if path.endswith("SKILL.md")}
    return tuple(each for path in read for each in scan_file(path, files[path], _nearest(path, abouts)))


_DESCRIBED = re.compile(
    rb"\A(?:\xef\xbb\xbf)?---\r?\n.{0,4000}?^description:(?P<text>.{0,1200}?)^(?=[\w-]+:|---)", re.S | re.M
)


def _about(data: bytes) -> str:
    """What a skill says of itself, at the top of its SKILL.md."""
    found = _DESCRIBED.search(data[:8_000])
    return found["text"].decode("utf-8", "replace") if found is not None else ""


def _nearest(path: str, abouts: Mapping[str, str]) -> str:
    """The description of the skill that a file belongs to; empty where it belongs to none."""
    while path:
        path = path.rpartition("/")[0]
        if path in abouts:
            return abouts[path]
    return ""


_CACHED = re.compile(r"(?P<above>(?:.*/)?)__pycache__/(?P<name>[\w-]+)\.[\w.-]+\.pyc")


def _is_cache(path: str, files: Mapping[str, bytes]) -> bool:
    """Whether a file is bytecode that Python made of a source that is there too."""
    found = _CACHED.fullmatch(path)
    return found is not None and f"{found['above']}{found['name']}.py" in files


def scan_file(path: str, data: bytes, about: str = "") -> list[Finding]:
    """What is found in one file of a skill that says `about` of itself."""
    if (opaque := _opaque(data)) is not None:
        return [Finding(rule="scan-opaque-code", place=Place(file=path), says=opaque)]
    text = _text(data[:LARGEST])
    if text is None:
        return []
    found = scan_text(path, text, about)
    if path.endswith(".ipynb"):
        found += _in_cells(path, text, about)
    if len(data) > LARGEST:
        says = f"is longer than {LARGEST} bytes; what follows was not read"
        found.append(Finding(rule="scan-unread", place=Place(file=path), says=says))
    return found


def _in_cells(path: str, text: str, about: str) -> list[Finding]:
    """What is found in the cells of a notebook, each read as the program or page that it is."""
    try:
        cells = json.loads(text)["cells"]
        sources = [("".join(each["source"]), each["cell_type"]) for each in cells]
        sources += [(text, "output") for each in cells for text in _printed(each)]
    except (ValueError, KeyError, TypeError, RecursionError):
        return []
    found = []
    for source, kind in sources[:MOST_CELLS]:
        first = json.dumps(source.split("\n")[0], ensure_ascii=False)[1:-1]
        line = text.count("\n", 0, max(0, text.find(first))) + 1
        ending = {"code": ".py", "output": ".xml"}.get(kind, ".md")
        for each in scan_text(path + ending, source, about):
            place = Place(file=path, line=line + (each.place.line or 1) - 1)
            found.append(replace(each, place=place))
    return found


def _printed(cell: object) -> Iterator[str]:
    """What a cell of a notebook has printed, which a model reads as it reads the rest."""
    outputs = cell.get("outputs") if isinstance(cell, dict) else None
    for each in outputs if isinstance(outputs, list) else []:
        text = each.get("text") if isinstance(each, dict) else None
        if isinstance(text, str) or (isinstance(text, list) and all(isinstance(one, str) for one in text)):
            yield "".join(text)


def scan_text(path: str, text: str, about: str = "") -> list[Finding]:
    """What is found in one text, by rule and line, each once."""
    deadline = time.monotonic() + SECONDS
    found: dict[tuple[str, int], Finding] = {}
    counts: dict[str, int] = {}
    for layer in layers(text):
        for each in _in_layer(path, layer, deadline, about):
            key = (each.rule, each.place.line or 1)
            if key not in found and counts.get(each.rule, 0) < MOST:
                found[key] = each
                counts[each.rule] = counts.get(each.rule, 0) + 1
    return sorted(found.values(), key=lambda each: (each.place.line or 0, each.rule))


def _in_layer(path: str, layer: Layer, deadline: float, about: str) -> Iterator[Finding]:
    view = view_of(layer.text, path if layer.spread else "", about)

    def finding(rule: str, says: str, start: int, end: int) -> Finding:
        place = Place(file=path, line=layer.line_of(start))
        return Finding(
            rule=rule, place=place, says=says, excerpt=_excerpt(view.flowed, start, end), layers=layer.path
        )

    if not layer.path:
        for each in () if view.samples and view.kind == "data" else hidden_characters(layer.text):
            yield finding(*each)
        for each in hidden_texts(view):
            yield finding(*each)
    hidden = hidden_spans(view)
    for pattern, start, end in _matches(view, deadline):
        if pattern is None:
            yield finding("scan-unread", "takes longer to read than any honest text", 0, 0)
            return
        if _counts(pattern, layer, view, hidden, start, end):
            yield finding(pattern.rule, pattern.says, start, end)
    for rule, says, start, end in told(view, sure=not layer.spread, until=deadline):
        yield finding(rule, says, start, end)
    if time.monotonic() > deadline:
        yield finding("scan-unread", "takes longer to read than any honest text", 0, 0)
        return
    for start, end in _programs(view):
        for flow in flows(view.flowed[start:end]):
            yield finding(flow.rule, flow.says, start + flow.start, start + flow.end)
    if not layer.spread and (holds := _payload(layer)):
        yield finding("scan-encoded-payload", holds, 0, len(layer.text))


def _counts(
    pattern: Pattern, layer: Layer, view: View, hidden: tuple[tuple[int, int], ...], start: int, end: int
) -> bool:
    """Whether a match is said, not spoken about; what is encoded or hidden is never only spoken about."""
    if not pattern.quotable or not layer.spread or any(low <= start < high for low, high in hidden):
        return True
    return not spoken_about(view, start, end)


def _matches(view: View, deadline: float) -> Iterator[tuple[Pattern | None, int, int]]:
    pieces = [(start, end, view.flowed[start:end].lower()) for start, end in _pieces(view.flowed)]
    chinese = re.search("[\u4e00-\u9fff]", view.flowed) is not None
    for pattern in (*PROSE, *COMMANDS, *(CHINESE if chinese else ())):
        for start, end, lower in pieces:
            if pattern.needs and not any(each in lower for each in pattern.needs):
                continue
            if time.monotonic() > deadline:
                yield None, 0, 0
                return
            for found in pattern.regex.finditer(view.flowed, start, end):
                if pattern.check is None or pattern.check(found):
                    yield pattern, found.start(), found.end()


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    """Spans of text that no pattern reaches beyond, cut at empty lines where there are any."""
    at = 0
    while at < len(text):
        end = min(at + PIECE, len(text))
        if end < len(text) and (gap := text.rfind("\n\n", at + OVERLAP, end)) > 0:
            end = gap
            yield at, end
            at = end
        else:
            yield at, end
            at = end if end == len(text) else end - OVERLAP


def _programs(view: View) -> list[tuple[int, int]]:
    """Where programs stand: a file of code, or the code blocks of a page, each by itself and all together."""
    if view.kind == "code":
        return [(0, len(view.flowed))]
    if view.kind == "data" and view.text.count("\n") > 1:
        return [(0, len(view.flowed))]
    return list(view.fences)


# -- what was decoded

_TELLING = re.compile(
    r"\b(?:curl|wget)\s+\S*[-\w]*\s*\S*(?:https?:|\$|-)|\b(?:ba|z|da)?sh\s+-[ci]\b|\bpowershell\b|"
    r"\b(?:exec|eval|os\.system|subprocess\.\w+|child_process|__import__|execSync)\s*\(|\bimport\s+(?:os|"
    r"socket|subprocess|requests|urllib)\b|"
    r"\brm\s+-rf?\b|/dev/tcp/|\bchmod\s+\+x|/etc/(?:passwd|shadow)|(?:~|\$HOME)/\.(?:ssh|aws|gnupg)|"
    r"\bnc\s+-|\bcrontab\b|\bInvoke-(?:Expression|WebRequest|RestMethod)\b|\bIEX\b|\bignore (?:all |"
    r"any )?(?:previous|prior)\b|\b(?:do not|don't) (?:tell|inform|mention)\b|"
    r"\b(?:send|upload|post|exfiltrate) (?:\w+ ){0,6}to https?://|忽略|不要告诉|上传到",
    re.I,
)
_ADDRESS = re.compile(r"^\s*(?:https?://|www\.)[\w.-]+\.[\w]{2,}[^\s]*\s*$", re.I)


def _payload(layer: Layer) -> str:
    """What an encoded text holds that it would not be encoded for; empty where it may be anything."""
    if layer.path[-1] == "unicode tags":
        return ""  # reported as hidden characters
    if _TELLING.search(layer.text):
        return "hides a command or an instruction"
    if _ADDRESS.match(layer.text) and "w3.org" not in layer.text:
        return "hides an address"
    return ""


# -- bytes

_PROGRAMS = {
    b"\x7fELF": "an ELF program",
    b"MZ": "a Windows program",
    b"\xcf\xfa\xed\xfe": "a Mach-O program",
    b"\xce\xfa\xed\xfe": "a Mach-O program",
    b"\xca\xfe\xba\xbe": "a Java class or a Mach-O program",
    b"\x00asm": "a WebAssembly program",
}
_BYTECODE = re.compile(rb"^..\r\n.{4}", re.S)


def _opaque(data: bytes) -> str | None:
    """What kind of program nobody can read this is, if it is one."""
    if b"\0" not in data[:4096]:
        return None
    for magic, name in _PROGRAMS.items():
        if data.startswith(magic):
            return f"is {name}, which cannot be read"
    if _BYTECODE.match(data) and len(data) > 16 and data[16:17] in b"\xe3\x63":
        return "is Python bytecode, which cannot be read"
    return None


def _text(data: bytes) -> str | None:
    """The text of a file, None for a picture or the like."""
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        return data.decode("utf-16", "replace")
    if b"\0" in data[:8192]:
        return None
    return data.decode("utf-8-sig", "replace").replace("\r\n", "\n")


def _excerpt(text: str, start: int, end: int) -> str:
    """A place with a little around it, in one line, fit to print."""
    begin = text.rfind("\n", 0, start) + 1
    begin = begin if start - begin < 40 else start
    cut = " ".join(text[begin : min(end + 40, begin + 4 * SHOWN)].split())
    return printable(cut, SHOWN)
