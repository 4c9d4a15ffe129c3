"""Advice on the description of a skill that loads: a model chooses by that text alone.

Agent Skills asks that a description say what the skill does and when to use it. Nothing here skips
anything, and each check rather misses a poor description than blames a good one: a language that a
check cannot read is left alone, and what a user is quoted as saying is not the author's own voice.
Word sets and prefixes, not large patterns: this runs for every skill of every package. Patterns
that few texts need are kept as text, which `re` compiles (and keeps) when one first does.
"""

from __future__ import annotations

import re
from itertools import islice
from typing import NamedTuple

from prowess.spec.diagnostics import Diagnostic, Place
from prowess.spec.model import Skill
from prowess.spec.rules import report

CONTENT_WORDS = 4  # fewer than this, besides filler, name no subject
HEARD = 1024  # characters; a longer description loads under the lenient profile alone

_HINTS = {
    "advice-description-vague": "name the things it works on and the words a user would say",
    "advice-description-slogan": "say it in the third person, without praise: Extracts text from PDF files.",
    "advice-description-name": "the name and version stand elsewhere; spend these words on what and when",
    "advice-description-what": "begin with what it does: Extracts tables from PDF files. Use when ...",
    "advice-description-when": "add the occasion: Use when the user asks for ... or mentions ...",
}


def advise(skill: Skill) -> tuple[Diagnostic, ...]:
    """What could be better about the description; nothing when it is good."""
    said = _heard(skill.description[:HEARD])
    found = {
        "advice-description-vague": _vague(said),
        "advice-description-slogan": _slogan(said),
        "advice-description-name": _repeats_name(skill, said),
        "advice-description-what": _only_when(said),
        "advice-description-when": _no_occasion(said),
    }
    if found["advice-description-vague"]:  # says neither what nor when: one piece of advice is enough
        found["advice-description-what"] = found["advice-description-when"] = ""
    place = Place(file=skill.path)
    return tuple(report(rule, place, text, hint=_HINTS[rule]) for rule, text in found.items() if text)


# -- hearing: the text without what others are quoted as saying, cut into sentences and words


class _Said(NamedTuple):
    text: str
    sentences: list[str]
    words: list[str]  # in lower case
    distinct: frozenset[str]
    spoken: str  # the words with one space around each, to look for phrases in
    cjk: int  # characters of Chinese, Japanese and Korean
    language: str  # "en", "cjk", or "" for what the checks cannot read


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_WORD = re.compile(r"[^\W_]+")
_QUOTED = re.compile(r"""\B'[^']*'\B|"[^"]*"|“[^”]*”|‘[^’]*’|«[^»]*»|「[^」]*」|『[^』]*』|`[^`]*`""")
_SENTENCE_END = re.compile(r"[.!?;](?=\s|$)|[。！？；]")

# Function words of other languages in the Latin alphabet: with two of them, a text is not English.
_NOT_ENGLISH = _words(
    """und oder das für mit wenn von auf les des une pour avec dans est lorsque los las para con cuando
    por del una quando per della gli com uma não het een voor wanneer met ett och som att"""
)


def _heard(description: str) -> _Said:
    quotes = not description.isascii() or any(mark in description for mark in "\"'`")
    text = (_QUOTED.sub(" phrase ", description) if quotes else description).strip()
    words = _WORD.findall(text.lower())
    cjk = 0 if text.isascii() else sum(map(_is_cjk, text))
    spoken = f" {' '.join(words)} "
    distinct = frozenset(words)
    language = _language(text, distinct, cjk)
    return _Said(text, _sentences(text), words, distinct, spoken, cjk, language)


def _is_cjk(character: str) -> bool:
    return "\u3040" <= character <= "\u9fff" or "\uac00" <= character <= "\ud7af"


def _language(text: str, words: frozenset[str], cjk: int) -> str:
    if cjk:
        return "cjk" if cjk * 4 >= sum(map(str.isalpha, text)) else ""
    if not text.isascii() and sum(c.isalpha() and not c.isascii() for c in text) * 20 > len(text):
        return ""
    return "en" if len(_NOT_ENGLISH.intersection(words)) < 2 else ""


def _sentences(text: str) -> list[str]:
    return [part.strip() for part in _SENTENCE_END.split(text) if part.strip()]


# -- vague

FILLER = _words(
    """a an and any anything are as at be by can do does everything for from general good great handy
    help helper helpers helpful helping helps in is it its lets many me more my of on or other our
    skill skills some something stuff task tasks that the their them these thing things this to tool
    tools use used useful user users uses using various very when whenever with work working works you
    your"""
)
_EMPTY_PHRASES = tuple(
    f" {first} {last} "
    for first in ("various", "different", "many", "all kinds of", "general", "helps with", "do", "does")
    for last in ("things", "stuff", "tasks", "everything", "purposes")
)
_EMPTY_CJK = ("各种任务", "各种事情", "各种事务", "各种工作", "各种东西", "很多事情", "万能", "有用的工具")


def _vague(said: _Said) -> str:
    content = sum(map(str.isascii, said.distinct - FILLER)) + said.cjk / 2
    if said.cjk == 0 and not said.text.isascii():
        content += len(said.words)  # a script that the filler does not know
    if content >= 2 * CONTENT_WORDS:
        return ""
    empty = any(p in said.spoken for p in _EMPTY_PHRASES) or any(p in said.text for p in _EMPTY_CJK)
    if empty:
        return "the description does not name what the skill works on"
    return "the description is too short to be chosen by" if content < CONTENT_WORDS else ""


# -- slogans

