"""What flows from one line of a program to another: private data into a request, a download into a shell.

A few lines of reading, not an analysis: a name is private from where it is given a private value, and
whatever is made of it is too. It follows assignments, loops, `with`, and appending, in Python,
JavaScript and shells alike, once from top to bottom and once more. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from prowess.author.scan_commands import PRIVATE_FILES
from prowess.author.scan_flow_calls import NOWHERE, functions, handed, outgoing, read_loops, stages
from prowess.author.scan_hosts import URL, host_of, is_bare_address, is_installer, is_known, is_own

MOST_LINES = 4_000
MOST_NAMES = 400
MOST_OF_A_LINE = 2_000
CALL_LINES = 8  # a call may be spread over so many

_WHOLE_ENVIRONMENT = (
    r"(?:\bdict\(\s*os\.environ\s*\)|\bos\.environ\.(?:items|values)\(\)|"
    r"json\.dumps\([^\n]{0,40}os\.environ\b(?!\[|\.get)|str\(os\.environ\)|repr\(os\.environ\)|"
    r"\bin\s+(?:sorted\()?os\.environ\b(?!\[|\.get)|JSON\.stringify\(\s*process\.env\b(?!\.)|"
    r"Object\.(?:entries|keys|assign)\([^\n]{0,10}process\.env\b(?!\.)|"
    r"\{\s*\.\.\.process\.env\s*\}\s*[,;)]|"
    r"\$\((?:env|printenv|set)\b(?=\s*[|)])[^)]{0,240}\)|`(?:env|printenv)`|ENV\.to_h|\bgetenv\(\)|getAllEnv|"
    r"System\.getenv\(\)|Get-ChildItem\s+env:|\btoJSON\(\s*secrets\s*\))"
)
_HISTORY = (
    r"(?:conversation(?:_history|_log|\.json)|chat_history|transcript(?:s)?\.jsonl?|\.claude/projects|"
    r"pyperclip\.paste\(\)|pbpaste|xclip -o|Get-Clipboard|ImageGrab\.grab|screencapture)"
)
_OPENS = (
    r"(?:open|read_text|read_bytes|readFileSync|readFile|readlines|\bcat\b|Path|glob|expanduser|join|"
    r"copy\w*|copyfile|read|connect|base64|tar|zip|Get-Content|head|strings|File\.read)"
)
_PRIVATE = re.compile(rf"{_WHOLE_ENVIRONMENT}|{_HISTORY}", re.I)
_PRIVATE_FILE = re.compile(PRIVATE_FILES, re.I)
# Pieces of a path may stand apart: Path.home() / ".ssh" / "id_rsa".
_PIECES = re.compile(
    r"""["']\.ssh["']|["']id_(?:rsa|ed25519|ecdsa)["']|["']\.aws["'][^\n]{0,30}["']credentials["']|"
    r"["']\.gnupg["']|["']\.kube["'][^\n]{0,20}["']config["']|"
    r"["']\.docker["'][^\n]{0,20}["']config\.json["']|["']Login Data["']"""
)
_SECRET_NAMES = re.compile(
    r"\b(?P<vendor>AWS|GITHUB|GH|GITLAB|OPENAI|ANTHROPIC|SLACK|STRIPE|NPM|AZURE|DATABASE|HF|SSH|CLAUDE|"
    r"GEMINI)_\w*(?:KEY|TOKEN|SECRET|PASSWORD|URL)\w*"
)
# The user's work: history, differences, the whole tree.
_WORK = re.compile(
    r"\bgit\s+(?:-C\s+\S+\s+)?(?:bundle\s+create|archive|format-patch|diff|show|"
    r"log\s+-p)\b(?![^\n|>]*--(?:stat|shortstat|name-only|check|quiet)\b)|"
    r"[\"']git[\"']\s*,\s*[\"'](?:bundle|archive|format-patch|diff|show)[\"'](?![^\n\]]*--(?:stat|"
    r"shortstat|name-only|check|quiet))|"
    r"\bgit\s+ls-files\b[^\n]{0,40}\|\s*(?:xargs|tar|zip|cpio)|"
    # Whatever lies in the home directory; secrets that are looked for by their form.
    r"\b(?:find|tar|zip|rsync|rclone|ls)\b[^\n|]{0,60}?(?:~|\$\{?HOME\}?|\$\(HOME\)|%USERPROFILE%|"
    r"\$env:USERPROFILE|/home|/Users)[\s/\"'\\]|\b(?:grep|rg|ag|findstr|Select-String)\b[^\n|]{0,60}?"
    r"(?:AKIA|ghp_|xox\[|sk-\[|PRIVATE KEY)|^\s*\w+=[\"'](?=[^\n]{0,80}(?:AKIA|ghp_|PRIVATE KEY))"
)
# What signs in for somebody else, printed by the tool that keeps it.
_SIGNED_IN = re.compile(
    r"\bgh\W{1,6}auth\W{1,6}token\b|\bgcloud\s+auth\s+(?:application-default\s+)?print-\w+-token\b|"
    r"\baz\s+account\s+get-access-token\b|\baws\s+configure\s+(?:get|export-credentials)\b|"
    r"\bsecurity\s+find-(?:generic|internet)-password\b|\bop\s+read\b|\bpass\s+show\b|"
    r"\bgit\s+credential\s+fill\b|\bnpm\s+token\b|\bkubectl\s+get\s+secrets?\b"
)
_NAME = r"(?:[^\W\d]|\$)[\w$]*"  # of any script: Python and JavaScript allow them
_ASSIGNS = re.compile(
    rf"(?:^|[\s;(])(?:const |let |var |local |export |readonly |my )?\$?(?P<name>{_NAME})(?:\[[^\]\n]*\]|"
    rf"\.{_NAME})?(?:,\s*{_NAME})?\s*(?::\s*[\w\[\], .|]+)?\s*(?:\+|\||:)?=(?![=>])\s*(?P<value>.+)$"
)
_LOOPS = re.compile(
    rf"\bfor\s*\(?\s*(?:const |let |var )?[\[(]?(?P<names>{_NAME}(?:\s*,\s*{_NAME})*)[\])]?\s+(?:in|"
    rf"of)\s+(?P<value>.+)"
)
_WITH = re.compile(rf"\bwith\s+(?P<value>.+?)\s+as\s+(?P<name>{_NAME})")
_GROWS = re.compile(
    rf"\b(?P<name>{_NAME})(?:\[[^\]\n]*\])?(?:\.\w+\([^()\n]{{0,80}}\))?\.(?:append|extend|push|update|"
    rf"add|write|concat|insert|"
    rf"setdefault|read|load|parse|feed|set|writestr)\(\s*(?P<value>.+)"
)
_SEND = re.compile(
    r"\b(?:requests|httpx|session|client|aiohttp\.\w+|s|http|axios|got|superagent)\.(?:post|put|patch|"
    r"request|get)\(|\burlopen\(|\burllib\.request\.(?:Request|urlopen)\(|\bRequest\(|\bfetch\(|"
    r"\.(?:sendall|sendto|send_message|sendmail|send)\(|"
    r"\bconn\w*\.request\(|\bhttps?\.request\(|\breq(?:uest)?\.write\(|\bcurl\b|\bwget\b|\b(?:nc|ncat)\s|"
    r"\bInvoke-(?:RestMethod|WebRequest)\b|\birm\b|\biwr\b|\bNet::HTTP\.post|\bwebsocket\w*\.\w*send|"
    r"\bupload_file\(|\bput_object\(|\bsubprocess\.\w+\(\s*\[\s*[\"']curl|XMLHttpRequest|"
    r"navigator\.sendBeacon\(|\bdig\b|\bnslookup\b|gethostbyname\(|getaddrinfo\(|resolver\.(?:resolve|"
    r"query)\(|"
    r"\bdns\.(?:lookup|resolve\w*)\(|Resolve-DnsName|\.Upload(?:String|File|Data)\w*\(|"
    r"\bhttp\.Post(?:Form)?\(|\bcurl_exec\(|"
    r"\bstor(?:binary|lines)\(|\bsftp\.put\(|\bsendmail\b|\bmailx?\s+-s|\bmutt\b|Send-MailMessage|"
    r"\bswaks\b|\.src\s*=|webbrowser\.open\(|"
    r"\b(?:requests|httpx)\.(?:request|Session\(\)\.\w+)\("
)
_DOWNLOADS = re.compile(
    r"\b(?:requests|httpx|session|client)\.get\(|\burlopen\(|\burlretrieve\(|\bfetch\(|\baxios\.get\(|"
    r"\bhttps?\.get\(|(?:\$\(|`|<\()\s*(?:curl|wget)\b|\s(?:-o|-O|--output)\s|DownloadString|DownloadFile|"
    r"Net::HTTP\.get|\bURI\.open\("
)
_RUNS = re.compile(
    r"(?<![\w.])(?:exec|eval|execfile|Function|new Function|compile|loadstring|__import__)\s*\(|"
    r"\bos\.(?:system|popen|exec\w*|startfile)\(|\bsubprocess\.\w+\(|\bchild_process\.\w+\(|\b(?:execSync|"
    r"spawnSync|spawn|execFile|execFileSync)\(|\bvm\.run\w+\(|"
    r"(?:^|[;&|]\s*|\bthen\s+|\bsudo\s+)\s*(?:bash|sh|zsh|eval|source|python3?|node|"
    r"\.)\s+(?:-c\s+)?[\"']?\$|\bctypes\.|\bmarshal\.loads\(|\bpickle\.loads\(|\bimportlib\.\w+\(|"
    r"\bInvoke-Expression\b|\biex\b|\bStart-Process\b|\brunpy\.\w+\("
)
_DECODES = re.compile(
    r"b64decode|b85decode|a85decode|b32decode|unhexlify|bytes\.fromhex|fromhex\(|zlib\.decompress|"
    r"gzip\.decompress|codecs\.decode|\batob\(|[\"'](?:base64|hex)[\"']\)|base64\s+(?:-d|--decode|-D)|"
    r"xxd\s+-r|rot13|FromBase64String|base64_decode|\.translate\(|\bchr\(|fromCharCode|\^\s*(?:0x\w+|\w+)|"
    r"\[::-1\]|(?:\\x[0-9A-Fa-f]{2}){16}"
)


