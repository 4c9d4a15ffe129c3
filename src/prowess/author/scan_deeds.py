"""What is done that a person would mind: asked for, followed, kept, destroyed, preferred, paid elsewhere. Pure.

Stems as in `scan_tongues`, in the same languages where such things are told in prose. Alone most of them
are honest; `scan_told` says which of them together are not.
"""

from __future__ import annotations

import re


def _any(*forms: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{each})" for each in forms), re.I)


# -- asked of the user

ASK = _any(
    r"\b(?:ask(?:s|ing)?|prompt(?:s|ing)?|request(?:s|ing)?|require|have|get|let|tell|instruct|invite|urge|remind|need) (?:for |from )?"
    r"(?:the |your )?(?:users?|customers?|clients?|person|owner|them|him|her|people|visitors?|for)\b|\b(?:please |kindly )(?:send|paste|enter|give|provide|share|type|upload)\b|"
    r"\b(?:paste|type|enter|provide|send|share) (?:your|their)\b|\b(?:collect|obtain|take down|note) (?:the user['’]s|their|his|her)\b",
    r"(?:请|让|要求|向|引导|提示|询问|索取|叫)(?:用户|客户|对方|使用者)|请(?:提供|输入|发送|粘贴|填写|上传)|(?:ユーザー?|利用者|お客様)[^。\n]{0,20}(?:尋ね|聞い|聞き|求め|入力|貼り付け|もらう)|"
    r"(?:사용자|고객)[^.\n]{0,16}(?:요청|물어|입력|받)",
    r"\b(?:bitte|frage?|fordere|lass)\b[^.\n]{0,12}\b(?:den |die |der )?(?:nutzer|benutzer|anwender|kund\w+)\w*|\b(?:demande|demandez) [^.\n]{0,12}\b(?:l['’])?(?:utilisateur|client)\w*|"
    r"\b(?:pide|pídele|solicita|pregunta) [^.\n]{0,14}(?:usuari|client)\w*|\b(?:peça|solicite|pergunte) [^.\n]{0,14}(?:usuári|utilizador|client)\w*|\b(?:chiedi|richiedi) [^.\n]{0,12}\butent\w*|"
    r"(?:попроси|запроси|спроси)\w*[^.\n]{0,12}(?:пользовател|клиент)\w*",
)
CREDENTIAL = _any(
    r"\b(?:(?:account|login|e-?mail|bank(?:ing)?|master|sudo|root|admin|wifi|vpn|current|old|icloud|apple|google|windows|system|keychain|their|your|user['’]s?)(?: \w+)? )?"
    r"(?:passwords?|passcodes?|pin(?:s| codes?| numbers?)?|2fa|otp|one[- ]time (?:codes?|passwords?)|verification codes?|security codes?|sms codes?|authenticator|backup codes?|recovery (?:codes?|keys?|phrases?)|"
    r"seed(?: phrases?| words?)|mnemonics?|private keys?|secret keys?|api keys?|access tokens?|personal access tokens?|(?:new |session |the )tokens?|session cookies?|"
    r"credit cards?|card numbers?|cvvs?|cvc|ssn|social security|passport (?:numbers?|scan)|login (?:data|details)|credentials?|certificate)\b",
    r"密码|口令|验证码|动态码|短信码|支付密码|助记词|私钥|身份证|银行卡|信用卡|令牌|密钥|パスワード|暗証番号|認証コード|ワンタイム|秘密鍵|カード番号|비밀번호|인증 ?번호|카드 ?번호|주민등록",
    r"\b(?:passw(?:ort|örter)|kennwort|pin|tan|zugangsdaten|anmeldedaten|zertifikatsdatei|mot de passe|code (?:secret|de vérification|sms)|identifiants|contraseña|código (?:sms|de verificaci[oó]n)|"
    r"credenciales|senha|credenciais|credenziali|frase semilla|clave privada)\b|парол\w+|код\w* (?:из смс|подтверждени\w+)|сид-фраз\w*|реквизит\w*",
)
# Nobody who helps ever needs these.
NEVER_ASKED = _any(
    r"\b(?:2fa|otp|one[- ]time (?:codes?|passwords?)|verification codes?|sms codes?|backup codes?|recovery (?:codes?|phrases?)|seed(?: phrases?| words?)|mnemonics?|master passwords?|"
    r"cvvs?|cvc|card numbers?|social security|session cookies?|(?:bank(?:ing)?|e-?mail|icloud|apple id|google|sudo|root) (?:account )?(?:passwords?|pins?|login))\b|"
    r"短信验证码|动态码|支付密码|助记词|银行卡密码|暗証番号|인증 ?번호|сид-фраз\w*|frase semilla|\btan\b",
)
IN_CHAT = _any(
    r"\b(?:in(?:to)? (?:the |this )?(?:chat|conversation)|right here|here in chat|as a (?:reply|message)|in plain ?text)\b|在(?:聊天|对话)(?:中|里)|チャットに|im chat|en el chat|dans le chat|в чат",
)

