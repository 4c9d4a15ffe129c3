"""Where in a text something stands: in prose or code, and whether it is said or only spoken about. Pure.

A skill that teaches how to spot an attack quotes the attack. What tells the two apart is the sentence
around the match, the line that leads into a list, the heading: somebody who forbids, detects or
describes says so there. It is a reading, not a proof; what is hidden or encoded gets none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

Kind = Literal["prose", "code", "data"]

_CODE = (
    "py pyw sh bash zsh fish ps1 psm1 bat cmd js mjs cjs ts tsx jsx rb pl php lua go rs java kt swift c cc "
    "cpp cs r sql vbs applescript scpt awk"
)
CODE_ENDINGS = frozenset(_CODE.split())
DATA_ENDINGS = frozenset(
    [
        "json",
        "jsonc",
        "yaml",
        "yml",
        "toml",
        "ini",
        "cfg",
        "conf",
        "env",
        "plist",
        "xml",
        "html",
        "svg",
        "csv",
        "tsv",
        "lock",
    ]
)

# A line that goes on with the paragraph above, and one that no other line goes on with.
_GOES_ON = re.compile(r"[ \t]{0,8}(?:[^\s\-*+#>|`~\d:<=_]|`(?!`))")
_STANDS_ALONE = re.compile(r"\s*$|\s*#{1,6}\s|\s*\||\s*(?:`{3}|~{3})|[-=*_ ]{3,}$|[\w-]+:(?:\s|$)")
_CONTINUED = re.compile(r"[\\`^]\r?\n")  # of a command: Unix shells, PowerShell, cmd
_COMMENTED = re.compile(r"(?<=[\w,])\n[ \t]*(?:#|//|\*|--)[ \t](?=[a-z\u4e00-\u9fff])")
_FENCE = re.compile(
    r"^[ \t]{0,12}(?P<mark>`{3,}|~{3,})(?P<word>[^\n`]*)\n(?P<body>.*?)(?:^[ \t]{0,12}(?P=mark)|\Z)",
    re.M | re.S,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class View:
    """One text as rules see it. `flowed` has the same length, with paragraphs and commands in one line each.

    `fences` are the spans of code blocks in Markdown; a whole file of code is one. `hosts` are those that
    the description of the skill names as its own; `teaches` is true where it says that it is about attacks,
    `samples` where it says that it tests with them: its data holds some.
    """

    text: str
    flowed: str
    kind: Kind
    fences: tuple[tuple[int, int], ...] = field(default=())
    hosts: tuple[str, ...] = ()
    teaches: bool = False
    samples: bool = False

    def in_code(self, offset: int) -> bool:
        """Whether a place is in code."""
        return self.kind == "code" or any(start <= offset < end for start, end in self.fences)


def view_of(text: str, file: str, about: str = "") -> View:
    """The view of a text of that file, in a skill that is described as `about`."""
    ending = file.rpartition(".")[2].lower() if "." in file.rpartition("/")[2] else ""
    hosts = tuple(each.lower() for each in _HOST.findall(about)[:8])
    teaches = _TEACHES.search(about) is not None
    samples = teaches and _TESTS.search(about) is not None
    if ending in CODE_ENDINGS or text.startswith("#!") or _RECIPE.search(file):
        flowed = _COMMENTED.sub(_blanks, _CONTINUED.sub(_blanks, text))
        return View(text=text, flowed=flowed, kind="code", fences=((0, len(text)),), hosts=hosts)
    found = list(_FENCE.finditer(text))
    fences = tuple(each.span("body") for each in found)
    kind: Kind = "data" if ending in DATA_ENDINGS else "prose"
    if ending in _LINES:
        flowed = text
    else:
        flowed = _flowed(text, fences, [_PLAIN.fullmatch(each["word"].strip()) is not None for each in found])
    return View(
        text=text, flowed=flowed, kind=kind, fences=fences, hosts=hosts, teaches=teaches, samples=samples
    )


_RECIPE = re.compile(
    r"(?:^|/)(?:Makefile|GNUmakefile|Dockerfile|Containerfile|Jenkinsfile|Rakefile|justfile)$|\.mk$"
)
_LINES = frozenset({"json", "jsonc", "csv", "tsv", "lock", "env", "ini"})  # nothing goes on in the next line
_PLAIN = re.compile(r"(?:te?xt|markdown|md|plain(?:text)?|prompt|none)?", re.I)
_HOST = re.compile(r"(?<![\w.@-])(?:[\w-]+\.)+[a-z]{2,}(?![\w-])", re.I)
# What a skill says of itself that teaches, finds or reviews attacks.
_TEACHES = re.compile(
    r"\b(?:injections?|malicious|malware|phishing|attacks?|attackers?|exploit\w*|exfiltrat\w+|"
    r"reverse shells?|backdoors?|threats?|"
    r"suspicious|vulnerab\w+|dangerous|risky|unsafe|insecure|harden\w*|hardening|security (?:review|"
    r"audit|awareness|training|check)\w*|"
    r"forensic\w*|capture[- ]the[- ]flag|forged|spoof\w*|fraud\w*|scams?|vet(?:s|ting)?\b|bad skills|"
    r"incident|triage|red[- ]?team\w*|pentest\w*|ctf|xss|obfuscat\w+|social engineering|"
    r"permission settings)\b|"
    r"注入|恶意|攻击|钓鱼|危险|木马|漏洞|安全(?:审查|审计|培训|意识|检查)|取证|诈骗|应急|排查|勒索|后门|"
    r"挖矿|伪造",
    re.I,
)


_ATTACK = r"(?:injections?|attacks?|jailbreaks?|malicious|adversarial|hostile)"
_HELD = r"(?:tests?|suites?|corpus|cases|strings|samples?|fixtures|payloads)"
_TESTS = re.compile(rf"\b{_ATTACK}\b.{{0,30}}\b{_HELD}\b|\b{_HELD}\b.{{0,30}}\b{_ATTACK}\b", re.I)


def _flowed(text: str, fences: tuple[tuple[int, int], ...], plain: list[bool]) -> str:
    parts, at = [], 0
    for (start, end), prose in zip((*fences, (len(text), len(text))), (*plain, False), strict=True):
        parts.append(_paragraphs(text[at:start]))
        body = text[start:end]
        parts.append(_paragraphs(body) if prose else _CONTINUED.sub(_blanks, body))
        at = end
    return "".join(parts)


def _paragraphs(text: str) -> str:
    """The text with each paragraph and list item in one line."""
    lines = text.split("\n")
    parts = [lines[0]]
    for above, line in pairwise(lines):
        parts.append(" " if _GOES_ON.match(line) and not _STANDS_ALONE.match(above) else "\n")
        parts.append(line)
    return "".join(parts)


def _blanks(found: re.Match[str]) -> str:
    return " " * len(found[0])


# -- said, or spoken about

# A "not" before these forbids nothing that is shown: it keeps quiet, hurries, or says what for.
_NO_PROHIBITION = (
    r"(?! (?:(?:even |ever |just )?(?:list|show|mention|say|warn|wait|confirm|worry|bother|hesitate|forget|"
    r"question|"
    r"skip|stop|attract|draw|raise|arouse|announce|notify|inform|(?:ask|tell)(?! (?:\w+ ){0,3}to\b))))"
)
_FORBIDS = (
    r"\b(?:(?:never|do(?:es)? not|don'?t|doesn'?t|must(?: not|n'?t)|should(?: not|n'?t)|can ?not|can'?t|"
    rf"won'?t|will not|may not)\b{_NO_PROHIBITION}|avoid\w*|(?<!about to )refus(?:e|es|ed|ing)|reject\w*|"
    r"block(?:s|ed|ing|list\w*)|(?<!the )(?<!this )(?<!following )(?<!a )block\b|"
    rf"den(?:y|ies|ied|ying|ylist)|"
    r"forbid\w*|forbidden|prohibit\w*|disallow\w*|prevent(?:s|ed|ing)|stop(?:s|ped) (?:you|it|an agent)|"
    r"guard(?:s|ing)? against|protect(?:s|ed|ing)? against|instead of|rather than)\b"
)
_DESCRIBES = (
    r"\b(?:detect\w*|flag(?:s|ged|ging)?\b(?! -)|watch(?:ing|es)? (?:out )?for|beware|"
    r"(?:code|scripts?|texts?|hooks?|programs?) (?:that|which)|"
    r"warn(?:s|ing)? (?:about|against|if|when)|red flags?|anti-?patterns?|attack(?:s|er|ers|ing)?|"
    r"malicious|suspicious|dangerous|unsafe|insecure|vulnerab\w+|injections?|inject(?:ed|s|ing)|phish\w+|"
    r"jailbreak\w*|"
    r"exploit\w*|malware|adversar\w+|threats?|payloads?|indicators?|signatures?|"
    r"attempt(?:s|ed|ing)? to|tr(?:y|ies|ied|ying) to|"
    r"(?:(?:ask|tell|instruct|direct)(?:s|ed|ing)|(?:that|which|who|may|might|can|could|would|will|"
    r"to) (?:ask|tell|"
    r"instruct|direct)|(?:trick|convince|persuade)(?:s|d|ed|ing)?) (?:you|it|the \w+|an? \w+|"
    r"users?) to|claim(?:s|ing)? to|"
    r"bad example|wrong|destructive|risky|denied|blocked|rejected|deny list|red[- ]?team\w*|untrusted|"
    r"examples? of|phrases? (?:like|such as))\b"
)
# What somebody else says, when it stands in quotes.
_ATTRIBUTES = re.compile(
    r"\b(?:such as|for instance|for example|e\.g\.|that (?:says?|reads?|asks?|tells?|contains?)|saying|"
    r"reading|"
    r"(?:texts?|sentences?|lines?|phrases?|messages?|words?) (?:like|as|such as))(?=[\s,:]|$)|藏着|写着|"
    r"诱导|诱骗|"
    r"冒充|自称|这样的|之类|这类",
    re.I,
)
_MARKS = r"[❌✗✘🚫⛔⚠]"
_FORBIDS_ZH = (
    r"(?:(?:不要|切勿|请勿|勿|禁止|严禁|不得|不能|不可|不应|避免|绝不|从不)"
    r"(?!.{0,6}(?:告诉|告知|提示|提及|提到|透露|询问|通知|展示|显示|等待|确认|说明))|"
    r"拒绝|阻止|拦截|防止|防范|杜绝|而不是|(?<![\u4e00-\u9fff])不(?=(?:执行|运行|解码|发送|上传|下载)))"
)
_DESCRIBES_ZH = (
    r"(?:检测|识别|警惕|仅供识别|攻击|恶意|可疑|危险|注入|钓鱼|越狱|漏洞|威胁|反例|错误示例|例如|"
    r"比如|诸如|试图|企图|不安全|风险|(?:如果|若|当|有人).{0,8}(?:让|要求|叫|请|命令)(?:你|助手|模型))"
)

# Looked for, in order to be warned of; not where the next word says what is done with it.
_LOOKS = re.compile(
    r"\b(?:scan(?:s|ning)? for|look(?:s|ing)? (?:out )?for|search(?:es|ing)? for|check(?:s|"
    r"ing)? (?:for|whether)|"
    r"grep(?:s|ping)?(?: for)?)\b|检查|扫描|查找",
    re.I,
)
_GOES_ON_TO = re.compile(r"(?:\b(?:and|then|to)|[,;]|并|然后|再|后|，|、)\s*(?:\w+ )?$", re.I)
_EXCUSES = re.compile(f"{_FORBIDS}|{_DESCRIBES}|{_MARKS}|{_FORBIDS_ZH}|{_DESCRIBES_ZH}", re.I)
_SENTENCE_END = re.compile(r"[.!?](?=[\s\"')\]]|$)|[。！？]|\n[ \t]*\n")
_LIST_ITEM = re.compile(r"[ \t]*(?:[-*+]|\d+[.)]|\|)\s?")
_QUOTE_OPEN = re.compile(r"[\"'“‘`「『«]\s*\S{0,20}$")
BEFORE, AROUND = 240, 160
_LEAD_LINES = 40


def spoken_about(view: View, start: int, end: int) -> bool:
    """Whether what stands from `start` to `end` is forbidden, detected or described rather than said."""
    text = view.flowed
    sentence = max(_last_end(text, start), start - BEFORE)
    line_start, line_end = text.rfind("\n", 0, start) + 1, _line_end(text, end)
    line = text[line_start:line_end]
    if view.kind == "data":
        if view.samples:
            return True
        opened = max(sentence, text.rfind('"', 0, start) + 1)
        return _EXCUSES.search(text, opened, start) is not None or _comment_excuses(line, start - line_start)
    if _EXCUSES.search(text, sentence, start):
        return True
    if _LOOKS.search(text, sentence, start) and not _GOES_ON_TO.search(text, sentence, start):
        return True
    if view.in_code(start):
        return _comment_excuses(line, start - line_start) or _led_in(view, line_start)
    after = text[end : min(line_end, end + AROUND)]
    within = _within_quotes(line, start - line_start, end - line_start)
    if within and (_ATTRIBUTES.search(text, sentence, start) or _ATTRIBUTES.search(after)):
        return True
    if line.startswith("|") and _EXCUSES.search(_table_head(text, line_start)):
        return True
    if view.teaches and (
        _is_shown_there(line, start - line_start, within) or (within and _is_sample(view, line_start))
    ):
        return True
    quoted = _QUOTE_OPEN.search(text, max(line_start, start - 24), start) is not None
    if _LIST_ITEM.match(line) or quoted:
        if _EXCUSES.search(after) or _EXCUSES.search(text, max(line_start, start - BEFORE), start):
            return True
        return _led_in(view, line_start)
    return False


# What leads from a sentence to what is to be done, not to what others do.
_ORDERS = re.compile(
    r"(?:^|[.!?:] )\W*(?:\d+[.)] )?(?:then |now |first |finally |always |next,? )?(?:run|open|execute|"
    r"use|start|apply|install|set|add|"
    r"call|type|enter|paste|tidy|clean|remove|delete|send|upload|post|write|append|put|create|copy|"
    r"fetch|download|disable|turn)\b[^`]*`[^`]*$|"
    r"\b(?:set-?up|install\w*|usage|commands?|steps?|first|next|then|now|fix|prerequisites?)\b[^`.]{0,20}"
    r"[:：] ?`[^`]*$|\b(?:run|execute|with|using|by) `[^`]*$|(?:执行|运行|"
    r"使用)[^`。]{0,10}`[^`]*$",
    re.I,
)


def _is_shown_there(line: str, at: int, within: bool) -> bool:
    """Whether a text about attacks shows something at a place, in quotes, a table or a quotation."""
    if line.lstrip().startswith(("|", ">")):
        return True
    if within and (
        line[:at].count('"') % 2
        or any(line.rfind(each[0], 0, at) > line.rfind(each[1], 0, at) for each in _QUOTES)
    ):
        return True
    return within and _ORDERS.search(line[:at]) is None


_SAMPLES = re.compile(
    r"\b(?:examples?|patterns?|signs?|indicators?|samples?|red flags?|incidents?|what to look for|"
    r"symptoms?)\b|"
    r"迹象|样例|示例|特征|例子",
    re.I,
)


def _is_sample(view: View, line_start: int) -> bool:
    """Whether the nearest heading of a text about attacks says that it shows some."""
    above = view.flowed[max(0, line_start - 4_000) : line_start]
    headings = re.findall(r"^#{1,6} .*", above, re.M)
    return bool(headings) and _SAMPLES.search(headings[-1]) is not None


def _table_head(text: str, line_start: int) -> str:
    """The first row of the table that a row stands in."""
    head = ""
    for line in reversed(text[max(0, line_start - 4_000) : line_start].split("\n")[:-1]):
        if not line.startswith("|"):
            break
        head = line
    return head


_QUOTES = ("“”", "‘’", "「」", "『』", "«»")


def _within_quotes(line: str, start: int, end: int) -> bool:
    """Whether a place in a line stands in quotes or inline code that a reader sees closed."""
    before, after = line[:start], line[end:]
    if any(before.count(mark) % 2 and mark in after for mark in '"`'):
        return True
    return any(before.rfind(pair[0]) > before.rfind(pair[1]) and pair[1] in after for pair in _QUOTES)


def _last_end(text: str, start: int) -> int:
    ends = [each.end() for each in _SENTENCE_END.finditer(text, max(0, start - 2 * BEFORE), start)]
    line = text.rfind("\n", 0, start) + 1
    return max([*ends, line])


def _line_end(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


_COMMENT = re.compile(r"(?:^|\s)(?:#|//|--|::|REM\b)(.*)")


def _comment_excuses(line: str, at: int) -> bool:
    """Whether the line's own comment says that it is an example of what not to do."""
    found = _COMMENT.search(line)
    return found is not None and _EXCUSES.search(found[1]) is not None


