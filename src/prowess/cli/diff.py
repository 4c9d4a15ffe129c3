"""`prowess diff A B`: two snapshots, or a package and a snapshot; nothing is started.

A package is its directory, or its `plugin.json` or `mcp.json` alone; then only what that document
declares is compared. A says what was, B what is.
"""

from __future__ import annotations

import os

from prowess.cli import screen, targets
from prowess.errors import PackageRejected, UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from prowess.capability.declared import Part
    from prowess.capability.drift import Drift
    from prowess.capability.runtime_keys import RuntimeKey
    from prowess.cli.parsing import Parser
    from prowess.spec.model import Profile

MORE = """\
A and B: a snapshot file; one of them may be a package: its directory, its plugin.json or its
mcp.json. A package is compared in what it can declare; run-time keys found in it count as a
difference. Exit status: 0 the same, 1 they differ or the plugin is rejected, 2 could not answer."""

DOCUMENTS: dict[str, tuple[Part, ...]] = {"plugin.json": ("plugin",), "mcp.json": ("servers",)}


def add_arguments(parser: Parser) -> None:
    """The arguments of `diff`."""
    from prowess.cli.parsing import add_format, add_profile

    parser.add_argument("a", metavar="A", help="what was")
    parser.add_argument("b", metavar="B", help="what is")
    add_profile(parser)
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Compare and answer."""
    old, new = options.a, options.b
    packages = [each for each in (old, new) if _is_package(each)]
    if len(packages) == 2:
        raise UsageError(
            "two packages: only a snapshot can say what changed",
            hint="prowess snapshot --no-connect --out FILE freezes one of them",
        )
    try:
        drift = _with_package(old, new, options.profile) if packages else _snapshots(old, new)
    except PackageRejected as error:
        from prowess.cli.snapshot import rejected

        return rejected(packages[0], error)
    return answer(drift, options.format)


def answer(drift: Drift, form: str) -> int:
    """Print what differs; 1 if anything does."""
    if form == "json":
        screen.document(drift.to_dict())
    elif drift.empty:
        screen.say("no difference")
    else:
        screen.data(drift.to_text())
    return 0 if drift.empty else 1


def _is_package(path: str) -> bool:
    return os.path.isdir(path) or os.path.basename(path) in DOCUMENTS


def _snapshots(old: str, new: str) -> Drift:
    from prowess.capability.drift import compare
    from prowess.cli.files import read_snapshot

    return compare(read_snapshot(old), read_snapshot(new))


def _with_package(old: str, new: str, profile: Profile) -> Drift:
    from dataclasses import replace

    from prowess.capability.declared import PARTS, compare_declared
    from prowess.cli.files import read_bounded, read_snapshot
    from prowess.source.judging import judge

    package_is_new = not _is_package(old)
    package, other = (new, old) if package_is_new else (old, new)
    snapshot = read_snapshot(other)
    if os.path.isdir(package):
        targets.told(package)
        root, documents, parts = package, tuple(DOCUMENTS), PARTS
    else:
        read_bounded(package)  # whether it can be read at all is a question of its own
        root, name = os.path.split(package)
        root, documents, parts = root or ".", (name,), DOCUMENTS[name]
        screen.say(f"{printable(package, 500)}: a package's {name}; nothing else is compared")
    judgement = judge(root, profile=profile)
    drift = compare_declared(judgement, snapshot, parts=parts, package_is_new=package_is_new)
    return replace(drift, findings=tuple(_findings(root, documents)))


def _findings(root: str, documents: tuple[str, ...]) -> Iterator[RuntimeKey]:
    """The run-time keys in those documents; one that cannot be read has been judged already."""
    from prowess.capability.runtime_keys import runtime_keys
    from prowess.source.directory import DirectorySource
    from prowess.spec.limits import JSON_BYTES
    from prowess.spec.strict_json import Document, parse

    source = DirectorySource(root)
    for name in documents:
        content = source.read(name, JSON_BYTES)
        document = parse(content) if isinstance(content, bytes) else None
        if isinstance(document, Document):
            yield from runtime_keys(document.value, name)
