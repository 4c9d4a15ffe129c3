"""`prowess schema NAME [DOCUMENT]`: our own schemas, printed or tried on a document."""

from __future__ import annotations

from prowess.cli import screen
from prowess.errors import UsageError
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from prowess.author.schemas_judging import SchemaVerdict
    from prowess.cli.parsing import Parser

MORE = """\
Without DOCUMENT the schema is printed, for an editor or a validator. With one, the document is held
against it, and with --official FILE also against a copy of a published schema that you have: both
verdicts are printed, and that they differ is said. A schema knows one file alone; prowess check knows
the package.
Exit status: 0 printed, or every schema accepts; 1 one refuses; 2 could not answer."""


def add_arguments(parser: Parser) -> None:
    """The arguments of `schema`."""
    from prowess.author.schemas import NAMES
    from prowess.cli.parsing import add_format

    parser.add_argument("name", metavar="NAME", choices=NAMES, help=", ".join(NAMES))
    parser.add_argument("document", metavar="DOCUMENT", nargs="?", help="a JSON file (a workflow: YAML)")
    parser.add_argument("--official", metavar="FILE", help="a published schema to run on DOCUMENT too")
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Print the schema, or hold the document against it."""
    import json

    from prowess.author.schemas import schema_of
    from prowess.author.schemas_judging import hold_against

    schema = schema_of(options.name)
    if options.document is None:
        if options.official is not None:
            raise UsageError("--official is run on a DOCUMENT", hint="prowess schema NAME DOCUMENT")
        screen.json_text(json.dumps(schema, indent=2) + "\n")
        return 0
    document = _document(options.document)
    verdicts = {"prowess": hold_against(schema, document)}
    if options.official is not None:
        official = _json(options.official)
        called = printable(options.official, 300)
        verdicts["official"] = hold_against(official, document, called=called)
    _print(verdicts, options)
    return 0 if all(each.fits for each in verdicts.values()) else 1


def _document(path: str) -> Any:
    """What the file holds; YAML is read as the workflows' checker reads it."""
    if not path.endswith((".yaml", ".yml")):
        return _json(path)
    from prowess.cli.files import read_bounded
    from prowess.workflow.located import Wrong, read_located

    found = read_located(read_bounded(path))
    if isinstance(found, Wrong):
        at = f":{found.line}" if found.line else ""
        raise UsageError(f"{printable(path, 300)}{at}: {found.message}", hint=found.hint)
    return found.plain


def _json(path: str) -> Any:
    from prowess.cli.files import read_bounded
    from prowess.spec.strict_json import Malformed, parse

    found = parse(read_bounded(path))
    if isinstance(found, Malformed):
        at = f":{found.line}" if found.line else ""
        raise UsageError(f"{printable(path, 300)}{at}: is not JSON: {found.reason}")
    return found.value


def _print(verdicts: dict[str, SchemaVerdict], options: Namespace) -> None:
    fits = {name: each.fits for name, each in verdicts.items()}
    if options.format == "json":
        faults = {
            name: [{"pointer": pointer, "message": message} for pointer, message in each.faults]
            for name, each in verdicts.items()
        }
        screen.document({"schema": options.name, "accepts": fits, "faults": faults})
    else:
        for name, each in verdicts.items():
            screen.data(f"{name}: {'accepts' if each.fits else 'refuses'}\n")
            screen.data("".join(f"  {pointer or '/'}: {message}\n" for pointer, message in each.faults))
    if len(set(fits.values())) > 1:
        screen.say("the two schemas differ about this document; please report it")
