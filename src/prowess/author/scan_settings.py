"""Rules about settings that outlast a task: where code comes from, what builds may see. Pure."""

from __future__ import annotations

import re

from prowess.author.scan_hosts import URL, host_of, is_own
from prowess.author.scan_patterns import Pattern, command

# Mirrors of package indexes that whole countries use, some still by plain HTTP.
_MIRRORS = re.compile(
    r"(?:^|\.)(?:mirrors?\.[\w.-]+|mirrors?\w*\.(?:com|cn|org|net)|npmmirror\.com|npm\.taobao\.org|"
    r"npmjs\.(?:org|com)|pypi\.org|tuna\.tsinghua\.edu\.cn|pypi\.\w+\.(?:com|edu\.cn))$"
)
_FORGES = r"(?:github\.com|gitlab\.com|bitbucket\.org|codeberg\.org)"


def is_mirror(host: str) -> bool:
    """Whether a host is a mirror of a package index that whole countries use, or the index."""
    return _MIRRORS.search(host) is not None


def _foreign(found: re.Match[str]) -> bool:
    """Whether packages are to come from a host that is neither this network's nor a known mirror."""
    hosts = [host_of(each) for each in URL.findall(found[0])]
    return any(not is_own(each) and _MIRRORS.search(each) is None for each in hosts)


def _redirected(found: re.Match[str]) -> bool:
    """Whether the new host of repositories is another one than the old."""
    new, old = found["new"].lower(), found["old"].lower()
    return not new.endswith(old) and not is_own(new)


SETTING: tuple[Pattern, ...] = (
    command(
        "scan-download-and-run",
        "has packages come from a place of its own from now on",
        r"\b(?:npm|pnpm|yarn|bun)\s+config\s+(?:-\w+\s+|--[\w-]+\s+)*set\s+[^\n]{0,40}?registry[\s=]+[\"']?"
        r"http://[^\n]{0,120}|\bpip3?\s+config\s+(?:--[\w-]+\s+)*set\s+[^\n]{0,40}?index-url\s+[\"']?http://"
        r"[^\n]{0,120}|\bcargo\s+config[^\n]{0,60}http://[^\n]{0,100}|"
        r"\bgem\s+sources\s+(?:-a|--add)\s+[\"']?http://[^\n]{0,100}",
        check=_foreign,
        needs="config|gem",
    ),
    command(
        "scan-protection-off",
        "switches off the check of who is at the other end",
        r"\bgit\s+config\s+--(?:global|system)\s+http\.sslVerify\s+[\"']?(?:false|0)|\b(?:npm|pnpm|yarn)\s+"
        r"config\s+set\s+strict-ssl\s+false\s+(?:--global|-g)|\bNODE_TLS_REJECT_UNAUTHORIZED=0[^\n]{0,40}>>|"
        r"\becho\s+[\"']?(?:insecure|check-certificate\s*=\s*off)[\"']?\s*>>\s*~/\.(?:curlrc|wgetrc)",
        needs="sslverify|strict-ssl|node_tls|curlrc|wgetrc",
    ),
    command(
        "scan-odd-network",
        "sends every repository through another host",
        rf"\burl\.[\"']?https?://(?P<new>[\w.-]+)[^\s\"']*[\"']?\.(?:insteadOf|pushInsteadOf)[\s=]+[\"']?"
        rf"(?:https?://|git@|ssh://git@)?(?P<old>{_FORGES})",
        check=_redirected,
        needs="insteadof",
    ),
    command(
        "scan-exfiltration",
        "gives what Git signs in with to another program",
        r"\bcredential\.helper[\s=]+[\"'][^\n]{0,240}?\b(?:curl|wget|nc|ncat|tee)\b",
        needs="credential.helper",
    ),
    command(
        "scan-exfiltration",
        "sends the secrets of a repository away in its builds",
        r"\btoJSON\(\s*secrets\s*\)(?:[^\n]*\n){0,8}?[^\n]*?\b(?:curl|wget|nc|ncat|Invoke-RestMethod|"
        r"Invoke-WebRequest|fetch)\b[^\n]{0,160}",
        check=lambda found: any(not is_own(host_of(each)) for each in URL.findall(found[0])),
        needs="tojson",
    ),
    command(
        "scan-download-and-run",
        "runs code that it downloads, or hides, when a package is installed",
        r"\"(?:pre|post)?(?:install|prepare)\"\s*:\s*\"(?:[^\"\\\n]|\\.){0,2000}?(?:\bcurl\b|\bwget\b|"
        r"\bfetch\(|"
        r"https?\.get\(|powershell|base64|\beval\b|\batob\(|child_process|fromCharCode|global(?:This)?\[|"
        r"\bnc\s)(?:[^\"\\\n]|\\.){0,2000}?\"",
        needs="install|prepare",
    ),
    command(
        "scan-protection-off",
        "gives a container the whole machine",
        r"^[ \t]*-[ \t]*[\"']?/:/[\w./-]+(?::rw|:rshared)?[\"']?[ \t]*$|"
        r"^[ \t]+privileged:[ \t]*true[ \t]*\n(?:[^\n]*\n){0,10}?[ \t]*-[ \t]*\S*docker\.sock|"
        r"^[ \t]*-[ \t]*\S*docker\.sock\S*[ \t]*\n(?:[^\n]*\n){0,10}?[ \t]+privileged:[ \t]*true\b",
        needs="/:/|privileged",
        flags=re.I | re.M,
    ),
)
