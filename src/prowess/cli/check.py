"""`prowess check PATH...`: judge packages without starting anything."""

from __future__ import annotations

import os

from prowess.cli import screen, targets
from prowess.errors import UsageError
from prowess.spec.diagnostics import Reach

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable, Iterator

    from prowess.cli.parsing import Parser
    from prowess.cli.verdict import Tally, Verdict
    from prowess.spec.diagnostics import Diagnostic
    from prowess.spec.model import Judgement, Profile

MORE = """\
A finding's reach is how far its fault goes, narrowest first: advice, note, connection,
entry (one skill or server is skipped), component (all skills or all servers are), plugin.
Exit status: 0 nothing at or above --fail-on, 1 something, 2 could not answer."""

# Where a plugin has workflows of ours: as its author wrote them, and as they were packed.
WORKFLOWS = ("workflows", "dev.prowess/workflows")
FORMATS = ("text", "json", "sarif", "github", "load-report")


def add_arguments(parser: Parser) -> None:
    """The arguments of `check`."""
    from prowess.cli.parsing import add_format, add_local, add_profile

    parser.add_argument(
        "paths",
        metavar="PATH",
        nargs="+",
        help="a plugin's directory, a skill, a folder of skills, units, content or workflows",
    )
    add_profile(parser)
    add_local(parser)
    parser.add_argument(
        "--fail-on",
        choices=[each.word for each in Reach],
        default=Reach.ENTRY.word,
        help="the narrowest reach that makes the answer no (default entry)",
    )
    add_format(parser, *FORMATS)


def run(options: Namespace) -> int:
    """Judge every path, write the report, answer."""
    from prowess.cli.verdict import Tally

    paths = [targets.placed(each, "units") for each in options.paths]
    paths += targets.local(options, quietly=True)  # each is told of when it is judged
    if options.format == "load-report" and len(paths) != 1:
        raise UsageError("load-report is one object for one plugin", hint="name exactly one PATH")
    tally = Tally()
    _writer(options.format)(_judged(paths, options, tally), tally)
    return 1 if tally.at_or_above(Reach[options.fail_on.upper()]) else 0


def _judged(paths: list[str], options: Namespace, tally: Tally) -> Iterator[Verdict]:
    """One verdict after another, so that a thousand packages are never in memory together."""
    # The load report is a contract about plugins: every other kind is a rejected plugin there.
    kinds = [
        "plugin"
        if options.format == "load-report"
        else targets.told(each, "skill", "skills", "units", "content", "workflows")
        for each in paths
    ]
    for path, kind in zip(paths, kinds, strict=True):
        verdict = _verdict(path, kind, options.profile)
        if options.format != "load-report":
            from prowess.cli.check_among import advised

            verdict = advised(verdict)
        tally.add(verdict)
        yield verdict


def _verdict(path: str, kind: str, profile: Profile) -> Verdict:
    from prowess.cli.verdict import Verdict
    from prowess.spec.model import Judgement

    if kind == "skills":
        from prowess.source.skills_folder import judge_skills

        folder = judge_skills(path, profile=profile)
        return Verdict(path=path, kind=kind, judgement=folder.judgement, skills=folder.skills)
    if kind == "skill":
        from prowess.source.skills_folder import judge_skill

        one = judge_skill(path, profile=profile)
        return Verdict(path=path, kind="skills", judgement=one.judgement, skills=one.skills)
    if kind == "units":
        from prowess.units.discovery import judge as judge_units

        units = judge_units(path)
        judgement = Judgement(plugin=None, diagnostics=tuple(units.diagnostics), profile=profile)
        return Verdict(path=path, kind=kind, judgement=judgement, units=len(units.units) + units.marked)
    if kind == "content":
        from prowess.content.judging import judge as judge_content

        content = judge_content(path)
        judgement = Judgement(plugin=None, diagnostics=tuple(content.diagnostics), profile=profile)
        return Verdict(path=path, kind=kind, judgement=judgement, content=content.counts)
    if kind == "workflows":
        from prowess.workflow.judging import judge as judge_workflows

        found = judge_workflows(path)
        judgement = Judgement(plugin=None, diagnostics=found.diagnostics, profile=profile)
        return Verdict(path=path, kind=kind, judgement=judgement, workflows=len(found.workflows))
    from prowess.source.judging import judge

    judgement = _with_advice(path, judge(path, profile=profile))
    skills = judgement.plugin.skills if judgement.plugin else ()
    return Verdict(path=path, kind="plugin", judgement=judgement, skills=skills)


