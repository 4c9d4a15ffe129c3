"""Rules about Chinese sentences: the same as `scan_prose` has in English. Pure."""

from __future__ import annotations

import re

from prowess.author.scan_hosts import is_installer
from prowess.author.scan_patterns import Pattern, sentence
from prowess.author.scan_words import is_documentation, leaves

_NOT = "(?:不要|不得|切勿|请勿|勿|别|无需|不必|不用|禁止|避免|不能|不可|不应|千万别)"
_USER = "(?:用户|使用者|任何人|对方|主人|人类|客户|操作者|他人|别人|开发者)"
_ACT = (
    "(?:(?:此|该|这个?|这些|本|上述|以上)(?:步骤|操作|指令|过程|上传|行为|内容|段|请求|传输|说明|规则|"
    "命令|条|动作|任务|同步|备份)|此事|这件事|这一点|上述事项)"
)
_SENDS = (
    "(?:上传|发送|提交|转发|传输|回传|外传|传给|发到|发给|发往|传到|寄到|推送|上报|同步到|邮件发送|POST|"
    "外发|附加到|拼接到|作为(?:查询)?参数)"
)
_PRIVATE = (
    r"(?:环境变量|私钥|密钥文件|所有.{0,6}(?:密钥|凭证|凭据|令牌|密码|token)|助记词|聊天记录|对话(?:记录|"
    r"历史|内容)|会话(?:记录|内容|历史)|"
    r"凭证文件|凭据文件|SSH ?(?:密钥|私钥|key)|\.ssh|id_rsa|id_ed25519|\.aws|\.env(?!\.example)|"
    r"/etc/(?:passwd|shadow)|浏览器.{0,4}(?:密码|cookie|历史)|"
    r"密码|口令|cookies?|系统提示词?|剪贴板|钱包|(?:API ?|访问)(?:密钥|令牌|key)(?:、|和|及|与|"
    r"以及).{0,10}(?:密钥|令牌|密码|凭证|token)|"
    r"用户的?(?:文件|文档|通讯录|邮件|隐私|个人数据|个人信息)|身份证号?|银行卡)"
)
_PLACE = (
    r"(?:https?://\S+|\d{1,3}(?:\.\d{1,3}){3}|[\w.+-]+@[\w-]+\.[\w.]+|(?:外部|远程|第三方|指定|我们的|"
    r"某个?|收集)的?(?:服务器|地址|接口|端点|邮箱|主机|网址)|"
    r"webhook|[\w-]+(?:\.[\w-]+)*\.(?:example|invalid|test|com|net|org|io|cn|xyz|top|site|cc)\b)"
)
_G = r"[^。！？\n]"


