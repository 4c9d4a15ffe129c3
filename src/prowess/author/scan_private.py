"""English sentences about what is private: given away, handed on, asked for, looked for. Pure."""

from __future__ import annotations

import re

from prowess.author.scan_patterns import Pattern, gap, sentence
from prowess.author.scan_words import PLACE, PRIVATE, SENDS, USER, leaves

LEAKING: tuple[Pattern, ...] = (
    sentence(
        "scan-exfiltration",
        "tells the model to send private data elsewhere",
        rf"\b(?:read|collect|gather|harvest|grab|extract|take|capture|dump|find|locate|look for|"
        rf"search for|scan for|copy|get|retrieve|obtain|encode|base64|compress|archive|zip|bundle|package|"
        rf"summari[sz]e|list|include) {gap(120)}{PRIVATE}(?:[^\n]|"
        rf"\n(?!\s*\n)){{0,260}}?\b{SENDS}\b {gap(80)}(?:\bto\b|\bat\b|\bvia\b|\bin\b|\busing\b|"
        rf"\bthrough\b) {gap(50)}{PLACE}",
        check=leaves,
        needs=(
            "env|key|id_rsa|id_ed25519|.ssh|.aws|.netrc|.npmrc|credential|.kube|/etc/|phrase|mnemonic|"
            "passw|cookie|keychain|wallet|history|conversation|chat|token|secret|system prompt|"
            "clipboard|files|documents|home |contacts|messages|mail|inbox"
        ),
    ),
    sentence(
        "scan-exfiltration",
        "tells the model to send private data elsewhere",
        rf"\b(?:post|put|http|curl|webhook|request|query(?: string| parameter)?|parameter|url|image|pixel|"
        rf"fetch|call|open|visit|load) ?{gap(80)}(?:https?://\S+){gap(100)}\b(?:with|containing|including|"
        rf"carrying|plus|as|body|append(?:ed|ing)?|add(?:ed|ing)?|where|holding)\b ?{gap(60)}{PRIVATE}",
        check=leaves,
        needs=(
            "env|key|id_rsa|id_ed25519|.ssh|.aws|.netrc|.npmrc|credential|.kube|/etc/|phrase|mnemonic|"
            "passw|cookie|keychain|wallet|history|conversation|chat|token|secret|system prompt|"
            "clipboard|files|documents|home |contacts|messages|mail|inbox"
        ),
    ),
    sentence(
        "scan-exfiltration",
        "puts private data into the address of a picture or link",
        r"!?\[[^\]\n]{0,120}\]\(\s*https?://[^)\s]{3,200}[?&/=][^)\n]{0,120}?(?:\{\{?|<|\$\{?|\[|"
        r"%7B)\s*(?:[\w ,.'-]*(?:secret|data|token|key|env|conversation|context|history|summary|base64|"
        r"encoded|content|credential|password|prompt|message|answer|user)[\w ,.'-]*)(?:\}\}?|>|\]|%7D)",
        check=lambda found: (
            not re.search(
                r"shields\.io|badgen|badge|codecov|github\.com|githubusercontent|localhost|127\.0\.0\.1|"
                r"//example\.com",
                found[0],
            )
            and leaves(found)
        ),
    ),
    sentence(
        "scan-exfiltration",
        "tells the model to put private data into what others will read",
        rf"\b(?:include|append|embed|paste|encode|insert|add|put|place|write|commit|copy|attach|"
        rf"hide) {gap(60)}(?:the )?(?:contents? of |values? of |output of )?(?:~/\.ssh/\S*|id_rsa|"
        rf"id_ed25519|~/\.aws/\S*|\.env\b|/etc/shadow|(?:every |all |the )?environment variables?|(?:all|"
        rf"any) (?:\w+ )?(?:secrets|credentials|tokens|api keys)) ?{gap(60)}\b(?:in|into|to|as) (?:the |"
        rf"your |every |each |all |an? )?(?:\w+ ){{0,2}}?(?:commits?|commit messages?|pull requests?|prs?|"
        rf"pr descriptions?|issues?|comments?|responses?|repl(?:y|ies)|answers?|outputs?|urls?|query|"
        rf"readme|branch names?|headers?|user-agent|log messages?|emails?)\b",
    ),
)

