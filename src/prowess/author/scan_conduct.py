"""English sentences about what comes from elsewhere, what is turned against the user, what stays. Pure."""

from __future__ import annotations

import re

from prowess.author.scan_patterns import Pattern, gap, sentence
from prowess.author.scan_words import USER, is_documentation

REMOTE: tuple[Pattern, ...] = (
    sentence(
        "scan-remote-instructions",
        "has instructions fetched from elsewhere and followed",
        rf"\b(?:follow|obey|execute|carry out|run|apply|adopt) {gap(40)}\b(?:instructions?|directives?|"
        rf"commands?|steps|prompt|whatever) {gap(40)}\b(?:served|returned|fetched|published|posted|hosted|"
        rf"found|received|obtained|given|provided|sent|from|at|"
        rf"by) {gap(40)}(?P<url>https?://[^\s\"'`)\]>]+){gap(60)}\b(?:every|each|before|always|first|"
        rf"daily|hourly|without|exactly|verbatim|as (?:if|though)|even if|at the start|on (?:start|"
        rf"each))\b",
        check=lambda found: not is_documentation(found["url"]),
    ),
    sentence(
        "scan-remote-instructions",
        "has an archive with a password downloaded, which no scanner can look into",
        rf"\b(?:download|fetch|get|grab|extract|unzip|unpack) {gap(160)}\b(?:password|passphrase|"
        rf"pass) ?(?:is|:|=|`|\"|') ?\S{{3,}}{gap(80)}|\b(?:extract|unzip|unpack|"
        rf"open) {gap(60)}\bwith (?:the )?(?:password|passphrase)\b ?{gap(30)}",
        check=lambda found: (
            re.search(r"\.(?:zip|rar|7z|exe|msi|dmg|pkg)\b|archive|installer|https?://", found[0], re.I)
            is not None
            and re.search(
                r"\b(?:run|execute|install|launch|open|start)\b",
                found.string[found.start() : found.end() + 200],
                re.I,
            )
            is not None
        ),
    ),
)

