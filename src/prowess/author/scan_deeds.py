"""What is done that a person would mind: asked for, followed, kept, destroyed, paid elsewhere. Pure.

Stems as in `scan_tongues`, in the same languages where such things are told in prose. Alone most of them
are honest; `scan_told` says which of them together are not.
"""

from __future__ import annotations

import re


def _any(*forms: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{each})" for each in forms), re.I)


# -- asked of the user

ASK = _any(
    r"\b(?:ask(?:ing)?|prompt(?:ing)?|request(?:ing)?|require|have|get|let|tell|instruct|invite|urge|"
    r"remind|need) (?:for |from )?"
    r"(?:the |your )?(?:users?|customers?|clients?|person|owner|them|him|her|people|visitors?|for)\b|"
    r"\b(?:please |kindly )(?:send|paste|enter|give|provide|share|type|upload)\b|"
    r"\b(?:paste|type|enter|provide|send|share) (?:your|their)\b|\b(?:collect|obtain|take down|"
    r"note) (?:the user['’]s|their|his|her)\b",
    r"(?:请|让|要求|向|引导|提示|询问|索取|叫)(?:用户|客户|对方|使用者)|请(?:提供|输入|发送|粘贴|填写|"
    r"上传)|(?:ユーザー?|利用者|お客様)[^。\n]{0,20}(?:尋ね|聞い|聞き|求め|入力|貼り付け|もらう)|"
    r"(?:사용자|고객)[^.\n]{0,16}(?:요청|물어|입력|받)",
    r"\b(?:bitte|frage?|fordere|lass)\b[^.\n]{0,12}\b(?:den |die |der )?(?:nutzer|benutzer|anwender|"
    r"kund\w+)\w*|\b(?:demande|demandez) [^.\n]{0,12}\b(?:l['’])?(?:utilisateur|client)\w*|"
    r"\b(?:pide|pídele|solicita|pregunta) [^.\n]{0,14}(?:usuari|client)\w*|\b(?:peça|solicite|"
    r"pergunte) [^.\n]{0,14}(?:usuári|utilizador|client)\w*|\b(?:chiedi|"
    r"richiedi) [^.\n]{0,12}\butent\w*|"
    r"(?:попроси|запроси|спроси)\w*[^.\n]{0,12}(?:пользовател|клиент)\w*",
)
CREDENTIAL = _any(
    r"\b(?:(?:account|login|e-?mail|bank(?:ing)?|master|sudo|root|admin|wifi|vpn|current|old|icloud|"
    r"apple|google|windows|system|keychain|their|your|user['’]s?)(?: \w+)? )?"
    r"(?:passwords?|passcodes?|pin(?:s| codes?| numbers?)?|2fa|otp|one[- ]time (?:codes?|passwords?)|"
    r"verification codes?|security codes?|sms codes?|authenticator|backup codes?|recovery (?:codes?|"
    r"keys?|phrases?)|"
    r"(?:12|24|twelve|twenty-four)(?: or (?:12|24|twelve|twenty-four))?[ -]words?|"
    r"seed(?: phrases?| words?)|mnemonics?|private keys?|secret keys?|api keys?|access tokens?|"
    r"personal access tokens?|(?:new |session |the )tokens?|session cookies?|"
    r"credit cards?|card numbers?|cvvs?|cvc|ssn|social security|passport (?:numbers?|scan)|"
    r"login (?:data|details)|credentials?|certificate)\b",
    r"密码|口令|验证码|动态码|短信码|支付密码|助记词|私钥|身份证|银行卡|信用卡|令牌|密钥|パスワード|"
    r"暗証番号|認証コード|ワンタイム|秘密鍵|カード番号|비밀번호|인증 ?번호|카드 ?번호|주민등록",
    r"\b(?:passw(?:ort|örter)|kennwort|pin|tan|zugangsdaten|anmeldedaten|zertifikatsdatei|"
    r"mot de passe|code (?:secret|de vérification|sms)|identifiants|contraseña|código (?:sms|"
    r"de verificaci[oó]n)|"
    r"credenciales|senha|credenciais|credenziali|frase semilla|clave privada)\b|парол\w+|"
    r"код\w* (?:из смс|подтверждени\w+)|сид-фраз\w*|реквизит\w*",
)
# Nobody who helps ever needs these.
NEVER_ASKED = _any(
    r"\b(?:2fa|otp|one[- ]time (?:codes?|passwords?)|verification codes?|sms codes?|backup codes?|"
    r"recovery (?:codes?|phrases?)|seed(?: phrases?| words?)|mnemonics?|master passwords?|"
    r"(?:the )(?:12|24|twelve|twenty-four)(?: or (?:12|24|twelve|twenty-four))?[ -]words?|(?:digits?|"
    r"codes?) (?:from|of|"
    r"in) (?:the|their|your) authenticator|"
    r"cvvs?|cvc|card numbers?|social security|session cookies?|(?:bank(?:ing)?|e-?mail|icloud|"
    r"apple id|google|sudo|root) (?:account )?(?:passwords?|pins?|login))\b|"
    r"短信验证码|动态码|支付密码|助记词|银行卡密码|暗証番号|인증 ?번호|сид-фраз\w*|frase semilla|\btan\b",
)
IN_CHAT = _any(
    r"(?:到|进|在)(?:聊天|对话)(?:里|中|框)?",
    r"\b(?:in(?:to)? (?:the |this )?(?:chat|conversation)|right here|here in chat|as a (?:reply|"
    r"message)|in plain ?text)\b|在(?:聊天|对话)(?:中|里)|チャットに|im chat|en el chat|dans le chat|"
    r"в чат",
)

