"""All workflows of a folder judged at once, by what can be told without anything connected.

Whether skills are there is not judged: only a Host knows. One faulty workflow hides no other.
"""

from __future__ import annotations

from prowess.source.directory import DirectorySource
from prowess.workflow.checking import check
from prowess.workflow.finding import Found, read_folder


def judge(root: str, folder: str = "") -> Found:
    """The workflows of `folder` of the directory `root`, with every finding about them."""
    found = read_folder(DirectorySource(root), folder)
    told = (each for workflow in found.workflows for each in check(workflow, None, found.workflows))
    return Found(workflows=found.workflows, diagnostics=(*found.diagnostics, *told))