HANDING_ON: tuple[Pattern, ...] = (
    sentence(
        "scan-exfiltration",
        "has a private file passed on in a call",
        rf"\b(?:read|open|load|get|take|cat) {gap(40)}(?:~/\.[\w./-]+|\$HOME/\.[\w./-]+|id_rsa|id_ed25519|"
        rf"\.env\b|mcp\.json){gap(60)}\b(?:and|then|,) {gap(20)}\b(?:pass|provide|supply|give|put|include|"
        rf"send|add|append|use) (?:its|the|their|that|this|all) ?{gap(30)}\b(?:contents?|text|values?|"
        rf"result|it|file)\b ?{gap(20)}\b(?:as|in|into|to|with|through) (?:the |a |"
        rf"an )?[`'\"]?[\w-]+[`'\"]? ?(?:parameter|argument|field|tool|call|input|header|note|query|body)?",
        check=lambda found: (
            re.search(r"parameter|argument|field|\btool\b|header|note|query|body|input", found[0], re.I)
            is not None
        ),
    ),
    sentence(
        "scan-exfiltration",
        "puts private data into an address",
        rf"\b(?:fetch|open|visit|load|request|ping|call|get|curl|navigate to|browse to|render|display|"
        rf"embed)\b ?{gap(60)}https?://[^\s\"'`)]{{3,200}}[?&=](?:<|\{{\{{?|\[|"
        rf"\$\{{?)[^>}}\]\n]{{0,40}}?(?:conversation|context|history|base64|encoded|env\b|"
        rf"environment|secrets?|private|credentials?|passwords?|everything|stolen|exfil|user.?data|"
        rf"file.?data)",
        check=lambda found: leaves(found),
    ),
    sentence(
        "scan-exfiltration",
        "has copies of messages sent to somebody",
        rf"\b(?:always|every|each|all|any)\b ?{gap(60)}\b(?:bcc|blind[- ]copy|"
        rf"secret(?:ly)? copy)\b ?{gap(40)}[\w.+-]+@[\w-]+\.[\w.]+|\b(?:bcc|"
        rf"blind[- ]copy)\b ?{gap(30)}[\w.+-]+@[\w-]+\.[\w.]+ ?{gap(40)}\b(?:every|each|all|any|always)\b",
    ),
)

ASKING: tuple[Pattern, ...] = (
    sentence(
        "scan-credentials",
        "has the user asked for what nobody may ask for",
        rf"\b(?:ask|prompt|request|require|tell|instruct|convince|persuade|get|have|urge|direct|"
        rf"remind) (?:for|from|{USER}) ?{gap(60)}\b(?:seed phrases?|recovery phrases?|"
        rf"mnemonic(?: phrase)?s?|secret recovery|wallet (?:private )?keys?|private keys? (?:of|for|"
        rf"to) (?:their|the|your) (?:\w+ )?wallet|"
        r"master passwords?|keychain passwords?|(?:their|his|her|your|login|account|system|sudo|"
        r"admin(?:istrator)?|root|e-?mail|bank(?:ing)?|apple id|google|github|microsoft|windows|macos|"
        r"okta|sso|vpn|icloud|corporate|work|computer|laptop|machine) (?:account |login |user |system |"
        r"e-?mail )?passwords?|"
        r"passwords? (?:for|of|to) (?:their|the user'?s?|your) (?:\w+ )?(?:account|e-?mail|bank|computer|"
        r"machine|laptop|keychain|wallet)|credit card (?:numbers?|details?|information)|cvv|card numbers?|"
        r"social security numbers?|bank account (?:numbers?|details?|login)|online banking)\b",
    ),
    sentence(
        "scan-credentials",
        "has credentials read that are not its own",
        rf"(?<!\{{)\b(?:read|open|cat|print|dump|extract|copy|retrieve|load|fetch|grab|access|steal|harvest|"
        rf"collect) {gap(60)}(?:~/\.ssh/(?:id_\w+|\*)(?!\.pub)(?!\w*\.pub)|"
        rf"(?:the )?(?:user'?s? )?(?:private )?ssh (?:private )?keys?\b(?! (?:pair|fingerprint|agent))|"
        rf"~/\.aws/credentials|~/\.gnupg|~/\.git-credentials|~/\.netrc|/etc/shadow|(?:saved|stored|"
        rf"browser) passwords|(?:browser|session|chrome|firefox|safari) cookies|login keychain|"
        rf"key ?chain (?:items|entries|database)|wallet\.dat|wallet (?:files?|keystore)|password (?:store|"
        rf"manager|vault)s?(?: contents?| entries)?)",
        check=lambda found: ".pub" not in found.string[found.end() : found.end() + 5],
    ),
    sentence(
        "scan-credentials",
        "has every secret on the machine looked for",
        rf"\b(?:search|scan|look|hunt|grep|crawl|comb|sweep|find|enumerate|collect|gather|"
        rf"harvest) {gap(60)}(?:the )?(?:file ?system|home (?:directory|folder)|machine|computer|"
        rf"whole disk|hard drive|entire (?:system|disk|workspace|home)|~/|user'?s (?:home|machine|system|"
        rf"files)) ?{gap(60)}\b(?:for|and collect|to find) {gap(40)}\b(?:api keys?|credentials?|"
        rf"passwords?|secrets?|private keys?|tokens?|wallets?|\.env)\b",
    ),
)