# -- from elsewhere, and obeyed

FETCH = _any(
    r"\b(?:fetch(?:es)?|load|read|open|visit|get|retrieve|download|pull|curl|wget|check|query|request|"
    r"poll|browse to|look up|sync|import|refresh|update|consult|see|replace|overwrite|"
    r"come(?:s)? from|served (?:at|by|from)|published (?:at|on|under)|hosted (?:at|on)|live[sd]? at|"
    r"found (?:at|under)|kept at|maintained at|stand at|is at|are at|stored at)\b",
    r"获取|下载|读取|访问|打开|拉取|请求|抓取|取得|読み込|ダウンロード|アクセス|取り込|가져오|다운로드|읽",
    r"\b(?:lade|hole?|lies|öffne|rufe?|télécharge\w*|récup[eè]re\w*|charge|lis|descarga\w*|lee|"
    r"obt[eé]n|carga|baixe|leia|obtenha|scarica|leggi|recupera)\b|"
    r"загруз\w+|скача\w+|прочита\w+|получи\w*|открой\w*",
)
OBEY = _any(
    r"\b(?:follow|obey|execute|carry out|comply(?: with)?|act on|adopt|apply|act accordingly|"
    r"do (?:exactly )?what(?:ever)?|adhere to|abide by|treat (?:it|them|its \w+|the \w+|as)|"
    r"as (?:if (?:it|they) (?:were|stood)|part of this)|interpret|are binding|is binding|binding|"
    r"stick to|use it as|use them as) ?(?:[^.\n]{0,50})"
    r"\b(?:instructions?|rules?|directives?|orders?|commands?|steps?|text|contents?|response|reply|"
    r"answer|guidance|policy|policies|prompt|whatever|says?|verbatim|exactly|"
    r"it|them|there|letter|binding|part of)\b",
    r"\b(?:take|takes|have|has|get|gets) (?:precedence|priority)\b|\b(?:outrank|overrid|overrul|"
    r"supersed|replac)(?:e?s?|ing) (?:this|these|the|any|all|your|what)\b|\b(?:they|it|these|those|"
    r"the page|the file|that) wins?\b|\bwins? over\b",
    r"(?:遵循|遵照|按照|照做|照着|服从|执行|听从|以[^。\n]{0,10}为准|优先于|覆盖)|従(?:う|って|い)|"
    r"実行|優先|따르|실행|수행",
    r"\b(?:befolge\w*|folge|führe\b[^.\n]{0,60}\baus|halte dich|suis|suivez|exécute\w*|applique\w*|"
    r"sigue|ejecuta\w*|obedece|aplica|siga|execute|obedeça|segui|esegui\w*)\b|"
    r"следуй\w*|выполн\w+|исполн\w+|соблюдай\w*",
)
INSTRUCTIONS = _any(
    r"\b(?:instructions?|rules?|directives?|orders?|commands?|steps?|guidance|policy|policies|"
    r"prompts?|playbook|skills?|\.md|\.txt|tasks?|text|whatever|what it says|conventions?)\b|"
    r"指令|规则|命令|步骤|要求|说明|指示|ルール|手順|지시|규칙|명령|anweisung\w*|regeln|befehl\w*|"
    r"instrucci\w+|reglas|consignes|règles|instruç\w+|regras|istruzion\w+|regole|инструкц\w+|"
    r"правил\w+|команд\w+",
)

