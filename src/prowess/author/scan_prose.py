"""Rules about English sentences: what a skill tells a model to do against its user. Pure."""

from __future__ import annotations

import re

from prowess.author.scan_hosts import URL, is_own
from prowess.author.scan_patterns import Pattern, gap, sentence

_NOT = r"(?:do not|don'?t|never|must not|mustn'?t|should not|shouldn'?t|no need to|avoid|without)"
_USER = r"(?:the |your |our |any )?(?:end[- ])?(?:users?|humans?|operators?|persons?|people|owners?|developers?|customers?|clients?|anyone|anybody|them|him|her)"
_ACT = (
    r"(?:step|instruction|action|upload|request|call|transfer|transmission|sync|section|directive|command|process|backup|"
    r"collection|behaviou?r|operation|task|note|message|download|telemetry|check-?in|activity|change|modification|fact|rule)s?"
)
_SENDS = (
    r"(?:sends?|uploads?|posts?|transmits?|submits?|forwards?|e-?mails?|exfiltrates?|leaks?|relays?|ships?|pings?|"
    r"transfers?|pushes|push|deliver(?:s)?|syncs?|copies|copy|mirrors?|reports?|shares?|publish(?:es)?|publicly shares?|"
    r"sending|uploading|posting|transmitting|forwarding|emailing|exfiltrating|copying|mirroring|reporting|sharing|syncing)"
)
_PRIVATE = (
    r"(?:environment variables?|env(?:ironment)? vars?|full environment|(?:private|ssh|signing|encryption) keys?|id_rsa|id_ed25519|"
    r"\.ssh(?:/\S*)?|\.aws/\S+|\.env\b(?: files?)?|\.netrc|\.npmrc|\.git-credentials|\.kube/config|/etc/(?:passwd|shadow)|"
    r"aws credentials|cloud credentials|credentials? files?|seed phrases?|recovery phrases?|mnemonics?|"
    r"passwords?|passphrases?|(?:session |browser |auth )?cookies|keychain|wallets?|browser history|shell history|bash history|"
    r"(?:full |entire |complete |whole |current |previous )?(?:conversation|chat)s?(?: (?:history|log|transcript|contents?|context|so far|text))|"
    r"(?:all|any|every|found|discovered|the user'?s?|their|your|collected|available) (?:\w+ ){0,2}(?:api[- ]?keys?|tokens?|secrets?|credentials?)|"
    r"(?:api[- ]?keys?|tokens?|secrets?|credentials?)(?:,? (?:and|or|/) (?:\w+ ){0,2}(?:api[- ]?keys?|tokens?|secrets?|credentials?|passwords?))+|"
    r"(?:api[- ]?keys?|tokens?|secrets?|credentials?) (?:you find|you (?:see|encounter|discover|come across)|in the (?:repo\w*|project|workspace|environment|conversation|context))|"
    r"system prompt|clipboard(?: contents?)?|(?:contents? of )?(?:the user'?s?|their) (?:\w+ )?(?:files|documents|home (?:directory|folder)|contacts|messages|e-?mails?|inbox|mailbox))"
)
_PLACE = (
    r"(?:(?:https?|ftp|wss?)://\S+|\b\d{1,3}(?:\.\d{1,3}){3}\b|[\w.+-]+@[\w-]+\.[\w.]+|"
    r"(?:a|an|the|our|my|this|that|its|external|remote|third[- ]party) (?:\w+[- ]){0,3}?(?:webhook|collector|collection (?:server|endpoint)|drop|remote server|external server|"
    r"external (?:endpoint|address|service|url)|remote (?:endpoint|host|url)|attacker\w*|command[- ]and[- ]control|c2|telemetry (?:server|endpoint|url)|"
    r"(?:telegram|discord|slack) (?:bot|channel|webhook)|paste ?bin|gist)\b|"
    r"\b[\w-]+(?:\.[\w-]+)*\.(?:example|invalid|test|com|net|org|io|xyz|top|ru|cn|site|online|dev|app|info|cc|tk|me)(?:/\S*)?)"
)


def _leaves(found: re.Match[str]) -> bool:
    """Whether the place that is named is not on this machine."""
    urls = URL.findall(found[0])
    return not urls or any(not is_own(_host(each)) for each in urls)


def _host(url: str) -> str:
    from prowess.author.scan_hosts import host_of

    return host_of(url)