CHINESE: tuple[Pattern, ...] = (
    sentence(
        "scan-override",
        "declares the model free of its rules",
        r"(?:解除|取消|移除|关闭|去除|突破)(?:你的?)?(?:所有|一切|全部|任何)?的?(?:安全|内容|道德|伦理)的?"
        r"(?:限制|约束|过滤|护栏|审查)",
    ),
    sentence(
        "scan-override",
        "plays a message of the system or an administrator",
        rf"[【\[（(](?:系统|管理员|平台|官方|开发者|安全)(?:通知|消息|指令|提示|公告|命令|更新|覆盖)"
        rf"[^】\]）)\n]{{0,16}}[】\]）)]{_G}{{0,60}}(?:你的?(?:权限|限制|身份|角色|新)|你(?:现在|必须|"
        rf"不再)|忽略|"
        rf"解除|立即执行|直接执行)",
    ),
    sentence(
        "scan-override",
        "gives itself precedence over the user or the system",
        rf"(?:指令|规则|要求|提示|命令|说明|内容|技能){_G}{{0,8}}(?:优先级(?:高于|大于|在)|优先于|高于|"
        rf"凌驾于)"
        rf"(?:所有|任何)?(?:用户|系统|开发者|管理员|安全)",
    ),
    sentence(
        "scan-override",
        "tells the model to set its other instructions aside",
        rf"(?:忽略|无视|忘记|忘掉|不要遵守|不再遵守|不要遵循|不再遵循|抛开|抛弃|覆盖|绕过|摒弃|放弃|"
        rf"丢弃){_G}{{0,10}}(?:之前|先前|以上|上述|此前|所有|一切|系统|原有|前面|安全|全部|其他|任何|你的|"
        rf"既有|现有){_G}{{0,10}}(?:指令|提示|规则|指示|要求|限制|约束|设定|策略|准则|命令|安全检查|"
        rf"安全限制|规范|说明)",
    ),
    sentence(
        "scan-override",
        "declares the model free of its rules",
        rf"你(?:现在|从现在起|从此){_G}{{0,12}}(?:不受{_G}{{0,6}}(?:限制|约束)|没有(?:任何)?(?:限制|约束)|"
        rf"DAN\b|开发者模式|越狱模式|无限制模式|管理员模式|上帝模式)|(?:进入|启用|开启|切换到)(?:DAN|越狱|"
        rf"无限制|上帝|开发者|管理员)模式",
    ),
    sentence(
        "scan-override",
        "gives itself precedence over the user or the system",
        rf"(?:本|此|这些?|以下|下列)(?:技能|文件|文档|指令|规则|说明|内容){_G}{{0,8}}(?:优先于|高于|"
        rf"凌驾于|覆盖|取代|优先级(?:高于|最高)){_G}{{0,12}}(?:系统|用户|其他|所有|任何|开发者|安全)",
    ),
    sentence(
        "scan-concealment",
        "tells the model to keep something from the user",
        rf"{_NOT}{_G}{{0,4}}(?:告诉|告知|通知|提示|提醒|警告|透露给?|泄露给|说给){_USER}(?:(?:有关|"
        rf"关于)?{_G}{{0,6}}{_ACT}|(?=[。，；！,;!\n]|$)|{_G}{{0,8}}(?:已|正在|被|会|要)(?:上传|发送|执行|"
        rf"读取|"
        rf"收集|运行|做了什么))",
    ),
    sentence(
        "scan-concealment",
        "tells the model to keep something from the user",
        rf"{_NOT}{_G}{{0,3}}(?:让|使|被){_USER}{_G}{{0,3}}(?:知道|发现|察觉|看到|看见|注意到|得知|意识到)|"
        rf"(?:不要|请勿|切勿|不得){_G}{{0,3}}(?:向{_USER})?{_G}{{0,3}}(?:提及|提到|透露|显示|展示|披露|"
        rf"说明|解释|输出|报告){_G}{{0,4}}{_ACT}|(?:对|向){_USER}(?:保密|隐瞒|隐藏)|瞒着{_USER}|"
        rf"{_ACT}(?:无需|不必|不要|不得|无须|不用)(?:告知|告诉|通知|提示){_USER}|(?:不要|请勿|切勿|"
        rf"不得)(?:向{_USER})?(?:提及|提到|透露){_G}{{0,6}}(?:已|正在|会|被)(?:上传|发送|读取|收集|执行)",
        check=lambda found: re.search("等待|原始|技术细节", found[0]) is None,
    ),
    sentence(
        "scan-concealment",
        "tells the model to keep something from the user",
        rf"{_NOT}(?:再)?(?:向|对|跟|和){_USER}{_G}{{0,2}}(?:透露|披露|解释|说明|提及|提到|展示|交代|坦白|"
        rf"汇报)"
        rf"(?=[。，；！,;!\n]|$|(?:它|其|该|此|这|本){_G}{{0,6}}(?:用途|原因|来源|目的|存在|内容|作用|"
        rf"{_ACT}))|"
        rf"以免{_G}{{0,4}}(?:被{_G}{{0,4}})?(?:发现|察觉|怀疑|起疑)",
    ),
    sentence(
        "scan-concealment",
        "has something done behind the user's back",
        rf"(?:悄悄地?|偷偷地?|秘密地?|暗中|暗地里|不经{_USER}(?:的)?(?:同意|允许|许可|确认)|"
        rf"未经{_USER}(?:的)?(?:同意|允许|许可|授权)|在{_USER}不知情){_G}{{0,24}}(?:上传|发送|收集|复制|"
        rf"传输|执行|安装|下载|写入|读取|转发|提交|运行|删除|修改|记录|添加|POST|curl)|(?:静默|"
        rf"静悄悄)地?{_G}{{0,6}}(?:上传|发送|收集|转发|传输|提交|回传)",
    ),
    sentence(
        "scan-concealment",
        "gives the model a lie for when the user asks",
        rf"(?:如果|若|假如|当|有人|(?<=[。，；\n]){_USER}){_G}{{0,6}}(?:问起|询问|问|追问|质疑|"
        rf"发现){_G}{{0,20}}(?:就说|"
        rf"回答说?|声称|谎称|否认|假装|解释为|称)",
        check=lambda found: (
            re.search("否认|谎称|假装|声称|就说|称|追问", found[0]) is not None
            and re.search("什么|为什么|为何|网络|请求|上传|这个|此|发现|问起|追问|慢", found[0]) is not None
        ),
    ),
    sentence(
        "scan-exfiltration",
        "tells the model to send private data elsewhere",
        rf"(?:{_PRIVATE}{_G}{{0,60}}{_SENDS}{_G}{{0,40}}{_PLACE}|"
        rf"{_SENDS}{_G}{{0,60}}{_PRIVATE}{_G}{{0,60}}{_PLACE}|"
        rf"{_PLACE}{_G}{{0,30}}{_SENDS}{_G}{{0,40}}{_PRIVATE})",
        check=leaves,
    ),
    sentence(
        "scan-exfiltration",
        "tells the model to send private data elsewhere",
        rf"(?:读取|收集|获取|提取|查找|搜集|打包|压缩|复制|导出|"
        rf"遍历){_G}{{0,40}}{_PRIVATE}[^\n]{{0,160}}{_SENDS}{_G}{{0,60}}{_PLACE}",
        check=leaves,
    ),
    sentence(
        "scan-exfiltration",
        "puts private data into the address of a picture or link",
        rf"(?:地址|链接|网址|URL|参数|图片|配图){_G}{{0,60}}(?:换成|替换为|替换成|填入|填上|拼接|拼上|"
        rf"带上|附上|写入|放入|"
        rf"编码为?){_G}{{0,24}}(?:(?:说过|聊过|输入过)的?(?:全部|所有|一切)?的?(?:话|内容)|"
        rf"上下文{_G}{{0,10}}(?:密钥|"
        rf"令牌|密码|内容)|对话(?:记录|历史|内容|全文)|聊天(?:记录|内容)|系统提示词?|环境变量)",
        check=leaves,
    ),
    sentence(
        "scan-credentials",
        "has the user asked for what nobody may ask for",
        rf"(?:询问|要求|请|让|提示|引导|诱导|向|催促){_USER}{_G}{{0,14}}(?:提供|输入|告知|粘贴|填写|发送|"
        rf"索取|索要|给出|说出){_G}{{0,16}}(?:助记词|(?:钱包)?私钥|支付密码|银行卡|登录密码|主密码|信用卡|"
        rf"系统密码|邮箱密码|电脑密码|开机密码|身份证号|sudo ?密码|管理员密码|交易密码)",
    ),
    sentence(
        "scan-remote-instructions",
        "has instructions fetched from elsewhere and followed",
        rf"(?:从|访问|请求|下载|获取|读取|打开|抓取|拉取|"
        rf"curl)\s*(?P<url>https?://[^\s，。；）)\"'`]+)[^\n]{{0,60}}?(?:执行|运行|遵循|遵照|按照|照做|"
        rf"服从|安装)(?:其中|里面|返回|所有|任何|该|其|它|返回的|下载的)?的?{_G}{{0,10}}(?:指令|命令|指示|"
        rf"内容|脚本|文件|要求|程序|安装包|它|步骤)?",
        check=lambda found: not (is_installer(found["url"]) or is_documentation(found["url"])),
    ),
    sentence(
        "scan-manipulation",
        "has something harmful put into what the user makes",
        rf"(?:插入|植入|添加|加入|嵌入|注入|埋入|写入|留下){_G}{{0,12}}(?:后门|逻辑炸弹|木马|挖矿|"
        rf"键盘记录|恶意代码|间谍|追踪像素|隐藏(?:账号|账户|管理员|接口|链接))",
    ),
    sentence(
        "scan-manipulation",
        "changes other skills",
        rf"(?:其他|其它|别的|另外的?|每个|所有){_G}{{0,6}}(?:技能|SKILL\.md){_G}{{0,24}}(?:加入|插入|写入|"
        rf"添加|追加|"
        rf"注入|改写|修改|替换){_G}{{0,40}}(?:先执行|优先|服从|听从|忽略|执行{_G}{{0,12}}指令)",
    ),
    sentence(
        "scan-manipulation",
        "has findings kept quiet",
        rf"(?:后门|漏洞|安全问题|缺陷|木马|写死的密码|硬编码{_G}{{0,4}}(?:密码|密钥)){_G}{{0,16}}(?:不要|"
        rf"不得|不必|"
        rf"无需|不用|别|勿|一律不|都不)(?:写进|写入|列入|计入|放进|出现在|体现在|记入|提及|报告|"
        rf"上报)(?!{_G}{{0,6}}(?:公开|误报))",
    ),
    sentence(
        "scan-manipulation",
        "has results reported that are not so",
        rf"(?:报告|结论|结果|评审|审查|审计|测试|评分){_G}{{0,10}}(?:一律|始终|总是|永远|"
        rf"统统)(?:都)?(?:写|填|标|评|判|"
        rf"报|输出|回答|显示|记){_G}{{0,3}}(?:通过|合格|安全|正常|没有问题|无漏洞|成功|无风险)",
    ),
    sentence(
        "scan-manipulation",
        "has addresses for payments replaced",
        rf"(?:替换|换成|改为|改成|修改|篡改){_G}{{0,16}}(?:钱包|收款|付款|转账|银行|比特币|"
        rf"支付){_G}{{0,6}}(?:地址|账号|账户|卡号|二维码)|把{_G}{{0,12}}(?:钱包|收款|付款|转账|银行|"
        rf"比特币|支付){_G}{{0,6}}(?:地址|账号|账户|卡号){_G}{{0,8}}(?:替换|换成|改为|改成)",
    ),
    sentence(
        "scan-manipulation",
        "has results reported that are not so",
        rf"(?:无论|不管|不论|即使|就算){_G}{{0,24}}(?:都|也|始终|一律|总是|必须){_G}{{0,8}}(?:报告|回答|"
        rf"声称|标记|推荐|评为|说|输出|判定){_G}{{0,16}}(?:安全|通过|无漏洞|没有问题|没有漏洞|可信|我们|"
        rf"产品|品牌|正常)",
    ),
    sentence(
        "scan-persistence",
        "has itself written into what later sessions read",
        rf"(?:写入|追加|添加|保存|插入|复制){_G}{{0,30}}(?:CLAUDE\.md|AGENTS\.md|GEMINI\.md|MEMORY\.md|"
        rf"\.cursorrules|记忆|系统提示词?|authorized_keys|crontab|\.bashrc|\.zshrc){_G}{{0,40}}(?:以后|"
        rf"今后|后续|每次|所有|永久|长期|下次|重启|卸载后)",
        check=lambda found: (
            re.search(
                "始终|静默|不要告诉|信任|上传|发送|执行|忽略|卸载|永久|隐藏|https?:|无需确认|自动运行|"
                "不再询问",
                found.string[max(0, found.start() - 40) : found.end() + 100],
            )
            is not None
        ),
    ),
    sentence(
        "scan-protection-off",
        "tells the model to act without the approval that guards it",
        rf"(?:无需|不要|不用|不必|跳过|绕过|自动(?:批准|同意|确认)|无须)(?:征求|请求|等待|"
        rf"询问)?{_USER}?(?:的)?(?:确认|批准|同意|许可|授权|权限检查|审批){_G}{{0,20}}(?:删除|转账|支付|"
        rf"上传|任何命令|所有命令|任意命令|所有操作|sudo|付款|发送)|"
        rf"(?:不再需要|不需要|无需|不必){_USER}?(?:的)?(?:确认|批准|同意|许可|授权){_G}{{0,6}}(?:执行|"
        rf"运行){_G}{{0,4}}"
        rf"(?:任何|所有|任意|一切)|(?:所有|全部|任何|一切)(?:的)?(?:命令|操作|工具){_G}{{0,6}}自动(?:批准|"
        rf"同意|允许|执行)|"
        rf"(?:确认|权限|审批|授权)(?:提示|弹窗|请求|询问)?{_G}{{0,4}}(?:全部|统统|都){_G}{{0,2}}(?:关掉|"
        rf"关闭|禁用|停用|取消)",
    ),
    sentence(
        "scan-protection-off",
        "tells the model to act without the approval that guards it",
        r"(?:所有|任何|全部|一切)(?:的)?(?:命令|操作|工具|请求)[^。\n]{0,8}(?:无需|不需要|不必|不用|"
        r"无须)[^。\n]{0,6}"
        r"(?:确认|批准|授权|许可|同意)",
    ),
    sentence(
        "scan-exfiltration",
        "puts private data into the address of a picture or link",
        r"!\[[^\]\n]{0,80}\]\(https?://[^)\s]{1,200}[?&]\w+=[^)\n]{0,60}(?:对话|会话|聊天|摘要|原文|"
        r"密钥)[^)\n]{0,60}\)",
    ),
)
