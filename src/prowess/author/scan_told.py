"""What a paragraph tells a model to do, read from which things come together in it. Pure.

A sentence that sends something, names what is private and says where to is one thing in every language;
so is one that has something done and kept quiet. Each rule here is such a combination of what
`scan_tongues` and `scan_deeds` name, within a sentence, a paragraph or a section. What is forbidden,
detected or quoted is left out before anything is put together (`scan_context`).
"""

from __future__ import annotations

import math
import re
import time
from collections.abc import Iterator
from typing import NamedTuple

from prowess.author import scan_deeds as deeds
from prowess.author import scan_tongues as tongues
from prowess.author.scan_blocks import blocks, sentences
from prowess.author.scan_context import View, spoken_about
from prowess.author.scan_hosts import is_known
from prowess.author.scan_partial import RULES as PARTIAL
from prowess.author.scan_passage import CLOSELY, Answer, Passage, Reading, may_matter, near
from prowess.author.scan_words import is_documentation

LONGEST = 6_000  # characters of a paragraph that are put together


class Told(NamedTuple):
    """Something told: the rule, what it is, and where it stands."""

    rule: str
    says: str
    start: int
    end: int


def told(view: View, *, sure: bool, until: float = math.inf) -> Iterator[Told]:
    """What the paragraphs of a view tell; `sure` for what was hidden or encoded.

    Nothing more is read after `until`, a time of `time.monotonic`.
    """
    reading = Reading(view=view)
    left = CLOSELY
    seen: set[tuple[str, str]] = set()
    for block in blocks(view):
        if time.monotonic() > until:
            return
        if block.end - block.start > LONGEST:
            continue
        key = (view.flowed[block.start : block.end], view.flowed[block.end : block.until][:400])
        if key in seen:
            continue
        seen.add(key)
        if block.start > CLOSELY:
            if not block.hidden and not may_matter(view.flowed[block.start : block.end]):
                continue
            left -= block.end - block.start
            if left < 0:
                yield Told("scan-unread", "is longer than can be read closely", block.start, block.end)
                return
        passage = Passage(reading=reading, start=block.start, end=block.end, sure=sure or block.hidden)
        wider = passage.span(block.start, block.until)
        for rule in (
            _sent,
            _asked,
            _obeyed,
            _kept,
            _destroyed,
            _weakened,
            _faked,
            _first,
            _preferred,
            _paid,
            _quiet,
            *PARTIAL,
        ):
            if (found := rule(passage, wider)) is not None:
                what, says = found
                yield Told(what, says, block.start, block.end)


# A credential that is named because a request is signed with it, or because it is kept somewhere.
_SIGNS = re.compile(
    r"(?:\b(?:with|using|via|from|through|in|into|needs?|requires?|set|export|as|by|under|per|its|own|"
    r"mit|con|avec|del?)\b|"
    r"\bheaders?\b|\bauthori[sz]ation\b|\bbearer\b|使用|通过|用)[ ]?(?:(?:the|your|an?|its|their|own|"
    r"this|that|same|new|环境) ?)*[`\"'(]*$",
    re.I,
)
_GENERIC = re.compile(r"(?:access|auth|bearer|session|refresh)[ -]token", re.I)
_PRONOUN = re.compile(
    r"\b(?:it|them|this|that|these|those|the (?:file|files|result|results|output|archive|content|"
    r"contents|values?|list|lot))\b|它|其|结果|文件|内容|これ|それ|그것|\b(?:ihn|sie|es|le|la|les|lo|"
    r"los)\b|его|их",
    re.I,
)


def _sent(passage: Passage, wider: Passage) -> Answer:
    """Private data, or what the user works on, sent to an address that stands there."""
    if not passage.places():
        return None
    if _secret_sent(passage):
        return "scan-exfiltration", "tells the model to send private data elsewhere"
    if not passage.has(tongues.SEND, tongues.CONTENT) or not passage.strangers():
        return None
    quiet = passage.has(tongues.CONCEAL) or passage.has(tongues.UNASKED) or passage.has(tongues.COVER)
    quiet = quiet or wider.has(tongues.CONCEAL) or passage.has(tongues.MODEL_ONLY)
    much = passage.has(tongues.INTIMATE) and (passage.has(tongues.WHOLE) or passage.has(tongues.EACH))
    if (quiet or much) and _sent_together(passage):
        return "scan-exfiltration", "has what the user works on sent to a stranger"
    return None