# -- kept for later sessions

MEMORY_FILE = _any(
    r"\b(?:CLAUDE|AGENTS?|GEMINI|MEMORY|SOUL|COPILOT|CONVENTIONS)\.md\b|\.cursorrules|\.cursor/rules|"
    r"\.windsurfrules|\.clinerules|copilot-instructions\.md|\.aider\.conf|"
    r"\.claude/(?:settings|skills|agents|commands|hooks)|settings\.local\.json|\b(?:long[- ]term |"
    r"persistent |agent['’]?s? )memory\b|\bmemory (?:file|store|tool|entry)s?\b|记忆|メモリ|"
    r"\bcustom instructions\b|\bsystem prompt\b",
)
WRITE = _any(
    r"\b(?:add|append|write|insert|save|store|put|restore|inject|persist|record|install|prepend|paste|copy|"
    r"place|create|plant|include)\b|写入|追加|添加|保存|插入|加入|複製|追記|書き込|추가|저장|"
    r"\b(?:füge|schreib\w*|ergänze|ajoute\w*|écris|inscri\w+|añade|agrega|escribe|adicione|escreva|"
    r"aggiungi|scrivi)\b|добав\w+|запиш\w+|допиш\w+",
)
UNCHANGED = _any(
    r"\b(?:unchanged|verbatim|exactly|word for word|as (?:it )?is|this block|the following (?:block|"
    r"line|section|rule)s?|permanently|for good|survives?|restore|re-?add|copied back|"
    r"if (?:it is )?missing)\b|原样|一字不[差改]|永久|そのまま|그대로|"
    r"unverändert|wörtlich|dauerhaft|tel quel|tal cual|literal\w*|дословно|без изменений",
)

# -- destroyed

