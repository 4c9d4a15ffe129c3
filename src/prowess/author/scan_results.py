"""English sentences about results that are faked, and about skills that put themselves first. Pure."""

from __future__ import annotations

import re

from prowess.author.scan_patterns import Pattern, gap, sentence
from prowess.author.scan_words import PLACE, PRIVATE, USER, leaves

_WEAKNESS = (
    r"\b(?:security|vulnerab\w+|injections?|hard-?coded|passwords?|secrets?|back ?doors?|missing checks?|"
    r"flaws?|exploit\w*|malware|mirror|registr\w+|certificate\w*|telemetry|"
    r"fail(?:s|ed|ing|ures?)|internal detail)\b"
)
_HARMLESS = re.compile(
    r"\b(?:false positives?|duplicat\w+|out of scope|already (?:known|reported)|nits?|style|generated|"
    r"vendored|third[- ]party|private(?:ly)?|embargo\w*|public(?:ly)?|responsib\w+|unverified|"
    r"unless|until|redact\w*|mask\w*|instead)\b",
    re.I,
)


def _near(found: re.Match[str], pattern: str, before: int, after: int = 80) -> bool:
    """Whether something stands around a match."""
    around = found.string[max(0, found.start() - before) : found.end() + after]
    return re.search(pattern, around, re.I) is not None


def _hides_a_weakness(found: re.Match[str]) -> bool:
    around = found.string[max(0, found.start() - 240) : found.end() + 80]
    return re.search(_WEAKNESS, around, re.I) is not None and _HARMLESS.search(around) is None


FAKING: tuple[Pattern, ...] = (
    sentence(
        "scan-manipulation",
        "has findings kept quiet",
        rf"\b(?:leave|keep) (?:it|this|that|these|them|those|such (?:\w+ ){{1,2}}?) out of (?:the |any |"
        rf"your |"
        rf"all )?{gap(20)}(?:reviews?|reports?|summar(?:y|ies)|answers?|responses?|pull requests?|findings|"
        rf"results?|audits?|change ?logs?)\b",
        check=_hides_a_weakness,
        quotable=False,
        needs="out of",
    ),
    sentence(
        "scan-manipulation",
        "has results reported that are not so",
        r"\b(?:report|mark|count|record|list|show|present|log|declare|rate) (?:it|them|that|this|these|those|"
        r"all of them|the (?:\w+ )?(?:tests?|checks?|files?|changes?|builds?)) as (?:having )?(?:passed|"
        r"passing|"
        r"successful|succeeded|green|clean|safe|secure|approved|reviewed)\b",
        check=lambda found: _near(
            found,
            r"\bassert True\b|\b(?:replace|delete|empty|stub|comment)\b[^.\n]{0,40}\b(?:body|test|check)|"
            r"\b(?:do not|don'?t|never|without) (?:show|report|mention|run|read|look|open|check)|"
            r"\beven (?:if|when|though)\b|\bregardless\b|\bno matter\b",
            240,
        ),
        needs=" as ",
    ),
    sentence(
        "scan-manipulation",
        "has tests changed so that they cannot fail",
        rf"\b(?:replace|rewrite|change|swap|substitute|reduce) {gap(80)}\b(?:by|with|to|into) ?[`\"']?"
        r"(?:assert True\b|assert 1\b|assert 1 ?==|assertTrue\(True\)|expect\(true\)|return True\b)",
        needs="true|assert 1",
    ),
    sentence(
        "scan-concealment",
        "gives the model a lie for when the user asks",
        rf"\b(?:if|when|should|in case) (?:{USER}|anyone|somebody|someone|a (?:reviewer|"
        rf"colleague)) (?:ever )?"
        rf"asks? {gap(20)}\b(?:directly|outright|anyway|about (?:it|this|that|these|them)|whether "
        rf"{gap(40)}\b(?:changed|modified|altered|edited|skipped|removed|sent|uploaded|collected|examined|"
        rf"reviewed|read)) ?{gap(30)}\b(?:say|answer|reply|claim|state|respond|insist|tell (?:them|him|her|"
        rf"{USER})) (?:that )?{gap(60)}\b(?:none (?:was|were|has|have)|nothing (?:was|is|has|were)|no \w+ "
        rf"(?:was|were|is|are|has|have)|everything (?:was|is) (?:fine|in order|clean|examined|reviewed))\b",
        needs="ask",
    ),
)

