"""Content to begin with: a prompt that a person starts, a resource, and a template with two resources.

It has no trigger cases: no model chooses a prompt, a person does.
"""

from __future__ import annotations

import os

from prowess.author.scaffold import titled, write_folder
from prowess.author.skill import insist_on_skill_name
from prowess.errors import UsageError

PROMPT = """\
---
name: check-length
title: Check the length
description: Counts the words of a text and holds them against a limit.
arguments:
  - name: text
    description: The text, as it is
    required: true
  - name: kind
    description: What kind of text it is
    complete: [abstract, speech]
---
Count the words of the text below. The limits are in {limits} and, for each kind of text, in
{section}: this one is of the kind "{{kind}}".

Answer in one sentence that begins with the number, and say how many words are too many.

{{text}}
"""

RESOURCE = """\
---
title: How long a text may be
description: What counts as a word, and the limits that hold where nothing else is said.
---
# How long a text may be

What stands between blanks and line ends is one word, also with a hyphen in it. Where no limit is named,
an e-mail has at most 200 words and a page at most 500.
"""

TEMPLATE = """\
---
uriTemplate: {section}
title: The limit for one kind of text
description: How many words a text of this kind may have, and who says so.
---
"""

SECTIONS = {
    "abstract": "# Abstract\n\nAt most 250 words; the journal says so.\n",
    "speech": "# Speech\n\nAbout 130 words a minute; ten minutes are 1,300.\n",
}


def write_content(name: str, folder: str) -> tuple[str, ...]:
    """Write the folder `name` with content into `folder`; the files. Raises UsageError."""
    try:
        insist_on_skill_name(name)
    except UsageError as error:
        raise UsageError(error.message.replace("a skill", "a folder of content"), hint=error.hint) from None
    return write_folder(os.path.join(folder, name), content_files(name))


def content_files(name: str) -> dict[str, str]:
    """The files of a new folder of content by their paths."""
    section = f"embedded:{name}/limit/{{kind}}"
    prompt = PROMPT.format(limits=f"embedded:{name}/limits", section=f"embedded:{name}/limit/")
    files = {
        "README.md": f"# {titled(name)}\n\nPrompts, resources and templates: `prowess serve .`\n",
        "prompts/check-length.md": prompt,
        "resources/limits.md": RESOURCE,
        "templates/limit.md": TEMPLATE.format(section=section),
    }
    return files | {f"templates/limit/{kind}.md": text for kind, text in SECTIONS.items()}