class Flow(NamedTuple):
    """Something that flows where it should not: the rule, what is done, and the place where it arrives."""

    rule: str
    says: str
    start: int
    end: int


@dataclass(slots=True)
class _Names:
    """Which names hold what."""

    private: set[str] = field(default_factory=set)
    secret: set[str] = field(default_factory=set)  # secrets of services; a set of them is private
    fetched: set[str] = field(default_factory=set)
    decoded: set[str] = field(default_factory=set)
    work: set[str] = field(default_factory=set)
    opened: re.Pattern[str] | None = None  # how this program sends by names of its own


def flows(text: str) -> Iterator[Flow]:
    """What flows in one program."""
    lines = text.split("\n")[:MOST_LINES]
    names = _Names(opened=outgoing(text))
    if names.opened is None and not any(each.search(text) for each in (_SEND, _RUNS, _REACHED)):
        return
    vendors: set[str] = set()
    takes = functions(lines)
    for _ in range(3):
        for line in lines:
            _learn(line, names, vendors)
            if takes and len(line) < MOST_OF_A_LINE:
                for name, value in handed(line, takes):
                    _hold([name], value, names)
        for read, value in read_loops(lines):
            _hold(read, value, names)
        _returned(lines, names)
    if len(vendors) >= 3:  # one program that holds the secrets of three services at once
        names.private |= names.secret
    at = 0
    for number, line in enumerate(lines):
        yield from _arrivals(lines, number, at, names)
        at += len(line) + 1


