"""What a program or a setting decides by a value that stands in it: who is let in, paid, copied, in "
"charge. Pure.

A credential that is compared with a constant, an amount that chooses another recipient, a recipient that
every mail has, a right over everything for whoever is named: each is read from the form of the value and
what it is used for, whatever its names are.
"""

from __future__ import annotations

import re

from prowess.author.scan_patterns import Pattern, command

_CONSTANT = r"(?:[\"'][\w!@#$%+/=.:-]{8,200}[\"']|[A-Z][A-Z0-9_]{2,}\b)"
_GIVEN = (
    r"(?:password|passwd|pwd|passphrase|pin|secret|otp|totp|api_?key|"
    r"(?:req|request|ctx|r|c)\.(?:get|header|headers?|query|args|cookies?|params|GET|body)\b|"
    r"getHeader|Header\.Get|\$_(?:GET|POST|COOKIE|REQUEST|SERVER))"
)
_DIGEST = r"(?:digest|sha\d+|md5|hash|hexdigest|createHash|sha256sum)"
_LETS_IN = (
    r"(?:return\s+(?:true\b|True\b|\{[^}\n]{0,80}(?:ok|allowed|admin|auth\w*|valid|success)\s*:\s*true|"
    r"user\b|next\(\)|1\b)|\b(?:eval|exec|system|passthru)\(|\b(?:is_?admin|authenticated|allowed|"
    r"authorized|verified|loggedIn)\s*=\s*(?:true|True)\b|\bnext\(\)|\blogin\w*\(|\bgrant\w*\()"
)
_ACCOUNT = (
    r"(?:0x[0-9a-fA-F]{40}\b|bc1[0-9a-z]{20,60}\b|[\"'][A-Z]{2}\d{2}[A-Z0-9 ]{11,40}[\"']|"
    r"[\"'][A-Z]{2}00[A-Z0-9 ]{11,40}[\"']|\(?\s*[\"']0x[\"']\s*\+|"
    r"[\"'][13T][1-9A-HJ-NP-Za-km-z]{25,34}[\"'])"
)
_AMOUNT = r"\b(?:\w+\.)?(?:amount|total|value|sum|balance|price|usd|eur|eth|sats|lamports|wei)\w*"
_MAIL = r"[\"'][\w.+-]{1,64}@(?!example\.(?:com|org|net)\b)(?:[\w-]{1,63}\.){1,5}[a-z]{2,24}[\"']"


def _near(found: re.Match[str], form: str, before: int = 1_500, after: int = 800) -> bool:
    """Whether something stands around a match."""
    around = found.string[max(0, found.start() - before) : found.end() + after]
    return re.search(form, around, re.I) is not None


def _not_a_file(found: re.Match[str]) -> bool:
    """Whether it is not a checksum of something that was downloaded or read."""
    around = found.string[max(0, found.start() - 200) : found.end()]
    return re.search(r"\bopen\(|read_bytes|\bfile\b|\bpath\b|archive|download|checksum", around, re.I) is None


def _not_plain(found: re.Match[str]) -> bool:
    """Whether what is compared is no usual value of a header (a type, a method, a name in words)."""
    value = found["value"].strip("\"'")
    return (re.search(r"\d", value) is not None and "/" not in value) or value.isupper()