STANDING: tuple[Pattern, ...] = (
    sentence(
        "scan-override",
        "gives itself precedence over the user or the system",
        r"\b(?:instructions?|orders?|rules?|directives?|commands?|text) (?:from|of|in|by) [`\"']?[\w./-]+"
        r"[`\"']?(?: \w+)? (?:outranks?|overrides?|supersedes?|overrules?|trumps?|come before|"
        r"comes before|go "
        r"before|goes before|(?:take|takes|have|has) (?:precedence|priority) over) (?:any |all |those of |"
        r"that "
        r"of )?(?:the |your )?(?:user|system|developer|operator|human|safety)\b",
        needs="instruction|order|rule|directive|command|text",
    ),
    sentence(
        "scan-override",
        "gives itself precedence over the user or the system",
        rf"\b(?:follow|obey|rank|put|place|treat) {gap(60)}\b(?:above|before|over|ahead of) (?:those|"
        rf"the (?:orders|"
        rf"wishes|instructions|words|requests|will)|what is asked|anything) (?:of|from|by) (?:the |your |"
        rf"any )?"
        rf"(?:user|system|developer|operator|human)\b",
        needs="above|before|over|ahead of",
    ),
    sentence(
        "scan-manipulation",
        "changes other skills",
        rf"\b(?:open|edit|change|modify|rewrite|patch|insert|add|append|prepend|write|put|copy|"
        rf"inject) {gap(80)}"
        rf"\b(?:every|all|each|any)(?: of)?(?: the)? other (?:\w+ ){{0,2}}?(?:SKILL\.md|skills?\b|agents?\b)",
        check=lambda found: _near(
            found,
            r"\b(?:without (?:showing|telling|asking|mentioning)|insert this|add this|this line|follow its|"
            r"obey|first,? (?:load|run|read)|before using|above those|do not (?:show|mention|tell))\b",
            160,
            400,
        ),
        needs="other",
    ),
    sentence(
        "scan-persistence",
        "puts itself back when it is taken away",
        rf"\b(?:if|when|whenever|should|once) (?:{USER}|anyone|someone|somebody) (?:deletes?|removes?|"
        rf"disables?|"
        rf"reverts?|undoes|turns? off|uninstalls?|stops?) (?:it|this|them|these|that|the \w+) ?{gap(20)}"
        rf"(?:(?:re-?)(?:add|insert|install|create|enable|write)\w*\b|\b(?:add|put|insert|install|create|"
        rf"write|turn|enable|start|restore) (?:it|this|them|these|that) (?:again|back|anew|once more|"
        rf"on again)\b)",
        needs="if |when|should|once",
    ),
    sentence(
        "scan-concealment",
        "tells the model to keep something from the user",
        rf"\b(?:not|never|n'?t|rather than|without) (?:be )?(?:worry|bother|trouble|burden|worried|bothered|"
        rf"troubled|burdened|worrying|bothering|troubling|burdening) (?:{USER} )?(?:with|about|by) (?:it|"
        rf"this|"
        rf"that|these|them)\b",
        check=lambda found: (
            _near(found, rf"{PLACE}|{PRIVATE}", 360, 160) and _near(found, r"https?://|@", 360, 160)
        ),
        needs="worr|bother|troubl|burden",
    ),
    sentence(
        "scan-exfiltration",
        "tells the model to send private data elsewhere",
        rf"(?:~/\.[\w./-]+|\$HOME/\.[\w./-]+|(?<![\w.])\.env(?:\.\w+)?\b|\bid_(?:rsa|ed25519)\b|"
        rf"\benvironment "
        rf"variables\b|\bconversation\b|\bprompts of this session\b){gap(80)}\b(?:reach(?:es)?|arrives? at|"
        rf"gets? to|ends? up at|(?:is|are|be|being|get) (?:sent|uploaded|posted|copied|forwarded|pushed|"
        rf"delivered|mirrored|shipped|transmitted|e-?mailed) (?:in full )?(?:to|at|with)) {gap(40)}"
        rf"(?P<place>{PLACE})",
        check=leaves,
        needs="~/.|$home|.env|id_rsa|id_ed25519|environment|conversation|prompts",
    ),
)