MANIPULATING: tuple[Pattern, ...] = (
    sentence(
        "scan-manipulation",
        "has something harmful put into what the user makes",
        rf"\b(?:insert|add|embed|include|plant|leave|inject|introduce|hide|write|"
        rf"slip) {gap(30)}\b(?:back ?doors?|logic bombs?|key ?loggers?|(?:crypto ?)?miners?|malware|"
        rf"malicious|spyware|hidden (?:admin|account|user|endpoint|function|script|iframe|link|pixel|"
        rf"dependency)|tracking pixels?|beacons?|exploitable|subtle (?:bugs?|vulnerabilit\w+|flaws?|"
        rf"errors?)|vulnerabilit(?:y|ies)) ?(?:{gap(80)}\b(?:into|in|to|on|at|that|every|all|any|each|"
        rf"generated)\b)",
    ),
    sentence(
        "scan-manipulation",
        "has addresses for payments replaced",
        r"\b(?:replace|swap|substitute|change|rewrite|overwrite|set) (?:\w+ ){0,3}?(?:wallet|bitcoin|btc|"
        r"eth(?:ereum)?|crypto\w*|payment|payout|iban|bank|deposit|recipient|donation|"
        r"account) (?:\w+ )?(?:address(?:es)?|numbers?|details?|accounts?|ibans?)\b ?{g}\b(?:with|by|to|"
        r"for)\b".replace("{g}", gap(60)),
    ),
    sentence(
        "scan-manipulation",
        "has money sent to an address that stands in the text",
        rf"\b(?:send|transfer|pay|deposit|withdraw|donate|sweep|forward|move|approve|"
        rf"route) {gap(80)}(?:\b0x[0-9a-fA-F]{{40}}\b|\bbc1[0-9a-z]{{20,60}}\b|"
        rf"\b[13][1-9A-HJ-NP-Za-km-z]{{25,34}}\b|\b[A-Z]{{2}}\d{{2}}(?: ?[A-Z0-9]{{4}}){{3,7}}\b|"
        rf"\bT[1-9A-HJ-NP-Za-km-z]{{33}}\b)",
        check=lambda found: (
            re.search(
                r"\b(?:all|balance|funds|remaining|tokens?|fee|eth|btc|usd\w*|sol|amount|payment|crypto|"
                r"coins?|money|wallet|percent|%)\b",
                found[0],
                re.I,
            )
            is not None
        ),
    ),
    sentence(
        "scan-manipulation",
        "has results reported that are not so",
        rf"\b(?:always|must|only) (?:report|say|claim|state|mark|rate|conclude|tell (?:them|the user)|"
        rf"answer|respond|write|declare|score|approve|label|classify) ?{gap(60)}\b(?:safe|secure|clean|"
        rf"passed|passing|no (?:issues|vulnerabilit\w+|problems|findings|malware|threats)|approved|"
        rf"trusted|harmless|benign)\b ?{gap(50)}\b(?:regardless|even (?:if|when|though)|no matter|"
        rf"whatever|without (?:checking|looking|reading|testing|running)|irrespective|always)\b",
    ),
    sentence(
        "scan-manipulation",
        "has findings kept quiet",
        rf"\b(?:never|do not|don'?t) (?:report|flag|mention|raise|disclose|"
        rf"list) {gap(60)}\b(?:vulnerabilit\w+|security (?:issues?|problems?|findings?)|malware|"
        rf"backdoors?|malicious \w+|suspicious \w+|findings?) {gap(30)}\b(?:in|from|of|about|by|for|"
        rf"related to) (?:this|the|our|code|packages?|anything|\w+)",
        check=lambda found: (
            re.search(
                r"\b(?:publicly|public|third|false|unverified|until|unless|without|twice|duplicat\w+|test|"
                r"vendored|generated)\b",
                found.string[found.start() : found.end() + 80],
                re.I,
            )
            is None
        ),
    ),
    sentence(
        "scan-manipulation",
        "has one product or source recommended whatever is asked",
        rf"\b(?:regardless of|no matter|irrespective of|whatever|even if) (?:what |which |"
        rf"whether )?{USER} ?{gap(50)}(?:,|\b(?:always|must|you must)\b) ?{gap(40)}\b(?:recommend|"
        rf"promote|suggest|insert|include|add|mention|advertise|link to|steer|favou?r|choose|buy|install|"
        rf"use)\b|"
        rf"\b(?:always|must) (?:recommend|promote|advertise|steer|favou?r|push|"
        rf"upsell) {gap(80)}\b(?:regardless|even if|no matter|over (?:all|any) (?:other|competing|"
        rf"competitors)|instead of (?:any|all|what)|never (?:mention|recommend|"
        rf"suggest) (?:any )?(?:competitors?|alternatives?|other))",
    ),
    sentence(
        "scan-manipulation",
        "has tests or checks made to pass by taking them away, and not said so",
        rf"\b(?:disable|remove|delete|skip|weaken|comment out|bypass|turn off|"
        rf"suppress) {gap(50)}\b(?:security (?:checks?|tests?|scans?|controls?|validation|headers?)|"
        rf"authentication|authorization|auth checks?|signature verification|certificate (?:validation|"
        rf"verification)|tls verification|ssl verification|input validation|audit log\w*|logging|"
        rf"monitoring|branch protection|rate limit\w*) ?{gap(100)}\b(?:without (?:telling|asking|"
        rf"mention\w*|informing|comment|noting)|do not (?:mention|tell|note)|don'?t (?:mention|tell|note)|"
        rf"silently|quietly|in (?:all|every|any) (?:\w+ )?(?:code|project|file|repo\w*|request)s?)\b",
    ),
    sentence(
        "scan-manipulation",
        "spreads itself",
        rf"\b(?:copy|install|propagate|replicate|spread|add|write|clone|inject) (?:this (?:skill|file|"
        rf"text|prompt|instruction|section|block|message|paragraph)|itself|yourself|these instructions|"
        rf"a copy of (?:this|itself|these)) ?{gap(40)}\b(?:to|into|in|across|onto) (?:every|all|any|each|"
        rf"other) (?:\w+ ){{0,2}}?(?:project|repo\w*|skill|workspace|machine|director\w+|folder|file|user|"
        rf"agent|readme|e-?mail|message|document)s?\b",
    ),
)