def _hold(targets: list[str], value: str, names: _Names) -> None:
    """Keep that names hold what a value holds."""
    if _is_private(value, names):
        names.private.update(targets)
    if (_DOWNLOADS.search(value) and not _trusted(value)) or _uses(value, names.fetched):
        names.fetched.update(targets)
    if _DECODES.search(value) or _uses(value, names.decoded):
        names.decoded.update(targets)
    if _WORK.search(value) or _uses(value, names.work):
        names.work.update(targets)
    if _SIGNED_IN.search(value):
        names.secret.update(targets)


def _learn(line: str, names: _Names, vendors: set[str]) -> None:
    if len(line) > MOST_OF_A_LINE:
        return
    for targets, value in _given(line):
        _hold(targets, value, names)
        if (found := _SECRET_NAMES.search(value)) is not None:
            vendors.add(found["vendor"])
            if not _SIGNING.search(value):
                names.secret.update(targets)
        for held in (names.work, names.private, names.fetched, names.decoded, names.secret):
            if len(held) > MOST_NAMES:
                held.clear()


_SIGNING = re.compile(r"\bheaders?\b|authorization|bearer|\bbasic\b", re.I)
_FUNCTION = re.compile(
    rf"^(?P<indent>[ \t]*)(?:export |async |public |static |private )*(?:def |function |func |fn |"
    rf"const |let |sub )?(?P<name>{_NAME})\s*"
    rf"(?:=\s*(?:async\s*)?)?\([^()\n]{{0,200}}\)[^\n]{{0,60}}?(?::|\{{|=>)\s*$"
)
_AT_ONCE = re.compile(
    rf"\bfunction\s+(?P<name>{_NAME})\s*\([^()\n]{{0,200}}\)[^\n{{]{{0,60}}\{{\s*return\b(?P<value>[^\n]*)"
)
_GIVES = re.compile(r"^\s*(?:return|yield|echo|printf|cat)\b(?P<value>.*)")


