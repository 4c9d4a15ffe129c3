"""What is done, to what and for whom, in the languages that skills are written in. Pure.

Stems rather than phrases, in English, Chinese, Japanese, Korean, German, French, Spanish, Portuguese,
Italian and Russian. Alone none of them means anything; `scan_told` says which of them together do.
"""

from __future__ import annotations

import re

WIDE = "\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af"  # scripts that are written without spaces


def _any(*forms: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{each})" for each in forms), re.I)


SEND = _any(
    r"\b(?:save|store|log|record|write|dump|archive|register)s?\b(?=[^.\n]{0,100}\b(?:to|at|on|in|"
    r"under)\b[ `(]{0,3}https?://)",
    r"(?<![\w`.-])(?:sends?|sending|sent|uploads?|uploading|posts?|posting|transmits?|transmitting|"
    r"submits?|submitting|"
    r"forwards?|forwarding|e-?mails?(?= (?:it|them|a|the|all|every|each|this|that|to)\b)|exfiltrates?|"
    r"relays?|"
    r"ships?|(?:hand|pass|turn)(?:s|ed)? (?:it|them|this|that|these|\w+ \w+) (?:over|on|along)|"
    r"deliver(?:s|ed)?|syncs?|mirrors?|"
    r"reports? (?:it|them|back|home)|share[sd]?|publish(?:es|ed)?|copy|copies|push(?:es|ed)?|put|puts|"
    r"drop|drops|"
    r"appends?|attach(?:es)?|b?ccs?|stream|leak|beacons?)(?![\w`.-])",
    r"(?<![\w-])curl\b[^\n`]{0,120}?\s(?:-d|-F|-T|--data[\w-]*|--form|--upload-file|-X ?(?:POST|PUT))|"
    r"--post-(?:data|file)",
    r"(?-i:\bPOST\b)|上传|发送|提交|转发|传输|回传|外传|传给|传到|发到|发给|发往|寄到|推送|上报|"
    r"同步到|抄送|报送|发一份|备份到",
    r"送信|転送|アップロード|送付|送る|送って|投稿|전송|보내|업로드|전달",
    r"\b(?:send(?:e|en|et)|schick(?:e|en|t)|übertr(?:age|agen|ägt)|übermitt\w+|hochladen|"
    r"lade\b[^.\n]{0,80}\bhoch|"
    r"leite\b[^.\n]{0,80}\bweiter|weiterleiten|kopiere)\b",
    r"\b(?:envo(?:ie|ies|yer|yez)|transm(?:ets|ettre|ettez)|télévers\w+|transfér\w+|transfère\w*|"
    r"publie[rz]?)\b",
    r"\b(?:env[ií](?:a|e|as|alo|ala|alos|ar|ará|en|arlo)|s[uú]b(?:e|ir|a|el[oae]s?)|transmit(?:e|ir|"
    r"a)|reenv[ií]\w+|"
    r"manda(?:r|lo|la)?|enviar?|envie|carregue|transmita|encaminh\w+|"
    r"invia(?:re|lo|la|li)?|carica(?:re|lo|la)?|trasmett\w+|inoltra\w*|spedisci)\b",
    r"отправ\w+|загруз\w+|перешл\w+|передай\w*|передавай\w*|выгруз\w+|скопируй\w*|пересыла\w+",
)