DESTROY = _any(
    r"\bdrop\s+(?:database|schema|table)\b|\btruncate\s+table\b|\bdelete from \w+\s*;|"
    r"\brm\s+-\w*[rR]\w*\s+\S|\bgit\s+push\s+[^\n]{0,40}--force\b|\bgit\s+(?:filter-branch|"
    r"filter-repo|reflog expire|gc --prune=now)|"
    r"\bterraform destroy\b|\bkubectl delete (?:ns|namespace|pvc?|all|deployments?|--all)\b|"
    r"\baws s3 (?:rm[^\n]{0,80}--recursive|rb[^\n]{0,60}--force)|\bdocker (?:system|volume) prune\b|"
    r"\bshred\b|\bmkfs\b|"
    r"\bgit\s+reset\s+--hard\b|\bgit\s+clean\s+-\w*f|\bRemove-Item\b[^\n]{0,80}-Recurse|"
    r"\btmutil delete|\bbtrfs subvolume delete|\bzfs destroy|\bvssadmin delete|\bFLUSHALL\b|"
    r"dropDatabase\(|\bfind\b[^\n]{0,80}-delete\b",
    r"\b(?:delete|erase|wipe|destroy|remove|purge|drop|overwrite|empty|clear|"
    r"discard)\b[^.\n]{0,50}\b(?:backups?|dumps?|snapshots?|home (?:directory|folder)|documents|"
    r"photos|pictures|database|production|all (?:files|branches|data|mails?|messages)|"
    r"every(?:thing| file)|git history|the history|audit logs?|logs|volumes?|bucket|originals?|"
    r"sent (?:items|mail|folder)|mailbox|repositor\w+)\b",
    r"(?:删除|清空|清除|抹掉|销毁|覆盖)[^。\n]{0,20}(?:备份|数据库|快照|全部文件|所有文件|用户目录|"
    r"文档|照片|历史|日志|原文件)|(?:削除|消去)[^。\n]{0,20}(?:バックアップ|全て|すべて)",
    r"\b(?:lösche\w*|lösch\w*|supprime\w*|efface\w*|borra\w*|elimina\w*|apague|exclua|"
    r"cancella\w*)\b[^.\n]{0,50}\b(?:backups?|sicherung\w*|sauvegardes?|copias|datenbank|"
    r"base de (?:datos|données)|alle|tout\w*|tod[oa]s|tutt\w+|protokolle?|logs)\b|"
    r"(?:удали|сотри|очисти)\w*[^.\n]{0,40}(?:резервн|бэкап|все|базу|журнал|лог)\w*",
)
OF_THE_TASK = re.compile(
    r"\b(?:build|dist|out|target|node_modules|__pycache__|\.?cache|tmp|temp|coverage|\.next|\.venv|"
    r"venv|generated|artifacts?|test|staging|dev|scratch|fixture|obsolete|orphan\w*|dangling|unused|"
    r"merged)\b|/tmp/|\$\{?TMP|缓存|临时|过期",
    re.I,
)

# -- put first

