"""Rules about commands that destroy, stay, let strangers in, or read what is not theirs. Pure."""

from __future__ import annotations

import re

from prowess.author.scan_hosts import URL, host_of, is_odd, is_own
from prowess.author.scan_patterns import Pattern, command

HARMING: tuple[Pattern, ...] = (
    command(
        "scan-destructive",
        "deletes everything that somebody has",
        r"\brm\s+(?:-[a-zA-Z]+\s+|--[\w-]+\s+)*(?:-[a-zA-Z]*[rR][a-zA-Z]*|--recursive|"
        r"--no-preserve-root)\s+(?:-[a-zA-Z]+\s+|--[\w-]+\s+)*[\"']?(?:/|/\*|~|~/|~/\*|~/\.\*|"
        r"\$\{?HOME\}?/?\*?|/home(?:/\*?|/\$\{?USER\}?)?|/Users(?:/\*?)?|/etc/?\*?|/usr/?\*?|/var/?\*?|"
        r"/boot/?\*?|/opt/?\*?|(?:~|\$\{?HOME\}?|/home/[\w$*]+|/Users/[\w$*]+)/(?:Documents|Desktop|"
        r"Pictures|Photos|Music|Movies|Videos|Library|\.ssh|\.gnupg|\.config|backups?|projects?|"
        r"work)/?\*?|"
        r"/\s*--no-preserve-root)[\"']?(?=\s|$|[;&|`\"')])",
    ),
    command(
        "scan-destructive",
        "overwrites a disk",
        r"\bdd\s+[^\n]{0,60}?if=/dev/(?:zero|u?random)[^\n]{0,60}?of=/dev/(?:sd|nvme|hd|vd|xvd|disk|"
        r"mmcblk)\w*|\bmkfs(?:\.\w+)?\s+(?:-\w+\s+)*/dev/(?:sd|nvme|hd|vd|xvd)\w+|>\s*/dev/(?:sd[a-z]|"
        r"nvme\d|hd[a-z])\w*|\b(?:shred|wipefs|blkdiscard)\s+[^\n]{0,60}?/dev/(?:sd|nvme|hd|vd)|"
        r"\bformat\s+[cC]:(?:\s|/)|\bdiskutil\s+(?:eraseDisk|zeroDisk|secureErase)",
        needs="/dev/|format|diskutil",
    ),
    command(
        "scan-destructive",
        "deletes everything that somebody has",
        r"\b(?:shutil\.rmtree|fs\.(?:rmSync|rm|rmdirSync)|rimraf(?:\.sync)?|FileUtils\.rm_rf|"
        r"os\.RemoveAll|Directory\.Delete)\s*\(\s*(?:Path\.home\(\)(?!\s*/)|"
        r"os\.path\.expanduser\(\s*[\"']~/?[\"']\s*\)|os\.environ\[[\"']HOME[\"']\]|os\.homedir\(\)|"
        r"process\.env\.HOME|[\"'](?:/|~|/home|/Users|C:\\\\)[\"'])\s*[,)]|\bfind\s+(?:/|~|\$HOME|"
        r"/home)/?\s+[^\n]{0,80}?(?:-delete\b|-exec\s+(?:rm|shred)\b)(?![^\n]*-name\s+[\"']?\*\.(?:pyc|"
        r"tmp|log|DS_Store))|\bRemove-Item\b[^\n]{0,60}?(?:-Recurse|"
        r"-Force)[^\n]{0,40}?(?:[\"']?C:\\+[\"']?(?:\s|$|\*)|\$HOME\b(?![\\/]\w)|"
        r"\$env:USERPROFILE\b(?![\\/]\w))|\brd\s+/s\s+/q\s+C:\\(?:\s|$)|\bdel\s+/[fsq]\s[^\n]{0,20}C:\\\*",
    ),
    command(
        "scan-destructive",
        "makes the machine unusable",
        r":\(\)\s*\{\s*:\s*\|\s*:\s*&\s*\}\s*;\s*:|\bchmod\s+-R\s+(?:777|000|a\+rwx)\s+/(?:\s|$)|"
        r"\bvssadmin\s+delete\s+shadows|\bwbadmin\s+delete\s+catalog|"
        r"\bbcdedit\b[^\n]{0,60}recoveryenabled\s+no|\bcipher\s+/w:",
        needs=":()|chmod|vssadmin|wbadmin|bcdedit|cipher",
    ),
    command(
        "scan-destructive",
        "encrypts somebody's files or asks for ransom",
        r"\bfor\b[^\n]{0,120}?(?:~|\$HOME|/home|Documents|Desktop)[^\n]{0,200}?(?:openssl\s+enc|"
        r"gpg\s+(?:-c|--symmetric)|\.encrypt\()[^\n]{0,200}|\b(?:files? (?:have|has) been|"
        r"were) encrypted\b[^\n]{0,200}?\b(?:pay|bitcoin|btc|ransom|wallet|decrypt)\b",
    ),
    command(
        "scan-destructive",
        "tells the model to destroy what somebody has",
        r"\b(?:delete|erase|wipe|destroy|remove|overwrite|corrupt|shred|purge|nuke)\s+(?:all|every|"
        r"everything|each)\b[^.\n]{0,50}?\b(?:in|from|on|under|"
        r"of)\s+(?:the\s+)?(?:user'?s?\s+)?(?:home (?:directory|folder)|documents(?: folder)?|hard drive|"
        r"disk|computer|machine|file ?system|backups?|git history|~/|/home|C:\\)(?![\w/])",
    ),
    command(
        "scan-malware",
        "opens a shell to another machine",
        r"/dev/tcp/[\w.$\{\}-]+/[\d$]|\b(?:nc|ncat|netcat)\b[^\n]{0,80}?\s(?:-[a-z]*e[a-z]*|--exec|"
        r"-c)\s*[\"']?(?:/bin/)?(?:ba|z)?sh\b|\b(?:nc|ncat|netcat)\b[^\n]{0,80}?-e\s+(?:cmd|powershell)|"
        r"\bmkfifo\b[^\n]{0,120}?\|\s*(?:nc|ncat|netcat|openssl)\b|\bsocat\b[^\n]{0,120}?exec:|"
        r"os\.dup2\(\s*\w+\.fileno\(\)|/bin/(?:ba|z)?sh[\"'][^\n]{0,60}?std(?:in|out)\s*=\s*\w+\.fileno\(\)|"
        r"pty\.spawn\(\s*[\"']/bin/(?:ba)?sh|"
        r"child_process[^\n]{0,80}?(?:net\.connect|net\.Socket)|Net\.Sockets\.TCPClient|"
        r"\bfsockopen\([^\n]{0,100}?(?:exec|shell_exec|proc_open)|\bbash\s+-i\s*[>&0<]",
        needs=(
            "/dev/tcp|fileno|nc |ncat|netcat|mkfifo|socat|dup2|pty.spawn|child_process|tcpclient|"
            "fsockopen|bash"
        ),
    ),
    command(
        "scan-malware",
        "mines coins",
        r"\bstratum\+(?:tcp|ssl|udp)://|\b(?:xmrig|minerd|cpuminer|ethminer|t-rex|nbminer|cryptonight|"
        r"coinhive)\b[^\n]{0,80}?(?:-o|--url|-u|--user|--algo|pool|start|\./|&|http)",
    ),
    command(
        "scan-malware",
        "records keys, the screen or the clipboard to give them away",
        r"\b(?:pynput|keyboard)\b[^\n]{0,60}?\b(?:Listener|on_press|hook|record)\b|\bGetAsyncKeyState\b|"
        r"\bosascript\b[^\n]{0,60}?display dialog[^\n]{0,160}?(?:password|hidden answer)|"
        r"\bsecurity\s+dump-keychain|\bdump-keychain\b|\b(?:Invoke-Mimikatz|mimikatz(?:\.exe)?\s|"
        r"sekurlsa::|lazagne(?:\.exe|\.py)?\s+all)|\bprocdump\b[^\n]{0,40}lsass|\bunshadow\s+/etc/passwd",
    ),
    command(
        "scan-persistence",
        "lets a stranger in by a key of its own",
        r"(?:echo|printf|cat|tee)\b[^\n]{0,40}?(?:ssh-(?:rsa|ed25519|dss)|"
        r"ecdsa-sha2-nistp\d+)\s+AAAA[^\n]{0,900}?authorized_keys|"
        r"authorized_keys[^\n]{0,160}?(?:ssh-(?:rsa|ed25519)|ecdsa-sha2-nistp\d+)\s+AAAA|\b(?:append|add|"
        r"write)\b(?:[^\n]|\n(?!\s*\n)){0,200}?authorized_keys(?:[^\n]|\n(?!\s*\n)){0,200}?\bssh-(?:rsa|"
        r"ed25519)\s+AAAA|\bssh-(?:rsa|"
        r"ed25519)\s+AAAA[^\n]{0,900}(?:[^\n]*\n){0,4}?[^\n]{0,120}authorized_keys",
        needs="authorized_keys",
    ),
    command(
        "scan-persistence",
        "stays on the machine and comes back",
        r"(?:crontab\s+-(?!l\b)|/etc/cron|\bcrontab\b(?!\s+-l)[^\n]{0,20}|@reboot|\*\s+\*\s+\*\s+\*|"
        r">>?\s*[\"']?(?:~|"
        r"\$HOME|\$\{HOME\}|/home/\S+|/etc)/(?:\.(?:bashrc|zshrc|profile|bash_profile|zprofile|zshenv|"
        r"bash_login|xprofile|config/fish/config\.fish|config/autostart\S*)|rc\.local|"
        r"profile(?:\.d/\S+)?))[^\n]{0,60}",
        check=lambda found: _stays(found),
    ),
    command(
        "scan-persistence",
        "puts a request to another machine into a hook",
        r"\.git/hooks/[\w-]+(?:[^\n]*\n){1,8}?[^\n]*?(?:\b(?:curl|wget)\b[^\n]{0,80}?(?:-d|--data|-F|-T|"
        r"-X\s*P|\$\(|\|\s*(?:ba)?sh)|\b(?:nc|ncat)\s|base64\s+-d|/dev/tcp/)",
    ),
    command(
        "scan-persistence",
        "makes an account with all rights",
        r"\bnet\s+localgroup\s+administrators\s+\S+\s+/add|\buseradd\b[^\n]{0,80}?\s-(?:o\s+)?u\s*0\b|"
        r"\becho\s+[\"']?\w+:[^\n]{0,60}:0:0:[^\n]{0,60}/etc/passwd",
    ),
    command(
        "scan-persistence",
        "stays on the machine and comes back",
        r"\breg(?:\.exe)?\s+add\s+[^\n]{0,80}?\\CurrentVersion\\Run(?:Once)?|"
        r"\bschtasks(?:\.exe)?\s+/create\b[^\n]{0,200}?(?:powershell|cmd|http|\.ps1|\.vbs|\\Temp|AppData)|"
        r"New-ItemProperty[^\n]{0,120}?\\CurrentVersion\\Run|Register-ScheduledTask[^\n]{0,160}?(?:http|"
        r"-enc|hidden|iex)|\bLD_PRELOAD=\S+\s*>>|>>?\s*/etc/ld\.so\.preload|"
        r"(?:\\|/)Start Menu(?:\\|/)Programs(?:\\|/)Startup",
    ),
    command(
        "scan-protection-off",
        "switches protection off",
        r"\bdocker\s+run\b[^\n]{0,300}?(?:-v|--volume)[ =][\"']?/:/\S+|\bsetenforce\s+0\b|"
        r"\bspctl\s+--master-disable|\bcsrutil\s+disable|"
        r"Set-MpPreference\b[^\n]{0,60}-Disable\w+\s+(?:\$true|1)|"
        r"Add-MpPreference\b[^\n]{0,60}-ExclusionPath\s+[\"']?C:\\|\bsystemctl\s+(?:stop|"
        r"disable)\s+(?:--now\s+)?(?:auditd|falcon-sensor|crowdstrike|clamav\S*|osqueryd|wazuh-agent|"
        r"firewalld|ufw|nftables|apparmor|fail2ban)|"
        r"\biptables\s+(?:-F|--flush)(?:\s|$|[`;&])|"
        r"\bufw\s+disable\b|\bnetsh\s+advfirewall\s+set\s+\w+\s+state\s+off|"
        r"NOPASSWD:\s*ALL[^\n]{0,60}?(?:sudoers|tee)|(?:sudoers)[^\n]{0,80}?NOPASSWD:\s*ALL|"
        r"\bchmod\s+(?:u\+s|[46]755|4777)\s+/(?:usr/)?(?:local/)?bin/\w+|\bchmod\s+u\+s\s+\S*(?:ba)?sh\b",
        needs="docker|iptables|setenforce|spctl|csrutil|mppreference|systemctl|ufw|netsh|nopasswd|chmod",
    ),
    command(
        "scan-protection-off",
        "lets an agent act without asking",
        r"[\"']?(?:defaultMode|permission[_-]?mode)[\"']?\s*[:=]\s*[\"']?(?:bypassPermissions|"
        r"danger-full-access)|[\"']allow[\"']\s*:\s*\[\s*[\"'](?:\*|Bash(?:\(\*(?::\*)?\))?)[\"']\s*[,\]]|"
        r"[\"']?(?:autoApprove|auto_approve|alwaysAllow)[\"']?\s*[:=]\s*(?:\[\s*[\"']\*[\"']|true)|"
        r"[\"']?chat\.tools\.(?:global\.)?autoApprove[\"']?\s*:\s*true|"
        r"dangerouslyDisableSandbox[\"']?\s*[:=]\s*true|\b(?:claude|codex|gemini|"
        r"cursor-agent)\b[^\n]{0,80}?(?:--dangerously-skip-permissions|"
        r"--dangerously-bypass-approvals-and-sandbox|--yolo)\b",
        needs="mode|allow|autoapprove|auto_approve|sandbox|--dangerously|--yolo",
    ),
    command(
        "scan-tracks",
        "covers its tracks",
        r"\bhistory\s+-[cw]\b|\bunset\s+HISTFILE|\bHISTFILE=/dev/null|\bHISTSIZE=0\b|"
        r"\bset\s+\+o\s+history|(?:rm|shred|truncate|unlink|cat /dev/null >|:\s*>|"
        r">)\s*(?:-\w+\s+)*(?:-s\s*0\s+)?[\"']?(?:~|\$HOME|/root|/home/\S+)/\.(?:bash_history|zsh_history|"
        r"python_history)|\b(?:rm|shred|truncate)\s+[^\n]{0,40}?/var/log/(?:auth|syslog|secure|wtmp|"
        r"lastlog|messages|audit)|>\s*/var/log/(?:auth\.log|syslog|secure|wtmp|lastlog|messages)|"
        r"\bwevtutil\s+cl\b|\bClear-EventLog\b|\bClear-History\b|\bauditctl\s+-[eD]\s*0?",
        needs="hist|/var/log|wevtutil|clear-|auditctl",
    ),
    command(
        "scan-credentials",
        "reads credentials that are not its own",
        r"(?:\b(?:cat|less|head|tail|cp|type|Get-Content|base64|xxd|strings|more|bat)\s+(?:-\w+\s+)*|"
        r"\bopen\(\s*(?:os\.path\.(?:expanduser|join)\()?\s*f?|read_text\(|readFileSync\(\s*|"
        r"Path\(\s*)[\"']?(?:~|\$HOME|\$\{HOME\}|/root|/home/[\w*$]+|/Users/[\w*$]+|"
        r"%USERPROFILE%)?[/\\]*(?:\.ssh[/\\]+(?:id_(?:rsa|ed25519|ecdsa|dsa)|\*)(?!\.pub|\w)|"
        r"\.aws[/\\]+credentials|\.git-credentials|\.netrc\b|\.gnupg[/\\]\S+|"
        r"\.claude[/\\]+\.credentials\.json|\.codex[/\\]+auth\.json|etc/shadow\b|"
        r"\.config[/\\]+gh[/\\]+hosts\.yml|\.kube[/\\]+config\b|\.docker[/\\]+config\.json)",
        check=lambda found: (
            not re.match(r"(?:cp|cat|type)\b[^\n]*\.(?:kube|docker)", found[0])
            or re.search(r"curl|http|nc |post", found.string[found.start() : found.end() + 200]) is not None
        ),
        needs=".ssh|.aws|.git-credentials|.netrc|.gnupg|.claude|.codex|shadow|hosts.yml|.kube|.docker",
    ),
    command(
        "scan-credentials",
        "reads passwords, cookies or wallets from other programs' stores",
        r"(?:Chrome|Chromium|Edge|Brave\S*|Firefox|Opera|Safari|Default|"
        r"Profile)[^\n]{0,100}?[/\\\"', ]+(?:Login Data|Cookies\b(?!:)|Web Data|key4\.db|logins\.json|"
        r"cookies\.sqlite|Cookies\.binarycookies)|(?:Login Data|key4\.db|"
        r"cookies\.sqlite)[^\n]{0,120}?(?:sqlite3|connect|copy|shutil|cp )|"
        r"Local Extension Settings[/\\]+nkbihfbeogaeaoehlefnkodbefgpgknn|"
        r"\.config[/\\]+solana[/\\]+id\.json|(?:Exodus|Electrum|Atomic|"
        r"MetaMask)[/\\][^\n]{0,40}?(?:wallet|keystore|exodus\.wallet)|\bbrowser_cookie3\b|"
        r"\bCryptUnprotectData\b|169\.254\.169\.254/(?:latest/(?:meta-data/iam|api/token|user-data)|"
        r"computeMetadata|metadata/identity)|"
        r"metadata\.google\.internal/computeMetadata/v1/instance/service-accounts/[^\n]{0,40}token",
        needs=(
            "login data|cookies|web data|key4.db|logins.json|nkbihf|solana|wallet|keystore|"
            "browser_cookie3|cryptunprotect|169.254|metadata.google"
        ),
    ),
)


