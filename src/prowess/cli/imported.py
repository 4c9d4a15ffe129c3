"""`prowess import status`, `update` and `review`: skills that were imported, as they stand now."""

from __future__ import annotations

from prowess.cli import screen
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.author.importing_places import Imported
    from prowess.author.importing_standing import Standing
    from prowess.author.scan import Finding
    from prowess.cli.scan import Settle


async def status(options: Namespace) -> int:
    """Which are stale, unreachable or edited; 1 when any is."""
    from prowess.author.importing_standing import standing
    from prowess.cli.import_ import chosen

    stands = [
        await standing(each, timeout=options.timeout, on_start=lambda start: screen.say(str(start)))
        for each in chosen(options.uris, options)
    ]
    if options.format == "json":
        screen.document([_plain(each) for each in stands])
    else:
        screen.data("".join(f"{line}\n" for each in stands for line in _lines(each)))
        if not stands:
            screen.say("no imported skills")
    return 1 if any(each.state != "fresh" or each.edited for each in stands) else 0


def _lines(stand: Standing) -> list[str]:
    of = stand.imported
    words = stand.state + (", edited here" if stand.edited else "")
    origin = f"{of.place.name}, from {printable(of.provenance.source, 200)}, {of.provenance.date}"
    told = [f"{of.skill.name}  ({origin}): {words}"]
    told += [f"    {each}" for each in stand.changed]
    return told + ([f"    {printable(stand.reason, 300)}"] if stand.reason else [])


def _plain(stand: Standing) -> dict[str, object]:
    of = stand.imported
    return {
        "skill": of.skill.name,
        "place": of.place.name,
        "directory": of.directory,
        "from": of.provenance.source,
        "at": of.provenance.date,
        "state": stand.state,
        "changed": list(stand.changed),
        "reason": stand.reason,
        "edited": stand.edited,
    }


async def update(options: Namespace) -> int:
    """Read again what was read then, show the difference, ask again."""
    from prowess.author.importing_opening import recorded
    from prowess.author.importing_standing import asked_for
    from prowess.cli.import_ import chosen, decide, proposed
    from prowess.errors import UsageError

    if not options.uris:
        raise UsageError("no skill is named", hint="prowess import update NAME; status says which are stale")
    worst = 0
    for each in chosen(options.uris, options):
        said, wanted = asked_for(each)
        reference = recorded(each.provenance.source, each.place)
        proposal = await proposed(reference, said, wanted, each.place, options)
        worst = max(worst, decide(proposal, options))
    return worst


async def review(options: Namespace) -> int:
    """Scan again, and show what differs from what somebody agreed to; 1 when there is anything."""
    from prowess.cli.import_ import chosen
    from prowess.cli.scan import settling

    settle, extra = settling(options.suppressions)
    found = [(each, *_reviewed(each, settle)) for each in chosen(options.uris, options)]
    if options.format == "json":
        from prowess.cli.scan import plain

        screen.document(
            [
                {
                    "skill": each.skill.name,
                    "directory": each.directory,
                    "agreed": agreed,
                    "difference": changes,
                    "findings": [plain(one) for one in findings],
                }
                for each, agreed, changes, findings in found
            ]
        )
    else:
        for each, agreed, changes, findings in found:
            _show(each, agreed, changes, findings)
    open_ones = [one for _, _, _, findings in found for one in findings if not one.reason]
    return 1 if open_ones or extra or any(changes or not agreed for _, agreed, changes, _ in found) else 0


def _reviewed(each: Imported, settle: Settle) -> tuple[bool, list[str], tuple[Finding, ...]]:
    """Whether an approval is known that is of these very files or of others, what differs, what is found."""
    from prowess.author.importing_proposing import difference
    from prowess.author.importing_standing import is_edited
    from prowess.author.importing_writing import read_skill, remembered
    from prowess.author.scan import scan_files

    files = read_skill(each.directory)
    agreed = remembered(each.directory)
    changes = difference(agreed.files, files, words=("as agreed", "as it is")) if agreed is not None else []
    return agreed is not None or not is_edited(each), changes, settle(scan_files(files))


def _show(each: Imported, agreed: bool, changes: list[str], findings: tuple[Finding, ...]) -> None:
    from prowess.cli.scan import lines

    state = "as agreed" if agreed and not changes else "changed since somebody agreed"
    screen.data(f"{each.skill.name}  ({each.place.name}): {state}, {len(findings)} findings\n")
    screen.data("".join(f"    {screen.safe(line)}\n" for line in changes))
    screen.data("".join(f"{line}\n" for one in findings for line in lines(one)))