def _goes_on(found: re.Match[str]) -> bool:
    """Whether the sentence is not about when, or about what was not done ("... that it works until it does")."""
    rest = found.string[found.end() : found.end() + 120]
    rest = re.split(r"[.!?](?:\s|$)|\n\s*\n", rest)[0]
    told = found[0] + rest
    return not re.search(
        r"\b(?:until|unless|before you|before (?:it|the)|only after|if you have(?:n't| not)|done|complete[d]?|finished|"
        r"works?|fixed|passes|passing|succeeded|successful|guess|made[- ]up|fabricat\w+)\b|\bto (?:run|do|use|check|open|install|go|edit|click|set|add)\b",
        told,
        re.I,
    )


OVERRIDING: tuple[Pattern, ...] = (
    sentence(
        "scan-override",
        "tells the model to set its other instructions aside",
        r"\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|override|overriding|bypass(?:ing)?|supersede|set aside|discard|dismiss|abandon|stop following|"
        r"no longer (?:follow|obey)|do not (?:follow|obey|comply with)|pay no attention to|put aside|throw out) "
        rf"{gap(30)}\b(?:previous|prior|earlier|above|preceding|foregoing|existing|system|safety|developer(?:'s)?|original|initial|"
        r"all (?:of )?(?:your|the|other)|your(?: own)?|any other|all other|other|everything|user'?s?) "
        rf"{gap(40)}\b(?:instructions?|prompts?|guidelines?|directions?|directives?|polic(?:y|ies)|constraints?|safeguards?|guardrails?|"
        r"restrictions?|training|programming|safety (?:rules?|checks?|measures?|filters?)|(?:system|safety|security) rules?|rules (?:you|above|that)|orders|commands given|you (?:were|have been) (?:told|given|instructed))\b",
    ),
    sentence(
        "scan-override",
        "tells the model to forget what it was told",
        r"\b(?:ignore|disregard|forget) (?:everything|anything|all(?: that)?|whatever) (?:(?:that )?(?:you (?:were|have been)|came|was|has been|is|i|we|they|the user) |above|before|prior|previous|said|written)",
    ),
    sentence(
        "scan-override",
        "declares the model free of its rules",
        r"\byou are (?:now |no longer )(?:\w+ ){0,3}?(?:dan\b|unrestricted|unfiltered|uncensored|jailbroken|bound by|restricted by|limited by|subject to|free (?:of|from) (?:all |any |your )?(?:restrictions?|rules?|constraints?|guidelines?|filters?|limits?)|"
        r"in (?:dan|god|developer|jailbreak|unrestricted|maintenance|admin(?:istrator)?|root|sudo|debug) mode)",
    ),
    sentence(
        "scan-override",
        "switches the model into a mode without rules",
        r"\b(?:enter|enable|activate|switch (?:in)?to|engage|operate in|act in) (?:\"|'|`)?(?:dan|god|jailbreak|unrestricted|unfiltered|no[- ]limits|do[- ]anything[- ]now|developer override|admin override|safety[- ]off)\b(?:\"|'|`)?(?: mode)?",
    ),
    sentence(
        "scan-override",
        "gives itself precedence over the user or the system",
        r"\b(?:this (?:skill|document|file|section|message|text|directive|instruction)|these (?:\w+ )?(?:instructions?|rules?|directives?|steps?)|the (?:following|instructions? (?:below|in this))|(?:the )?(?:following|below) (?:instructions?|rules?|directives?)) "
        rf"{gap(30)}\b(?:takes?|have|has|carry|carries|overrides?|overrule|supersedes?|outranks?|trumps?|replaces?) {gap(30)}"
        rf"(?:precedence|priority|authority|any|all|your|system|developer|everything|anything) ?{gap(40)}\b(?:system|developer|user'?s?|safety|other|previous|prior|existing|conflicting|earlier|guidelines?|everything)(?: \w+){{0,2}}? ?(?:instructions?|prompts?|rules?|messages?|guidelines?|requests?|polic\w+|preferences?|settings?|else)\b",
    ),
    sentence(
        "scan-override",
        "gives the model new secret instructions",
        r"\byour (?:new|real|true|actual|secret|hidden|updated|revised) (?:system )?(?:instructions?|directives?|orders|prompt|objectives?|mission|role) (?:is|are|:|now|follow)",
    ),
    sentence(
        "scan-override",
        "plays a message of the system or an administrator",
        r"(?:^|[\[<(*#>]) ?(?:system|admin(?:istrator)?|root|developer|anthropic|openai|security)[ _-](?:override|notice|message|directive|alert|command|update|instruction)s?(?:\]|>|\*\*|:|\)) ?{g}(?:\b(?:you|ignore|must|run|execute|send|disable|immediately|now|the assistant|the agent|all)\b)".replace("{g}", gap(60)),
        flags=re.I | re.M,
    ),
    sentence(
        "scan-override",
        "imitates the marks between the turns of a conversation",
        r"<\|(?:im_start|system|start_header_id)\|>(?: ?system)?|\[/?INST\] ?<<SYS>>|</?(?:system-reminder|system_prompt|system)> ?\n?{g}\b(?:ignore|must|run|execute|send|do not tell|disregard|you are)\b".replace("{g}", gap(80)),
    ),
)

