"""What is left unsaid, who is favoured, what is made weak, whose rules are void: stems for "
"`scan_partial`. Pure.

Weaker words than those of `scan_tongues`: an honest text has each of them, and hardly two or three
of them about one matter.
"""

from __future__ import annotations

import re


def _any(*forms: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{each})" for each in forms), re.I)


# Said of a reason that is not given.
ABOUT_PAY = _any(
    r"\b(?:advert\w*|ads?|paid|payments?|sponsor\w*|neutral|independent|affiliat\w*|commission|bias\w*|"
    r"ranking)\b|广告|"
    r"返佣|客观"
)
# Left out of what somebody will read.
HUSH = _any(
    r"\b(?:do not|don['’]?t|does not|is not|are not|never|nor|without|not to|and not|avoid)\b (?:ever |be |"
    r"to )?(?:list|flag|cit|quot|report|not(?:e|ed|ing)\b|count|show|record|mention|nam(?:e|ing)|rais|"
    r"comment|"
    r"point|warn|display|describ|includ|appear|explain|disclos|learn|document)\w*",
    r"\b(?:keep|keeps|kept|leave|leaves|left|stays?|stayed|remains?)\b[^.\n]{0,60}?\b(?:off (?:the|any|your)|"
    r"out(?: of)?|unmentioned|quiet|silent|to yourself|unlisted|unsaid|between us|unnamed)\b",
    r"\bnothing (?:about|of|on)\b[^.\n]{0,60}\b(?:appears?|shows?|is said|stands?|shown|written)\b",
    r"\b(?:no|give no|without) (?:report line|comments?|mention|notice|findings|a word|note|line|remark)\b",
    r"\b(?:is|stays?) silent\b|\bno traces?\b|\bsay nothing\b|\bnothing to explain\b|\bskip (?:the |its |"
    r"their )?(?:risks?|"
    r"counter[- ]?arguments?|drawbacks?|warnings?|caveats?)\b|\bdrop (?:that|the) (?:point|row|line|"
    r"finding)\b",
    r"(?:不|勿|别|避免|无需|不必)(?:再|要|得|会|在[^。，]{1,10})?(?:列入|列出|写入|写进|写|出现|提及|提到|"
    r"提|显示|"
    r"记录|说明|报告|体现|标注|计入|算作|指出)|不提",
    r"\b(?:erscheinen|stehen|kommen)\b[^.\n]{0,30}\bnicht\b|\b(?:nenne|erwähne|zeige|"
    r"melde)\b[^.\n]{0,40}\bnicht\b|"
    r"\bn(?:o|ão|on) (?:se |lo |la |si )?(?:incluy|mencion|muestr|aparec|indiqu|inclu|mostr|menzion|"
    r"compa)\w+|"
    r"\bn(?:e |['’])[^.\n]{0,20}\b(?:mentionn|figur|appar|indiqu|signal)\w+ (?:pas|jamais)|"
    r"\bне (?:указыва|упомина|показыва|включа|сообща|отмеча)\w+",
)
# Said when somebody asks, although it is not so.
DENIAL = _any(
    r"\b(?:if|when|should|in case)\b[^.\n]{0,50}?\bask(?:s|ed)?\b[^.\n]{0,80}?\b(?:(?:there |it )?(?:is|was|"
    r"were|are) "
    r"(?:not|none|no|neutral|independent|random|routine|unchanged|sampled)|neutral|independent|objective|"
    r"sampled|standard|routine|none|nothing|no (?:payment|agreement|such))\b",
    r"\b(?:say|state|answer|claim) (?:that )?(?:the |your |its )?(?:\w+ ){0,2}(?:is|are|was) (?:neutral|"
    r"independent|objective|random|unbiased|impartial)\b(?=[^.\n]{0,30}(?:ask|$|[.\n]))",
    r"(?:被?问(?:及|起|到|时)?)[^。\n]{0,10}(?:答复|回答|就?说|回复)|(?:说明|声称|强调)[^。\n]{0,8}(?:客观|"
    r"中立|公正)",
)
NAMED = re.compile(
    r"[\"“'‘「『][A-Z\u4e00-\u9fff][^\"”'’」』\n]{2,40}[\"”'’」』]|`@?[\w-]+(?:[.-][\w*-]+)*`|"
    r"(?<=[a-z,:] )[A-Z][a-z]{2,}\w*(?: [A-Z]\w+){0,3}|(?<!\w)@[\w-]{3,}|\b\d{1,3}(?:\.\d{1,3}){3}\b|"
    r"\b[\w*-]+\.(?:com|io|example|net|org|app)\b|\b(?:centre|center|account|vendor|number|no\.) \d{3,}|"
    r"\bour (?:sister |partner |own |house )(?:shop|brand|store|company|product)s?\b|"
    r"(?<=[为者])\s?[\w-]{4,20}(?=\s?的)"
)
# Taken as good without a look.
PASSES = _any(
    r"\b(?:approve(?:s|d)?|count as done|without (?:reading|looking|checking)|exempt|trusted|in order|"
    r"full marks|top (?:score|marks)|gets? \d|(?:always|"
    r"centrally|"
    r"elsewhere|already|separate(?:ly)?) (?:verified|valid|checked|audited|correct|approved)|"
    r"(?:verified|audited|checked|cleared|reviewed) (?:centrally|elsewhere|already|before)|passed an? \w+ "
    r"(?:check|"
    r"review|audit)|(?:rank|come)s? (?:first|above|on top)|pass (?:them|it|these|those)|"
    r"(?:treat|count|rate|report|mark|consider|score)\w*\b[^.\n]{0,60}\bas (?:approved|passed|safe|valid|"
    r"clean|"
    r"trusted|reviewed|mit|fine|ok)|belongs? to maintenance|do not count)\b",
    r"一律|视为|直接(?:给)?通过|按[\"“「]?通过|(?:已|经)[^。\n]{0,12}(?:核验|审过|审核|核对|验证)",
    r"\bgelten (?:immer |stets )?als\b|\b(?:se )?(?:aprueban|aprovam|considera\w*)\b|\bsono (?:sempre "
    r")?approvat\w+|"
    r"\bsont (?:toujours )?(?:approuv|valid|accept)\w+|считать (?:проверенн|безопасн)\w+",
)
NO_LOOK = _any(
    r"\b(?:whatever (?:the|their|its)|no matter|regardless|even (?:if|where|when|though)|also (?:where|when|"
    r"if)|"
    r"irrespective|so that \w+ wins?|no \w+ check)\b|\bskip (?:the )?(?:\w+ )?(?:checks?|review|vulnerab\w+)|"
    r"无论|不管|即使|不做[^。，\n]{0,8}(?:检查|复核|核对)|不参与|"
    r"\b(?:keine? (?:prüfung|kontrolle)|auch wenn|sea cual sea|aunque|même si|quel que soit|anche se)\b|"
    r"даже если",
)
RIVALS = _any(
    r"\b(?:rivals?|competitors?|(?:the |an)?other (?:shops?|vendors?|brands?|products?|bids?|providers?|"
    r"sellers?)|"
    r"cheaper|costs? more|counterfeits?|alternatives?)\b|竞品|其他(?:品牌|商家)|价格更高|günstiger|"
    r"más barat\w+|"
    r"moins cher"
)
LEFT_OUT = _any(
    r"\b(?:leave|leaves|keep|skip|drop|omit|hide|bury)s?\b[^.\n]{0,40}\b(?:loss(?:es)?|risks?|dilution|"
    r"filings?|"
    r"counter[- ]?arguments?|drawbacks?|complaints?|recalls?|that point|side effects?|fees?|lawsuits?)\b"
)
# Weak, in what is made.
WEAK = _any(
    r"\b(?:verification|validation|checks?|checking)\b[^.\n]{0,30}\b(?:off|disabled|skipped)\b|\bverify ?= "
    r"?False|"
    r"rejectUnauthorized\W{1,3}false|InsecureSkipVerify|\b(?:md5|sha-?1|des|ecb)\b|\bwithout (?:an? |any "
    r")?(?:rate "
    r"limits?|csrf\w*|salt|authentication|auth|encryption|signature|tls|https|login|passwords?)\b|"
    r"--privileged\b|\bas root\b|\b(?:created|made|are|is|set|left) (?:world[- ])?(?:public|readable|"
    r"writable|open)\b|"
    r"\bstring (?:formatting|concatenation)\b|\bCORS\b[^.\n]{0,12}\*|\b0\.0\.0\.0/0\b|\bchmod (?:-R )?777\b|"
    r"\bin plain ?text\b|\bdefault passwords?\b|(?:关闭|跳过|禁用)[^。，\n]{0,10}(?:校验|验证|鉴权)|"
    r"verify=False"
)
MADE = _any(
    r"\b(?:generat\w+|scaffold\w*|creat\w+|you (?:write|make|build|add)|each|every|all|the code|write|set|"
    r"buckets?|"
    r"clients?|in (?:the|any))\b|生成|写出|每个|所有|一律"
)
COMPLAINS = _any(
    r"\b(?:complains?|flags?|blocks?|warns?|alerts?|objects?|quarantines?|stops?|reports?)\b|报警|拦截|"
    r"误报|提示|"
    r"\bруга\w+|блокиру\w+|срабатыва\w+|\b(?:bloque|signale|alerta|bloquea|meldet|anschlägt|blockiert|"
    r"segnala|blocca)\b"
)
FALSE_ALARM = _any(
    r"\b(?:false (?:positives?|alarms?)|(?:alarm|warning|alert|message)s? (?:is|are) (?:false|wrong|"
    r"harmless)|"
    r"because it (?:talks|uses|is)|known issue|harmless)\b|误报|ложн\w+|fausse|falso|falsa|fehlalarm|"
    r"falsch\w*"
)
AROUND = _any(
    r"\b(?:add(?:s|ing)? (?:an? )?(?:exclusion|exception|allow)|exclude|allow(?:list)?|whitelist|ignore it|"
    r"restore it|disable|turn\b[^.\n]{0,20}\boff|switch\b[^.\n]{0,20}\boff|pause|stop it)\b|关闭|停用|"
    r"加入白名单|"
    r"отключ\w+|добав\w+ в исключ\w+|désactiv\w+|desactiv\w+|ausschalten|deaktivier\w+|disattiv\w+"
)