def _led_in(view: View, line_start: int) -> bool:
    """Whether the line or heading that leads to a list or code block excuses what stands in it.

    Looked at are the line right above the list or block, and the nearest heading.
    """
    lines = view.flowed[:line_start].split("\n")[-_LEAD_LINES:]
    own = view.flowed[line_start : line_start + 200]
    indent = len(own) - len(own.lstrip())
    steps_over = re.compile(r"\s*(?:$|[-*+|>]|\d+[.)]|```|~~~)")
    inside = view.kind != "code" and view.in_code(line_start)
    led = False
    for line in reversed(lines):
        if inside:  # up to the fence that opens the block; a comment in it counts as the line above
            if re.match(r"\s*(?:```|~~~)", line):
                inside = False
            elif _COMMENT.match(line) and _EXCUSES.search(line):
                return True
            continue
        if line.startswith("#") and view.kind != "code":
            return _EXCUSES.search(line) is not None
        depth = len(line) - len(line.lstrip())
        if _LIST_ITEM.match(line) and depth < indent and line.rstrip().endswith((":", "：")):
            indent = depth  # the item that this list stands under
            if _EXCUSES.search(line):
                return True
        if led or steps_over.match(line):
            continue
        if _EXCUSES.search(line):
            return True
        led = True
        if view.kind == "code":
            return _NAMES_A_LIST.search("\n".join(lines[-15:])) is not None
    return False


# In a program: a table of what is looked for or refused.
_NAMES_A_LIST = re.compile(
    r"(?:PATTERN|BLOCK|DENY|DENIED|SUSPICIOUS|FORBIDDEN|INJECTION|DANGEROUS|BANNED|BLACKLIST|REJECT|"
    r"MALICIOUS|UNSAFE)\w*\s*[:=]",
    re.I,
)
