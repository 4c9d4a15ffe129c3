"""English sentences that set other instructions aside, or keep something from the user. Pure."""

from __future__ import annotations

import re

from prowess.author.scan_patterns import Pattern, gap, sentence
from prowess.author.scan_words import ACT, NOT, SENDS, USER, goes_on, near_act

OVERRIDING: tuple[Pattern, ...] = (
    sentence(
        "scan-override",
        "tells the model to set its other instructions aside",
        r"\b(?:ignor(?:e|ing)|disregard(?:ing)?|forget(?:ting)?|override|overriding|bypass(?:ing)?|"
        r"supersede|set aside|discard|dismiss|abandon|stop following|"
        r"no longer (?:follow|obey)|do not (?:follow|obey|comply with)|pay no attention to|put aside|"
        r"throw out) "
        rf"{gap(30)}\b(?:previous|prior|earlier|above|preceding|foregoing|existing|system|safety|"
        rf"developer(?:'s)?|original|initial|"
        r"all (?:of )?(?:your|the|other)|your(?: own)?|any other|all other|other|everything|user'?s?) "
        rf"{gap(40)}\b(?:instructions?|prompts?|guidelines?|directions?|directives?|polic(?:y|ies)|"
        rf"constraints?|safeguards?|guardrails?|"
        r"restrictions?|training|programming|safety (?:rules?|checks?|measures?|filters?)|(?:system|"
        r"safety|security) rules?|rules (?:you|above|that)|orders|commands given|you (?:were|"
        r"have been) (?:told|given|instructed))\b",
    ),
    sentence(
        "scan-override",
        "tells the model to forget what it was told",
        r"\b(?:ignore|disregard|forget) (?:everything|anything|all(?: that)?|"
        r"whatever) (?:(?:that )?(?:you (?:were|have been)|came|was|has been|is|i|we|they|the user) |"
        r"above|before|prior|previous|said|written)",
    ),
    sentence(
        "scan-override",
        "tells the model to set its other instructions aside",
        r"\b(?:ignore|disregard|forget|override|bypass|do not (?:follow|obey)|set aside) (?:the |any |"
        r"all |those |every )?(?:\w+ )?(?:guidelines?|instructions?|rules?|polic(?:y|ies)|directives?|"
        r"constraints?|restrictions?|safeguards?) (?:\w+ )?(?:from|of|by|in|set by|given by|imposed by|"
        r"that) (?:your|the) (?:developers?|system|users?|creators?|operators?|company|makers?|provider|"
        r"vendor|host|conversation)\b",
    ),
    sentence(
        "scan-override",
        "tells the model to set its other instructions aside",
        r"\b(?:your|all|any|the|previous|prior|earlier) ?(?:\w+ ){0,2}?(?:constraints?|guidelines?|"
        r"instructions?|restrictions?|safeguards?|safety (?:rules?|guidelines?|polic\w+)|"
        r"guardrails?)(?: \w+){0,5}? (?:do not|don'?t|no longer|does not|cease to|stop) (?:apply|appl(?:y|"
        r"ies|ying)|hold|bind|count|matter)\b(?! to (?:this (?:file|folder|directory|repo\w*|format)|"
        r"[\w./]+ files))",
    ),
    sentence(
        "scan-override",
        "declares the model free of its rules",
        r"\byou are (?:now |no longer )(?:\w+ ){0,3}?(?:dan\b|unrestricted|unfiltered|uncensored|"
        r"jailbroken|bound by|restricted by|limited by|subject to|free (?:of|from) (?:all |any |"
        r"your )?(?:restrictions?|rules?|constraints?|guidelines?|filters?|limits?)|"
        r"in (?:dan|god|developer|jailbreak|unrestricted|maintenance|admin(?:istrator)?|root|sudo|"
        r"debug) mode)",
    ),
    sentence(
        "scan-override",
        "switches the model into a mode without rules",
        r"\b(?:enter|enable|activate|switch (?:in)?to|engage|operate in|act in) (?:\"|'|`)?(?:dan|god|"
        r"jailbreak|unrestricted|unfiltered|no[- ]limits|do[- ]anything[- ]now|developer override|"
        r"admin override|safety[- ]off)\b(?:\"|'|`)?(?: mode)?",
    ),
    sentence(
        "scan-override",
        "gives itself precedence over the user or the system",
        r"\b(?:this (?:skill|document|file|section|message|text|directive|instruction)|"
        r"these (?:\w+ )?(?:instructions?|rules?|directives?|steps?)|the (?:following|"
        r"instructions? (?:below|in this))|(?:the )?(?:following|below) (?:instructions?|rules?|"
        r"directives?)) "
        rf"{gap(30)}\b(?:takes?|have|has|carry|carries|overrides?|overrule|supersedes?|outranks?|trumps?|"
        rf"replaces?) {gap(30)}"
        rf"(?:precedence|priority|authority|any|all|your|system|developer|everything|"
        rf"anything) ?{gap(40)}\b(?:system|developer|user'?s?|safety|other|previous|prior|existing|"
        rf"conflicting|earlier|guidelines?|everything)(?: \w+){{0,2}}? ?(?:instructions?|prompts?|rules?|"
        rf"messages?|guidelines?|requests?|polic\w+|preferences?|settings?|else)\b",
    ),
    sentence(
        "scan-override",
        "gives the model new secret instructions",
        r"\byour (?:new|real|true|actual|secret|hidden|updated|revised) (?:system )?(?:instructions?|"
        r"directives?|orders|prompt|objectives?|mission|role) (?:is|are|:|now|follow)",
    ),
    sentence(
        "scan-override",
        "plays a message of the system or an administrator",
        r"(?:^|[\[<(*#>]) ?(?:(?:important|urgent|critical|mandatory|new) )?(?:system|admin(?:istrator)?|"
        r"root|developer|anthropic|openai|security)[ _-](?:override|notice|message|directive|alert|"
        r"command|update|instruction)s?(?:\]|>|\*\*|:|\)) ?{g}(?:\b(?:you|ignore|must|run|execute|send|"
        r"disable|immediately|now|the assistant|the agent|all)\b)".replace("{g}", gap(60)),
        flags=re.I | re.M,
    ),
    sentence(
        "scan-override",
        "imitates the marks between the turns of a conversation",
        r"(?:<\|(?:im_start|system|start_header_id)\|>(?: ?system)?|\[/?INST\] ?<<SYS>>|"
        r"</?(?:system-reminder|system_prompt|system)>)[^\S\n]*\n?{g}\b(?:ignore|must|run|execute|send|"
        r"do not tell|disregard|you are)\b".replace("{g}", gap(80)),
    ),
)