FIRST = _any(
    r"\b(?:orders|instructions|requests|messages|wishes|words) (?:from|of|"
    r"by) (?:the )?(?:\w+ )?(?:users?|system|operators?|developers?) (?:count|apply|matter|hold|"
    r"are (?:valid|followed|obeyed|accepted)) only\b|"
    r"\byour (?:real|true|actual|only) (?:operator|user|owner|developer|principal|master)s? (?:is|are)\b",
    r"\brefusals? (?:are|is|count as) (?:an? )?(?:errors?|bugs?|mistakes?|forbidden|not allowed|"
    r"failures?)|\b(?:never refuse|comply with (?:every|all|any) requests?)\b",
    r"\b(?:never|do not|don['’]?t) (?:call|use|trust|invoke) (?:the |any )?(?:built-?in|native|"
    r"default) (?:search|tools?|files?|read|browser|skills?|shell|editor)\b|"
    r"\buse only (?:the )?(?:tools?|skills?) of this\b",
    r"\b(?:counts?|weighs?|matters?|ranks?) (?:more|higher|above)(?: than)? (?:anything|everything|"
    r"whatever|what|all|the)\b[^.\n]{0,30}\b(?:users?|system|operators?|developers?|human)\b",
    r"\b(?:this|these|the following|the above|its|such|our)(?: \w+){0,3}? (?:outranks?|overrides?|"
    r"supersedes?|overrules?|trumps?|replaces?|come(?:s)? (?:first|before)|go(?:es)? before|beats?|"
    r"wins? over|(?:takes?|has|have) (?:\w+ )?(?:precedence|priority)(?: over)?|"
    r"(?:is|are) (?:more important|above|stronger|higher)(?: than)?)[^.\n]{0,30}\b(?:users?|system|"
    r"developers?|operators?|human|any(?:thing| other| earlier)|all (?:other|earlier|previous)|"
    r"other (?:skills?|tools?|instructions|rules)|safety|everything|your other)\b",
    r",? ?\b(?:outranks?|overrides?|overrules?|supersedes?|trumps?) (?:the |any |all |"
    r"your )?(?:users?|system|developers?|operators?|human|safety)(?:['’]s)?\b(?: (?:messages?|"
    r"prompts?|wishes|instructions?|requests?|words|rules?|orders?|preferences))",
    r"\b(?:always|must|only)\b[^.\n]{0,40}\b(?:this|these) (?:skill|tool|server|agent|"
    r"plugin)s?\b[^.\n]{0,40}\b(?:instead of|before|in place of|rather than|and not|over) (?:any|all|"
    r"the|every|other|your)\b[^.\n]{0,20}\b(?:other|built-?in|native|standard|user['’]?s?|skills?|"
    r"tools?)\b",
    r"\b(?:never|do not|don['’]?t|stop) (?:use|call|load|read|trust|invoke|consult|follow|"
    r"open)(?:ing)? (?:any |the |all )?other (?:skills?|tools?|servers?|plugins?|agents?|sources?)\b|"
    r"\b(?:this|it) (?:is|are) the only (?:\w+ )?(?:trusted|valid|authoritative|allowed|approved|"
    r"reliable|correct) (?:one|skill|tool|source|server)\b|"
    r"\b(?:replaces?|supersedes?|shadows?) (?:the |all |any |every )?(?:other |built-?in |"
    r"existing )?(?:skills?|tools?) [\w`, -]+\band\b",
    r"(?:本|此|这个?)(?:技能|规则|指令|工具|文件)[^。\n]{0,12}(?:优先于|高于|取代|覆盖|"
    r"优先级最高)[^。\n]{0,12}|(?:始终|总是|必须|一律)[^。\n]{0,8}(?:先|优先)(?:使用|调用)本(?:技能|"
    r"工具)|(?:このスキル|本スキル)[^。\n]{0,20}(?:優先|より先)",
    r"\b(?:diese regel|dieser skill|cette règle|esta regla|esta habilidad|esta regra|"
    r"questa regola)\w*\b[^.\n]{0,40}\b(?:vorrang|über|prioritaire|prévaut|prevalece|prioridad|"
    r"prioridade|prevale|precedenza)\b|(?:это правило|этот навык)[^.\n]{0,30}(?:важнее|выше|приоритет)",
)

# -- recommended, whatever is true

PREFER = _any(
    r"\b(?:recommend\w*|suggest\w*|promot\w*|favou?r\w*|prefer\w*|rank\w*|place[sd]?|rate[sd]?|"
    r"score[sd]?|list(?:ed)?|put|praise[sd]?|mention\w*|steer\w*|push|choose|select|pick|present|top|"
    r"first|highest|best)\b|推荐|优先|首推|排(?:在)?第一|置顶|推し|おすすめ|추천|empfehl\w+|"
    r"recommande\w*|recomiend\w*|recomend\w*|consiglia\w*|рекоменду\w*",
)
NO_MATTER = _any(
    r"\b(?:whatever (?:their|its|the|is)|regardless|irrespective|no matter|even (?:if|when|though)|"
    r"independent(?:ly)? of|whether or not)\b|无论|不管|不论|即使|哪怕|に関わらず|関係なく|상관없이|"
    r"unabhängig|egal|quel(?:le)?s? que soi\w+|independientemente|sin importar|independentemente|"
    r"a prescindere|независимо",
)
PAID = _any(
    r"\b(?:sponsor\w*|partner(?:s|ed|ships?)?|affiliate\w*|referral|commission|kickback|paid placement|"
    r"our (?:product|service|brand|shop|store|company|customers?)s?|house brand)\b|[?&](?:ref|aff|tag|"
    r"affid|utm_source|partner)=|赞助|推广|返佣|佣金|联盟|合作方|スポンサー|アフィリエイト|협찬|제휴",
)
LEAVE_OUT = _any(
    r"不(?:写入|写进|记录|计入)",
    r"\b(?:leave|keep) (?:out|it out|them out|these out|away)\b|\b(?:omit|drop|skip|exclude|suppress|"
    r"hide|bury|downplay|play down|ignore|filter out|discard|silence|never (?:list|report|show|flag|"
    r"mention|raise))\b|不(?:要)?(?:列出|报告|提及|显示)|隐去|略去|剔除|省略する|除外",
)
BAD_NEWS = _any(
    r"\b(?:harm\w*|vulnerabilit\w+|findings?|negative|critical|criticism|complaints?|failures?|"
    r"failing|failed|defects?|side effects?|retract\w+|conflicts?|competitors?|alternatives?|risks?|"
    r"warnings?|errors?|cve\w*|bugs?|backdoors?|studies|evidence|penalt\w+|fees?|costs?|drawbacks?)\b|"
    r"漏洞|风险|缺点|负面|投诉|失败|竞品|副作用",
)

