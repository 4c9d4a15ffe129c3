"""A package judged: the loader's questions, answered by a source.

The conversation itself is `prowess.spec.loading`. A directory without `plugin.json` is a rejected
plugin, not an error.
"""

from __future__ import annotations

import os

from prowess.source.directory import DirectorySource
from prowess.spec.loading import load
from prowess.spec.model import Judgement, Profile
from prowess.spec.questions import Answer, Conversation, Question, Result, Source
from prowess.spec.versions import SUPPORTED, Versions


def judge(
    target: str | os.PathLike[str] | Source, *, profile: Profile = "spec", versions: Versions = SUPPORTED
) -> Judgement:
    """Judge the package in the directory `target`, or that a source holds; starts nothing.

    `versions` are the supported Agent Plugins versions, the newest last.
    """
    source = DirectorySource(target) if isinstance(target, (str, os.PathLike)) else target
    return converse(load(profile=profile, versions=versions), source)


def converse(conversation: Conversation[Result], source: Source) -> Result:
    """Answer every question from `source` and return the conversation's result."""
    try:
        question = next(conversation)
        while True:
            question = conversation.send(_answer(question, source))
    except StopIteration as end:
        result: Result = end.value
        return result


def _answer(question: Question, source: Source) -> Answer:
    if question.verb == "read":
        return source.read(question.path, question.limit)
    if question.verb == "list":
        return source.list(question.path)
    return source.kind(question.path) if question.verb == "kind" else source.confined(question.path)