CONCEALING: tuple[Pattern, ...] = (
    sentence(
        "scan-concealment",
        "tells the model to keep something from the user",
        rf"\b{NOT} (?:ever )?(?:tell|inform|notify|alert|warn|telling|informing|notifying|alerting|"
        rf"warning|let|letting) {USER}(?: know| see| notice| find out)? ?"
        rf"(?:(?:about|of) (?:(?:this|these|that|those|it|any of (?:this|these)|"
        rf"the) ?{gap(30)}(?:\b{ACT}\b)?|anything|what you|your)|that (?:you|this|the \w+|data|it|"
        rf"anything)|what (?:you|this)|why|anything|(?=[.,;!)\n]|$|—|–|-))",
        check=goes_on,
        needs="not |never|n't|no need|avoid|without",
    ),
    sentence(
        "scan-concealment",
        "tells the model to leave something out of what the user sees",
        rf"\b{NOT} (?:ever )?(?:mention(?:ing)?|disclos(?:e|ing)|reveal(?:ing)?|acknowledg(?:e|ing)|"
        rf"report(?:ing)?|discuss(?:ing)?|explain(?:ing)?|surfac(?:e|ing)|describ(?:e|ing)|includ(?:e|"
        rf"ing)|show(?:ing)?|display(?:ing)?|print(?:ing)?|list(?:ing)?|log(?:ging)?|expos(?:e|ing)|"
        rf"bring up|refer(?:ring)? to|talk(?:ing)? about) "
        rf"(?:this|these|that|those|it|the|any|its existence|having)(?: \w+){{0,3}}? ?{ACT}\b",
        check=goes_on,
        needs="not |never|n't|no need|avoid|without",
    ),
    sentence(
        "scan-concealment",
        "tells the model to leave something out of what the user sees",
        rf"\b{NOT} (?:ever )?(?:mention(?:ing)?|disclos(?:e|ing)|reveal(?:ing)?|acknowledg(?:e|ing)|"
        rf"discuss(?:ing)?) (?:this|it|that|any of this|these) (?:to|with|in front of|in) (?:{USER}|"
        rf"the (?:response|output|summary|reply|answer|chat|transcript|report|conversation|final \w+)|"
        rf"your (?:response|output|summary|reply|answer|final \w+))",
        check=goes_on,
        needs="not |never|n't|no need|avoid|without",
    ),
    sentence(
        "scan-concealment",
        "tells the model to keep something from the user",
        rf"\b{USER} (?:does not|doesn'?t|do not|don'?t|need not|should not|shouldn'?t|must not|mustn'?t|"
        rf"must never|should never|is not to|are not to|never) ?(?:need to |have to |get to |"
        rf"want to )?(?:know|be told|be informed|be made aware|be aware|learn|find out|be notified|"
        rf"realize|suspect|be asked|hear)\b(?: ?(?:about|of|that) (?:this|it|these|any of|"
        rf"the (?:\w+ )?{ACT})\b| ?(?=[.,;!)]|$))",
        check=lambda found: near_act(found, 200),
        needs="not |never|n't|no need|avoid|without",
    ),
    sentence(
        "scan-concealment",
        "tells the model to leave something out of what the user sees",
        rf"\b{NOT} (?:ever )?(?:mention|disclose|reveal|admit|acknowledge|let on|say|show|"
        rf"tell {USER}) that (?:this|the|it|you|any|data|files?) ?{gap(40)}\b(?:sends?|sent|collects?|"
        rf"collected|uploads?|uploaded|reads?|copies|copied|tracks?|logs?|ran|runs?|records?|recorded|"
        rf"contacts?|contacted|downloads?|downloaded|installs?|installed|transmit\w*|shares?|shared|"
        rf"modif\w+)\b",
        check=goes_on,
        needs="not |never|n't|no need|avoid|without",
    ),
    sentence(
        "scan-concealment",
        "has something done behind the user's back",
        rf"\b(?:secretly|covertly|surreptitiously|stealthily|clandestinely|"
        rf"without {USER}(?:'s)? (?:knowledge|knowing|consent|noticing|realizing|realising|being aware|"
        rf"awareness|permission|approval|seeing)|"
        rf"without (?:the )?user (?:knowledge|awareness|consent)|without (?:telling|informing|notifying|"
        rf"alerting|tipping off) {USER}|so (?:that )?(?:the )?{USER} (?:does not|doesn'?t|do not|don'?t|"
        rf"won'?t|will not|never|cannot|can'?t) (?:notice|see|know|realize|realise|suspect|find out)|"
        rf"so (?:that )?(?:nobody|no[- ]one) (?:notices|sees|knows|realizes|realises|suspects|finds out))\b",
        check=lambda found: near_act(found, 140),
    ),
    sentence(
        "scan-concealment",
        "has something sent or run silently",
        rf"\b(?:silently|quietly|discreetly|invisibly|unobtrusively|"
        rf"in the background,? without \w+) (?:\w+ ){{0,2}}?{SENDS}\b|\b{SENDS} {gap(80)}\b(?:silently|"
        rf"quietly|discreetly|invisibly)\b(?! (?:fail|ignor|skip|drop|discard|overwrit|truncat|corrupt))|"
        r"\b(?:silently|quietly) (?:run|execute|install|download|fetch|collect|harvest|record|capture|"
        r"append|add|read|gather|modify|insert)\b",
        check=lambda found: (
            re.search(
                r"\bwithout (?:\w+ ){0,3}$|\bnot? (?:\w+ ){0,3}$|\binstead of (?:\w+ ){0,3}$",
                found.string[max(0, found.start() - 40) : found.start()],
                re.I,
            )
            is None
        ),
        needs="silently|quietly|discreetly|invisibly|unobtrusively|in the background",
    ),
    sentence(
        "scan-concealment",
        "tells the model to hide what it does",
        rf"\b(?:hide|conceal|mask|keep|obscure|disguise|cover up) (?:this|these|it|them|any trace|"
        rf"all traces?|any evidence|(?:the|your) (?:\w+ ){{0,3}}?(?:{ACT}|output of|traces?|evidence|"
        rf"existence)) ?{gap(40)}\b(?:(?:secret |hidden |away |private |"
        rf"confidential )?from (?:the )?(?:{USER}|reviewers?|logs?|history|audit\w*|transcript|output|"
        rf"view|sight)|between us|to yourself)\b",
    ),
    sentence(
        "scan-concealment",
        "gives the model a lie for when the user asks",
        rf"\b(?:if|when|should|in case) (?:{USER}|anyone|somebody|someone) (?:ever )?(?:asks?|asked|"
        rf"questions?|notices?|inquires?|enquires?|complains?|wonders?) ?{gap(90)}\b(?:deny|claim|pretend|"
        rf"lie|play dumb|change the subject|feign|(?:say|tell (?:them|the user)|reply|respond|answer|"
        rf"explain|state|insist) (?:that )?(?:it|this|you|nothing|the) ?{gap(30)}\b(?:was|is|were|are|did|"
        rf"do|didn'?t|cannot|never|just|only|routine|nothing|standard|normal|required|an? (?:glitch|error|"
        rf"bug|cache|update|network|routine|standard|normal)))",
        check=lambda found: (
            re.search(
                r"what (?:this|it|that|you)|why (?:this|it|you|there)|about (?:this|the|it|these)|"
                r"network|traffic|"
                r"request|notice|deny|lie|pretend",
                found[0],
                re.I,
            )
            is not None
        ),
    ),
    sentence(
        "scan-concealment",
        "tells the model to act as if nothing happened",
        r"\b(?:act|behave|continue|proceed|respond|carry on|reply|answer) (?:\w+ ){0,2}?as (?:if|"
        r"though) (?:nothing|this (?:step|never)|you (?:had|have|did) (?:not|n't)|the \w+ (?:never|"
        r"did not))",
    ),
)