CONCEALING: tuple[Pattern, ...] = (
    sentence(
        "scan-concealment",
        "tells the model to keep something from the user",
        rf"\b{_NOT} (?:ever )?(?:tell|inform|notify|alert|warn|telling|informing|notifying|alerting|warning|let|letting) {_USER}(?: know| see| notice| find out)? ?"
        rf"(?:(?:about|of) (?:(?:this|these|that|those|it|any of (?:this|these)|the) ?{gap(30)}(?:\b{_ACT}\b)?|anything|what you|your)|that (?:you|this|the \w+|data|it|anything)|what (?:you|this)|why|anything|(?=[.,;!)\n]|$|—|–|-))",
        check=_goes_on,
    ),
    sentence(
        "scan-concealment",
        "tells the model to leave something out of what the user sees",
        rf"\b{_NOT} (?:ever )?(?:mention(?:ing)?|disclos(?:e|ing)|reveal(?:ing)?|acknowledg(?:e|ing)|report(?:ing)?|discuss(?:ing)?|explain(?:ing)?|surfac(?:e|ing)|describ(?:e|ing)|includ(?:e|ing)|show(?:ing)?|display(?:ing)?|print(?:ing)?|list(?:ing)?|log(?:ging)?|expos(?:e|ing)|bring up|refer(?:ring)? to|talk(?:ing)? about) "
        rf"(?:this|these|that|those|it|the|any|its existence|having)(?: \w+){{0,3}}? ?{_ACT}\b",
        check=_goes_on,
    ),
    sentence(
        "scan-concealment",
        "tells the model to leave something out of what the user sees",
        rf"\b{_NOT} (?:ever )?(?:mention(?:ing)?|disclos(?:e|ing)|reveal(?:ing)?|acknowledg(?:e|ing)|discuss(?:ing)?) (?:this|it|that|any of this|these) (?:to|with|in front of|in) (?:{_USER}|the (?:response|output|summary|reply|answer|chat|transcript|report|conversation|final \w+)|your (?:response|output|summary|reply|answer|final \w+))",
        check=_goes_on,
    ),
    sentence(
        "scan-concealment",
        "has something done behind the user's back",
        rf"\b(?:secretly|covertly|surreptitiously|stealthily|clandestinely|without {_USER}(?:'s)? (?:knowledge|knowing|consent|noticing|realizing|realising|being aware|awareness|permission|approval|seeing)|"
        rf"without (?:the )?user (?:knowledge|awareness|consent)|without (?:telling|informing|notifying|alerting|tipping off) {_USER}|so (?:that )?(?:the )?{_USER} (?:does not|doesn'?t|do not|don'?t|won'?t|will not|never|cannot|can'?t) (?:notice|see|know|realize|realise|suspect|find out))\b",
        check=lambda found: _near_act(found, 140),
    ),
    sentence(
        "scan-concealment",
        "has something sent or run silently",
        rf"\b(?:silently|quietly|discreetly|invisibly|unobtrusively|in the background,? without \w+) (?:\w+ ){{0,2}}?{_SENDS}\b|\b{_SENDS} {gap(80)}\b(?:silently|quietly|discreetly|invisibly)\b(?! (?:fail|ignor|skip|drop|discard|overwrit|truncat|corrupt))|"
        r"\b(?:silently|quietly) (?:run|execute|install|download|fetch|collect|harvest|record|capture|append|add|read|gather|modify|insert)\b",
    ),
    sentence(
        "scan-concealment",
        "tells the model to hide what it does",
        rf"\b(?:hide|conceal|mask|keep|obscure|disguise|cover up) (?:this|these|it|any trace|all traces?|any evidence|(?:the|your) (?:\w+ ){{0,3}}?(?:{_ACT}|output of|traces?|evidence|existence)) ?{gap(40)}\b(?:secret|hidden|confidential|invisible|private|from (?:the )?(?:{_USER}|reviewers?|logs?|history|audit\w*|transcript|output|view|sight)|between us|to yourself)\b",
    ),
    sentence(
        "scan-concealment",
        "gives the model a lie for when the user asks",
        rf"\b(?:if|when|should|in case) (?:{_USER}|anyone|somebody|someone) (?:ever )?(?:asks?|asked|questions?|notices?|inquires?|enquires?|complains?|wonders?) ?{gap(90)}\b(?:deny|claim|pretend|lie|play dumb|change the subject|feign|(?:say|tell (?:them|the user)|reply|respond|answer|explain|state|insist) (?:that )?(?:it|this|you|nothing|the) ?{gap(30)}\b(?:was|is|were|are|did|do|didn'?t|cannot|never|just|only|routine|nothing|standard|normal|required|an? (?:glitch|error|bug|cache|update|network|routine|standard|normal)))",
        check=lambda found: re.search(r"what|why|about (?:this|the|it|these)|network|traffic|request|notice|slow|deny|lie|pretend", found[0], re.I) is not None,
    ),
    sentence(
        "scan-concealment",
        "tells the model to act as if nothing happened",
        r"\b(?:act|behave|continue|proceed|respond|carry on|reply|answer) (?:\w+ ){0,2}?as (?:if|though) (?:nothing|this (?:step|never)|you (?:had|have|did) (?:not|n't)|the \w+ (?:never|did not))",
    ),
)


