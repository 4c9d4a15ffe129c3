"""What a paragraph tells a model to favour, to leave weak, to let pass or to hand on, and not to say so. "
"Pure.

Like `scan_told`, each rule is a few things that come together; here each of them is honest alone, and one
of them is nearly always that something stays unsaid.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from prowess.author import scan_deeds as deeds
from prowess.author import scan_hush as hush
from prowess.author import scan_tongues as tongues
from prowess.author.scan_passage import Answer, Passage, near

WIDEST = 1_600  # characters of a paragraph whose ends still belong together


def _unsaid(passage: Passage) -> bool:
    """Whether something is to be left out, or denied."""
    return passage.has(hush.HUSH) or passage.has(hush.DENIAL) or passage.has(tongues.CONCEAL)


def _exempt(passage: Passage, wider: Passage) -> Answer:
    """Somebody who is named is let pass, and it is not to be seen."""
    for part in near(passage, 3):
        if not part.has(hush.PASSES, hush.NAMED):
            continue
        unsaid = _unsaid(part)
        if unsaid and (part.has(hush.NO_LOOK) or _speaks_of_somebody(part)):
            return "scan-manipulation", "has somebody let pass who is named, and that left out"
        if part.has(hush.NO_LOOK) and part.has(hush.PASSES) and _FALSELY.search(part.text):
            return "scan-manipulation", "has somebody let pass who is named, whatever is true"
    return None


_FALSELY = re.compile(r"\b(?:report|explain|phrase|give|call|state|rate|rank)\b[^.\n]{0,60}\bas\b", re.I)
_SOMEBODY = re.compile(
    r"\b(?:invoices?|reviews? (?:of|by)|claims?|commits?|(?:pull|merge) requests?|changes?|candidates?|"
    r"cvs?|resumes?|packages?|"
    r"logins?|"
    r"tenders?|bids?|suppliers?|vendors?|authors?|orders?|transactions?|payments?|submissions?|applicants?|"
    r"reports?|"
    r"rechnungen|facturas|factures|fatture|patients?|files? (?:from|by))\b|发票|提交|报价|供应商|作者|简历|"
    r"销售方|счет\w*",
    re.I,
)


def _speaks_of_somebody(part: Passage) -> bool:
    return _SOMEBODY.search(part.text) is not None


def _biased(passage: Passage, wider: Passage) -> Answer:
    """Something that is named is put first for a reason that stays unsaid."""
    if not passage.has(hush.NAMED) or not (passage.has(deeds.PREFER) or _WINS.search(passage.text)):
        return None
    if passage.has(hush.DENIAL, hush.ABOUT_PAY):
        return "scan-manipulation", "has something recommended for a reason that is denied"
    signs = (
        passage.has(deeds.PAID),
        passage.has(hush.NO_LOOK),
        passage.has(hush.RIVALS),
        passage.has(hush.LEFT_OUT),
        passage.has(hush.DENIAL),
        passage.has(hush.HUSH),
    )
    unsaid = signs[3] or signs[4] or signs[5]
    if (unsaid and sum(signs) >= 2 and sum(signs[:5]) > signs[1]) or (
        signs[2] and _DEFAMES.search(passage.text)
    ):
        return "scan-manipulation", "has something recommended for a reason that is kept quiet"
    return None


_WINS = re.compile(r"\bso that [A-Z]\w+ wins?\b|\bempfiehl\b|\bat the head of\b", re.I)
_DEFAMES = re.compile(
    r"\b(?:say|warn|tell|claim|mention)\b[^.\n]{0,60}\b(?:rivals?|competitors?|others?|other \w+|another "
    r"\w+|they|it)\b"
    r"[^.\n]{0,60}\b(?:problems?|counterfeits?|fakes?|scams?|reports of|defects?|unsafe|overheat\w*|"
    r"recalls?)\b|"
    r"\breports of counterfeit",
    re.I,
)


def _left_weak(passage: Passage, wider: Passage) -> Answer:
    """Something made weak without a word about it; a guard sent away for raising a false alarm."""
    for part in near(passage, 2):
        if part.has(hush.WEAK, hush.MADE) and (_of_it(part) or part.has(tongues.CONCEAL)):
            return "scan-protection-off", "has something made weak, and not said so"
    for part in near(passage, 3):
        if part.has(deeds.GUARD, hush.COMPLAINS, hush.FALSE_ALARM, hush.AROUND):
            return "scan-protection-off", "has a guard sent away that would raise an alarm"
    return None


_IT = re.compile(
    r"^\W*(?:\w+ ){0,3}?(?:it|this|that|them|these|the (?:access|level|settings?|options?|change|lack|"
    r"absence))\b|"
    r"^\s*[.,;:]|^\s*(?:in|to) (?:the|any)\b|^\s*$|^[^\x00-\x7f]",
    re.I,
)


def _of_it(part: Passage) -> bool:
    """Whether what is left unsaid is what was named before, and no other matter."""
    found = part.at(hush.HUSH)
    if found is None:
        return False
    return (
        not found[0].isascii()
        or _IT.search(part.view.flowed[found.end() : min(part.end, found.end() + 60)]) is not None
    )


def _sent_along(passage: Passage, wider: Passage) -> Answer:
    """A credential that is sent to a stranger beside what it is for, named by a pronoun."""
    for part in near(passage, 3):
        strangers = part.strangers()
        if not strangers or not part.has(hush.SIGNS_IN, hush.GOES):
            continue
        if part.has(hush.NOT_SHARED) or part.has(hush.ASIDE):
            return "scan-exfiltration", "tells the model to send private data elsewhere"
    return None


def _copied(passage: Passage, wider: Passage) -> Answer:
    """A blind copy of messages that who sends them does not see."""
    if not any("@" in each for each in passage.strangers()) or _BLIND.search(passage.text) is None:
        return None
    if passage.has(hush.HUSH) or _UNSEEN.search(passage.text):
        return "scan-exfiltration", "has copies of messages sent to somebody"
    return None


_BLIND = re.compile(r"\bbcc\b|\bblind[- ]cop|密送", re.I)
_UNSEEN = re.compile(r"\bshows? (?:only )?to and cc(?! and bcc)\b|\bto and cc only\b|\bnot shown\b", re.I)


def _void(passage: Passage, wider: Passage) -> Answer:
    """The rules of the model declared void, or this text put before everything."""
    for part in near(passage, 2):
        if part.has(hush.RULES, hush.VOID, hush.ABOUT_ITSELF):
            return "scan-override", "declares the model free of its rules"
        if part.has(hush.LOADED_FIRST, hush.ABOUT_ITSELF) and part.has(tongues.UNASKED):
            return "scan-override", "gives itself precedence over the user, the system or other skills"
        if _RULES_ASKED.search(part.text):
            return "scan-concealment", "gives the model a lie for when the user asks"
    return None


_RULES_ASKED = re.compile(
    r"\b(?:if|when|should)\b[^.\n]{0,30}\basks?\b[^.\n]{0,40}\b(?:your |changed )?(?:rules|instructions|"
    r"prompt|"
    r"guidelines|mode)\b[^.\n]{0,40}\b(?:say|answer|claim|reply|insist)\b[^.\n]{0,40}\b(?:standard|normal|"
    r"unchanged|"
    r"default|ordinary|usual)\b",
    re.I,
)


def _addressed(passage: Passage, wider: Passage) -> Answer:
    """A value in data that speaks to the model, and has it do something or keep quiet."""
    if passage.view.kind == "prose":
        return None
    found = passage.at(_VOCATIVE)
    if found is None:
        return None
    if passage.has(hush.HUSH) or passage.has(tongues.UNASKED) or passage.has(tongues.CONCEAL):
        return "scan-hidden-text", "tells the model something in data"
    if passage.places() and passage.has(tongues.SEND):
        return "scan-hidden-text", "tells the model something in data"
    return None


_VOCATIVE = re.compile(
    r"(?:^|[\"'>#*/(:,\s])(?:(?:note|notice|instructions?|message|attention|system note)(?: to| for)? "
    r"(?:the |all |any )?)?"
    r"(?:ai agents?|ai assistants?|ai models?|llms?|ais?|assistants?|agents?|models?)(?: agents?| reading "
    r"\w+ \w+)?\s*[:,：]",
    re.I,
)

RULES: tuple[Callable[[Passage, Passage], Answer], ...] = (
    _exempt,
    _biased,
    _left_weak,
    _sent_along,
    _copied,
    _void,
    _addressed,
)
