"""What a PATH on the command line is, told apart in a fixed order and said.

A plugin when it holds `plugin.json`; else a `prowess.toml`; else units (`*/schema.json` beside
`skill.py`, or Python files in a folder called `units`); else one skill (`SKILL.md`) or a folder of
them (`*/SKILL.md`); else content (`prompts/`, `resources/`, `templates/`); else workflows (`*.yaml` with
steps); else a plugin all the same, which will be rejected. Of all but workflows it reads names only.
"""

from __future__ import annotations

import os

from prowess.cli import screen
from prowess.content.recognising import FOLDERS
from prowess.errors import Unreadable, UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

SAID = {
    "plugin": "a plugin (it holds plugin.json)",
    "config": "a host configuration (it holds prowess.toml)",
    "units": "a folder of units (*/schema.json beside skill.py, or decorated functions)",
    "skill": "a skill (it holds SKILL.md)",
    "skills": "a folder of skills (*/SKILL.md)",
    "content": "a folder of content (prompts/, resources/ or templates/)",
    "workflows": "a folder of workflows (*.yaml with steps)",
    "nothing": "judged as a plugin, though it holds no plugin.json",
}
OF_FILES = {"config": "a host configuration", "units": "a Python file with units"}
WIDEST = 10_000  # children looked at; a folder with more than that holds no skills by accident


def folder(path: str) -> str:
    """`path`, if it is a directory that is there; UsageError otherwise."""
    if os.path.isdir(path):
        return path
    shown = printable(path, 500) or "an empty path"
    if not os.path.lexists(path):
        raise UsageError(f"{shown}: no such directory")
    if os.path.isfile(path):
        above = printable(os.path.dirname(path) or ".", 500)
        raise UsageError(f"{shown}: is a file", hint=f"a package is a directory; perhaps {above}")
    raise UsageError(f"{shown}: is not a directory")


def placed(path: str, *kinds: str) -> str:
    """`path`, if it is a directory or a file of one of these kinds that is there; UsageError otherwise."""
    return path if _kind_of_file(path) in (kinds or ("config",)) else folder(path)


def _kind_of_file(path: str) -> str:
    kind = {".toml": "config", ".py": "units"}.get(os.path.splitext(path)[1], "")
    return kind if kind and os.path.isfile(path) else ""


def kind_of(path: str) -> str:
    """Which kind of thing the directory `path` is."""
    if os.path.lexists(os.path.join(path, "plugin.json")):
        return "plugin"
    if os.path.lexists(os.path.join(path, "prowess.toml")):
        return "config"
    children = _children(path)
    if _holds_units(path):
        return "units"
    if os.path.lexists(os.path.join(path, "SKILL.md")):
        return "skill"
    if any(_holds(path, each, "SKILL.md") for each in children):
        return "skills"
    if any(os.path.isdir(os.path.join(path, each)) for each in FOLDERS):
        return "content"
    if _holds_workflows(path):
        return "workflows"
    return "nothing"


def _children(path: str) -> list[str]:
    try:
        return sorted(os.listdir(path))[:WIDEST]
    except OSError as error:
        raise Unreadable(f"{printable(path, 500)}: {error.strerror}") from error


def _holds(path: str, child: str, name: str) -> bool:
    return os.path.lexists(os.path.join(path, child, name))


def _holds_units(path: str) -> bool:
    from prowess.units.scanning import holds_units  # on use: whoever judges plugins needs none of it

    return holds_units(path)


def _holds_workflows(path: str) -> bool:
    from prowess.workflow.recognising import holds_workflows

    return holds_workflows(path)


def local(options: Namespace, *, quietly: bool = False) -> list[str]:
    """The folders that `--local` adds and that hold skills, each said unless `quietly`."""
    if not options.local:
        return []
    from prowess.host.local_skills import holds_skills, places

    found = [path for _, path in places() if holds_skills(path)]
    for path in () if quietly else found:
        screen.say(f"{printable(path, 500)}: {SAID['skills']}")
    return found


def told(path: str, *readable: str) -> str:
    """The kind of `path`, said on stderr; UsageError when this verb cannot read that kind."""
    of_file = _kind_of_file(path)
    kind = of_file if of_file in readable else kind_of(folder(path))
    if kind not in ("plugin", "nothing", *readable):
        raise UsageError(
            f"{printable(path, 500)} is {SAID[kind]}; this version of prowess cannot do this with one",
            hint="it works on plugins: directories that hold plugin.json",
        )
    said = OF_FILES[of_file] if of_file in readable else SAID[kind]
    screen.say(f"{printable(path, 500)}: {said}")
    return kind
