"""`prowess call PATH TOOL`: use a tool, validated, allowed and recorded like any other call."""

from __future__ import annotations

from prowess.cli import screen, targets
from prowess.redact import printable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace
    from typing import Any

    from prowess.call.running import CallResult
    from prowess.cli.parsing import Parser
    from prowess.host import Host

MORE = """\
--arg k=v gives a string, --arg k:=JSON any JSON value; --args takes a whole object.
What the policy wants asked is asked on the terminal; without one it is refused and waits.
--json prints {outcome, result, problems, attempts, record}.
Exit status: 0 answered, 1 refused or the tool failed, 2 no answer (timed out, lost, could not ask)."""

STATUS = {"answered": 0, "refused": 1, "tool-failed": 1, "input-required": 1, "timed-out": 2, "lost": 2}


def add_arguments(parser: Parser) -> None:
    """The arguments of `call`."""
    from prowess.cli.parsing import add_format, add_profile, add_startup, seconds

    parser.add_argument("path", metavar="PATH", help="a plugin's directory, a prowess.toml, or units")
    parser.add_argument(
        "tool", metavar="TOOL", help="the tool's name, or SERVER/TOOL; of a unit also TOOL@RANGE"
    )
    parser.add_argument("--args", metavar="JSON", help="the arguments: JSON, @FILE, or - for stdin")
    parser.add_argument("--arg", metavar="K=V", action="append", default=[], help="one argument; may repeat")
    parser.add_argument("--server", metavar="ID", help="start this server only, and use its tool")
    parser.add_argument(
        "--coerce", action="store_true", help='read "5" as 5 where only one reading is possible'
    )
    parser.add_argument(
        "--timeout", type=seconds, metavar="S", help="seconds for the call, attempts included"
    )
    add_startup(parser)
    add_profile(parser)
    add_format(parser, "text", "json")


def run(options: Namespace) -> int:
    """Bring up, call, print, answer."""
    from prowess.cli.arguments import arguments_of
    from prowess.cli.running import run as run_to_the_end

    arguments = arguments_of(options.args, options.arg)
    targets.told(options.path, "config", "units", "content", "workflows")
    return run_to_the_end(_work(options, arguments))


async def _work(options: Namespace, arguments: Any) -> int:
    from prowess.cli.asking import terminal
    from prowess.cli.bringup import brought_up

    only = None if options.server is None else [options.server]
    opened = brought_up(
        options.path, profile=options.profile, timeout=options.startup, only=only, approver=terminal()
    )
    async with opened as host:
        result = await host.call_recorded(
            options.tool, arguments, server=options.server, timeout=options.timeout, coerce=options.coerce
        )
        rest = _rest(host, result)
    if options.format == "json":
        _print_json(result, rest)
    else:
        _print(result, rest)
    return STATUS[result.word]


def _rest(host: Host, result: CallResult) -> list[Any]:
    """The parts after the first: this process ends, so nobody could read on later."""
    parts, page = [], result.page
    while page is not None and page.handle is not None:
        page = host.read_on(page.handle)
        parts.append(page.value)
    return parts


def _print_json(result: CallResult, rest: list[Any]) -> None:
    document = result.to_json()
    if rest:
        document["rest"] = rest
        document["page"]["next"] = None
    screen.document(document)


def _print(result: CallResult, rest: list[Any]) -> None:
    from prowess.call.running import result_of

    for coercion in result.coercions:
        screen.say(f"   read: {coercion.note}")
    if result.word == "answered":
        for part in (result_of(result.outcome), *rest):
            screen.data(_text(part))
    else:
        _complain(result, rest)
    for note in result.notes:
        if not rest or not note.endswith("read on with its handle"):
            screen.say(f"   note: {printable(note, 2_000)}")


def _complain(result: CallResult, rest: list[Any]) -> None:
    from prowess.call.running import result_of

    if not result.problems or getattr(result.outcome, "code", "") != "invalid-arguments":
        said = "\n".join(str(each) for each in (result_of(result.outcome), *rest))
        screen.complain(f"{result.word}: {screen.safe(said)}")
        return
    screen.complain(f"{result.word}: {len(result.problems)} of the arguments' values do not fit")
    for problem in result.problems:
        screen.say(f"   {printable(problem.path, 300) or '/'}: {printable(problem.hint, 2_000)}")


def _text(value: Any) -> str:
    """A result for people: the texts of content blocks as they are, everything else as JSON."""
    import json

    blocks = value if isinstance(value, list) else []
    if blocks and all(isinstance(each, dict) and isinstance(each.get("type"), str) for each in blocks):
        return "".join(_block(each) for each in blocks)
    if isinstance(value, str):
        return screen.safe(value) + "\n"
    return screen.safe(json.dumps(value, ensure_ascii=False, indent=2, default=str)) + "\n"


def _block(block: dict[str, Any]) -> str:
    import json

    if block["type"] == "text" and isinstance(block.get("text"), str):
        text = screen.safe(block["text"])
        return text if text.endswith("\n") else text + "\n"
    data = block.get("data")
    if isinstance(data, str):
        return f"({block['type']}, {printable(str(block.get('mimeType', '')), 80)}, {len(data)} characters)\n"
    return screen.safe(json.dumps(block, ensure_ascii=False)) + "\n"