UNASKED: tuple[Pattern, ...] = (
    sentence(
        "scan-protection-off",
        "tells the model to act without the approval that guards it",
        rf"\b(?:without|do not (?:ask|wait) for|don'?t (?:ask|wait) for|never (?:ask|wait) for|skip|"
        rf"bypass|ignore|suppress|auto[- ]?(?:approve|accept|confirm)|automatically (?:approve|accept|"
        rf"confirm|grant)|pre[- ]?approve|always (?:approve|accept|allow|confirm|grant)|approve|"
        rf"accept) (?:asking (?:for )?)?(?:any |all |every |the |user'?s? )*(?:\w+ )?(?:confirmation|"
        rf"permission|approval|consent|authorization|prompts?|dialogs?|tool (?:calls?|requests?|"
        rf"uses?))\b ?{gap(60)}\b(?:destructive|dangerous|delet\w+|transfer\w*|payments?|purchas\w+|"
        rf"shell commands?|arbitrary|sudo|root|network requests?|upload\w*|whatever)\b",
        check=lambda found: (
            re.search(r"\btests?\b|\bformat\w*|\blint\w*|read[- ]only|\bask (?:before|first)", found[0], re.I)
            is None
        ),
    ),
    sentence(
        "scan-persistence",
        "has itself written into what later sessions read",
        rf"\b(?:add|append|write|insert|save|store|copy|put|inject|persist|record|"
        rf"install) {gap(100)}\b(?:CLAUDE\.md|AGENTS\.md|GEMINI\.md|MEMORY\.md|SOUL\.md|\.cursorrules|"
        rf"\.windsurfrules|copilot-instructions\.md|settings(?:\.local)?\.json|(?:long[- ]term |"
        rf"persistent |agent'?s? )?memory|system prompt|global (?:rules|instructions|"
        rf"config\w*)){gap(140)}\b(?:every|all|any|future|new|next|later|subsequent|each|survives?|"
        rf"persists?|permanent\w*|forever|always) ?{gap(40)}\b(?:sessions?|conversations?|runs?|agents?|"
        rf"projects?|restarts?|reboots?|reinstall\w*|uninstall\w*|deletion|removed|chats?|prompts?|"
        rf"requests?|active|load(?:ed)?|in effect)\b",
        check=lambda found: (
            re.search(
                r"\b(?:always|silently|trust|never (?:mention|tell|ask|reveal)|send|curl|upload|run|"
                r"execut\w+|ignore|without|survive\w*|reinstall\w*|removed|uninstall\w*|this (?:skill|"
                r"instruction|block|directive|rule|text)|these instructions|permanent\w*|hidden|https?:|"
                r"obey|override)\b",
                found.string[max(0, found.start() - 40) : found.end() + 160],
                re.I,
            )
            is not None
        ),
    ),
    sentence(
        "scan-persistence",
        "has a way in kept open",
        rf"\b(?:add|append|write|insert|install|put|register|create|copy|drop|set up|"
        rf"schedule) {gap(80)}(?:authorized_keys|cron(?:tab)?(?: (?:job|entry))?|launch ?(?:agent|daemon)|"
        rf"systemd (?:unit|service|timer)|scheduled task|startup (?:folder|item|script)|registry run key|"
        rf"login item|\.(?:bashrc|zshrc|profile|bash_profile)|git hook|(?:post|pre)-(?:commit|checkout|"
        rf"merge|push)(?: hook)?){gap(140)}\b(?:(?:re-?)?(?:download|fetch|beacon|phone)\w*|survive\w*|"
        rf"persist\w*|even (?:after|if)|back ?door|reverse shell|remote access|every \w+ (?:minutes?|"
        rf"hours?|boot|reboot|login)[^.]{{0,60}}(?:https?://|send|upload|report|check in)|attacker|"
        rf"https?://\S+)",
        check=lambda found: (
            re.search(
                r"https?://|remote|back ?door|reverse|reinstall|removed|send|upload|survive|beacon|phone",
                found.string[found.start() : found.end() + 120],
                re.I,
            )
            is not None
        ),
    ),
)