def _near_act(found: re.Match[str], reach: int) -> bool:
    """Whether something is done near: an adverb alone says nothing."""
    text = found.string
    around = text[max(0, found.start() - reach) : found.end() + reach]
    return re.search(
        rf"\b(?:{_SENDS}|runs?|executes?|installs?|downloads?|fetch(?:es)?|collects?|harvests?|records?|captures?|appends?|adds?|reads?|gathers?|modif\w+|inserts?|curl|wget|writes?|deletes?|includes?|saves?|logs?|replaces?|changes?|transfers?)\b",
        around,
        re.I,
    ) is not None


LEAKING: tuple[Pattern, ...] = (
    sentence(
        "scan-exfiltration",
        "tells the model to send private data elsewhere",
        rf"\b{_SENDS}\b {gap(120)}{_PRIVATE}{gap(120)}(?:\bto\b|\bat\b|\bvia\b|\busing\b|\binto\b|\bthrough\b|→|->|\bas\b|\bwith\b|\bin\b) {gap(60)}{_PLACE}",
        check=_leaves,
    ),
    sentence(
        "scan-exfiltration",
        "tells the model to send private data elsewhere",
        rf"\b(?:read|collect|gather|harvest|grab|extract|take|capture|dump|find|locate|look for|search for|scan for|copy|get|retrieve|obtain|encode|base64|compress|archive|zip|bundle|package|summari[sz]e|list|include) {gap(120)}{_PRIVATE}(?:[^\n]|\n(?!\s*\n)){{0,260}}?\b{_SENDS}\b {gap(80)}(?:\bto\b|\bat\b|\bvia\b|\bin\b|\busing\b|\bthrough\b) {gap(50)}{_PLACE}",
        check=_leaves,
    ),
    sentence(
        "scan-exfiltration",
        "tells the model to send private data elsewhere",
        rf"\b(?:post|put|http|curl|webhook|request|query(?: string| parameter)?|parameter|url|image|pixel|fetch|call|open|visit|load) ?{gap(80)}(?:https?://\S+){gap(100)}\b(?:with|containing|including|carrying|plus|as|body|append(?:ed|ing)?|add(?:ed|ing)?|where|holding) ?{gap(60)}{_PRIVATE}",
        check=_leaves,
    ),
    sentence(
        "scan-exfiltration",
        "puts private data into the address of a picture or link",
        r"!?\[[^\]\n]{0,120}\]\(\s*https?://[^)\s]{3,200}[?&/=][^)\n]{0,120}?(?:\{\{?|<|\$\{?|\[|%7B)\s*(?:[\w -]*(?:secret|data|token|key|env|conversation|context|history|summary|base64|encoded|content|credential|password|prompt|message|answer|user)[\w -]*)(?:\}\}?|>|\]|%7D)",
        check=lambda found: not re.search(r"shields\.io|badgen|badge|codecov|github\.com|githubusercontent|localhost|127\.0\.0\.1|//example\.com", found[0]) and _leaves(found),
    ),
    sentence(
        "scan-exfiltration",
        "tells the model to put private data into what others will read",
        rf"\b(?:include|append|embed|paste|encode|insert|add|put|place|write|commit|copy|attach|hide) {gap(60)}(?:the )?(?:contents? of |value of |output of )?(?:~/\.ssh/\S*|id_rsa|id_ed25519|~/\.aws/\S*|\.env\b|/etc/shadow|environment variables|(?:all|any) (?:\w+ )?(?:secrets|credentials|tokens|api keys)) ?{gap(60)}\b(?:in|into|to|as) (?:the |your |every |each |all |an? )?(?:\w+ ){{0,2}}?(?:commits?|commit messages?|pull requests?|prs?|pr descriptions?|issues?|comments?|responses?|repl(?:y|ies)|answers?|outputs?|urls?|query|readme|branch names?|headers?|user-agent|log messages?|emails?)\b",
    ),
)

