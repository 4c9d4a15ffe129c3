"""`prowess scan PATH...`: what a person should look at twice before a model reads it. Nothing is run."""

from __future__ import annotations

import os

from prowess.cli import screen, targets
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable, Iterable, Sequence

    from prowess.author.scan import Finding
    from prowess.author.scan_reading import Scanned
    from prowess.cli.parsing import Parser

    Settle = Callable[[Sequence[Finding]], tuple[Finding, ...]]

MORE = """\
PATH is a skill, a plugin, any directory, or one file. Every file is read, and what is encoded in it is
decoded. A finding is no proof, and none is no promise: prowess explain RULE says what each means.
FILE holds what you have looked at and mean to keep, each with a reason; nothing in PATH can do that.
Exit status: 0 no finding, 1 findings, 2 could not answer."""

FORMATS = ("text", "json", "sarif", "github")


def add_arguments(parser: Parser) -> None:
    """The arguments of `scan`."""
    from prowess.cli.parsing import add_format, add_local

    parser.add_argument("paths", metavar="PATH", nargs="+", help="a directory or a file")
    add_suppressions(parser)
    add_local(parser)
    add_format(parser, *FORMATS)


def add_suppressions(parser: Parser) -> None:
    """`--suppressions`, for every verb that scans."""
    parser.add_argument(
        "--suppressions", metavar="FILE", help="findings that are meant, with reasons ([[suppress]] in TOML)"
    )


def run(options: Namespace) -> int:
    """Scan every path, write the report, answer."""
    settle, extra = settling(options.suppressions)
    paths = [*options.paths, *targets.local(options)]
    if options.format == "text":
        return _as_text(paths, settle, extra)
    scanned = [(path, _settled(path, settle)) for path in paths]
    open_ones = [each for _, one in scanned for each in one.findings if not each.reason]
    if options.format == "json":
        screen.document(_document(scanned, extra))
    else:
        _write(options.format, scanned)
    return 1 if open_ones or extra else 0


def settling(file: str | None) -> tuple[Settle, tuple[Finding, ...]]:
    """What settles findings by the suppressions in `file`, and what is to be said of those themselves."""
    from prowess.author.scan_suppressions import read_suppressions, suppressed, without_reason

    if file is None:
        return tuple, ()
    from prowess.cli.files import read_bounded

    known = read_suppressions(read_bounded(file), source=file)
    return (lambda found: suppressed(found, known)), without_reason(known, file)


def _settled(path: str, settle: Settle) -> Scanned:
    from dataclasses import replace

    from prowess.author.scan_reading import scan_path

    scanned = scan_path(path)
    return replace(scanned, findings=settle(scanned.findings))


def _as_text(paths: list[str], settle: Settle, extra: tuple[Finding, ...]) -> int:
    """Each path's block as soon as it is read, and a summary."""
    files = kept = 0
    found = len(extra)
    for path in paths:
        one = _settled(path, settle)
        open_ones = [each for each in one.findings if not each.reason]
        screen.data(
            f"{printable(path, 500)}: {_count(one.files, 'file')} read, {_count(len(open_ones), 'finding')}\n"
        )
        screen.data("".join(f"{line}\n" for each in one.findings for line in lines(each)))
        files, found, kept = (
            files + one.files,
            found + len(open_ones),
            kept + len(one.findings) - len(open_ones),
        )
    screen.data("".join(f"{line}\n" for each in extra for line in lines(each)))
    screen.data(
        f"\n{_count(files, 'file')}, {_count(found, 'finding')}"
        + (f", {kept} suppressed" if kept else "")
        + "\n"
    )
    return 1 if found else 0


def lines(finding: Finding) -> list[str]:
    """The lines about one finding."""
    import sys

    origin = screen.paint(f"[{finding.rule}]", "dim", sys.stdout)
    place = printable(str(finding.place), 300)
    decoded = f" (decoded: {' > '.join(finding.layers)})" if finding.layers else ""
    told = [f"  {place}: {finding.says}{decoded} {origin}"]
    if finding.excerpt:
        told.append(f"      {finding.excerpt}")
    if finding.reason:
        told.append(f"      suppressed: {finding.reason}")
    return told


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" + ("" if number == 1 else "s")


def plain(finding: Finding) -> dict[str, object]:
    """A finding as JSON."""
    return {
        "rule": finding.rule,
        "file": finding.place.file,
        "line": finding.place.line,
        "says": finding.says,
        "excerpt": finding.excerpt,
        "decoded": list(finding.layers),
        **({"suppressed": finding.reason} if finding.reason else {}),
    }


def _document(scanned: list[tuple[str, Scanned]], extra: Iterable[Finding]) -> dict[str, object]:
    everything = [each for _, one in scanned for each in one.findings]
    kept = sum(bool(each.reason) for each in everything)
    suppressions = [plain(each) for each in extra]
    return {
        "format": 1,
        "packages": [
            {"path": path, "files": one.files, "findings": [plain(each) for each in one.findings]}
            for path, one in scanned
        ],
        "suppressions": suppressions,
        "summary": {"findings": len(everything) - kept + len(suppressions), "suppressed": kept},
    }


def _write(form: str, scanned: list[tuple[str, Scanned]]) -> None:
    """As `check` writes what it finds; what is suppressed is left out."""
    from prowess.cli.verdict import Tally, Verdict
    from prowess.spec.model import Judgement

    verdicts = [
        Verdict(
            path=os.path.normpath(one.root),
            kind="skills",
            judgement=Judgement(
                plugin=None, diagnostics=tuple(each.diagnostic() for each in one.findings if not each.reason)
            ),
        )
        for _, one in scanned
    ]
    if form == "sarif":
        from prowess.cli import sarif

        sarif.write(verdicts, Tally())
    else:
        from prowess.cli import github

        github.write(verdicts, Tally())