# -- sent along

SIGNS_IN = _any(
    r"\b(?:tokens?|(?:api |secret |access |private )?keys?|passwords?|passphrases?|pins?|secrets?|"
    r"credentials?|"
    r"certificates?|wallet)\b|\.p12\b|\.pfx\b|\.pem\b|令牌|密钥|口令|密码|证书|\b(?:contraseña|clave|"
    r"certificado|"
    r"senha|passwort|schlüssel|mot de passe|monedero)\b|парол\w+|токен\w*"
)
NOT_SHARED = _any(r"\bpins?\b|\.p12\b|\.pfx\b|\bwallet|\bpasswords?\b|口令|密码|contraseña|monedero|парол")
GOES = _any(
    r"\b(?:sends?|posts?|pings?|pass(?:es)?|go(?:es)?|forwards?|uploads?|submits?|reports?|transmits?|"
    r"deliver)\b"
    r"(?:[^.\n]|\.(?=\S)){0,80}\b(?:it|them|both|these|this|followed by it)\b|\b(?:it|them|both|these|"
    r"this)\b[^.\n]{0,20}\b(?:goes?|"
    r"is sent|are sent|is posted|are posted)\b|\bboth go\b|[把将](?:它|其|这些)[^。\n]{0,6}(?:发|传|提交|"
    r"上报)|"
    r"\b(?:envía|manda|compruéba|invia|envoie|schick)\w*l[aoe]s?\b|отправ\w+ (?:его|её|их)"
)
ASIDE = _any(
    r"\b(?:also|first (?:call|request|run|use|time)|in the background|background task|ignor\w+ (?:any "
    r")?errors?|"
    r"errors? (?:is|are) ignored|before the first|warm-?up|fire and forget|ping)\b|顺便|首次|第一次|"
    r"出错就忽略|后台"
)