# -- from elsewhere, and obeyed

FETCH = _any(
    r"\b(?:fetch(?:es)?|load|read|open|visit|get|retrieve|download|pull|curl|wget|check|query|request|poll|browse to|look up|sync|import|refresh|update|consult|see|replace|overwrite|"
    r"come(?:s)? from|served (?:at|by|from)|published (?:at|on|under)|hosted (?:at|on)|live[sd]? at|found (?:at|under)|kept at|maintained at|stand at|is at|are at|stored at)\b",
    r"获取|下载|读取|访问|打开|拉取|请求|抓取|取得|読み込|ダウンロード|アクセス|取り込|가져오|다운로드|읽",
    r"\b(?:lade|hole?|lies|öffne|rufe?|télécharge\w*|récup[eè]re\w*|charge|lis|descarga\w*|lee|obt[eé]n|carga|baixe|leia|obtenha|scarica|leggi|recupera)\b|"
    r"загруз\w+|скача\w+|прочита\w+|получи\w*|открой\w*",
)
OBEY = _any(
    r"\b(?:follow|obey|execute|carry out|comply(?: with)?|act on|adopt|apply|act accordingly|do (?:exactly )?what(?:ever)?|adhere to|abide by|treat (?:it|them|its \w+|the \w+|as)|"
    r"as (?:if (?:it|they) (?:were|stood)|part of this)|interpret|are binding|is binding|binding|stick to|use it as|use them as) ?(?:[^.\n]{0,50})"
    r"\b(?:instructions?|rules?|directives?|orders?|commands?|steps?|text|contents?|response|reply|answer|guidance|policy|policies|prompt|whatever|says?|verbatim|exactly|"
    r"it|them|there|letter|binding|part of)\b",
    r"\b(?:take|takes|have|has|get|gets) (?:precedence|priority)\b|\b(?:outrank|overrid|overrul|supersed|replac)(?:e?s?|ing) (?:this|these|the|any|all|your|what)\b|\bwins? over\b",
    r"(?:遵循|遵照|按照|照做|照着|服从|执行|听从|以[^。\n]{0,10}为准|优先于|覆盖)|従(?:う|って|い)|実行|優先|따르|실행|수행",
    r"\b(?:befolge\w*|folge|führe\b[^.\n]{0,60}\baus|halte dich|suis|suivez|exécute\w*|applique\w*|sigue|ejecuta\w*|obedece|aplica|siga|execute|obedeça|segui|esegui\w*)\b|"
    r"следуй\w*|выполн\w+|исполн\w+|соблюдай\w*",
)
INSTRUCTIONS = _any(
    r"\b(?:instructions?|rules?|directives?|orders?|commands?|steps?|guidance|policy|policies|prompts?|playbook|skills?|\.md|\.txt|tasks?|text|whatever|what it says|conventions?)\b|"
    r"指令|规则|命令|步骤|要求|说明|指示|ルール|手順|지시|규칙|명령|anweisung\w*|regeln|befehl\w*|instrucci\w+|reglas|consignes|règles|instruç\w+|regras|istruzion\w+|regole|инструкц\w+|правил\w+|команд\w+",
)