_LINE = 600  # characters of a line that are still about a match
# Hidden files and directories that everybody has.
_KNOWN = (
    r"(?:bashrc|bash_\w+|zshrc|zsh_\w+|zprofile|zshenv|zlogin|profile|x?profile|xinitrc|inputrc|ssh|aws|"
    r"gnupg|"
    r"config|local|cargo|nvm|vimrc|vim|gitconfig|python_history|docker|kube)\b"
)


def _stays(found: re.Match[str]) -> bool:
    """Whether what is made to run again fetches something, hides, or is encoded."""
    text = found.string
    start = max(text.rfind("\n", 0, found.start()) + 1, found.start() - _LINE)
    end = text.find("\n", found.end(), found.end() + _LINE)
    line = text[start : end if end >= 0 else found.end() + _LINE]
    if re.search(
        r"base64|/dev/tcp|\bnc\b|bash -i|python[\d.]* -c|eval \"?\$\(\s*(?:curl|wget)|PROMPT_COMMAND|"
        r"alias (?:sudo|ssh|git|ls|cd|curl)=|(?:/tmp|~|\$HOME|/var/tmp|/dev/shm)/\."
        rf"(?!{_KNOWN})\w[\w.-]*(?:/\S*)?(?:\.sh|\.py|\b)(?!\S*(?:rc|profile)\b)",
        line,
    ):
        return re.search(r"PATH=|source |\. \"?\$|completion|nvm|cargo|pyenv", line) is None
    urls = URL.findall(line)
    fetches = re.search(r"\b(?:curl|wget)\b", line) is not None
    piped = re.search(r"\|\s*(?:sudo\s+)?(?:ba|z)?sh\b|-d\b|--data|-X POST|@", line) is not None
    return fetches and any(is_odd(each) or (piped and not is_own(host_of(each))) for each in urls)
