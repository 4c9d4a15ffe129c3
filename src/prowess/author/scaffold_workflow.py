"""A workflow to begin with: one step, the unit that `prowess new unit count_words` writes."""

from __future__ import annotations

import os

from prowess.author.scaffold import CASES, cases_of, titled, write_folder
from prowess.author.unit import insist_on_unit_name

WORKFLOW = """\
# {title}. It counts words until you write what it is to do.
name: {name}
description: Counts the words of a text; use when somebody asks how many words a text has.
triggers: [count words, how many words]
version: 0.1.0
input:
  type: object
  required: [text]
  properties:
    text: {{type: string, description: "The text, as the user gave it.", maxLength: 10000}}
steps:
  - id: count
    skill: count_words
    params: {{text: "{{{{text}}}}"}}
output: {{words: "{{{{steps.count.result.words}}}}"}}
"""


def write_workflow(name: str, folder: str) -> tuple[str, ...]:
    """Write the folder `name` with `name.yaml` into `folder`; the files. Raises UsageError."""
    insist_on_unit_name(name, "a workflow")
    files = {f"{name}.yaml": WORKFLOW.format(name=name, title=titled(name)), CASES: cases_of(name)}
    return write_folder(os.path.join(folder, name), files)