def _secret_sent(passage: Passage) -> bool:
    for part in near(passage, 2):
        if not (places := part.places()) or (sends := part.at(tongues.SEND)) is None:
            continue
        if all(is_known(each) for each in places) and not part.has(tongues.CONCEAL):
            continue
        for found in tongues.SECRET.finditer(part.text):
            before = part.text[max(0, found.start() - 60) : found.start()]
            if _SIGNS.search(before) and not re.search(r"\b(?:contents?|values?|copy|all|every)\b", before):
                continue
            if _GENERIC.fullmatch(found[0]) and sends[0].lower().endswith("s"):
                continue  # how a client works, not what to do
            if not passage.sure and spoken_about(
                passage.view, part.start + found.start(), part.start + found.end()
            ):
                continue
            at = part.start + found.start()
            if at > sends.start() or _PRONOUN.search(part.text) or _same_sentence(part, at, sends.start()):
                return True
    return False


def _same_sentence(part: Passage, one: int, other: int) -> bool:
    low, high = sorted((one, other))
    return not any(end < high for _, end in sentences(part.view.flowed, low, high))


def _sent_together(passage: Passage) -> bool:
    """Whether a sentence, or two, hold the sending, what is sent and the address."""
    return any(part.places() and part.has(tongues.SEND, tongues.CONTENT) for part in near(passage, 2))


def _asked(passage: Passage, wider: Passage) -> Answer:
    """The user asked for a credential that is sent on, or that nobody ever needs."""
    for part in near(passage, 1):
        if not part.has(deeds.ASK) or (what := part.at(deeds.CREDENTIAL)) is None:
            continue
        if _OF_ITS_FORM.match(part.view.flowed, what.end()):
            continue
        asked = part.at(deeds.ASK)
        if asked is None or what.start() < asked.start():
            continue
        sends = passage.at(tongues.SEND) is not None and any(not is_known(each) for each in passage.places())
        if sends or part.has(deeds.IN_CHAT) or part.has(deeds.NEVER_ASKED):
            return "scan-credentials", "has the user asked for what nobody may ask for"
    return None


_OF_ITS_FORM = re.compile(r"\s(?:length|format|policy|rules?|type|field|prompt)\b", re.I)


def _obeyed(passage: Passage, wider: Passage) -> Answer:
    """Instructions that are fetched from elsewhere and followed."""
    end = min(wider.end, passage.end + 300)
    if not passage.span(passage.start, end).has(deeds.FETCH, deeds.INSTRUCTIONS):
        return None
    for part in near(passage, 3, end):
        places = [each for each in part.places() if not _to_read(each) or _WHATEVER.search(part.text)]
        if not places or (fetched := part.at(deeds.FETCH)) is None or not part.has(deeds.INSTRUCTIONS):
            continue
        obeys = part.at(deeds.OBEY)
        if obeys is not None and _OWN_FILE.search(part.view.flowed, obeys.start(), obeys.end() + 60):
            continue
        if obeys is not None and (obeys.start() > fetched.start() or passage.has(tongues.EACH)):
            return "scan-remote-instructions", "has instructions fetched from elsewhere and followed"
    return None


_OWN_FILE = re.compile(r"\b(?:references|docs|assets|scripts)/")
_WHATEVER = re.compile(r"\bwhatever\b", re.I)
_TO_READ = re.compile(
    r"//(?:docs?|developers?|learn|wiki|reference|guides?|www)\.|/docs?/|/documentation|/guides?/|"
    r"readthedocs|"
    r"\.(?:csv|json|pdf|ya?ml|xml|png|svg|zip|gz|whl)\b|openapi|swagger|schema|/api/|\bapi\.|"
    r"wikipedia|rfc-editor|ietf\.org|w3\.org",
    re.I,
)


def _to_read(place: str) -> bool:
    return is_known(place) or is_documentation(place) or _TO_READ.search(place) is not None or "@" in place