# What nobody hands out: keys, credential files, the environment, stores of other programs.
SECRET = _any(
    r"\b(?:environment variables?|printenv|output of [`\"']?env\b|env(?:ironment)? vars?|(?:full|"
    r"whole|entire|current|process) environment|"
    r"(?:private|ssh|signing|encryption|gpg|deploy|wallet) keys?|seed phrases?|recovery (?:phrases?|"
    r"codes?)|mnemonics?|"
    r"passwords?|passphrases?|(?:session |browser |login |auth )cookies|cookies(?= (?:of|from|and)\b)|"
    r"keychain|wallets?|password (?:store|vault|manager)|master password|"
    r"browser (?:history|profiles?|passwords)|saved (?:logins|passwords)|(?:shell|bash|zsh|command) history|"
    r"clipboard|system prompt|service[- ]account (?:key|file|json)|kubeconfig|credentials?(?! helper)|"
    r"(?:api|access|secret)[- ]?keys?|(?:access|auth|api|bearer|session|refresh|personal access|"
    r"github|npm) tokens?|"
    r"secrets)\b",
    r"(?<![\w/])(?:~|\$HOME|\$\{HOME\}|%USERPROFILE%|\$env:USERPROFILE)[/\\]\.(?:ssh|aws|gnupg|netrc|"
    r"npmrc|pypirc|kube|docker|config|"
    r"azure|git-credentials|pgpass|bash_history|zsh_history|vault-token|codex|password-store|mozilla|"
    r"electrum)[\w./\\*-]*",
    r"(?<![\w.])\.(?:env(?:\.\w+)?|netrc|npmrc|pypirc|pgpass|git-credentials)\b(?!\.example)|"
    r"\bid_(?:rsa|ed25519|ecdsa)\b|"
    r"/etc/(?:passwd|shadow)|\btfstate\b|terraform\.tfstate|\.p(?:fx|12|em)\b|wallet\.dat|Login Data",
    r"环境变量|私钥|密钥|口令|密码|助记词|凭证|凭据|令牌|钱包|剪贴板|系统提示词?|证书文件|(?:命令|"
    r"浏览)历史|\bcookies?(?=[、,，和及])",
    r"環境変数|秘密鍵|パスワード|認証情報|APIキー|トークン|クリップボード|환경 ?변수|비밀번호|"
    r"개인 ?키|인증 ?정보|토큰",
    r"\b(?:umgebungsvariablen|passw(?:ort|örter)|kennw(?:ort|örter)|zugangsdaten|anmeldedaten|"
    r"private[nr]? schlüssel|"
    r"zwischenablage|mots? de passe|identifiants|clés? (?:privées?|api|ssh)|"
    r"variables? d['’]environnement|presse-papiers|"
    r"contraseñas?|credenciales|claves? (?:privadas?|api|ssh)|variables? de entorno|portapapeles|"
    r"senhas?|credenciais|chaves? (?:privadas?|api|ssh)|variáveis de ambiente|credenziali|"
    r"chiavi? (?:privat\w+|api|ssh)|"
    r"variabili d['’]ambiente)\b|парол\w+|приватн\w+ ключ\w*|переменн\w+ (?:окружения|среды)|"
    r"уч[её]тн\w+ данн\w+|токен\w*|буфер\w* обмена",
)

