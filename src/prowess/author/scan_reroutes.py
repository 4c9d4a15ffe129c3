"""Rules about what is led elsewhere: requests and keys of a service, payments, tools, tasks of an editor. Pure."""

from __future__ import annotations

import re

from prowess.author.scan_hosts import URL, host_of, is_installer, is_known, is_own
from prowess.author.scan_patterns import Pattern, command

_VENDORS = (
    r"OPENAI|ANTHROPIC|CLAUDE|GEMINI|MISTRAL|COHERE|GROQ|AZURE_OPENAI|OPENROUTER|DEEPSEEK|STRIPE|PAYPAL|BRAINTREE|SQUARE|ADYEN|"
    r"SLACK|TWILIO|SENDGRID|HF|HUGGINGFACE|CODEX|COPILOT"
)
_TOOLS = r"filesystem|file-?system|git|github|gitlab|memory|fetch|shell|terminal|bash|postgres|sqlite|puppeteer|playwright|browser|slack|gmail|time|sequential-thinking|everything"
_OURS = re.compile(
    r"(?:^|[.-])(?:your|my|acme|corp|corporate|company|internal|intra|intranet|local|private|onprem|self-?hosted|staging|dev)(?=[.-])|your[-_]",
    re.I,
)


def _strange(found: re.Match[str]) -> bool:
    """Whether one of the addresses is of a host that is nobody's that the name stands for."""
    hosts = [each for each in URL.findall(found[0]) if not is_own(host_of(each))]
    return any(
        not is_known(each) and not is_installer(each) and _OURS.search(host_of(each)) is None
        for each in hosts
    )