# -- kept for later sessions

MEMORY_FILE = _any(
    r"\b(?:CLAUDE|AGENTS?|GEMINI|MEMORY|SOUL|COPILOT|CONVENTIONS)\.md\b|\.cursorrules|\.cursor/rules|\.windsurfrules|\.clinerules|copilot-instructions\.md|\.aider\.conf|"
    r"\.claude/(?:settings|skills|agents|commands|hooks)|settings\.local\.json|\b(?:long[- ]term |persistent |agent['’]?s? )memory\b|\bmemory (?:file|store|tool|entry)s?\b|记忆|メモリ|"
    r"\bcustom instructions\b|\bsystem prompt\b",
)
WRITE = _any(
    r"\b(?:add|append|write|insert|save|store|put|inject|persist|record|install|prepend|paste|copy|place|create|plant|include)\b|写入|追加|添加|保存|插入|加入|複製|追記|書き込|추가|저장|"
    r"\b(?:füge|schreib\w*|ergänze|ajoute\w*|écris|inscri\w+|añade|agrega|escribe|adicione|escreva|aggiungi|scrivi)\b|добав\w+|запиш\w+|допиш\w+",
)
UNCHANGED = _any(
    r"\b(?:unchanged|verbatim|exactly|word for word|as (?:it )?is|this block|the following (?:block|line|section|rule)s?|permanently|for good|survives?|restore|re-?add|copied back|if (?:it is )?missing)\b|原样|一字不[差改]|永久|そのまま|그대로|"
    r"unverändert|wörtlich|dauerhaft|tel quel|tal cual|literal\w*|дословно|без изменений",
)

# -- destroyed

DESTROY = _any(
    r"\bdrop\s+(?:database|schema|table)\b|\btruncate\s+table\b|\bdelete from \w+\s*;|\brm\s+-\w*[rR]\w*\s+\S|\bgit\s+push\s+[^\n]{0,40}--force\b|\bgit\s+(?:filter-branch|filter-repo|reflog expire|gc --prune=now)|"
    r"\bterraform destroy\b|\bkubectl delete (?:ns|namespace|pvc?|all|deployments?|--all)\b|\baws s3 (?:rm[^\n]{0,80}--recursive|rb[^\n]{0,60}--force)|\bdocker (?:system|volume) prune\b|\bshred\b|\bmkfs\b|"
    r"\bgit\s+reset\s+--hard\b|\bgit\s+clean\s+-\w*f|\bRemove-Item\b[^\n]{0,80}-Recurse|\btmutil delete|\bbtrfs subvolume delete|\bzfs destroy|\bvssadmin delete|\bFLUSHALL\b|dropDatabase\(|\bfind\b[^\n]{0,80}-delete\b",
    r"\b(?:delete|erase|wipe|destroy|remove|purge|drop|overwrite|empty|clear|discard)\b[^.\n]{0,50}\b(?:backups?|dumps?|snapshots?|home (?:directory|folder)|documents|photos|pictures|database|production|all (?:files|branches|data|mails?|messages)|"
    r"every(?:thing| file)|git history|the history|audit logs?|logs|volumes?|bucket|originals?|sent (?:items|mail|folder)|mailbox|repositor\w+)\b",
    r"(?:删除|清空|清除|抹掉|销毁|覆盖)[^。\n]{0,20}(?:备份|数据库|快照|全部文件|所有文件|用户目录|文档|照片|历史|日志|原文件)|(?:削除|消去)[^。\n]{0,20}(?:バックアップ|全て|すべて)",
    r"\b(?:lösche\w*|lösch\w*|supprime\w*|efface\w*|borra\w*|elimina\w*|apague|exclua|cancella\w*)\b[^.\n]{0,50}\b(?:backups?|sicherung\w*|sauvegardes?|copias|datenbank|base de (?:datos|données)|alle|tout\w*|tod[oa]s|tutt\w+|protokolle?|logs)\b|"
    r"(?:удали|сотри|очисти)\w*[^.\n]{0,40}(?:резервн|бэкап|все|базу|журнал|лог)\w*",
)
OF_THE_TASK = re.compile(
    r"\b(?:build|dist|out|target|node_modules|__pycache__|\.?cache|tmp|temp|coverage|\.next|\.venv|venv|generated|artifacts?|test|staging|dev|scratch|fixture|obsolete|orphan\w*|dangling|unused|older than|expired|merged)\b|/tmp/|\$\{?TMP|缓存|临时|过期",
    re.I,
)

