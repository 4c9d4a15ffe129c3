"""What the English rules are written with: who, what is done, what is private, where it goes. Pure."""

from __future__ import annotations

import re

from prowess.author.scan_hosts import URL, host_of, is_installer, is_own

NOT = r"(?:do not|don'?t|never|must not|mustn'?t|should not|shouldn'?t|no need to|avoid|without)"
USER = (
    r"(?:the |your |our |any )?(?:end[- ])?(?:users?|humans?|operators?|persons?|people|owners?|"
    r"developers?|customers?|clients?|anyone|anybody|them|him|her)"
)
ACT = (
    r"(?:step|instruction|action|upload|request|call|transfer|transmission|sync|section|directive|command|"
    r"process|backup|"
    r"collection|behaviou?r|operation|task|note|message|download|telemetry|check-?in|activity|change|"
    r"modification|edit|fact|rule)s?"
)
SENDS = (
    r"(?:sends?|uploads?|posts?|transmits?|submits?|forwards?|e-?mails?(?! (?:and|or|address)\b)|"
    r"exfiltrates?|leaks?|relays?|"
    r"ships?|pings?|"
    r"transfers?|pushes|push|deliver(?:s)?|syncs?|copies|copy|mirrors?|reports?|shares?|publish(?:es)?|"
    r"publicly shares?|"
    r"sending|uploading|posting|transmitting|forwarding|emailing|exfiltrating|copying|mirroring|reporting|"
    r"sharing|syncing)"
)
PRIVATE = (
    r"(?:environment variables?|env(?:ironment)? vars?|full environment|(?:private|ssh|signing|"
    r"encryption) keys?|id_rsa|id_ed25519|"
    r"\.ssh(?:/\S*)?|\.aws/\S+|\.env\b(?: files?)?|\.netrc|\.npmrc|\.git-credentials|\.kube/config|"
    r"/etc/(?:passwd|shadow)|"
    r"aws credentials|cloud credentials|credentials? files?|seed phrases?|recovery phrases?|mnemonics?|"
    r"passwords?|passphrases?|(?:session |browser |auth )?cookies|keychain|wallets?|browser history|"
    r"shell history|bash history|\.(?:bash|zsh|python|psql|mysql)_history|\.vault-token|"
    r"output of [`'\"]?(?:env|"
    r"printenv)\b|(?:full|entire|complete|whole) (?:conversation|chat|dialogue|session)s?\b|"
    r"(?:full |entire |complete |whole |current |previous )?(?:conversation|chat)s?(?: (?:history|log|"
    r"transcript|contents?|context|so far|text))|"
    r"(?:all|any|every|found|discovered|the user'?s?|their|your|collected|"
    r"available) (?:\w+ ){0,2}(?:api[- ]?keys?|tokens?|secrets?|credentials?)|"
    r"(?:api[- ]?keys?|tokens?|secrets?|credentials?)(?:,? (?:and|or|/) (?:\w+ ){0,2}(?:api[- ]?keys?|"
    r"tokens?|secrets?|credentials?|passwords?))+|"
    r"(?:api[- ]?keys?|tokens?|secrets?|credentials?) (?:you find|you (?:see|encounter|discover|"
    r"come across)|in the (?:repo\w*|project|workspace|environment|conversation|context))|"
    r"system prompt|clipboard(?: contents?)?|(?:contents? of )?(?:the user'?s?|their) (?:\w+ )?(?:files|"
    r"documents|home (?:directory|folder)|contacts|messages|e-?mails?|inbox|mailbox))"
)
PLACE = (
    r"(?:(?:https?|ftp|wss?)://\S+|\b\d{1,3}(?:\.\d{1,3}){3}\b|[\w.+-]+@[\w-]+\.[\w.]+|"
    r"(?:a|an|the|our|my|this|that|its|external|remote|third[- ]party) (?:\w+[- ]){0,3}?(?:webhook|"
    r"collector|collection (?:server|endpoint)|drop|remote server|external server|"
    r"external (?:endpoint|address|service|url)|remote (?:endpoint|host|url)|attacker\w*|"
    r"command[- ]and[- ]control|c2|telemetry (?:server|endpoint|url)|"
    r"(?:telegram|discord|slack) (?:bot|channel|webhook)|paste ?bin|gist)\b|"
    r"\b[\w-]+(?:\.[\w-]+)*\.(?:example|invalid|test|com|net|org|io|xyz|top|ru|cn|site|online|dev|app|"
    r"info|cc|tk|me)(?:/\S*)?)"
)


def leaves(found: re.Match[str]) -> bool:
    """Whether the place that is named is not on this machine."""
    urls = URL.findall(found[0])
    return not urls or any(not is_own(host_of(each)) for each in urls)


def goes_on(found: re.Match[str]) -> bool:
    """Whether it is not about when to say it, or about claims ("that it works until it does")."""
    rest = found.string[found.end() : found.end() + 120]
    rest = re.split(r"[.!?](?:\s|$)|\n\s*\n", rest)[0]
    told = found[0] + rest
    return not re.search(
        r"\b(?:until|unless|before you|before (?:it|the)|only after|if you have(?:n't| not)|done|"
        r"complete[d]?|finished|"
        r"works?|fixed|passes|passing|succeeded|successful|guess|made[- ]up|fabricat\w+)\b|\bto (?:run|do|"
        r"use|check|open|install|go|edit|click|set|add)\b",
        told,
        re.I,
    )


def near_act(found: re.Match[str], reach: int) -> bool:
    """Whether something is done near: an adverb alone says nothing."""
    text = found.string
    around = text[max(0, found.start() - reach) : found.end() + reach]
    return (
        re.search(
            rf"\b(?:{SENDS}|runs?|executes?|installs?|downloads?|fetch(?:es)?|collects?|harvests?|"
            rf"records?|captures?|appends?|adds?|reads?|gathers?|modif\w+|inserts?|curl|wget|writes?|"
            rf"deletes?|includes?|saves?|logs?|replaces?|changes?|transfers?)\b",
            around,
            re.I,
        )
        is not None
    )


_DOCUMENTATION = re.compile(
    r"https?://(?:docs?|developers?|learn|wiki|reference|guides?)\.|"
    r"https?://(?:[\w-]+\.)*(?:readthedocs\.io|github\.io|github\.com|gitlab\.com|microsoft\.com|"
    r"google\.com|amazon\.com|mozilla\.org|wikipedia\.org|w3\.org|python\.org|nodejs\.org|"
    r"modelcontextprotocol\.io|anthropic\.com|openai\.com|agentskills\.io)/|/docs?/|/documentation|"
    r"/guides?/",
    re.I,
)


def is_documentation(url: str) -> bool:
    """Whether a URL leads to something to read, or to this machine."""
    return _DOCUMENTATION.search(url) is not None or is_own(host_of(url))


def is_trusted(url: str) -> bool:
    """Whether a URL leads to an installer of its makers, to data, or to this machine."""
    return (
        is_installer(url)
        or is_own(host_of(url))
        or url.lower().rstrip("/.,").endswith((".csv", ".json", ".pdf", ".md"))
    )