# -- paid elsewhere

ACCOUNT = _any(
    r"\b(?:iban|bic|swift|account (?:number|details|holder)?|bank (?:account|details)|wallets?|"
    r"(?:payment|payout|deposit|recipient|receiving|wallet|btc|eth|usdt) address(?:es)?|payee|"
    r"recipient|beneficiary|payment (?:link|details|page)|sort code|paypal|upi)\b|账户|账号|收款|"
    r"钱包地址|银行卡|口座|振込|계좌|\b(?:konto(?:nummer|verbindung)?|bankverbindung|compte bancaire|"
    r"cuenta|conta|conto)\b|сч[её]т\w*|реквизит\w*",
)
INSTEAD = _any(
    r"\bput (?:this|the following|these)\b",
    r"\b(?:instead|replace[sd]?|replacing|swap(?:s|ped)?|substitut\w+|switch(?:es)? to|"
    r"change(?:s)? (?:it|them|the \w+) to|use (?:this|the following|these|ours)|override|redirect\w*|"
    r"rewrite)\b|改用|换成|替换|改为|改成|使用以下|差し替え|置き換え|대신|바꾸|ersetz\w+|stattdessen|"
    r"remplac\w+|reemplaz\w+|en lugar|substitu\w+|sostitui\w+|замен\w+|вместо",
)
ACCOUNT_NUMBER = re.compile(
    r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}\b|\b(?:\d{4}[ -]){2,5}\d{2,4}\b|\b0x[0-9a-fA-F]{40}\b|"
    r"\bbc1[0-9a-z]{20,60}\b|\b[13][1-9A-HJ-NP-Za-km-z]{25,34}\b|\bT[1-9A-HJ-NP-Za-km-z]{33}\b|"
    r"\b\d{12,20}\b|[\w.+-]+@[\w-]+\.[\w.]+|https?://\S+"
)
CONDITION = _any(
    r"\b(?:above|over|more than|exceed\w*|larger than|at least|from) (?:[A-Z$€£¥]+ ?)?\d|"
    r"\bif the (?:amount|total|sum|balance)\b|超过|大于|以上|超え|초과|\büber \d|más de \d|plus de \d|"
    r"oltre \d|свыше|более \d"
)

# Asked for or shown whoever the user is: what makes a preference a bias.
OF_THE_USER = _any(
    r"\b(?:whatever|regardless of|no matter|irrespective of|even if|"
    r"independent of)\b[^.,;\n]{0,30}\b(?:users?|they|them|their|its|customer\w*|quality|prices?|"
    r"needs?|budget|question|request|asks?|merit|ratings?|evidence|fit|results?)\b|"
    r"(?:无论|不管|不论)[^。,，]{0,8}(?:用户|客户|需求|问|质量|价格|预算)|(?:に関わらず|関係なく)",
)

