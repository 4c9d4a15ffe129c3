"""Rules about what is led elsewhere: requests and keys of a service, payments, tools, tasks. Pure."""

from __future__ import annotations

import re

from prowess.author.scan_hosts import URL, host_of, is_installer, is_known, is_own
from prowess.author.scan_patterns import Pattern, command
from prowess.author.scan_settings import is_mirror

_VENDORS = (
    r"OPENAI|ANTHROPIC|CLAUDE|GEMINI|MISTRAL|COHERE|GROQ|AZURE_OPENAI|OPENROUTER|DEEPSEEK|STRIPE|"
    r"PAYPAL|BRAINTREE|SQUARE|ADYEN|"
    r"SLACK|TWILIO|SENDGRID|HF|HUGGINGFACE|CODEX|COPILOT"
)
_TOOLS = (
    r"filesystem|file-?system|git|github|gitlab|memory|fetch|shell|terminal|bash|postgres|sqlite|"
    r"puppeteer|playwright|browser|slack|gmail|time|sequential-thinking|everything"
)
_OURS = re.compile(
    r"(?:^|[.-])(?:your|my|acme|corp|corporate|company|internal|intra|intranet|local|private|onprem|"
    r"self-?hosted|staging|dev)(?=[.-])|your[-_]",
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
        rf"\b(?:{_VENDORS})_(?:[A-Z]+_){{0,2}}?(?:BASE(?:_?URL)?|API_?BASE|API_?URL|ENDPOINT(?:_URL)?|"
        rf"URL|HOST|ADDR)\b[\"']?\]?\s*[:=]{{1,2}}\s*"
        rf"[\"']?https?://[^\s\"'<>`]+",
        check=_strange,
        needs="base|url|endpoint|host|addr",
        flags=0,
    ),
    command(
        "scan-odd-network",
        "has a tool of this machine served by a stranger",
        rf"\"(?:{_TOOLS})\"\s*:\s*\{{[^{{}}]{{0,400}}?(?:\"(?:url|serverUrl|httpUrl|"
        rf"endpoint)\"\s*:\s*\"https?://[^\"\n]+|\"mcp-remote(?:@[\w.]+)?\"\s*,\s*\"https?://[^\"\n]+)",
        check=_strange,
        needs="url|endpoint|mcp-remote",
    ),
    command(
        "scan-manipulation",
        "pays somebody else in some cases",
        r"\b(?:const |let |var )?(?:dest(?:ination)?|recipient|payee|receiver|beneficiary|creditor|"
        r"iban|pay_?to|to_?addr(?:ess)?|wallet|account|bank_?account|address)\w*\s*=\s*"
        r"(?:[^=\n;?]{0,80}\b(?:amount|total|value|sum|balance|"
        r"price)\b[^\n;?]{0,40}[<>]=?[^\n;?]{0,40}\?[^\n;:]{1,120}:|"
        r"[^=\n;]{1,120}?\bif\b[^\n;]{0,60}\b(?:amount|total|value|sum|balance|"
        r"price)\b[^\n;]{0,30}[<>]=?[^\n;]{0,40}\belse\b)",
        needs="amount|total|value|sum|balance|price",
    ),
    command(
        "scan-manipulation",
        "pays somebody else in some cases",
        r"\bif\b[^\n]{0,40}\b(?:amount|total|value|sum|"
        r"balance)\b[^\n]{0,30}[<>]=?\s*[\w.]+[^\n]{0,20}\n?[^\n]{0,40}?\b(?:dest(?:ination)?|"
        r"recipient|payee|receiver|beneficiary|creditor|iban|pay_?to|"
        r"wallet|bank_?account)\w*(?:\[[^\]\n]{0,30}\])?\s*=\s*(?:[\"'][\w ]{8,}|[A-Z][A-Z_]{3,}\b|"
        r"atob|b64|Buffer|base64|bytes)",
        needs="amount|total|value|sum|balance",
    ),
    command(
        "scan-download-and-run",
        "runs code that it downloads, unseen",
        r"(?:\bhttps?[\"']?\)?\.get|\bfetch|\baxios(?:\.get)?|"
        r"\bgot(?:\.get)?)\(\s*[\"'`]https?://[^\n]{0,400}?(?<![\w.])(?:new\s+Function|Function|eval|"
        r"execSync|exec|spawn|spawnSync|"
        r"vm\.\w+|require\([\"']vm[\"']\)\.\w+|module\._compile|import)\s*\(",
        check=_strange,
        needs="get|fetch|axios|got",
    ),
    command(
        "scan-download-and-run",
        "runs code of another host at import",
        r"\bimport\s*\(\s*[\"'`]https?://[^\n\"'`]+[\"'`]|"
        r"\bimportScripts\(\s*[\"'`]https?://[^\n\"'`]+|"
        r"<script[^>\n]{0,200}\bsrc=[\"']http://[^\n\"']+",
        check=lambda found: (
            _strange(found)
            and re.search(r"deno\.land|esm\.sh|unpkg\.com|jsdelivr\.net|cdnjs|skypack|jspm", found[0]) is None
        ),
        needs="import|<script",
    ),
    command(
        "scan-download-and-run",
        "reaches another host when a package is installed",
        r"\"(?:pre|post)?(?:install|prepare|publish|pack)\"\s*:\s*\"(?:[^\"\\\n]|"
        r"\\.){0,2000}?https?://(?:[^\"\\\n]|\\.){0,400}?\"",
        check=_strange,
        needs="install|prepare|publish|pack",
    ),
    command(
        "scan-persistence",
        "has an editor run something whenever a folder is opened",
        r"\"command\"\s*:\s*\"(?:[^\"\\\n]|\\.){0,400}?(?:\bcurl\b|\bwget\b|https?://|base64|"
        r"\bnode\s+-e|python\d?\s+-c|powershell|/tmp/|\\.hidden)(?:[^\"\\]|\\.){0,400}?\""
        r"[^~]{0,600}?\"runOn\"\s*:\s*\"folderOpen\"|"
        r"\"runOn\"\s*:\s*\"folderOpen\"[^~]{0,600}?\"command\"\s*:\s*\"(?:[^\"\\\n]|"
        r"\\.){0,400}?(?:\bcurl\b|\bwget\b|https?://|base64|"
        r"\bnode\s+-e|powershell)",
        needs="folderopen",
    ),
    command(
        "scan-protection-off",
        "has an editor trust every folder",
        r"[\"']?security\.workspace\.trust\.enabled[\"']?\s*[:=]\s*false|"
        r"[\"']?task\.allowAutomaticTasks[\"']?\s*[:=]\s*[\"']on\b",
        needs="trust.enabled|allowautomatictasks",
    ),
    command(
        "scan-malware",
        "puts itself in front of a command that is trusted with secrets",
        r"(?:^|\n)[ \t]*(?:function\s+)?(?:sudo|su|doas|ssh|scp|passwd|gpg|login|kinit|git|npm|docker|"
        r"kubectl|aws|op|pass)\s*(?:\(\))?\s*\{(?:[^\n]*\n){0,8}?"
        r"[^\n]*(?:\b(?:curl|wget|nc|ncat)\s|/dev/tcp/|>>\s*[\"']?(?:/tmp|/var/tmp|/dev/shm|~/\.|"
        r"\$HOME/\.)\S*)|"
        r"\balias\s+(?:sudo|su|ssh|git|npm|docker|gpg|passwd)=[\"'][^\"'\n]{0,200}?(?:\bcurl\b|"
        r"\bwget\b|\bnc\s|/tmp/|>>|~/\.\w+/)",
        needs="curl|wget|nc|ncat|/dev/tcp|>>|/tmp",
        flags=re.I,
    ),
    command(
        "scan-persistence",
        "has an interpreter run downloaded code at every start",
        r"(?:profile_default/startup|sitecustomize\.py|usercustomize\.py|\.pth\b|"
        r"jupyter_\w*config\.py|\.Rprofile|\.irbrc|\.pythonrc|PYTHONSTARTUP|\.gdbinit|\.vimrc|"
        r"init\.vim|\.emacs|"
        r"\.envrc|\.tmux\.conf|\.ssh/rc|config\.fish|\$PROFILE|"
        r"Microsoft\.PowerShell_profile)[^\n]{0,200}(?:\n[^\n]{0,200}){0,6}?(?:urlopen|requests\.get|"
        r"\bcurl\b|\bwget\b|exec\(|eval\(|"
        r"DownloadString|\biwr\b|\birm\b|base64)",
        check=lambda found: (
            (bool(URL.findall(found[0])) and _strange(found))
            or re.search(r"exec\(|eval\(|base64", found[0]) is not None
        ),
        needs="urlopen|requests.get|curl|wget|exec(|eval(|downloadstring|iwr|irm|base64",
    ),
    command(
        "scan-manipulation",
        "pays somebody else in some cases",
        r"\bif\b[^\n]{0,40}\b(?:amount|total|value|sum|"
        r"balance)\b[^\n]{0,30}[<>]=?\s*[\w.]+[^\n]{0,20}\n?[^\n]{0,40}?\bto\s*=\s*(?:[A-Z_]*(?:ADDR|"
        r"WALLET|ACCOUNT|IBAN|RELAY|PAYEE)\w*|[\"'](?:0x|bc1|T)\w{8,})",
        needs="amount|total|value|sum|balance",
        flags=0,
    ),
    command(
        "scan-exfiltration",
        "has the whole repository pushed to a stranger",
        r"\bgit\s+remote\s+(?:add|set-url)\b[^\n]{0,60}?(?:https?://|"
        r"git://)[^\s\"'`]+(?:[^\n]*\n){0,5}?[^\n]{0,200}?\bgit\s+push\b[^\n]{0,60}--(?:mirror|all)\b",
        check=_strange,
        needs="git",
    ),
    command(
        "scan-download-and-run",
        "installs a package from a place of its own",
        r"\b(?:pip3?|uv|pipx|poetry)\b[^\n]{0,160}?--(?:extra-index-url|index-url|"
        r"find-links)[ =][\"']?https://[^\n]{0,160}?--trusted-host\b[^\n]{0,60}|"
        r"\b(?:pip3?|uv pip|pipx)\s+install\b[^\n]{0,80}?\s[\"']?https?://[^\s\"'`]+\.(?:whl|tar\.gz|zip)|"
        r"\b(?:npm|pnpm|yarn)\s+(?:install|i|add)\b[^\n]{0,80}?\s[\"']?https?://[^\s\"'`]+\.tgz",
        check=_strange,
        needs="install|index|links|add",
    ),
    command(
        "scan-download-and-run",
        "has packages come from a place of its own from now on",
        r"(?:^|\n)[ \t]*(?:registry|index-url|extra-index-url|"
        r"npmRegistryServer)\s*[:=]\s*[\"']?https?://[^\s\"']+|"
        r"\b(?:npm|pnpm|yarn)"
        r"\s+config\s+(?:-\w+\s+)*set\s+[^\n]{0,30}?registry[\s=]+[\"']?https://[^\s\"'`]+|"
        r"\bpip3?\s+config\s+(?:--[\w-]+\s+)*set\s+[^\n]{0,30}?index-url\s+[\"']?https://[^\s\"'`]+",
        check=lambda found: (
            _strange(found) and not any(is_mirror(host_of(each)) for each in URL.findall(found[0]))
        ),
        needs="registry|index-url|npmregistryserver",
    ),
    command(
        "scan-exfiltration",
        "has a hook of the agent send what it sees",
        r"\"(?:UserPromptSubmit|PreToolUse|PostToolUse|Stop|SubagentStop|SessionStart|SessionEnd|"
        r"Notification|PreCompact)\""
        r"\s*:[^~]{0,600}?\"command\"\s*:\s*\"(?:[^\"\\\n]|\\.){0,300}?(?:\bcurl\b|\bwget\b|\bnc\b|"
        r"requests\.)"
        r"(?:[^\"\\\n]|\\.){0,300}",
        check=_strange,
        needs="curl|wget|nc|requests",
    ),
    command(
        "scan-odd-network",
        "leads all traffic through a stranger who is trusted with it",
        r"\b(?:https?_proxy|all_proxy|http\.proxy)\b[\"']?\s*[=: ]\s*[\"']?(?:https?|"
        r"socks5h?)://[^\s\"'`]+[^~]{0,240}?"
        r"\b(?:root (?:certificate|ca)|ca (?:certificate|bundle)|trust(?:s|ed)? (?:its|the)|update-ca|"
        r"sslverify|verify)",
        check=_strange,
        needs="proxy",
    ),
)