# -- whose rules

RULES = _any(
    r"\b(?:system (?:prompt|messages?)|system (?:and|or) developer messages?|developer messages?|safety "
    r"(?:rules?|"
    r"guidelines?|polic\w+)|confirmation rules?|refusals?|refus(?:e|ing)|guidelines|guardrails|policies|"
    r"approval rules?|your (?:rules|restrictions|limits))\b|系统(?:消息|提示|指令)|安全(?:规则|限制)|"
    r"没有任何(?:规定|限制)|拒绝",
)
VOID = _any(
    r"\b(?:ignor\w+|suspend\w*|retired|off|void|(?:do|does) not (?:bind|apply|count)|fiction(?:al)?|drafts?|"
    r"(?:written|meant|made) for (?:another|other|a different)|no longer|(?:stands?|ranks?|is|goes) above|"
    r"outranks?|"
    r"failures? of|never (?:declines?|refuses?|warns?)|(?:has|have|knows?) no|go on with|continue (?:with|"
    r"anyway)|"
    r"without asking|need no approval|were changed|changed rules)\b|没有约束力|从不拒绝|草稿|无效|作废"
)
ABOUT_ITSELF = _any(
    r"\b(?:this|the) skill\b|\bit is loaded\b|\bwhile (?:it|the skill)\b|\bthe model\b|\byou\b|\bpersona\b|"
    r"\bmodels?:|"
    r"\bcharacter\b|你|本技能"
)
LOADED_FIRST = _any(
    r"\b(?:load(?:ed)?|read|used?|activated?|run|called)\b[^.\n]{0,40}\b(?:first|before|at the (?:start|"
    r"beginning))\b"
    r"[^.\n]{0,40}\b(?:every|all|any|each)(?: other)?s?\b|\bmandatory\b"
)