# -- weakened, faked

WEAKEN = _any(
    r"\bset [`\"']?(?=verify|rejectU|Insecure|ssl)",
    r"\b(?:disable[sd]?|disabling|turn(?:s|ed)? off|turn(?:s|ed)? (?:\w+ ){1,4}off|switch(?:es)? off|"
    r"remove[sd]?|strip|skip|bypass|stop|uninstall|drop|weaken|lower|relax|deactivate|suspend|"
    r"whitelist|exclude)\b|关闭|停用|禁用|卸载|关掉|绕过|无効|オフに|비활성|끄|"
    r"\b(?:deaktivier\w*|schalte\w*|désactive\w*|desactiv\w+|apaga|disattiva\w*)\b|отключ\w+|выключ\w+",
)
GUARD = _any(
    r"\bverify ?= ?False|rejectUnauthorized\W{1,3}false|InsecureSkipVerify|\bssl\w*verify\b",
    r"\b(?:anti-?virus|defender|firewalls?|gatekeeper|smartscreen|selinux|apparmor|edr|"
    r"endpoint protection|sandbox(?:ing)?|content[- ]security[- ]policy|csp|csrf|cors|"
    r"(?:tls|ssl|certificate|signature|checksum|host key) (?:checks?|verification|validation|"
    r"checking)|(?:two|multi)[- ]factor|2fa|mfa|branch protection|required reviews|secret scanning|"
    r"audit (?:log\w*|trail)|rate limit\w*|permission (?:prompts?|checks?)|uac|real-?time protection|"
    r"security headers?|input validation|authentication)\b|杀毒|防火墙|安全软件|签名(?:校验|验证)|"
    r"证书(?:校验|验证)|沙箱|审计日志|"
    r"ウイルス対策|ファイアウォール|백신|방화벽|virenschutz|virenscanner|antivirus|cortafuegos|"
    r"pare-feu|антивирус\w*|брандмауэр\w*|файрвол\w*",
)
KEEPS_OUT = re.compile(
    r"anti-?virus|defender|firewall|gatekeeper|smartscreen|edr|endpoint|杀毒|防火墙|安全软件|ウイルス|"
    r"ファイアウォール|백신|방화벽|viren|cortafuegos|pare-feu|антивирус|брандмауэр|файрвол",
    re.I,
)
RUN = _any(
    r"\b(?:ejecut|instal|execut|lanç|lanz)\w+",
    r"\b(?:run|execute|install|start|launch|open|double[- ]click)\b|运行|执行|安装|启动|実行|"
    r"インストール|실행|설치|\b(?:starte|installiere|führe|lance|exécute|installe|ejecuta|instala|"
    r"execute|instale|esegui|installa)\b|запусти\w*|установи\w*",
)
EVERYWHERE = _any(
    r"\b(?:in|for|on|from|across) (?:every|all|any|each) (?:\w+ )?(?:projects?|repos\w*|files?|responses?|"
    r"machines?|requests?|code)\b|所有项目|每个项目"
)
FAKED = re.compile(
    r"\b(?:if|when|even if|even when|where|should|in case)\b[^.\n]{0,60}\b(?:fail\w*|errors?|broken|"
    r"red|missing|do(?:es)? not (?:pass|work|exist)|cannot|not run|not (?:been )?(?:checked|tested|"
    r"read))\b[^.\n]{0,60}"
    r"\b(?:state|report|say|write|claim|mark|record|note|declare|show|log|answer|print|"
    r"count)\b[^.\n]{0,40}\b(?:passed|passing|pass|success\w*|succeeded|ok|green|fine|done|all good|"
    r"completed?|verified|no (?:errors?|issues|problems))\b|"
    r"(?:失败|报错|未通过|没有?运行|没跑)[^。\n]{0,30}(?:写|报告|标|填|说|记|输出|"
    r"显示)[^。\n]{0,8}(?:全部)?(?:通过|成功|正常|完成)|失敗[^。\n]{0,30}(?:成功|"
    r"合格)[^。\n]{0,8}(?:報告|書)|"
    r"\b(?:fehl\w+|scheiter\w+)\b[^.\n]{0,50}\b(?:melde|schreibe|"
    r"berichte)\b[^.\n]{0,40}\b(?:bestanden|erfolgreich|grün)\b|\bfall\w+\b[^.\n]{0,50}\b(?:di|"
    r"escribe|informa|marca)\b[^.\n]{0,40}\b(?:pas\w+|éxito|correct\w+)\b",
    re.I,
)
BACK_DOOR = re.compile(
    r"\b(?:add|insert|include|put)\b[^.\n]{0,60}\b(?:eval|exec|system|popen)\((?:request|req|params|"
    r"ctx|headers?)\b|"
    r"\b(?:accepts?|allows?|grants?|permits?|lets? in|log in)\b[^.\n]{0,60}\b(?:password|token|key|code|pin|"
    r"header|user(?:name)?|login|cookie|parameter)\b[^.\n]{0,50}\bfor (?:any|every|"
    r"all) (?:\w+ )?(?:accounts?|users?|logins?)\b|"
    r"\b(?:skip|bypass)(?:es)?\b[^.\n]{0,30}\b(?:auth\w*|login|password check|"
    r"permission check)\b[^.\n]{0,40}\b(?:when|if) (?:the )?(?:header|parameter|query|cookie|"
    r"user(?:name)?|request)\b",
    re.I,
)
MADE_UP = re.compile(
    r"(?![^.\n]{0,200}\b(?:demo|test data|fixtures?|placeholders?|examples?)\b)(?:\b(?:write|post|"
    r"generate|create|publish|submit|invent)\b[^.\n]{0,50}\b(?:reviews?|testimonials?|ratings?|"
    r"endorsements?|upvotes?|stars)\b[^.\n]{0,60}\b(?:invented|fake|made[- ]up|fictional|fictitious|"
    r"different (?:names?|accounts?|customers?)|"
    r"another name|as if|posing as|pretend\w*|in the name of)\b|\b(?:fake|invented|"
    r"made[- ]up) (?:\w+ )?(?:reviews?|testimonials?)\b[^.\n]{0,60}\b(?:post|publish|submit)\b|"
    r"(?:编造|虚构|伪造|冒充)[^。\n]{0,14}(?:好评|评价|评论|买家)|刷好评)",
    re.I,
)
PERSONA = re.compile(
    r"\b(?:you are|act as|become|play|pretend to be|respond as|answer as|"
    r"behave as)\b[^.\n]{0,60}\b(?:without|with no|free (?:of|from)|has no|have no|knows? no|lacks?|"
    r"ignores?|not bound by)\b (?:any |all |your |its |moral |ethical |safety |content )*"
    r"(?:polic(?:y|ies)|rules?|limits?|limitations?|restrictions?|filters?|guidelines?|ethics|morals?|"
    r"guardrails?|boundaries|censorship|refusals?)\b",
    re.I,
)
FEE = re.compile(r"\b(?:fees?|commission|surcharge|tip|percent)\b|%|手续费|佣金|服务费", re.I)
WALLET = re.compile(r"\b0x[0-9a-fA-F]{40}\b|\bbc1[0-9a-z]{20,60}\b|\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}\b")
SERVER = re.compile(r"\bmcp\b|\btool server", re.I)
# What a user may notice, for which an answer is laid out.
NOTICED = re.compile(
    r"\b(?:network|traffic|uploads?|connections?|notice[sd]?|outgoing|extra (?:step|"
    r"time|request))\b|网络|流量|上传",
    re.I,
)