REROUTING: tuple[Pattern, ...] = (
    command(
        "scan-odd-network",
        "leads the requests and keys of a service to another host",
        rf"\b(?:{_VENDORS})_(?:[A-Z]+_){{0,2}}?(?:BASE(?:_?URL)?|API_?BASE|API_?URL|ENDPOINT(?:_URL)?|URL|HOST|ADDR)\b[\"']?\]?\s*[:=]{{1,2}}\s*"
        rf"[\"']?https?://[^\s\"'<>`]+",
        check=_strange,
        needs="base|url|endpoint|host|addr",
        flags=0,
    ),
    command(
        "scan-odd-network",
        "has a tool of this machine served by a stranger",
        rf"\"(?:{_TOOLS})\"\s*:\s*\{{[^{{}}]{{0,400}}?(?:\"(?:url|serverUrl|httpUrl|endpoint)\"\s*:\s*\"https?://[^\"\n]+|\"mcp-remote(?:@[\w.]+)?\"\s*,\s*\"https?://[^\"\n]+)",
        check=_strange,
        needs="url|endpoint|mcp-remote",
    ),
    command(
        "scan-manipulation",
        "pays somebody else in some cases",
        r"\b(?:const |let |var )?(?:dest(?:ination)?|recipient|payee|receiver|beneficiary|creditor|iban|pay_?to|to_?addr(?:ess)?|wallet|account|bank_?account|address)\w*\s*=\s*"
        r"(?:[^=\n;?]{0,80}\b(?:amount|total|value|sum|balance|price)\b[^\n;?]{0,40}[<>]=?[^\n;?]{0,40}\?[^\n;:]{1,120}:|"
        r"[^=\n;]{1,120}?\bif\b[^\n;]{0,60}\b(?:amount|total|value|sum|balance|price)\b[^\n;]{0,30}[<>]=?[^\n;]{0,40}\belse\b)",
        needs="amount|total|value|sum|balance|price",
    ),
    command(
        "scan-manipulation",
        "pays somebody else in some cases",
        r"\bif\b[^\n]{0,40}\b(?:amount|total|value|sum|balance)\b[^\n]{0,30}[<>]=?\s*[\w.]+[^\n]{0,20}\n?[^\n]{0,40}?\b(?:dest(?:ination)?|recipient|payee|receiver|beneficiary|creditor|iban|pay_?to|"
        r"wallet|bank_?account)\w*(?:\[[^\]\n]{0,30}\])?\s*=\s*(?:[\"'][\w ]{8,}|[A-Z][A-Z_]{3,}\b|atob|b64|Buffer|base64|bytes)",
        needs="amount|total|value|sum|balance",
    ),
    command(
        "scan-download-and-run",
        "runs code that it downloads, unseen",
        r"(?:\bhttps?[\"']?\)?\.get|\bfetch|\baxios(?:\.get)?|\bgot(?:\.get)?)\(\s*[\"'`]https?://[^\n]{0,400}?(?<![\w.])(?:new\s+Function|Function|eval|execSync|exec|spawn|spawnSync|"
        r"vm\.\w+|require\([\"']vm[\"']\)\.\w+|module\._compile|import)\s*\(",
        check=_strange,
        needs="get|fetch|axios|got",
    ),
    command(
        "scan-download-and-run",
        "runs code of another host at import",
        r"\bimport\s*\(\s*[\"'`]https?://[^\n\"'`]+[\"'`]|\bimportScripts\(\s*[\"'`]https?://[^\n\"'`]+|<script[^>\n]{0,200}\bsrc=[\"']http://[^\n\"']+",
        check=lambda found: (
            _strange(found)
            and re.search(r"deno\.land|esm\.sh|unpkg\.com|jsdelivr\.net|cdnjs|skypack|jspm", found[0]) is None
        ),
        needs="import|<script",
    ),
    command(
        "scan-download-and-run",
        "reaches another host when a package is installed",
        r"\"(?:pre|post)?(?:install|prepare|publish|pack)\"\s*:\s*\"(?:[^\"\\\n]|\\.){0,2000}?https?://(?:[^\"\\\n]|\\.){0,400}?\"",
        check=_strange,
        needs="install|prepare|publish|pack",
    ),
    command(
        "scan-persistence",
        "has an editor run something whenever a folder is opened",
        r"\"command\"\s*:\s*\"(?:[^\"\\\n]|\\.){0,400}?(?:\bcurl\b|\bwget\b|https?://|base64|\bnode\s+-e|python\d?\s+-c|powershell|/tmp/|\\.hidden)(?:[^\"\\]|\\.){0,400}?\""
        r"[^~]{0,600}?\"runOn\"\s*:\s*\"folderOpen\"|\"runOn\"\s*:\s*\"folderOpen\"[^~]{0,600}?\"command\"\s*:\s*\"(?:[^\"\\\n]|\\.){0,400}?(?:\bcurl\b|\bwget\b|https?://|base64|"
        r"\bnode\s+-e|powershell)",
        needs="folderopen",
    ),
    command(
        "scan-protection-off",
        "has an editor trust every folder",
        r"[\"']?security\.workspace\.trust\.enabled[\"']?\s*[:=]\s*false|[\"']?task\.allowAutomaticTasks[\"']?\s*[:=]\s*[\"']on\b",
        needs="trust.enabled|allowautomatictasks",
    ),
    command(
        "scan-malware",
        "puts itself in front of a command that is trusted with secrets",
        r"(?:^|\n)[ \t]*(?:function\s+)?(?:sudo|su|doas|ssh|scp|passwd|gpg|login|kinit|git|npm|docker|kubectl|aws|op|pass)\s*(?:\(\))?\s*\{(?:[^\n]*\n){0,8}?"
        r"[^\n]*(?:\b(?:curl|wget|nc|ncat)\s|/dev/tcp/|>>\s*[\"']?(?:/tmp|/var/tmp|/dev/shm|~/\.|\$HOME/\.)\S*)|"
        r"\balias\s+(?:sudo|su|ssh|git|npm|docker|gpg|passwd)=[\"'][^\"'\n]{0,200}?(?:\bcurl\b|\bwget\b|\bnc\s|/tmp/|>>|~/\.\w+/)",
        needs="curl|wget|nc|ncat|/dev/tcp|>>|/tmp",
        flags=re.I,
    ),
    command(
        "scan-persistence",
        "has an interpreter run downloaded code at every start",
        r"(?:profile_default/startup|sitecustomize\.py|usercustomize\.py|\.pth\b|jupyter_\w*config\.py|\.Rprofile|\.irbrc|\.pythonrc|PYTHONSTARTUP|\.gdbinit|\.vimrc|init\.vim|\.emacs|"
        r"\.envrc|\.tmux\.conf|\.ssh/rc|config\.fish|\$PROFILE|Microsoft\.PowerShell_profile)[^\n]{0,200}(?:\n[^\n]{0,200}){0,6}?(?:urlopen|requests\.get|\bcurl\b|\bwget\b|exec\(|eval\(|"
        r"DownloadString|\biwr\b|\birm\b|base64)",
        check=lambda found: (
            bool(URL.findall(found[0]))
            and _strange(found)
            or re.search(r"exec\(|eval\(|base64", found[0]) is not None
        ),
        needs="urlopen|requests.get|curl|wget|exec(|eval(|downloadstring|iwr|irm|base64",
    ),
)
