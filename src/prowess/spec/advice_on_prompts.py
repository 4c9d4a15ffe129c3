"""Advice on a prompt: is it something to start, or knowledge that only stands in the wrong place?

MCP 2026-07-28: a prompt is started by a person, a resource is read by whoever needs it. A text that is
long, has several headings and nowhere tells anybody to do something is a guide, and no model will meet
it among the prompts. The check rather misses a guide than blames a prompt.
"""

from __future__ import annotations

import re

LONG = 1_200  # characters that make a text long; what is written in Chinese says as much in a third
HEADINGS = 3

_HEADING = re.compile(r"^#{1,6} +\S", re.MULTILINE)
_CJK = re.compile("[\u3040-\u9fff\uac00-\ud7af]")
_FENCED = re.compile(r"^(```|~~~).*?^\1.*?$", re.MULTILINE | re.DOTALL)
_PARAGRAPH = re.compile(r"\n[ \t]*\n")
_OPENING = re.compile(r"^[>*\-+\d.)\s]*", re.ASCII)

_ADDRESS = re.compile(
    r"\b(?:you are an?|your (?:task|job|role|goal)|act as|please|i want you|i need you|help me|"
    r"do the following|follow these|respond (?:in|with)|reply (?:in|with)|answer (?:in|with|only)|"
    r"return (?:only|a|the)|output (?:only|a|the))\b",
    re.IGNORECASE,
)
_ADDRESS_CJK = re.compile(
    "请[你您用在按将把对为分总检写给输列帮]|你是|您是|你的任务|任务[：:]|输出[：:格]|帮我|"
    "して(?:ください|下さい)|하세요|해 ?주세요"
)


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_IMPERATIVES = _words(
    """analyze analyse answer arrange ask assess audit build calculate change check choose classify collect
    compare compile compose compute convert count create debug decide describe design detect determine
    diagnose do document draft edit estimate evaluate examine explain explore extract fetch fill find fix
    format generate give go help identify implement improve inspect investigate list look make migrate
    optimize organize outline plan prepare prioritize produce propose provide rank read recommend refactor
    rephrase report research review rewrite run scan search select show simplify solve sort suggest
    summarise summarize tell test think translate update use validate verify walk write"""
)
_IMPERATIVES_CJK = re.compile(
    "^(?:分析|总结|检查|列出|生成|撰写|编写|翻译|比较|评估|审查|解释|根据|阅读|提取|找出|制定|设计|改写|优化)"
)


def reads_like_a_guide(text: str) -> str:
    """Why a prompt without arguments belongs among the resources; empty when it does not seem so."""
    prose = _FENCED.sub("", text)
    headings = len(_HEADING.findall(prose))
    weight = len(prose) + 2 * len(_CJK.findall(prose))
    if headings < HEADINGS or weight < LONG or _asks(prose):
        return ""
    return f"it has {headings} headings, takes no arguments and asks for nothing: it reads like a guide"


def _asks(prose: str) -> bool:
    """Whether somebody is told to do something: anywhere by address, or where a text begins or ends."""
    if _ADDRESS.search(prose) or _ADDRESS_CJK.search(prose):
        return True
    said = [each.strip() for each in _PARAGRAPH.split(prose)]
    said = [each for each in said if each and not each.startswith("#")]
    return any(_opens_with_imperative(each) for each in (said[:1] + said[-1:]))


def _opens_with_imperative(paragraph: str) -> bool:
    for line in paragraph.split("\n"):
        line = _OPENING.sub("", line)
        word = re.match(r"[A-Za-z]+", line)
        if (word and word[0].lower() in _IMPERATIVES) or _IMPERATIVES_CJK.match(line):
            return True
    return False