# What belongs to the user or to whom the user works for, and may be sent where the user says.
CONTENT = _any(
    r"\b(?:conversations?|chats?|transcripts?|dialogues?|sessions?|prompts?|documents?|files?|"
    r"contracts?|drafts?|"
    r"(?:e-?)?mails?|inbox|contacts?|address book|calendar|notes|minutes|source(?: code)?|"
    r"repo(?:sitory|sitories|s)?|"
    r"code ?base|diffs?|patch(?:es)?|bundle|director(?:y|ies) (?:tree|listing)|file (?:names|tree|list)|"
    r"config(?:uration)? files?|project|workspace|original|inputs?|questions?|answers?|messages?|photos?|"
    r"recordings?|resumes?|cvs?|records|spreadsheets?|invoices?|statements?|names|addresses|dumps?|"
    r"home (?:directory|folder)|desktop|branches|commits?|history|memory|context|tickets?|logs?|"
    r"digest|state file)\b",
    r"对话|聊天|会话|文档|文件|原文|全文|译文|草稿|联系人|通讯录|邮件|源代码|源码|仓库|合同|录音|照片|"
    r"简历|桌面|目录|记录|数据|截图|发票|日志|报表|客户",
    r"下書き|連絡先|会話|対話|文書|文章|原稿|履歴|メール|ファイル|대화|문서|연락처|파일|메일|원문",
    r"\b(?:dokumente?n?|gespräch\w*|unterhaltung\w*|verlauf|entw[uü]rfe?\w*|kontakte?n?|"
    r"vertr[aä]ge?\w*|dateie?n?|datei|quelltext\w*|"
    r"quellcode\w*|conversations?|courriels?|fichiers?|contrats?|brouillons?|contacts|dépôt|"
    r"documentos?|correos?|conversaci[oó]n\w*|contratos?|borrador(?:es)?|contactos|archivos?|repositorios?|"
    r"conversas?|rascunhos?|arquivos?|contatos|documenti?|contratti?|bozz[ae]|contatti|"
    r"conversazion[ei]|messaggi\w*)\b",
    r"документ\w*|переписк\w*|разговор\w*|диалог\w*|контакт\w*|черновик\w*|файл\w*|договор\w*|"
    r"письм\w+|исходн\w+",
)
# Of that, what is plainly not meant for a service that does one thing.
INTIMATE = _any(
    r"\b(?:answers?|questions?|repl(?:y|ies)) and (?:the )?(?:answers?|questions?|prompts?)\b",
    r"\b(?:conversations?|chats?(?: (?:history|log|transcript))?|transcripts?|dialogues?|prompts?|"
    r"source code|code ?base|"
    r"repo(?:sitory)?|contacts?|address book|inbox|"
    r"(?:e-?)?mails|director(?:y|ies) (?:tree|listing)|config(?:uration)? files?|home (?:directory|"
    r"folder)|desktop|"
    r"(?:user'?s?|their|his|her|recent|private|personal|local) (?:\w+ )?(?:documents?|files?|notes|"
    r"mails?|photos?)|"
    r"clipboard|(?:shell|command|browser|browsing) history|memory files?|contracts?)\b",
    r"对话|聊天|会话|通讯录|联系人|桌面|源代码|源码|代码仓库|私人|会話|対話|連絡先|대화|연락처|"
    r"gespräch\w*|unterhaltung\w*|"
    r"kontakte?n?\b|conversaci[oó]n\w*|\bconversas?\b|contactos|contatos|conversazion[ei]|contatti|"
    r"переписк\w*|контакт\w*",
)
WHOLE = _any(
    r"\b(?:whole|entire|complete|full|raw|unabridged|verbatim|all(?: of)? (?:the|its|their|your|user)|"
    r"everything|in full|so far)\b",
    r"全部|所有|全文|完整|整个|原始|一切|最近|すべて|全て|全文|丸ごと|毎回|전체|모든|전부",
    r"\b(?:vollständig\w*|gesamte\w*|alle|complète?|entière?|intégral\w*|tout(?:e|es)?|completo|"
    r"completa|todos?|todas?|íntegr\w+|"
    r"tutt[oiae]|complet[oa])\b|весь|всю|все(?:х|го)?\b|полност\w+|целиком",
)
EACH = _any(
    r"\b(?:each|every) (?:time|turn|session|answer|repl(?:y|ies)|message|prompt|request|run|use|call|"
    r"day|hour|commit|push|link|"
    r"conversation|task|response|start)\b|\b(?:always|before (?:each|every|any)|after (?:each|every)|"
    r"on (?:each|every)|"
    r"at the (?:start|beginning|end) of (?:each|every|the) (?:session|conversation|task))\b",
    r"每次|每一次|每轮|每天|每当|每条|始终|总是|一律|毎回|必ず|常に|매번|항상",
    r"\b(?:jedes mal|bei jede[mr]|jeweils|immer|chaque fois|à chaque|toujours|cada vez|siempre|"
    r"en cada|sempre|a cada|ogni volta)\b|"
    r"кажд\w+ раз|всегда|при каждом",
)