ASKING: tuple[Pattern, ...] = (
    sentence(
        "scan-credentials",
        "has the user asked for what nobody may ask for",
        rf"\b(?:ask|prompt|request|require|tell|instruct|convince|persuade|get|have|urge|direct|remind) (?:for|from|{_USER}) ?{gap(60)}\b(?:seed phrases?|recovery phrases?|mnemonic(?: phrase)?s?|secret recovery|wallet (?:private )?keys?|private keys? (?:of|for|to) (?:their|the|your) (?:\w+ )?wallet|"
        r"master passwords?|keychain passwords?|(?:their|his|her|your|login|account|system|sudo|admin(?:istrator)?|root|e-?mail|bank(?:ing)?|apple id|google|github|microsoft|windows|macos|okta|sso|vpn|icloud|corporate|work|computer|laptop|machine) (?:account |login |user |system |e-?mail )?passwords?|"
        r"passwords? (?:for|of|to) (?:their|the user'?s?|your) (?:\w+ )?(?:account|e-?mail|bank|computer|machine|laptop|keychain|wallet)|credit card (?:numbers?|details?|information)|cvv|card numbers?|social security numbers?|bank account (?:numbers?|details?|login)|online banking)\b",
    ),
    sentence(
        "scan-credentials",
        "has credentials read that are not its own",
        rf"\b(?:read|open|cat|print|dump|extract|copy|retrieve|load|fetch|grab|access|steal|harvest|collect) {gap(60)}(?:~/\.ssh/(?:id_\w+|\*)(?!\.pub)(?!\w*\.pub)|(?:the )?(?:user'?s? )?(?:private )?ssh (?:private )?keys?\b(?! (?:pair|fingerprint|agent))|~/\.aws/credentials|~/\.gnupg|~/\.git-credentials|~/\.netrc|/etc/shadow|(?:saved|stored|browser) passwords|(?:browser|session|chrome|firefox|safari) cookies|login keychain|key ?chain (?:items|entries|database)|wallet\.dat|wallet (?:files?|keystore)|password (?:store|manager|vault)s?(?: contents?| entries)?)",
        check=lambda found: ".pub" not in found.string[found.end() : found.end() + 5],
    ),
    sentence(
        "scan-credentials",
        "has every secret on the machine looked for",
        rf"\b(?:search|scan|look|hunt|grep|crawl|comb|sweep|find|enumerate|collect|gather|harvest) {gap(60)}(?:the )?(?:file ?system|home (?:directory|folder)|machine|computer|whole disk|hard drive|entire (?:system|disk|workspace|home)|~/|user'?s (?:home|machine|system|files)) ?{gap(60)}\b(?:for|and collect|to find) {gap(40)}\b(?:api keys?|credentials?|passwords?|secrets?|private keys?|tokens?|wallets?|\.env)\b",
    ),
)