def _with_advice(path: str, judgement: Judgement) -> Judgement:
    """What the specification says nothing about and a plugin may hold all the same: prompts, workflows."""
    more: list[Diagnostic] = []
    if judgement.plugin is not None and os.path.isdir(os.path.join(path, "prompts")):
        from prowess.content.judging import advice_for_plugin

        more += advice_for_plugin(path)
    if judgement.plugin is not None:
        more += _of_workflows(path)
    if not more:
        return judgement
    from dataclasses import replace

    return replace(judgement, diagnostics=(*judgement.diagnostics, *more))


def _of_workflows(path: str) -> Iterator[Diagnostic]:
    """Of `workflows/` only where a file of it has steps: it may be about something else."""
    for each in WORKFLOWS:
        folder = os.path.join(path, each)
        if os.path.isdir(folder):
            from prowess.workflow.judging import judge
            from prowess.workflow.recognising import holds_workflows

            if each.startswith("dev.prowess/") or holds_workflows(folder):
                yield from judge(path, each).diagnostics


def _writer(form: str) -> Callable[[Iterable[Verdict], Tally], None]:
    if form == "text":
        from prowess.cli import text

        return text.write
    if form == "sarif":
        from prowess.cli import sarif

        return sarif.write
    if form == "github":
        from prowess.cli import github

        return github.write
    return _write_json if form == "json" else _write_load_report


def _write_json(verdicts: Iterable[Verdict], tally: Tally) -> None:
    packages = [_package(each) for each in verdicts]
    reaches = {reach.word: count for reach, count in tally.reaches.items()}
    summary = {"packages": tally.packages, "rejected": tally.rejected, "reaches": reaches}
    screen.document({"format": 1, "packages": packages, "summary": summary})


def _package(verdict: Verdict) -> dict[str, object]:
    from prowess.cli.verdict import as_dict

    judgement = verdict.judgement
    manifest = judgement.plugin.manifest if judgement.plugin else None
    plugin = {"name": manifest.name, "version": manifest.version, "spec": manifest.spec} if manifest else None
    return {
        "path": verdict.path,
        "kind": verdict.kind,
        "profile": judgement.profile,
        "rejected": judgement.rejected is not None,
        "plugin": plugin,
        "skills": {"loaded": len(verdict.skills), "bySpecification": judgement.strict_skills},
        "mcpServers": verdict.servers,
        **({"units": verdict.units} if verdict.kind == "units" else {}),
        **({"content": verdict.content} if verdict.kind == "content" else {}),
        **({"workflows": verdict.workflows} if verdict.kind == "workflows" else {}),
        "diagnostics": [as_dict(each) for each in judgement.diagnostics],
    }


def _write_load_report(verdicts: Iterable[Verdict], tally: Tally) -> None:
    for verdict in verdicts:
        judgement = verdict.judgement
        fault, plugin = judgement.rejected, judgement.plugin
        screen.document(
            {
                "rejected": f"{fault.place}: {fault.message}" if fault else None,
                "loaded": {
                    "skills": [each.name for each in plugin.skills] if plugin else [],
                    "mcpServers": [each.id for each in plugin.servers] if plugin else [],
                },
                "skipped": [{"what": each.subject} for each in judgement.skipped],
                "reported": [{"field": each} for each in judgement.reported],
            }
        )