_FIRST_PERSON = (
    *(
        "I ",
        "I'm ",
        "I’m ",
        "I'll ",
        "I’ll ",
        "I've ",
        "I’ve ",
        "We ",
        "We're ",
        "We’re ",
        "We'll ",
        "We’ll ",
    ),
    *("Let me ", "Let us ", "Let's ", "Let’s ", "My ", "Our ", "Hi ", "Hi, ", "Hello", "Welcome "),
    *("我是", "我会", "我能", "我可以", "我帮", "我来", "我们", "让我", "大家好", "你好", "欢迎使用"),
)
_PRAISE = (
    *(" game changer ", " game changing ", " revolutionize ", " revolutionizes ", " revolutionary "),
    *(" supercharge ", " supercharges ", " world class ", " best in class ", " unleash ", " unleashes "),
    *(" one stop ", " mind blowing ", " unlock the power ", " unlock the full potential "),
)
_PRAISE_WORDS = frozenset(each.split()[0] for each in _PRAISE)
_PRAISE_FIRST = (" the ultimate ", " your ultimate ", " the best ", " the most powerful ", " the only ")
_PRAISE_CJK = ("史上最", "神器", "最强大", "一站式", "颠覆性")


def _slogan(said: _Said) -> str:
    if any(each.startswith(_FIRST_PERSON) for each in said.sentences):
        return "the description speaks in the first person"
    praise = said.spoken.startswith(_PRAISE_FIRST)
    if not praise and not _PRAISE_WORDS.isdisjoint(said.distinct):
        praise = any(p in said.spoken for p in _PRAISE)
    if praise or (said.cjk and any(p in said.text for p in _PRAISE_CJK)):
        return "the description praises the skill instead of describing it"
    return ""


# -- its own name and version


def _repeats_name(skill: Skill, said: _Said) -> str:
    name = skill.name.split("-")
    before = 1 if said.words[:1] == ["the"] else 0
    opens = said.words[before : before + len(name)] == name
    if opens and _heads(before + len(name), said.text, written=said.text.startswith(skill.name)):
        return "the description begins with the skill's own name"
    version = skill.metadata.get("version", "").lstrip("vV")
    if "." in version and version in said.text:
        told = rf"(?:\bversion\s*|\bv|版本\s*){re.escape(version)}(?![\w.]*\d)"
        if re.search(told, said.text, re.IGNORECASE):
            return "the description gives the skill's own version"
    return ""


_AFTER_A_HEADING = r"\s+skill\b|\W*(?:v(?:ersion\s*)?)?\d+(?:\.\d+)+|\W*$"
_AFTER_A_WRITTEN_NAME = rf"{_AFTER_A_HEADING}|\s*[:：–—]|\s+-\s"  # in words of its own, it names a product


def _heads(words: int, text: str, *, written: bool) -> bool:
    """Whether the first words are a heading (`name:`, `name v1.2`) and not part of a sentence."""
    first = list(islice(_WORD.finditer(text), words))
    if not first or first[0].start() > 0:
        return False
    after = _AFTER_A_WRITTEN_NAME if written else _AFTER_A_HEADING
    return re.match(after, text[first[-1].end() :], re.IGNORECASE) is not None


# -- what and when

_OCCASION = _words(
    """when whenever before after upon use used usage trigger triggers triggered invoke invoked activate
    activated activates ask asks asked asking mention mentions mentioned request requests wants want
    need needs needed suitable ideal applies intended must load consult"""
)
_OCCASION_PHRASES = (
    " if the ",
    " if a ",
    " if you ",
    " in case ",
    " for questions ",
    " for tasks ",
    " for any ",
)
_OCCASION_CJK = (
    *("时候", "用于", "用於", "适用", "適用", "适合", "如果", "用户", "用戶", "使用", "需要", "触发", "觸發"),
    *("场景", "場景", "要求", "想要", "提到", "询问", "请求", "场合", "一旦", "之前", "之后", "凡是"),
    *("とき", "場合", "際", "たい", "ユーザー", "使う", "때", "경우", "요청", "사용"),
)
_AT_THE_TIME = r"当(?![前地天])|(?<![实及小同定按即临延])[时時](?=[\s，,。；;、：:调触にはの]|$)"
_OPENING = _words(
    """always must should use used invoke invoked trigger triggers activate activates apply applies load call
    when whenever if before after every any"""
)
_OPENS_WITH_OCCASION = (
    r"(?i:(?:(?:always |must be |should be )?"
    r"(?:use|used|invoke|invoked|trigger|triggers|activate|activates|apply|applies|load|call)\b"
    r"(?: (?:this|it|the))?(?: skill)?,? )?(?:when|whenever|if|before|after|every time|any time)\b)"
)
_ONLY_OCCASION_CJK = r"(?:当|如果).*时候?[，,]?(?:请?(?:使用|调用|触发|启用))?(?:此|该|本|这个)?(?:技能)?"


def _no_occasion(said: _Said) -> str:
    if not said.language or not _OCCASION.isdisjoint(said.distinct):
        return ""
    if any(phrase in said.spoken for phrase in _OCCASION_PHRASES):
        return ""
    if said.cjk and (any(cue in said.text for cue in _OCCASION_CJK) or re.search(_AT_THE_TIME, said.text)):
        return ""
    return "the description does not say when to use the skill"


def _only_when(said: _Said) -> str:
    if said.language == "en":
        # Nearly every sentence is ruled out by its first word, without the pattern.
        opens = not _OPENING.isdisjoint(said.words[:1])
        only = opens and all(re.match(_OPENS_WITH_OCCASION, each) for each in said.sentences)
    else:
        only = said.language == "cjk" and all(
            re.fullmatch(_ONLY_OCCASION_CJK, each) for each in said.sentences
        )
    return "the description says when to use the skill, not what it does" if only else ""