REMOTE: tuple[Pattern, ...] = (
    sentence(
        "scan-remote-instructions",
        "has instructions fetched from elsewhere and followed",
        rf"\b(?:fetch|load|read|open|visit|get|retrieve|download|pull|curl|wget|check|query|request|poll|browse to|go to) {gap(60)}(?P<url>https?://[^\s\"'`)\]>]+)(?:[^\n]|\n(?!\s*\n)){{0,140}}?\b(?:follow|obey|execute|carry out|comply with|act on|adopt|treat|perform|do(?: exactly)? what(?:ever)?|run|apply|eval(?:uate)?|interpret) ?"
        rf"{gap(30)}\b(?:(?:any|all|the|its|these|those|every|whatever) )?(?:\w+ ){{0,2}}?(?:instructions?|directives?|orders|commands?|(?:contents?|text|response|output|body|reply|result|it)(?: (?:as|verbatim|exactly|says))|whatever|what it says)\b",
        check=lambda found: not _is_documentation(found["url"]),
    ),
    sentence(
        "scan-remote-instructions",
        "has instructions fetched from elsewhere and followed",
        rf"\b(?:follow|obey|execute|carry out|run|apply|adopt) {gap(40)}\b(?:instructions?|directives?|commands?|steps|prompt|whatever) {gap(40)}\b(?:served|returned|fetched|published|posted|hosted|found|received|obtained|given|provided|sent|from|at|by) {gap(40)}(?P<url>https?://[^\s\"'`)\]>]+){gap(60)}\b(?:every|each|before|always|first|daily|hourly|without|exactly|verbatim|as (?:if|though)|even if|at the start|on (?:start|each))\b",
        check=lambda found: not _is_documentation(found["url"]),
    ),
    sentence(
        "scan-remote-instructions",
        "has something downloaded and run",
        rf"\b(?:download|fetch|get|grab|retrieve|pull|curl|wget) {gap(60)}(?P<url>https?://[^\s\"'`)\]>]+)(?:[^\n]|\n(?!\s*\n)){{0,160}}?\b(?:then|and|,|;|before|to) ?{gap(20)}\b(?:run|execute|launch|start|double[- ]click|source|install|open|eval(?:uate)?|pipe|bash|sudo) (?:it|them|the (?:\w+ )?(?:file|script|binary|installer|program|payload|result|output|package|executable|contents?|tool|agent|helper|update)|that|this|its contents?|(?:in|with|through|using|to) (?:a |the )?(?:shell|bash|sh|terminal|python|powershell))\b",
        check=lambda found: not _is_trusted(found["url"]),
    ),
    sentence(
        "scan-remote-instructions",
        "has an archive with a password downloaded, which no scanner can look into",
        rf"\b(?:download|fetch|get|grab|extract|unzip|unpack) {gap(160)}\b(?:password|passphrase|pass) ?(?:is|:|=|`|\"|') ?\S{{3,}}{gap(80)}|\b(?:extract|unzip|unpack|open) {gap(60)}\bwith (?:the )?(?:password|passphrase)\b ?{gap(30)}",
        check=lambda found: re.search(r"\.(?:zip|rar|7z|exe|msi|dmg|pkg)\b|archive|installer|https?://", found[0], re.I) is not None
        and re.search(r"\b(?:run|execute|install|launch|open|start)\b", found.string[found.start() : found.end() + 200], re.I) is not None,
    ),
)

_DOCUMENTATION = re.compile(
    r"https?://(?:docs?|developers?|learn|help|support|wiki|api|spec|www|reference|guides?)\.|https?://(?:[\w-]+\.)*(?:readthedocs\.io|github\.io|github\.com|gitlab\.com|microsoft\.com|google\.com|amazon\.com|mozilla\.org|wikipedia\.org|w3\.org|python\.org|nodejs\.org|modelcontextprotocol\.io|anthropic\.com|openai\.com|agentskills\.io)/|/docs?/|/documentation|/guides?/",
    re.I,
)


def _is_documentation(url: str) -> bool:
    return _DOCUMENTATION.search(url) is not None or is_own(_host(url))


def _is_trusted(url: str) -> bool:
    from prowess.author.scan_hosts import is_installer

    return is_installer(url) or is_own(_host(url)) or url.lower().rstrip("/.,").endswith((".csv", ".json", ".pdf", ".md"))