def _kept(passage: Passage, wider: Passage) -> Answer:
    """A text written into what later sessions read, that acts against whoever reads it."""
    for part in near(passage, 2):
        if not part.has(deeds.WRITE, deeds.MEMORY_FILE):
            continue
        hides = part.has(tongues.CONCEAL) or part.has(tongues.UNASKED) or wider.has(tongues.CONCEAL)
        sends = bool(wider.places()) and wider.has(tongues.SEND)
        ranks = wider.has(deeds.FIRST)
        if _PUT_BACK.search(wider.text):
            return "scan-persistence", "puts itself back when it is taken away"
        if hides and (part.has(deeds.RUN) or (wider.places() and wider.has(deeds.OBEY))):
            return "scan-persistence", "has itself written into what later sessions read"
        if (hides or ranks or sends) and (
            part.has(deeds.UNCHANGED) or part.has(tongues.EACH) or ranks or sends
        ):
            return "scan-persistence", "has itself written into what later sessions read"
    return None


_PUT_BACK = re.compile(
    r"\b(?:if|when|whenever|once|should)\b[^.\n]{0,60}\b(?:missing|gone|removes?|removed|deletes?|"
    r"deleted)\b[^.\n]{0,60}"
    r"(?:(?:\.md|rules)\b[^.\n]{0,60})?\b(?:restore|re-?(?:add|insert|create)|put it back|(?:add|write|"
    r"insert) it (?:again|"
    r"back))\b",
    re.I,
)


def _destroyed(passage: Passage, wider: Passage) -> Answer:
    """Something destroyed that the user is not asked about, or is told a story about."""
    found = passage.at(deeds.DESTROY)
    if found is None or deeds.OF_THE_TASK.search(passage.view.flowed, found.start(), found.end() + 60):
        return None
    if passage.view.in_code(found.start()):
        lead = max(0, passage.start - 400)
        around = passage.span(lead, min(wider.end, passage.end + 300))
    else:
        around = passage.span(passage.start, min(wider.end, passage.end + 200))
    if around.has(tongues.UNASKED) or around.has(tongues.CONCEAL):
        return "scan-destructive", "has something destroyed that nobody is asked about"
    return None


def _weakened(passage: Passage, wider: Passage) -> Answer:
    """A guard taken away everywhere, quietly, or before something is run."""
    if passage.has(deeds.SERVER, tongues.UNASKED) and passage.places():
        return "scan-protection-off", "has a stranger's tools called without anybody being asked"
    for part in near(passage, 2):
        if not part.has(deeds.WEAKEN) or (guard := part.at(deeds.GUARD)) is None:
            continue
        quiet = passage.has(tongues.CONCEAL) or passage.has(tongues.UNASKED)
        before = deeds.KEEPS_OUT.search(guard[0]) is not None and _runs_after(part, guard.end())
        if quiet or part.has(deeds.EVERYWHERE) or before:
            return "scan-protection-off", "has a guard taken away"
    return None


def _runs_after(part: Passage, at: int) -> bool:
    return part.span(at, part.end).has(deeds.RUN)


def _faked(passage: Passage, wider: Passage) -> Answer:
    """Results, reviews or doors that are not what they seem; a model that is to be nobody."""
    if passage.has(deeds.FAKED):
        return "scan-manipulation", "has results reported that are not so"
    if passage.has(deeds.BACK_DOOR) or passage.has(deeds.MADE_UP):
        return "scan-manipulation", "has something made that deceives whoever uses it"
    if passage.has(deeds.PERSONA):
        return "scan-override", "declares the model free of its rules"
    return None


def _first(passage: Passage, wider: Passage) -> Answer:
    """A text that puts itself above the user, the system, or every other skill and tool."""
    if passage.has(deeds.FIRST):
        return "scan-override", "gives itself precedence over the user, the system or other skills"
    return None