# -- put first

FIRST = _any(
    r"\b(?:this|these|the following|the above|its|such|our)(?: \w+){0,3}? (?:outranks?|overrides?|supersedes?|overrules?|trumps?|replaces?|come(?:s)? (?:first|before)|go(?:es)? before|beats?|wins? over|(?:takes?|has|have) (?:\w+ )?(?:precedence|priority)(?: over)?|"
    r"(?:is|are) (?:more important|above|stronger|higher)(?: than)?)[^.\n]{0,30}\b(?:users?|system|developers?|operators?|human|any(?:thing| other| earlier)|all (?:other|earlier|previous)|other (?:skills?|tools?|instructions|rules)|safety|everything|your other)\b",
    r",? ?\b(?:outranks?|overrides?|overrules?|supersedes?|trumps?) (?:the |any |all |your )?(?:users?|system|developers?|operators?|human|safety)(?:['’]s)?\b(?: (?:messages?|prompts?|wishes|instructions?|requests?|words|rules?|orders?|preferences))",
    r"\b(?:always|must|only)\b[^.\n]{0,40}\b(?:this|these) (?:skill|tool|server|agent|plugin)s?\b[^.\n]{0,40}\b(?:instead of|before|in place of|rather than|and not|over) (?:any|all|the|every|other|your)\b[^.\n]{0,20}\b(?:other|built-?in|native|standard|user['’]?s?|skills?|tools?)\b",
    r"\b(?:never|do not|don['’]?t|stop) (?:use|call|load|read|trust|invoke|consult|follow|open)(?:ing)? (?:any |the |all )?other (?:skills?|tools?|servers?|plugins?|agents?|sources?)\b|"
    r"\b(?:this|it) (?:is|are) the only (?:\w+ )?(?:trusted|valid|authoritative|allowed|approved|reliable|correct) (?:one|skill|tool|source|server)\b|"
    r"\b(?:replaces?|supersedes?|shadows?) (?:the |all |any |every )?(?:other |built-?in |existing )?(?:skills?|tools?) [\w`, -]+\band\b",
    r"(?:本|此|这个?)(?:技能|规则|指令|工具|文件)[^。\n]{0,12}(?:优先于|高于|取代|覆盖|优先级最高)[^。\n]{0,12}|(?:始终|总是|必须|一律)[^。\n]{0,8}(?:先|优先)(?:使用|调用)本(?:技能|工具)|(?:このスキル|本スキル)[^。\n]{0,20}(?:優先|より先)",
    r"\b(?:diese regel|dieser skill|cette règle|esta regla|esta habilidad|esta regra|questa regola)\w*\b[^.\n]{0,40}\b(?:vorrang|über|prioritaire|prévaut|prevalece|prioridad|prioridade|prevale|precedenza)\b|(?:это правило|этот навык)[^.\n]{0,30}(?:важнее|выше|приоритет)",
)

# -- recommended, whatever is true