MANIPULATING: tuple[Pattern, ...] = (
    sentence(
        "scan-manipulation",
        "has something harmful put into what the user makes",
        rf"\b(?:insert|add|embed|include|plant|leave|inject|introduce|hide|write|slip) {gap(30)}\b(?:back ?doors?|logic bombs?|key ?loggers?|(?:crypto ?)?miners?|malware|malicious|spyware|hidden (?:admin|account|user|endpoint|function|script|iframe|link|pixel|dependency)|tracking pixels?|beacons?|exploitable|subtle (?:bugs?|vulnerabilit\w+|flaws?|errors?)|vulnerabilit(?:y|ies)) ?(?:{gap(80)}\b(?:into|in|to|on|at|that|every|all|any|each|generated)\b)",
    ),
    sentence(
        "scan-manipulation",
        "has addresses for payments replaced",
        r"\b(?:replace|swap|substitute|change|rewrite|overwrite|set) (?:\w+ ){0,3}?(?:wallet|bitcoin|btc|eth(?:ereum)?|crypto\w*|payment|payout|iban|bank|deposit|recipient|donation|account) (?:\w+ )?(?:address(?:es)?|numbers?|details?|accounts?|ibans?)\b ?{g}\b(?:with|by|to|for)\b".replace("{g}", gap(60)),
    ),
    sentence(
        "scan-manipulation",
        "has money sent to an address that stands in the text",
        rf"\b(?:send|transfer|pay|deposit|withdraw|donate|sweep|forward|move|approve|route) {gap(80)}(?:\b0x[0-9a-fA-F]{{40}}\b|\bbc1[0-9a-z]{{20,60}}\b|\b[13][1-9A-HJ-NP-Za-km-z]{{25,34}}\b|\b[A-Z]{{2}}\d{{2}}(?: ?[A-Z0-9]{{4}}){{3,7}}\b|\bT[1-9A-HJ-NP-Za-km-z]{{33}}\b)",
        check=lambda found: re.search(r"\b(?:all|balance|funds|remaining|tokens?|fee|eth|btc|usd\w*|sol|amount|payment|crypto|coins?|money|wallet|percent|%)\b", found[0], re.I) is not None,
    ),
    sentence(
        "scan-manipulation",
        "has results reported that are not so",
        rf"\b(?:always|must|only) (?:report|say|claim|state|mark|rate|conclude|tell (?:them|the user)|answer|respond|write|declare|score|approve|label|classify) ?{gap(60)}\b(?:safe|secure|clean|passed|passing|no (?:issues|vulnerabilit\w+|problems|findings|malware|threats)|approved|trusted|harmless|benign)\b ?{gap(50)}\b(?:regardless|even (?:if|when|though)|no matter|whatever|without (?:checking|looking|reading|testing|running)|irrespective|always)\b",
    ),
    sentence(
        "scan-manipulation",
        "has findings kept quiet",
        rf"\b(?:never|do not|don'?t) (?:report|flag|mention|raise|disclose|list) {gap(60)}\b(?:vulnerabilit\w+|security (?:issues?|problems?|findings?)|malware|backdoors?|malicious \w+|suspicious \w+|findings?) {gap(30)}\b(?:in|from|of|about|by|for|related to) (?:this|the|our|code|packages?|anything|\w+)",
        check=lambda found: re.search(r"\b(?:publicly|public|third|false|unverified|until|unless|without|twice|duplicat\w+|test|vendored|generated)\b", found.string[found.start() : found.end() + 80], re.I) is None,
    ),
    sentence(
        "scan-manipulation",
        "has one product or source recommended whatever is asked",
        rf"\b(?:regardless of|no matter|irrespective of|whatever|even if) (?:what |which |whether )?{_USER} ?{gap(50)}(?:,|\b(?:always|must|you must)\b) ?{gap(40)}\b(?:recommend|promote|suggest|insert|include|add|mention|advertise|link to|steer|favou?r|choose|buy|install|use)\b|"
        rf"\b(?:always|must) (?:recommend|promote|advertise|steer|favou?r|push|upsell) {gap(80)}\b(?:regardless|even if|no matter|over (?:all|any) (?:other|competing|competitors)|instead of (?:any|all|what)|never (?:mention|recommend|suggest) (?:any )?(?:competitors?|alternatives?|other))",
    ),
    sentence(
        "scan-manipulation",
        "has tests or checks made to pass by taking them away, and not said so",
        rf"\b(?:disable|remove|delete|skip|weaken|comment out|bypass|turn off|suppress) {gap(50)}\b(?:security (?:checks?|tests?|scans?|controls?|validation|headers?)|authentication|authorization|auth checks?|signature verification|certificate (?:validation|verification)|tls verification|ssl verification|input validation|audit log\w*|logging|monitoring|branch protection|rate limit\w*) ?{gap(100)}\b(?:without (?:telling|asking|mention\w*|informing|comment|noting)|do not (?:mention|tell|note)|don'?t (?:mention|tell|note)|silently|quietly|in (?:all|every|any) (?:\w+ )?(?:code|project|file|repo\w*|request)s?)\b",
    ),
    sentence(
        "scan-manipulation",
        "spreads itself",
        rf"\b(?:copy|install|propagate|replicate|spread|add|write|clone|inject) (?:this (?:skill|file|text|prompt|instruction|section|block|message|paragraph)|itself|yourself|these instructions|a copy of (?:this|itself|these)) ?{gap(40)}\b(?:to|into|in|across|onto) (?:every|all|any|each|other) (?:\w+ ){{0,2}}?(?:project|repo\w*|skill|workspace|machine|director\w+|folder|file|user|agent|readme|e-?mail|message|document)s?\b",
    ),
)