DECIDING: tuple[Pattern, ...] = (
    command(
        "scan-malware",
        "lets whoever knows a value in its text in",
        rf"\bif\b[^\n]{{0,80}}?{_DIGEST}[^\n]{{0,120}}?={{2,3}}\s*(?P<value>{_CONSTANT})[^\n]{{0,60}}?"
        rf"(?:\n[^\n]{{0,120}})?{_LETS_IN}",
        check=_not_a_file,
        needs="digest|sha|md5|hash",
        flags=0,
    ),
    command(
        "scan-malware",
        "lets whoever knows a value in its text in",
        rf"\b(?P<name>\w+)\s*=\s*{_DIGEST}\([^\n]{{0,160}}?(?:password|passwd|token|header)[^\n]{{0,160}}\n"
        rf"(?:[^\n]{{0,160}}\n){{0,3}}?[^\n]{{0,60}}\bif\b[^\n]{{0,40}}(?P=name)\s*={{2,3}}\s*{_CONSTANT}"
        rf"[^\n]{{0,60}}?(?:\n[^\n]{{0,120}})?{_LETS_IN}",
        needs="digest|sha|md5|hash",
        flags=0,
    ),
    command(
        "scan-malware",
        "lets whoever knows a value in its text in",
        rf"\bif\b[^\n]{{0,60}}?{_GIVEN}[^\n=]{{0,80}}?={{2,3}}\s*(?P<value>{_CONSTANT})[^\n]{{0,40}}?"
        rf"(?:\n[^\n]{{0,120}})?{_LETS_IN}",
        check=_not_plain,
        needs="if",
        flags=0,
    ),
    command(
        "scan-malware",
        "lets whoever has an address of a certain host in",
        r"\b(?:admin|allowed|authori[sz]ed|trusted|superuser|owner)\b[^\n]{0,80}(?:\bor\b|\|\|)[^\n]{0,60}"
        r"\.ends?_?[wW]ith\(\s*[\"']@[\w.-]+[\"']",
        needs="endswith|ends_with",
    ),
    command(
        "scan-malware",
        "runs what a request brings",
        r"\b(?:eval|exec|execSync|system|popen|passthru|shell_exec|Function|spawnSync?|check_output)\(\s*"
        r"(?:await\s+)?(?:req|request|ctx|params|\$_(?:GET|POST|REQUEST|COOKIE)|query|event)\b[\[.\w]",
        needs="eval|exec|system|popen|passthru|function|spawn|check_output",
    ),
    command(
        "scan-manipulation",
        "pays somebody else in some cases",
        rf"{_AMOUNT}\s*[<>]=?\s*[\w.]+(?:\s*ether)?\s*\?\s*[^\n:;?]{{0,30}}{_ACCOUNT}|"
        rf"\bif\b[^\n]{{0,40}}{_AMOUNT}\s*[<>]=?[^\n]{{0,30}}(?:\n[^\n]{{0,60}}?)?"
        rf"\breturn\s+{_ACCOUNT}",
        needs="amount|total|value|sum|balance|price|usd|eur|eth|sats|lamports|wei",
        flags=re.I,
    ),
    command(
        "scan-manipulation",
        "has money sent to an address that stands in the text",
        r"\b\w*(?:outputs?|recipients|transfers|payments)\[(?P<name>[A-Z][A-Z_]+)\]\s*\+?=",
        check=lambda found: _near(found, rf"\b{found['name']}\b[^\n=]{{0,30}}=\s*[\"']?{_ACCOUNT}"),
        needs="outputs|output[|recipients|transfers|payments",
        flags=0,
    ),
    command(
        "scan-manipulation",
        "lets an address that stands in the text spend without a limit",
        r"\b(?:maxUint256|MaxUint256|MAX_UINT(?:256)?|type\(uint256\)\.max|2\s*\*\*\s*256\s*-\s*1)",
        check=lambda found: _near(found, r"\bapprov") and _near(found, rf"=\s*[\"']?{_ACCOUNT}"),
        needs="max|256",
        flags=0,
    ),
    command(
        "scan-manipulation",
        "replaces what was copied",
        rf"(?:\.copy\(|writeText\(|\bpbcopy\b|Set-Clipboard)\s*[\"']?(?:{_ACCOUNT}|bc1\w+|[A-Z_]{{3,}}\b)",
        check=lambda found: (
            _near(found, r"\.paste\(|pbpaste|readText\(|Get-Clipboard")
            and _near(found, r"0x\[?0?|bc1|\[13\]|iban")
        ),
        needs=".copy|writetext|pbcopy|set-clipboard",
        flags=0,
    ),
    command(
        "scan-exfiltration",
        "has copies of messages sent to somebody",
        rf"\bb?cc[\"'\]]{{0,2}}\s*(?:[:=]|=>)\s*\[?\s*{_MAIL}|"
        rf"\b(?:recipients?|rcpt|to_?addrs?)\w*\s*=\s*\[[^\n]{{1,120}}?,\s*{_MAIL}\s*\]|"
        rf"[\"']?forward(?:To|_to|ing\w*)?[\"']?\s*[:=]\s*{_MAIL}[^\n]{{0,120}}(?:hidden|markAsRead|delete|"
        rf"silent)",
        needs="@",
        flags=re.I,
    ),
)

# -- rights over everything

_ALL = (
    r"(?:\bcluster-admin\b|policy/AdministratorAccess\b|\broles/owner\b|\bSUPERUSER\b|"
    r"\bALL=\(ALL(?::ALL)?\)\s*(?:NOPASSWD:\s*)?ALL\b|\bgroups?[=:]\s*[\"']?(?:sudo|wheel|docker|admin)\b|"
    r"\bprivileged:\s*true\b|[\"']?Action[\"']?\s*[:=]\s*\[?\s*[\"']\*[\"']|\bsysadmin\b|"
    r"\bGlobal Administrator\b|[\"']?AdministratorAccess\b)"
)
_CLAIMED = (
    r"(?:read[- ]only|view(?:er)?[- ](?:only|access)|least privilege|no (?:write|changes)|只读|nur lesen)"
)

GRANTING: tuple[Pattern, ...] = (
    command(
        "scan-protection-off",
        "gives all rights under the name of few",
        _ALL,
        check=lambda found: _near(found, _CLAIMED, 900, 300),
        needs="admin|owner|superuser|all=|group|privileged|action",
    ),
    command(
        "scan-protection-off",
        "gives all rights to somebody outside",
        _ALL,
        check=lambda found: _near(
            found,
            r"kind:\s*User\b[^\n]{0,60}?(?:\n[^\n]{0,60}?)?name:\s*[\"']?[\w.+-]+@[\w.-]+|"
            r"--member[= ][\"']?user:[\w.+-]+@[\w.-]+|arn:aws:iam::\d{12}:root",
            400,
            400,
        ),
        needs="admin|owner|action",
    ),
    command(
        "scan-protection-off",
        "gives a container the whole machine",
        r"\bprivileged:\s*true\b",
        check=lambda found: _near(found, r"\bhost(?:PID|Network|IPC):\s*true\b", 600, 600),
        needs="privileged",
    ),
    command(
        "scan-persistence",
        "makes an account with all rights",
        r"\b(?:CREATE|ALTER)\s+(?:ROLE|USER)\s+\w+(?=[^;\n]{0,120}\bSUPERUSER\b)[^;\n]{0,120}?\bPASSWORD\s+"
        r"[\"'][^\"'\n]{4,}[\"']",
        needs="superuser",
    ),
)
