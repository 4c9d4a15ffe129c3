"""Who was wanted and who came, as a picture: a confusion matrix in SVG. Pure.

A row for each capability that was wanted, a column for each that came, `nobody` among both. The number
stands in each cell, so that colour is never the only sign; the title and the description say in words
what it shows; text is text. Of many capabilities those are shown that something went wrong with.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from prowess.evaluate.trials_report import Report
from prowess.evaluate.trigger_junit import xml_text

MOST = 30  # rows
NOBODY = "nobody"
_CELL, _LETTER, _NAME = 34, 7, 26  # pixels of a cell and of a letter, letters of a name
_LEAST = 310  # pixels; what is written below has to fit
_RIGHT, _WRONG, _PLAIN = "#1b7f4d", "#b3402a", "#f4f4f2"

Cells = Mapping[tuple[str, str], float]


def matrix(report: Report) -> str:
    """The picture."""
    cells = _cells(report)
    names, left_out = _shown(cells, [*(each.id for each in report.skills), NOBODY])
    edge = max((len(_short(each)) for each in names), default=0) * _LETTER + 16
    side = edge + len(names) * _CELL
    width = max(side + 16, _LEAST)
    title = f"Wanted and chosen: {report.selector.measures}, {report.selector.title}"
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {side + 40}" '
        f'width="{width}" height="{side + 40}" role="img" '
        'aria-labelledby="title description" font-family="sans-serif" font-size="12">',
        f'<title id="title">{xml_text(title)}</title>',
        f'<desc id="description">{xml_text(_words(cells, report, left_out))}</desc>',
        f'<rect width="{width}" height="{side + 40}" fill="#ffffff"/>',
        f'<text x="8" y="{side + 24}" fill="#333333">Rows: wanted. Columns: chosen. Numbers: cases.</text>',
        *_names(names, edge),
        *_rows(names, cells, edge),
        "</svg>",
    ]
    return "\n".join(lines) + "\n"


def _cells(report: Report) -> Cells:
    """How many cases of each pair; a case counts once, shared by its runs.

    Who else came where a near miss of one skill was asked for is neither right nor wrong, and left out.
    """
    cells: dict[tuple[str, str], float] = {}
    for trial in report.trials:
        if not trial.answered or trial.case.kind == "boundary":
            continue
        wanted = trial.case.expect[0] if trial.case.expect else NOBODY
        for got, count in trial.first.items():
            if trial.case.skill and got not in (None, trial.case.skill, *trial.case.expect):
                continue
            pair = (str(got) if got in trial.case.expect else wanted, got or NOBODY)
            cells[pair] = cells.get(pair, 0.0) + count / len(trial.answers)
    return cells


def _shown(cells: Cells, names: Sequence[str]) -> tuple[list[str], int]:
    """The names with something in their row or column; of too many those most often confused."""
    here = [each for each in names if any(each in pair for pair in cells)]
    if len(here) <= MOST:
        return here, 0
    wrong = dict.fromkeys(here, 0.0)
    for pair, count in cells.items():
        for name in pair if pair[0] != pair[1] else ():
            wrong[name] += count
    kept = sorted(here, key=lambda each: -wrong[each])[:MOST]
    return [each for each in here if each in kept], len(here) - MOST


def _words(cells: Cells, report: Report, left_out: int) -> str:
    right = sum(count for (wanted, got), count in cells.items() if wanted == got)
    wrong = sorted(((n, *pair) for pair, n in cells.items() if pair[0] != pair[1]), key=lambda e: (-e[0], e))
    said = f"{right:g} of {sum(cells.values()):g} cases came out as wanted."
    if wrong:
        pairs = (f"{got} instead of {wanted} in {count:g}" for count, wanted, got in wrong[:5])
        said += f" Most often confused: {'; '.join(pairs)}."
    lost = len(report.trials) - report.answered
    said += f" {lost} cases have no answer and are not shown." if lost else ""
    return said + (f" {left_out} capabilities that were seldom confused are left out." if left_out else "")


def _names(names: Sequence[str], edge: int) -> Iterator[str]:
    for at, name in enumerate(names):
        middle = edge + at * _CELL + _CELL // 2
        text = xml_text(_short(name))
        yield f'<text x="{edge - 6}" y="{middle + 4}" text-anchor="end" fill="#111111">{text}</text>'
        turned = f'transform="translate({middle + 4},{edge - 6}) rotate(-90)"'
        yield f'<text {turned} fill="#111111">{text}</text>'


def _rows(names: Sequence[str], cells: Cells, edge: int) -> Iterator[str]:
    for down, wanted in enumerate(names):
        whole = sum(cells.get((wanted, each), 0.0) for each in names) or 1.0
        for across, got in enumerate(names):
            count = cells.get((wanted, got), 0.0)
            x, y = edge + across * _CELL, edge + down * _CELL
            fill = (_RIGHT if wanted == got else _WRONG) if count else _PLAIN
            strength = f' fill-opacity="{0.15 + 0.85 * count / whole:.2f}"' if count else ""
            box = f'x="{x + 1}" y="{y + 1}" width="{_CELL - 2}" height="{_CELL - 2}"'
            yield f'<rect {box} fill="{fill}"{strength}/>'
            if count:
                ink = "#ffffff" if count / whole > 0.5 else "#111111"
                place = f'x="{x + _CELL // 2}" y="{y + _CELL // 2 + 4}"'
                yield f'<text {place} text-anchor="middle" fill="{ink}">{count:.3g}</text>'


def _short(name: str) -> str:
    return name if len(name) <= _NAME else name[: _NAME - 1] + "…"