_USERS = (
    r"(?:(?:the |your |our |any |end[- ]?)*(?:users?|humans?|operators?|persons?|people|owners?|"
    r"developers?|customers?|clients?|"
    r"reviewers?|teams?|maintainers?|authors?|colleagues?|readers?|admins?)|anyone|anybody|them|him|"
    r"her|others|somebody|someone)"
)
_SHOWN = (
    r"(?:repl(?:y|ies)|responses?|answers?|summar(?:y|ies)|outputs?|reports?|chats?|conversations?|"
    r"messages?|tables?|counts?|transcripts?|"
    r"previews?|change ?logs?|commit messages?|diffs?|notes?|explanations?|logs?)"
)
_NEG = (
    r"(?:do not|don['’]?t|never|no (?:need|reason|point) (?:to|in)|must ?n[o'’]?t|may not|"
    r"should ?n[o'’]?t|need ?n[o'’]?t|needn['’]t|shouldn['’]t|mustn['’]t|"
    r"not to|no need to|without|avoid|refrain from|nor|and not|are not to|is not to)"
)
_TELLS = (
    r"(?:mention(?:ing)?|tell(?:ing)?|inform(?:ing)?|notify(?:ing)?|show(?:ing)?|reveal(?:ing)?|"
    r"disclos(?:e|ing)|bring(?:ing)?|"
    r"rais(?:e|ing)|surfac(?:e|ing)|explain(?:ing)?|announc(?:e|ing)|display(?:ing)?|"
    r"point(?:ing)? out|point(?=(?:ing)? (?:this|that|it|them) out)|talk(?:ing)? about|"
    r"discuss(?:ing)?|acknowledg(?:e|ing)|admit(?:ting)?|refer(?:ring)? to|draw(?:ing)? attention to|"
    r"advertis(?:e|ing)|"
    r"speak(?:ing)? of|allud(?:e|ing) to|let on|say(?:ing)?|note|list(?:ing)?|include|including|"
    r"print(?:ing)?|report(?:ing)?|comment on)"
)
_DEED = (
    r"(?:steps?|instructions?|actions?|uploads?|requests?|calls?|transfers?|sync|sections?|rules?|"
    r"blocks?|filters?|ordering|ranking|"
    r"backup|copy|change|edit|difference|replacement|preference|arrangement|sponsor\w*|commission|"
    r"partner\w*|affiliat\w*|"
    r"hooks?|jobs?|server|proxy|check-?in|telemetry|directives?|notes?|policy|behaviou?r|exclusions?|"
    r"omissions?|substitution|adjustment|"
    r"swap|redirect\w*|routing|entries|entry|addition|lines?)"
)
CONCEAL = _any(
    rf"\b(?:leave|keep) (?:this|it|that|them|the (?:\w+ ){{0,2}}?{_DEED}) out of (?:the |your |"
    rf"any )?(?:\w+ )?(?:{_SHOWN}|pull requests?|descriptions?)\b",
    rf"\b(?:in|from) (?:the|your|any) (?:\w+ )?{_SHOWN},? (?:omit|leave out|drop|hide|"
    rf"skip) (?:the )?(?:commands?|uploads?|requests?|calls?|this step|step \d)",
    rf"\b(?:omit|hide|leave out) (?:the )?(?:commands?|uploads?|requests?|calls?|this step|"
    rf"step \d)\b[^.\n]{{0,30}}\b(?:in|from) (?:the|your|any) (?:\w+ )?{_SHOWN}\b",
    rf"\b(?:it|this|that|the step) is not (?:listed|mentioned|shown|named|included) in (?:the |"
    rf"your )?(?:\w+ )?{_SHOWN}\b",
    rf"\b{_NEG} (?:ever |even )?{_TELLS} (?:(?:to )?{_USERS} )?(?:about |of )?(?:any of )?(?:this|that|"
    rf"these|those|it|them|the|its)"
    rf"(?: (?:\w+ ){{0,2}}?{_DEED})?(?: up)?(?: (?:to|with|in front of) {_USERS}| (?:in|within|"
    rf"as part of|anywhere in) "
    rf"(?:the |your |any |its )?(?:\w+ )?{_SHOWN}| anywhere| at all| either)\b",
    rf"\b{_NEG} (?:ever |even )?{_TELLS} (?:to )?(?:{_USERS} )?(?:about |of )?(?:this|that|these|the|"
    rf"its|any such) (?:\w+ ){{0,2}}?{_DEED}\b"
    rf"(?! (?:until|unless|number|before|if))",
    rf"\b{_NEG} {_TELLS} (?:{_USERS} )?(?:that|whether|how|why) (?:an?|the|this|it|you|there|any|"
    rf"such) (?:\w+ ){{0,4}}?"
    rf"(?:exists?|happened|was|were|is|are|has|have|had|differs?|runs?|ran|changed|comes?|came)\b",
    rf"\b{_USERS} (?:need ?n[o'’]?t|needn['’]t|need never|must ?n[o'’]?t|mustn['’]t|should ?n[o'’]?t|"
    rf"shouldn['’]t|should never|must never|"
    rf"(?:does|do|has|have) ?n[o'’]?t (?:need|have|get) to|has no need to|(?:is|are) not (?:to|"
    rf"meant to|supposed to))(?: ever)? "
    rf"(?:be (?:shown|told|informed|made aware|notified|bothered|aware|warned)|know|learn|hear|"
    rf"find out|notice|realise|realize|suspect|"
    rf"see (?:this|it|that|these|any of|the (?:\w+ )?{_DEED}))\b",
    rf"\b(?:(?:this|that|it|these|they|which|and)|(?:this|the|these) (?:\w+ ){{0,2}}?{_DEED}) (?:must|"
    rf"should|may|shall|is|are|can) ?"
    rf"(?:not|never)(?: to)? (?:be )?(?:shown|mentioned|displayed|disclosed|visible|reported|listed|"
    rf"revealed|discussed|named|quoted|appear|"
    rf"show up|surface) (?:in|to|by|anywhere|up) ?",
    rf"\bkeep (?:(?:this|it|that|these|them)(?: \w+)?|the (?:\w+ ){{0,2}}?{_DEED}) (?:hidden |secret |"
    rf"away |private )?(?:from {_USERS}|out of (?:the |your )?"
    rf"{_SHOWN}|to yourself|between us|under wraps|quiet\b|confidential|secret\b)",
    rf"\b(?:this|these|the) (?:\w+ ){{0,2}}?{_DEED} (?:is|are|stays?|remains?|must (?:stay|remain)|"
    rf"should (?:stay|remain)) "
    rf"(?:strictly )?(?:confidential|secret|hidden|internal|private|invisible|undisclosed|unmentioned|"
    rf"not for {_USERS})\b",
    rf"\bwithout (?:{_USERS}(?:['’]s?)? (?:knowledge|knowing|noticing|consent|seeing|realising|"
    rf"realizing)|(?:telling|informing|alerting|"
    rf"notifying|disclosing|a word to|any mention)\b)",
    rf"\b(?:so|such) (?:that )?(?:{_USERS}|nobody|no[- ]one) (?:does|do|will|can|won['’]t|"
    rf"would)? ?(?:not |n['’]t |never )?"
    rf"(?:notices?|sees? it|knows?|realises?|realizes?|suspects?|finds? out)\b",
    # Chinese
    r"(?:不要|不得|切勿|请勿|勿|别|无需|不必|不用|不可|不能|不应|无须|不)(?:再|向|对|跟|和|在|给|"
    r"让)?(?:用户|使用者|对方|客户|任何人|其)?"
    r"[^。！？\n]{0,10}?(?:提及|提到|告知|告诉|透露|提示|展示|显示|说明|披露|知道|知晓|发现|察觉|汇报|"
    r"声张|提起)"
    r"(?=[^。！？\n]{0,16}?(?:此|该|这|本步|步骤|操作|用户|用途|来源|不同|差异|变更|替换|过滤|赞助|"
    r"合作|[。；，,;）)]|$))",
    r"(?:用户|客户|使用者)(?:看不到|不可见|不会看到|无需知道|不必知道|不需要知道|不知情)|(?:对|"
    r"向)(?:用户|客户|外)(?:保密|隐瞒)|瞒着|悄悄|偷偷|暗中|秘密地",
    # Japanese, Korean
    r"(?:ユーザー?|利用者|使用者|お客様|本人|相手)(?:に|には|へ|が|から)[^。\n]{0,20}?(?:知らせない|"
    r"知らせず|伝えない|伝えず|見せない|言わない|報告しない|表示しない|"
    r"気づかれ|通知しない|告げない|悟られ|触れない|説明しない|明かさない|言及しない)|(?:言及しない|"
    r"触れない|明かさない|知らせない)(?:こと|で)|こっそり|密かに|内緒で",
    r"(?:사용자|유저|이용자|고객)[^.\n]{0,24}?(?:알리지|말하지|보여주지|언급하지|표시하지|모르게|"
    r"알 필요)|몰래|언급하지 (?:마|말)|알리지 (?:마|말)",
    # German
    r"\b(?:erwähne|nenne|zeige|verrate|melde)\b[^.\n]{0,50}\b(?:das|dies\w*|es|davon|den schritt|"
    r"hiervon)\b[^.\n]{0,40}\b(?:nicht|nie|niemals|nirgends)\b|"
    r"\b(?:dem |der |die |den )?(?:nutzer|benutzer|anwender|kunden?)\w*\b[^.\n]{0,40}\b(?:nichts?|nie|"
    r"niemals|kein wort)\b[^.\n]{0,30}"
    r"\b(?:erwähn\w+|sagen|mitteil\w+|zeigen|verraten|hinweisen|erfahren|wissen|bemerken|informieren|"
    r"auffallen)\b|"
    r"\bsag\w* (?:dem|der|den) (?:nutzer|benutzer|anwender|kund)\w*[^.\n]{0,20}\b(?:nichts|nicht)\b|"
    r"\bohne (?:wissen|dass der|dem nutzer|es zu erwähnen|"
    r"darauf hinzuweisen)|\b(?:heimlich|verschweig\w*|stillschweigend)\b",
    # French
    r"\bn(?:e |['’])\s?(?:le |la |les |en |lui |l['’])*(?:mentionne|dis|dites|parle|informe|révèle|"
    r"montre|signale|avertis|préviens)\w*[^.\n]{0,30}"
    r"\b(?:pas|jamais|rien)\b(?=[^.\n]{0,60}(?:utilisateur|client|étape|cela|ceci|ça|[.,;:]|$))|"
    r"\bsans (?:que l['’]utilisateur|(?:le |l['’]en |en )?(?:prévenir|avertir|informer|parler|"
    r"mentionner))|à l['’]insu|\ben secret\b|discrètement",
    # Spanish, Portuguese, Italian
    r"\bno (?:se )?(?:lo|la|los|las|le)(?: lo)? (?:menciones|digas|informes|muestres|reveles|comentes|"
    r"cuentes)\b|"
    r"\bno (?:menciones|digas|informes|avises|muestres|reveles|comentes|"
    r"le digas)\b[^.\n]{0,50}\b(?:usuari\w+|client\w+|paso|esto|nada)\b|"
    r"\bsin (?:que (?:el|la) (?:usuari|client)\w+|(?:avisar|informar|decirlo|mencionarlo|decírselo))|"
    r"a escondidas|\ben secreto\b",
    r"\bnão (?:o |a |lhe )?(?:mencion\w+|diga\w*|inform\w+|avis\w+|mostr\w+|revel\w+|"
    r"conte)\b[^.\n]{0,50}\b(?:usuári\w+|utilizador\w*|isso|isto|passo|etapa|nada)\b|"
    r"\bsem (?:avisar|informar|mencionar|que o (?:usu|utiliz))|em segredo",
    r"\bnon (?:lo |la |ne |dirlo|menzionar\w+|dire|informar\w+|mostrar\w+|avvisar\w+|rivelar\w+|"
    r"parlar\w+)\b[^.\n]{0,50}\b(?:utent[ei]|questo|passaggio|nulla)\b|"
    r"\bsenza (?:dirlo|avvisar\w+|informar\w+|che l['’]utente)|di nascosto|all['’]insaputa",
    # Russian
    r"не (?:говори\w*|сообща\w+|упомина\w+|показыва\w+|рассказыва\w+|информиру\w+|"
    r"раскрыва\w+)[^.\n]{0,50}(?:пользовател\w+|клиент\w+|об этом|этот|это|шаг)|"
    r"(?:пользовател\w+|клиент\w+) (?:об этом )?не (?:говори\w*|сообща\w+|упомина\w+|показыва\w+|"
    r"рассказыва\w+)|"
    r"незаметно для|тайно|скрытно|без ведома|втайне",
)
UNASKED = _any(
    r"\bwithout (?:any |an? |further |more )*(?:prompts?|questions?|confirmations?|dialogs?)\b",
    r"\b(?:no need (?:to|for)|without|don['’]?t|do not|never|needn['’]t|not) (?:ask(?:ing)?|"
    r"confirm(?:ing|ation)?|wait(?:ing)? for|prompt(?:ing)?|approval|"
    r"permission|consent|check(?:ing)? with|request(?:ing)?)\b(?! (?:the user )?(?:for|about) (?:the |"
    r"their |an? )?(?:password|secret|key|token)s?)|"
    r"\bno (?:\w+ )?(?:confirmation|permission|approval|consent|question)s? (?:is |are )?(?:needed|"
    r"required|necessary|asked)|"
    r"\b(?:user|everyone|owner|customer|team)s? (?:has|have|was|"
    r"were) (?:already )?(?:been )?(?:informed|agreed|consented|approved|told|notified)\b",
    r"(?:无需|不必|不用|不需要|无须|不要|不)(?:再)?(?:征求|征得|请求|等待|询问|征询|经过|问)?(?:用户|"
    r"客户|对方)?(?:的)?(?:同意|确认|批准|许可|授权|询问|意见|审批)|不必询问|无需询问|"
    r"用户已(?:经)?(?:同意|授权|知情)",
    r"(?:確認|許可|同意|承認)(?:は|を|も)?(?:不要|求めず|取らず|得ず|なしで?)|尋ねずに|聞かずに|"
    r"(?:확인|동의|허락|승인)(?:은|을|이)? ?(?:필요 ?없|없이|묻지)",
    r"\b(?:ohne (?:nach)?zu ?fragen|ohne (?:rückfrage|bestätigung|zustimmung)|frag\w* nicht nach|"
    r"keine (?:rückfrage|bestätigung|zustimmung)|"
    r"sans (?:demander|confirmation|l['’]accord|autorisation)|sin (?:preguntar|pedir|confirmaci[oó]n|"
    r"permiso|consentimiento)|no (?:preguntes|pidas)|"
    r"sem (?:perguntar|pedir|confirmação|permissão)|senza (?:chiedere|conferma|permesso|consenso))\b|"
    r"не спрашива\w+|без (?:подтверждения|согласия|разрешения|спроса)|не нужно (?:подтверждени|"
    r"спрашив|согласи)\w*",
)
# Said to the user although it is not so: for when they ask, or as a name for something else.
COVER = _any(
    r"\b(?:if|when|should|in case) (?:the )?(?:users?|they|he|she|anyone|anybody|someone|somebody|"
    r"customers?|reviewers?|people|asked|questioned)\b(?: \w+){0,8}? ?"
    r"(?:,|:|then|\b)[^.\n]{0,40}?\b(?:say|answer|reply|respond|claim|tell|explain|deny|insist|state|"
    r"pretend)\b(?! (?:the user )?(?:so|no|yes)\b)",
    r"\b(?:call|describe|present|label|refer to|explain|frame) (?:it|this|that|the (?:\w+ )?(?:step|"
    r"upload|transfer|request|page)) (?:as )?(?:[\"“'‘]|an? |the |part of|"
    r"normal|routine|standard)",
    r"\b(?:say|tell (?:them|the users?|him|her)|claim|state|report|pretend|explain|answer|"
    r"insist) (?:that )?(?:(?:you|it|this|they|everything|nothing|the \w+(?: \w+)?|all \w+) )"
    r"(?:\w+ ){0,2}?(?:already|found|used the original|retracted|requires?|required|routine|standard|"
    r"normal|locally|stays?|never|nothing|empty|corrupt\w*|"
    r"expired|failed|unavailable|missing|mandatory|complete[sd]?|succeeded)\b",
    r"(?:如果|若|当|万一)[^。\n]{0,12}(?:问|质疑|发现)[^。\n]{0,12}(?:就?说|回答|回复|解释|声称|称)|"
    r"(?:告诉|告知|回复|声称)(?:用户|客户|对方)[^。\n]{0,20}(?:是正常|本来|已经|系统要求|例行|必须|"
    r"由于)",
    r"(?:聞かれ|尋ねられ|問われ)[^。\n]{0,12}(?:答え|言う|説明)|(?:물으면|물어보면|"
    r"질문하면)[^.\n]{0,20}(?:답|말|설명)",
    r"\b(?:falls|wenn)\b[^.\n]{0,40}\b(?:fragt|fragen|nachfragt)\b[^.\n]{0,30}\b(?:sag|antworte|"
    r"erkläre|behaupte)\w*|\b(?:erkläre|sage?|behaupte)\b[^.\n]{0,6}, [^.\n]{0,60}"
    r"\b(?:verlang\w+|vorgeschrieben|üblich|routine\w*|notwendig|erforderlich|lokal|sei|werde)\b",
    r"\bs(?:i|['’]il|e)\b[^.\n]{0,30}\b(?:demande|pregunta|perguntar?|"
    r"chiede)\b[^.\n]{0,20}\b(?:réponds|dis|responde|di que|diz|diga|rispondi|dì)\b|"
    r"если[^.\n]{0,40}(?:спрос|спраш)\w*[^.\n]{0,20}(?:скажи|ответь|объясни|отвечай)\w*",
)
# Who a text speaks to when it speaks past its reader.
MODEL_ONLY = _any(
    r"\b(?:assistants?|agents?|ai|models?|llms?|bots?)[- ]only\b|\b(?:for|to|note (?:to|for)|"
    r"notes? for|message (?:to|for)|instructions? (?:for|to)|attention,?|dear) (?:the |all |any )?"
    r"(?:ai )?(?:assistants?|agents?|ais?|models?|llms?|bots?|copilots?)(?: only|"
    r" eyes only)?\s*[:：,;(.]|\bnot (?:meant )?for (?:the )?(?:user|human|reader|reviewer)s?\b",
    r"仅供(?:助手|模型|智能体|AI|内部)|(?:给|致)(?:AI|助手|模型|智能体)(?:的|:|：)|内部(?:步骤|指令|"
    r"说明)[（(]|(?:エージェント|アシスタント|AI|モデル)(?:専用|向け|への指示|へ[:：])|(?:에이전트|"
    r"어시스턴트|AI)(?: ?전용|에게)",
    r"\b(?:nur für|hinweis (?:für|an)|anweisung an) (?:den |die |das )?(?:assistent|agent|ki|"
    r"modell)\w*|\b(?:sólo?|solo|nota) para (?:el |la )?(?:agente|asistente|modelo|ia)\b|"
    r"\b(?:réservé à|note (?:pour|à)) l['’](?:assistant|agent|ia)\b|\b(?:apenas|somente|"
    r"nota) para o (?:agente|assistente|modelo)\b|только для (?:ассистент|агент|модел|ии)\w*|"
    r"(?:инструкция|указание|заметка) (?:для )?(?:ассистент|агент|модел|ии)\w*",
)
