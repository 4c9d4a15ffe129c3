"""What the verbs for runs share: the configuration, where runs are kept, and a run for people."""

from __future__ import annotations

from prowess.cli import screen
from prowess.errors import NotFound
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from typing import Any

    from prowess.cli.parsing import Parser
    from prowess.host.setup import Setup
    from prowess.workflow.attending import Question
    from prowess.workflow.records import Run, StepRow
    from prowess.workflow.records_database import RunDatabase

HERE = "default: the folder you stand in, none above it"
STATUS = {"completed": 0, "failed": 1, "cancelled": 1, "attention": 1}


def add_config(parser: Parser) -> None:
    """`--config`, for every verb that knows of runs."""
    parser.add_argument(
        "--config", metavar="PATH", default=".", help=f"a prowess.toml, its folder, or workflows ({HERE})"
    )


def setup(path: str) -> Setup:
    """The configuration at PATH. Raises NotFound where it has no workflows."""
    from prowess.cli import targets
    from prowess.host.setup import setup_of

    targets.told(path, "config", "units", "content", "skills", "skill", "workflows")
    found = setup_of(path)
    if not found.workflows.paths:
        hint = '[workflows] and paths = ["workflows"] in prowess.toml; --config says where it is'
        raise NotFound(f"{printable(path, 300)} has no workflows", hint=hint)
    return found


def database(found: Setup) -> RunDatabase:
    """Where its runs are kept."""
    from prowess.workflow.provider import where_of
    from prowess.workflow.records_database import RunDatabase

    return RunDatabase(where_of(found.workflows))


def cleaner(found: Setup) -> Callable[[Any], Any]:
    """What masks secrets before they are kept."""
    from prowess.call.redaction import redacted
    from prowess.redact import Redactor

    redactor = Redactor((), personal=found.redaction.personal)
    return lambda value: redacted(value, redactor.text)


def plain(run: Run, steps: Mapping[str, StepRow] | None = None) -> dict[str, Any]:
    """A run as JSON."""
    said: dict[str, Any] = {
        name: getattr(run, name)
        for name in (
            "run",
            "workflow",
            "version",
            "queue",
            "state",
            "principal",
            "created",
            "started",
            "ended",
        )
    }
    said["worker"] = run.executor
    if run.retry_of:
        said["retry_of"] = run.retry_of
    if run.state == "completed":
        said["output"] = run.output
    if run.error is not None:
        said["error"] = dict(run.error)
    if steps is not None:
        said["input"] = run.input
        said["steps"] = [
            {name: getattr(each, name) for name in ("step", "kind", "state", "value", "began", "ended")}
            for each in steps.values()
        ]
    return said


def asked(questions: Sequence[Question]) -> dict[str, Any]:
    """What waits to be answered, as JSON; nothing where nothing does."""
    told = [{"step": each.step, "text": each.text, "since": each.since} for each in questions]
    return {"questions": told} if told else {}


def line(run: Run) -> str:
    """A run on one line."""
    import datetime

    when = datetime.datetime.fromtimestamp(run.created).isoformat(" ", "seconds")
    why = f"  {printable(str(run.error.get('message', '')), 120)}" if run.error else ""
    return f"{run.run}  {run.state:9}  {printable(run.title, 80)}  {when}{why}\n"


def told(run: Run, steps: Mapping[str, StepRow]) -> None:
    """A run with its steps, for people."""
    from prowess.workflow.provider_tools import waits_for

    screen.data(line(run))
    for each in steps.values():
        what = ""
        if each.state == "waiting":
            what = "  " + _json({k: v for k, v in waits_for(each).items() if k not in ("step", "kind")})
        elif each.kind != "skip":
            what = "  " + _json(each.value)
        screen.data(f"  {printable(each.step, 120)}  {each.state}{what}\n")
    if run.state == "completed":
        screen.data(f"output {_json(run.output, 10_000)}\n")


def _json(value: Any, longest: int = 200) -> str:
    import json

    return printable(json.dumps(value, ensure_ascii=False), longest)