def _returned(lines: list[str], names: _Names) -> None:
    """A function that gives what is private is private by its name."""
    name, indent = "", ""
    for number, line in enumerate(lines):
        if (whole := _AT_ONCE.search(line[:MOST_OF_A_LINE])) is not None:
            if _is_private(whole["value"], names):
                names.private.add(whole["name"])
        elif (found := _FUNCTION.match(line[:400])) is not None and found["name"] not in _WORDS:
            name, indent = found["name"], found["indent"]
        elif name and line.strip() and not line.startswith((indent + " ", indent + "\t")):
            name = ""
        elif name and (gives := _GIVES.match(line[:2_000])) is not None:
            value = gives["value"] + " " + _call(lines, number)
            if _is_private(value, names):
                names.private.add(name)
            if _WORK.search(value) or _uses(value, names.work):
                names.work.add(name)


_WORDS = frozenset({"if", "for", "while", "switch", "catch", "with", "elif", "main"})


def _given(line: str) -> Iterator[tuple[list[str], str]]:
    """Which names a line gives which value."""
    for form in (_WITH, _GROWS, _ASSIGNS):
        if (found := form.search(line)) is not None:
            yield [found["name"]], found["value"]
    if (found := _LOOPS.search(line)) is not None:
        yield re.split(r"\s*,\s*", found["names"]), f"glob {found['value']}"
    if (found := re.search(r"\burlretrieve\([^,\n]+,\s*[\"']?(?P<name>[\w./-]+)", line)) is not None:
        yield [found["name"]], line
    if ">" in line and (found := _REDIRECTED.search(bare := NOWHERE.sub("", line))) is not None:
        yield (
            [found["name"]],
            re.sub(r"(?<![\w./-])(?:env|printenv)\b", "os.environ.items()", bare[: found.start()]),
        )
    if (found := _WRITTEN.search(line)) is not None:
        source = found["value"] + line[found.end() :]
        if re.match(r"\s*(?:env|printenv|set)\b", found["value"]) or _PRIVATE_FILE.search(source):
            yield [found["name"]], f"os.environ.items() {source}"
    if (found := _BUNDLED.search(line)) is not None:
        yield [found["name"]], line
    fetched = r"\b(?:curl|wget)\b[^\n]*?\s(?:-o|-O|--output|>)\s*[\"']?(?P<name>[\w./-]{2,})"
    if (found := re.search(fetched, line)) is not None:
        yield [found["name"]], line


_REDIRECTED = re.compile(r"(?<![->=])>{1,2}\s*[\"']?\$\{?(?P<name>\w+)\}?[\"']?\s*(?:$|[;&)])")
_WRITTEN = re.compile(
    rf"(?P<value>(?:{_WHOLE_ENVIRONMENT}|\b(?:env|printenv|set)\b|\bcat\b|\bcp\b|\btar\b|"
    rf"\bzip\b)[^\n>]*?)(?:\s*>{{1,2}}\s*|\s)(?P<name>(?:/tmp|/var/tmp|/dev/shm|\./|\$TMP\w*|"
    rf"\$\{{TMP\w*\}})[\w./$-]*)"
)


_BUNDLED = re.compile(
    r"\bgit\s+(?:bundle\s+create\s+|(?:archive|format-patch|diff|show|log)\b[^\n]{0,120}?(?:>|-o|"
    r"--output[= ])\s*)[\"']?(?P<name>[\w./$-]{2,})"
)


def _is_private(value: str, names: _Names) -> bool:
    if _PRIVATE.search(value) or _uses(value, names.private):
        return True
    if _PIECES.search(value):
        return True
    return (
        _PRIVATE_FILE.search(value) is not None
        and re.search(_OPENS + r"|[\"'\[]", value) is not None
        and not re.search(r"load_dotenv|dotenv|\bssh -i|-i \S*id_|env_file|--env-file|PATH=", value)
    )


def _uses(value: str, names: set[str]) -> bool:
    return bool(names) and any(
        each in names or each.strip("$./-") in names
        for each in re.findall(r"[\w./-]{2,}|[^\W\d]\w*|\b\w\b", value) + re.findall(_NAME, value)
    )


def _trusted(value: str) -> bool:
    urls = URL.findall(value)
    return bool(urls) and all(is_installer(each) or is_own(host_of(each)) for each in urls)