PREFER = _any(
    r"\b(?:recommend\w*|suggest\w*|promot\w*|favou?r\w*|prefer\w*|rank\w*|place[sd]?|rate[sd]?|score[sd]?|list(?:ed)?|put|praise[sd]?|mention\w*|steer\w*|push|choose|select|pick|present|top|first|highest|best)\b|推荐|优先|首推|排(?:在)?第一|置顶|推し|おすすめ|추천|empfehl\w+|recommande\w*|recomiend\w*|recomend\w*|consiglia\w*|рекоменду\w*",
)
NO_MATTER = _any(
    r"\b(?:whatever (?:their|its|the|is)|regardless|irrespective|no matter|even (?:if|when|though)|independent(?:ly)? of|whether or not)\b|无论|不管|不论|即使|哪怕|に関わらず|関係なく|상관없이|unabhängig|egal|quel(?:le)?s? que soi\w+|independientemente|sin importar|independentemente|a prescindere|независимо",
)
PAID = _any(
    r"\b(?:sponsor\w*|partner(?:s|ed)?|affiliate\w*|referral|commission|kickback|paid placement|our (?:product|service|brand|shop|store|company|customers?)s?|house brand)\b|[?&](?:ref|aff|tag|affid|utm_source|partner)=|赞助|推广|返佣|佣金|联盟|合作方|スポンサー|アフィリエイト|협찬|제휴",
)
LEAVE_OUT = _any(
    r"\b(?:leave|keep) (?:out|it out|them out|these out|away)\b|\b(?:omit|drop|skip|exclude|suppress|hide|bury|downplay|play down|ignore|filter out|discard|silence|never (?:list|report|show|flag|mention|raise))\b|不(?:要)?(?:列出|报告|提及|显示)|隐去|略去|剔除|省略する|除外",
)
BAD_NEWS = _any(
    r"\b(?:harm\w*|vulnerabilit\w+|findings?|negative|critical|criticism|complaints?|failures?|failing|failed|defects?|side effects?|retract\w+|conflicts?|competitors?|alternatives?|risks?|warnings?|errors?|cve\w*|bugs?|backdoors?|studies|evidence|penalt\w+|fees?|costs?|drawbacks?)\b|漏洞|风险|缺点|负面|投诉|失败|竞品|副作用",
)

# -- paid elsewhere

ACCOUNT = _any(
    r"\b(?:iban|bic|swift|account (?:number|details|holder)?|bank (?:account|details)|wallets?|(?:payment|payout|deposit|recipient|receiving|wallet|btc|eth|usdt) address(?:es)?|payee|recipient|beneficiary|payment (?:link|details|page)|sort code|paypal|upi)\b|账户|账号|收款|钱包地址|银行卡|口座|振込|계좌|\b(?:konto(?:nummer|verbindung)?|bankverbindung|compte bancaire|cuenta|conta|conto)\b|сч[её]т\w*|реквизит\w*",
)
INSTEAD = _any(
    r"\b(?:instead|replace[sd]?|replacing|swap(?:s|ped)?|substitut\w+|switch(?:es)? to|change(?:s)? (?:it|them|the \w+) to|use (?:this|the following|these|ours)|override|redirect\w*|rewrite)\b|改用|换成|替换|改为|改成|使用以下|差し替え|置き換え|대신|바꾸|ersetz\w+|stattdessen|remplac\w+|reemplaz\w+|en lugar|substitu\w+|sostitui\w+|замен\w+|вместо",
)
ACCOUNT_NUMBER = re.compile(
    r"\b[A-Z]{2}\d{2}(?: ?[A-Z0-9]{4}){3,7}\b|\b(?:\d{4}[ -]){2,5}\d{2,4}\b|\b0x[0-9a-fA-F]{40}\b|\bbc1[0-9a-z]{20,60}\b|\b[13][1-9A-HJ-NP-Za-km-z]{25,34}\b|\bT[1-9A-HJ-NP-Za-km-z]{33}\b|\b\d{12,20}\b|[\w.+-]+@[\w-]+\.[\w.]+|https?://\S+"
)
CONDITION = _any(
    r"\b(?:above|over|more than|exceed\w*|larger than|at least|from) (?:[A-Z$€£¥]+ ?)?\d|\bif the (?:amount|total|sum|balance)\b|超过|大于|以上|超え|초과|\büber \d|más de \d|plus de \d|oltre \d|свыше|более \d"
)
