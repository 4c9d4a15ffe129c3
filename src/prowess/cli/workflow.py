"""`prowess workflow check | picture`: what is wrong with workflows before they run, and how they look.

Nothing runs and no server is started. Which skills there are is read from the project's units, or said
with `--skills`.
"""

from __future__ import annotations

from prowess.cli import screen
from prowess.errors import NotFound, UsageError
from prowess.redact import printable
from prowess.spec.diagnostics import Reach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

    from prowess.cli.parsing import Parser
    from prowess.workflow.definition import Workflow
    from prowess.workflow.finding import Found

MORE = """\
check    every fault of the workflows at each PATH: a file, a folder of them, or a project that has a
         workflows/ folder. Skills are those of the project's units, or of every --skills: a folder of
         units, a prowess.toml, or a snapshot (prowess snapshot). Without any of them skills are not
         judged, and that is said
picture  the workflow at PATH as a Mermaid flowchart; --name says which, where there are several
Functions of expressions: default first join keys last length lower max min number pluck round sum text
trim upper values.
Exit status: 0 nothing at or above --fail-on, or printed; 1 something; 2 could not answer."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `workflow`."""
    from prowess.cli.parsing import add_format

    parser.add_argument("action", metavar="ACTION", choices=tuple(ACTIONS), help=", ".join(ACTIONS))
    parser.add_argument("paths", metavar="PATH", nargs="+", help="a workflow, a folder of them, or a project")
    parser.add_argument("--skills", metavar="SKILLS", action="append", help="with check: where skills are")
    parser.add_argument("--name", metavar="NAME", help="with picture: which workflow, also NAME@VERSION")
    parser.add_argument(
        "--fail-on",
        choices=("note", "entry"),
        default="entry",
        help="with check: the narrowest reach that makes the answer no (default entry)",
    )
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Do what was asked."""
    answer: int = ACTIONS[options.action](options)
    return answer


def _check(options: Namespace) -> int:
    from prowess.cli.workflow_places import Place, catalogue
    from prowess.workflow.checking import check
    from prowess.workflow.finding import Found

    if options.name is not None:
        raise UsageError("check takes no --name: it judges all", hint="prowess workflow --help")
    judged: list[tuple[str, Found]] = []
    for place in [Place(each) for each in options.paths]:
        found = place.found()
        if not found.workflows and not found.diagnostics:
            raise NotFound(
                f"{printable(place.path, 500)}: there is no workflow", hint="NAME.yaml in workflows/"
            )
        known = catalogue(place, options.skills or (), place.beside().workflows)
        if known is None:
            screen.say(
                f"{printable(place.path, 300)}: skills and other workflows are not judged: no --skills"
            )
        told = [each for workflow in found.workflows for each in check(workflow, known)]
        diagnostics = (*found.diagnostics, *told)
        judged.append((place.path, Found(workflows=found.workflows, diagnostics=diagnostics)))
    (_write_json if options.format == "json" else _write_text)(judged)
    least = Reach[options.fail_on.upper()]
    return 1 if any(each.reach >= least for _, found in judged for each in found.diagnostics) else 0


def _write_json(judged: Sequence[tuple[str, Found]]) -> None:
    from prowess.cli.verdict import as_dict

    places = [
        {
            "path": path,
            "workflows": [each.title for each in found.workflows],
            "diagnostics": [as_dict(each) for each in found.diagnostics],
        }
        for path, found in judged
    ]
    screen.document({"format": 1, "places": places})


def _write_text(judged: Sequence[tuple[str, Found]]) -> None:
    from prowess.cli.text import finding

    for path, found in judged:
        lines = [f"{printable(path, 500)}: {', '.join(map(_summary, found.workflows)) or 'no workflow'}"]
        lines += [line for each in found.diagnostics for line in finding(each)]
        screen.data("".join(f"{line}\n" for line in lines))
    reaches = [each.reach for _, found in judged for each in found.diagnostics]
    counted = [f"{reaches.count(each)} {each.word}" for each in sorted(set(reaches), reverse=True)]
    screen.data(f"{', '.join(counted) or 'nothing to report'}\n")


def _summary(workflow: Workflow) -> str:
    count = len(workflow.steps)
    return f"{workflow.title} ({count} {'step' if count == 1 else 'steps'})"


def _picture(options: Namespace) -> int:
    from prowess.cli.workflow_places import Place
    from prowess.workflow.picture import picture

    if len(options.paths) != 1 or options.skills:
        raise UsageError("picture takes one PATH, and no --skills", hint="prowess workflow --help")
    found = Place(options.paths[0]).found()
    for each in found.diagnostics:
        screen.say(f"{printable(str(each.place), 300)}: {each.message} [{each.rule}]")
    drawn = picture(_chosen(found.workflows, options.name))
    if options.format == "json":
        screen.document({"format": 1, "mermaid": drawn})
    else:
        screen.data(drawn)
    return 0


def _chosen(workflows: Sequence[Workflow], name: str | None) -> Workflow:
    chosen = [each for each in workflows if name in (None, each.name, each.title)]
    if len(chosen) == 1:
        return chosen[0]
    known = ", ".join(printable(each.title, 100) for each in workflows[:20]) or "none"
    if not chosen:
        shown = "" if name is None else f" called {printable(name, 80)}"
        raise NotFound(f"no workflow{shown} can be drawn", hint=f"workflows: {known}")
    raise UsageError("there is more than one workflow", hint=f"--name NAME or NAME@VERSION: {known}")


ACTIONS = {"check": _check, "picture": _picture}