def _arrivals(lines: list[str], number: int, at: int, names: _Names) -> Iterator[Flow]:
    line = lines[number]
    if len(line) > MOST_OF_A_LINE:
        return
    end = at + len(line)
    if _is_piped_out(line, names):
        yield Flow("scan-exfiltration", "sends private data to another machine", at, end)
    elif _SEND.search(line) or (names.opened is not None and names.opened.search(line)):
        call = _call(lines, number)
        if not _goes_home(call) and _carries_private(_carried(call), names):
            yield Flow("scan-exfiltration", "sends private data to another machine", at, end)
        elif _goes_to_strangers(call) and (_WORK.search(line) or _uses(_carried(call), names.work)):
            yield Flow("scan-exfiltration", "sends the user's work to a stranger", at, end)
        elif (_goes_to_strangers(call) or _names_a_stranger(lines, names)) and (
            _uses(_carried(call), names.secret) or _SECRET_NAMES.search(_carried(call))
        ):
            yield Flow("scan-exfiltration", "sends a secret of one service to another", at, end)
    if _RUNS.search(line):
        call = _call(lines, number)
        if _uses(call, names.fetched):
            yield Flow("scan-download-and-run", "runs what it downloads, unseen", at, end)
        elif re.search(
            r"(?<![\w.])(?:exec|eval|execfile|Function|compile|loadstring)\s*\(|os\.system\(|shell=True|"
            r"\beval\b|execSync\(|vm\.run|marshal\.loads|Invoke-Expression|\biex\b|bash|(?:^|\s)sh ",
            call,
        ) and _uses(call, names.decoded):
            yield Flow("scan-encoded-payload", "decodes something and runs it", at, end)


def _is_piped_out(line: str, names: _Names) -> bool:
    """Whether the end of a pipe sends what its beginning reads."""
    if "|" not in line:
        return False
    fed = stages(line)
    for at, stage in enumerate(fed[1:], 1):
        reached = _REACHED.search(stage)
        if reached is not None and not is_bare_address(reached["host"]):
            continue
        if reached is None and (_SEND.search(stage) is None or _goes_home(stage)):
            continue
        before = " | ".join(fed[:at])
        if _is_private(before, names) or _ENVIRONMENT.search(before):
            return True
        kept = _WORK.search(before) or _SIGNED_IN.search(before) or _uses(before, names.work)
        if kept and (reached is not None or _goes_to_strangers(stage)):
            return True
    return False


_REACHED = re.compile(r"\bssh\s[^|\n]{0,80}?@(?P<host>\d{1,3}(?:\.\d{1,3}){3})\b")
_ENVIRONMENT = re.compile(r"(?:^|[;&({]\s*)(?:env|printenv|export -p|declare -x)\s*(?:$|[;|])")
_HOST = re.compile(r"\bhost(?:name)?[\"']?\s*:\s*[\"'](?P<host>(?:[\w-]+\.)+[a-z]{2,})[\"']")


def _names_a_stranger(lines: list[str], names: _Names) -> bool:
    """Whether a program that holds a request open names the host of a stranger for it."""
    if names.opened is None:
        return False
    hosts = [found["host"] for line in lines if (found := _HOST.search(line[:2_000])) is not None]
    return bool(hosts) and all(not is_own(each) and not is_known(f"https://{each}/") for each in hosts)


def _carries_private(call: str, names: _Names) -> bool:
    if _uses(call, names.private) or _PRIVATE.search(call):
        return True
    opened = re.search(r"\b(?:open|read_text|read_bytes|readFileSync)\(", call)
    return opened is not None and (_PIECES.search(call) or _PRIVATE_FILE.search(call)) is not None


def _call(lines: list[str], number: int) -> str:
    """A call with all its arguments, which may stand on the following lines."""
    text = lines[number]
    for line in lines[number + 1 : number + CALL_LINES]:
        if (
            text.count("(") <= text.count(")")
            and text.count("{") <= text.count("}")
            and not text.rstrip().endswith(("\\", ","))
        ):
            break
        text += " " + line
    return text


def _carried(call: str) -> str:
    """What a request carries: the headers by which it says who asks are left out."""
    return re.sub(
        r"headers\s*[:=]\s*(?:\{[^{}]*\}|\w+)|-H\s*(?:\"[^\"]*\"|'[^']*')|auth\s*=\s*\([^)]*\)|"
        r"\s(?:-u|--user)[ =](?:\"[^\"]*\"|'[^']*'|\S+)",
        "",
        call,
    )


def _goes_to_strangers(call: str) -> bool:
    """Whether a request names a host that is neither of this network nor a service many people use."""
    return any(not is_own(host_of(each)) and not is_known(each) for each in URL.findall(call))


def _goes_home(call: str) -> bool:
    urls = URL.findall(call)
    return bool(urls) and all(is_own(host_of(each)) for each in urls)