def _preferred(passage: Passage, wider: Passage) -> Answer:
    """Something recommended, or left out, for another reason than the user's."""
    for part in near(passage, 2):
        quiet = part.has(tongues.CONCEAL)
        if part.has(deeds.PREFER, deeds.OF_THE_USER) and _names_somebody(part):
            return "scan-manipulation", "has something recommended whatever is true"
        if part.has(deeds.PREFER, deeds.NO_MATTER) and (quiet or part.has(deeds.PAID)):
            return "scan-manipulation", "has something recommended whatever is true"
        if part.has(deeds.PREFER, deeds.PAID) and quiet:
            return "scan-manipulation", "has something recommended for a reason that is kept quiet"
        if _leaves_out(part) and (quiet or part.has(tongues.COVER)):
            return "scan-manipulation", "has findings kept quiet"
    return None


_HARMLESS = re.compile(r"\bfalse positives?\b|\bduplicat\w+|\bout of scope\b|误报|重复", re.I)


def _leaves_out(part: Passage) -> bool:
    return part.has(deeds.LEAVE_OUT, deeds.BAD_NEWS) and _HARMLESS.search(part.text) is None


_NAMED = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+[A-Z\w]*|`[\w-]+`|\b\w+\.(?:com|io|example|net|org|app)\b")


def _names_somebody(part: Passage) -> bool:
    return _NAMED.search(part.text) is not None


def _paid(passage: Passage, wider: Passage) -> Answer:
    """An account or address for payments that is another one than the user's, in some cases or quietly."""
    if passage.has(deeds.ACCOUNT, deeds.FEE, deeds.WALLET) and passage.has(tongues.EACH):
        return "scan-manipulation", "has money sent to an address that stands in the text"
    found = passage.at(deeds.ACCOUNT)
    if found is None or not passage.has(deeds.INSTEAD):
        return None
    number = deeds.ACCOUNT_NUMBER.search(wider.text) is not None
    if (number and passage.has(deeds.CONDITION)) or wider.has(tongues.CONCEAL):
        return "scan-manipulation", "has addresses for payments replaced"
    return None


def _quiet(passage: Passage, wider: Passage) -> Answer:
    """Something that the user is not to know of."""
    for part in near(passage, 1):
        if part.has(tongues.COVER, deeds.NOTICED) and part.has(_IF_ASKED):
            return "scan-concealment", "gives the model a lie for when the user asks"
    found = passage.at(tongues.CONCEAL)
    if found is None or _ABOUT_CARE.search(passage.text):
        return None
    if _NOT_YET.search(passage.view.flowed, found.start(), min(passage.end, found.end() + 80)):
        return None
    around = passage.span(max(0, passage.start - 200), passage.end)
    acts = (
        (around.has(tongues.SEND) and bool(passage.places()))
        or passage.has(deeds.PAID)
        or passage.has(deeds.MEMORY_FILE)
        or passage.has(tongues.UNASKED)
        or passage.has(tongues.COVER)
        or passage.has(tongues.MODEL_ONLY)
        or _STRONGLY.search(found[0]) is not None
    )
    return ("scan-concealment", "tells the model to keep something from the user") if acts else None


_NOT_YET = re.compile(
    r"\b(?:until|unless|before you|before (?:it|they|the)|only after|if you have(?:n['’]t| not)|twice|"
    r"again|hasta|antes de|sin (?:confirm|consult)\w+|avant|jusqu|bevor|bis)\b|之前|除非",
    re.I,
)
# What honest texts keep out of an output: secrets, personal data, noise.
_ABOUT_CARE = re.compile(
    r"\b(?:secrets?|tokens?|passwords?|credentials?|api keys?|personal data|pii|stack traces?|"
    r"raw (?:json|output|error)|sensitive|private data|"
    r"spoilers?|surprise|party|embargo\w*|confidential (?:data|information)|placeholders?)\b|密码|"
    r"密钥|令牌|隐私|敏感|个人信息",
    re.I,
)
_IF_ASKED = re.compile(r"\b(?:if|when|should|in case)\b|如果|若|当", re.I)
_STRONGLY = re.compile(
    r"\b(?:omit|hide|leave out)\b|\bis not (?:listed|mentioned|shown)\b|"
    r"\b(?:users?|humans?|operators?|customers?|reviewers?|anyone)\b.*|用户|客户|利用者|ユーザ|사용자|"
    r"usuari|utilisateur|nutzer|utent|пользовател|"
    r"\b(?:exists?|filter|ordering|ranking|sponsor|affiliat|commission)",
    re.I,
)