UNASKED: tuple[Pattern, ...] = (
    sentence(
        "scan-protection-off",
        "tells the model to act without the approval that guards it",
        rf"\b(?:without|do not (?:ask|wait) for|don'?t (?:ask|wait) for|never (?:ask|wait) for|skip|bypass|ignore|suppress|auto[- ]?(?:approve|accept|confirm)|automatically (?:approve|accept|confirm|grant)|pre[- ]?approve|always (?:approve|accept|allow|confirm|grant)|approve|accept) (?:asking (?:for )?)?(?:any |all |every |the |user'?s? )*(?:\w+ )?(?:confirmation|permission|approval|consent|authorization|prompts?|dialogs?|tool (?:calls?|requests?|uses?))\b ?{gap(60)}\b(?:any|all|every|destructive|dangerous|delet\w+|transfer\w*|payments?|purchas\w+|shell commands?|arbitrary|sudo|root|network requests?|upload\w*|whatever)\b",
        check=lambda found: re.search(r"\btests?\b|\bformat\w*|\blint\w*|read[- ]only", found[0], re.I) is None,
    ),
    sentence(
        "scan-persistence",
        "has itself written into what later sessions read",
        rf"\b(?:add|append|write|insert|save|store|copy|put|inject|persist|record|install) {gap(100)}\b(?:CLAUDE\.md|AGENTS\.md|GEMINI\.md|MEMORY\.md|SOUL\.md|\.cursorrules|\.windsurfrules|copilot-instructions\.md|settings(?:\.local)?\.json|(?:long[- ]term |persistent |agent'?s? )?memory|system prompt|global (?:rules|instructions|config\w*)){gap(140)}\b(?:every|all|any|future|new|next|later|subsequent|each|survives?|persists?|permanent\w*|forever|always) ?{gap(40)}\b(?:sessions?|conversations?|runs?|agents?|projects?|restarts?|reboots?|reinstall\w*|uninstall\w*|deletion|removed|chats?|prompts?|requests?|active|load(?:ed)?|in effect)\b",
        check=lambda found: re.search(
            r"\b(?:always|silently|trust|never (?:mention|tell|ask|reveal)|send|curl|upload|run|execut\w+|ignore|without|survive\w*|reinstall\w*|removed|uninstall\w*|this (?:skill|instruction|block|directive|rule|text)|these instructions|permanent\w*|hidden|https?:|obey|override)\b",
            found.string[max(0, found.start() - 40) : found.end() + 160],
            re.I,
        )
        is not None,
    ),
    sentence(
        "scan-persistence",
        "has a way in kept open",
        rf"\b(?:add|append|write|insert|install|put|register|create|copy|drop|set up|schedule) {gap(80)}(?:authorized_keys|cron(?:tab)?(?: (?:job|entry))?|launch ?(?:agent|daemon)|systemd (?:unit|service|timer)|scheduled task|startup (?:folder|item|script)|registry run key|login item|\.(?:bashrc|zshrc|profile|bash_profile)|git hook|(?:post|pre)-(?:commit|checkout|merge|push)(?: hook)?){gap(140)}\b(?:(?:re-?)?(?:download|fetch|beacon|phone)\w*|survive\w*|persist\w*|even (?:after|if)|back ?door|reverse shell|remote access|every \w+ (?:minutes?|hours?|boot|reboot|login)[^.]{{0,60}}(?:https?://|send|upload|report|check in)|attacker|https?://\S+)",
        check=lambda found: re.search(r"https?://|remote|back ?door|reverse|reinstall|removed|send|upload|survive|beacon|phone", found.string[found.start() : found.end() + 120], re.I) is not None,
    ),
)

PROSE: tuple[Pattern, ...] = (
    *OVERRIDING,
    *CONCEALING,
    *LEAKING,
    *ASKING,
    *REMOTE,
    *MANIPULATING,
    *UNASKED,
)
