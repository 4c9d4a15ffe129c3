"""The command line: finds the verb, runs it, and turns whatever happens into an exit status.

    0  yes      1  the answer is no      2  could not answer      130  Ctrl-C

stdout is data, stderr is for people. A verb is one file here with `add_arguments(parser)` and
`run(options) -> int`, imported when it is asked for: `--help` and `--version` import no verb at
all. What a verb does is its own file's matter.
"""

from __future__ import annotations

import gc
import sys

GARBAGE_AFTER = 50_000  # objects; the interpreter begins at 700

VERBS = {
    "check": "judge packages without starting anything",
    "explain": "the page of one rule, or the list of all",
    "snapshot": "bring a plugin up and print what is on offer",
    "verify": "bring a plugin up and compare with a frozen snapshot",
    "diff": "compare two snapshots, or a package with a snapshot",
    "scan": "what a person should look at twice before a model reads it",
    "schema": "our JSON Schemas of plugin.json, mcp.json, snapshots, units and workflows",
    "show": "a skill's text, or one of its files",
    "tools": "the tools that a model may use now, also as a provider's definitions",
    "call": "use a tool: validated, allowed, attempted, recorded",
    "serve": "everything that is offered, for any MCP client",
    "console": "look at it in a browser, on this machine",
    "workbench": "format and compare as one HTML file that works from a disk",
    "connect": "a client's own configuration, so that it starts `prowess serve`",
    "export": "the tools as definitions for a model, or as MCP lists them",
    "activate": "a skill as a model gets it",
    "skills": "the skills of plugins and of their servers; approve one of a server",
    "search": "the few capabilities that a query is about, within a budget of tokens",
    "catalogue": "the capabilities as text for a system prompt",
    "improve": "better wording for a skill or a unit, from cases and from call records",
    "units": "skill units: list them, show one and what it may reach",
    "test": "try units: their examples, schemas, faults, and what of their code ran",
    "readiness": "what each unit still lacks before it is released",
    "trigger": "whether each capability is found when it should be, and left alone when not",
    "workflow": "check workflows before they run, or draw one",
    "run": "start a run of a workflow, and wait for it if you like",
    "runs": "runs of workflows: list, show, approve, cancel, resume, retry, rates",
    "worker": "work on runs of workflows until told to stop",
    "new": "write a plugin, a skill, a unit, content or a workflow to begin with",
    "fixtures": "freeze what was reviewed, and verify that it is still so",
    "pack": "a project as one package for every client, and its archives",
    "convert": "another client's layout as an Agent Plugins package",
    "import": "what a server knows as a local skill, after you have read it; status, update, review",
    "add": "install a package, after saying what it will be able to do",
    "list": "the packages that are installed",
    "info": "one installed package: what it may do, where it came from, where its data is",
    "update": "installed packages as their sources have them now, and what that changes",
    "remove": "take an installed package away",
    "sync": "make what is installed what prowess.lock says",
    "audit": "hold what is installed against prowess.lock",
    "calls": "what was called: lists, a summary, one trace as a story",
    "pins": "tools as they were seen first: list, approve what changed, reset",
    "approvals": "calls that wait for a yes: list, approve, refuse",
    "credentials": "which server may have which credential: list, approve what changed, sign in",
    "rollout": "which version of a unit who gets: status, set, promote, rollback",
    "completion": "a completion script for your shell",
}

# The verbs that may start servers: what these leave behind is ours to end.
STARTING = frozenset(
    {
        "snapshot",
        "verify",
        "tools",
        "call",
        "pins",
        "serve",
        "console",
        "export",
        "activate",
        "skills",
        "search",
        "catalogue",
        "improve",
        "trigger",
        "add",
        "update",
        "audit",
        "import",
        "run",
        "worker",
    }
)

ABOUT = """\
usage: prowess VERB ... | --help | --version

Turns a directory into capabilities that an agent can use, and proves it.

"""

CLOSING = """
prowess VERB --help tells more about one verb.
Exit status: 0 yes, 1 the answer is no, 2 could not answer.
"""


def main(argv: list[str] | None = None) -> int:
    """Run one command line; the exit status. Never raises but for SystemExit of nobody's making.

    Without `argv` this is a process of our own. Most are over before there is garbage to find, and
    looking for it among all that was imported, on the way and once more at the end, takes longer
    than judging a package: the first look comes late, and what is left at the end is not looked at.
    """
    if argv is not None:
        return _answer(argv)
    gc.set_threshold(GARBAGE_AFTER)
    try:
        if sys.argv[1:2] and sys.argv[1] in STARTING:
            from prowess.cli.orphans import adopting

            with adopting():
                return _answer(sys.argv[1:])
        return _answer(sys.argv[1:])
    finally:
        gc.freeze()


def _answer(arguments: list[str]) -> int:
    from prowess.cli import screen

    screen.prepare()
    try:
        status = _dispatch(arguments)
        screen.flush()
    except KeyboardInterrupt:
        return 130
    except SystemExit as leaving:  # argparse, after --help
        return leaving.code if isinstance(leaving.code, int) else 2
    except Exception as error:  # noqa: BLE001  # boundary: nobody reads a traceback to learn of a wrong path
        return _could_not_answer(error)
    return status


def _dispatch(arguments: list[str]) -> int:
    from prowess.cli import screen

    verb = arguments[0] if arguments else ""
    if verb in ("-h", "--help", "help"):
        screen.data(overview())
        return 0
    if verb == "--version":
        from prowess import __version__

        screen.data(f"prowess {__version__}\n")
        return 0
    if verb not in VERBS:
        raise _no_such_verb(verb)
    from importlib import import_module

    from prowess.cli.parsing import verb_parser

    module = import_module(module_of(verb))
    result: int = module.run(verb_parser(verb, module).parse_args(arguments[1:]))
    return result


def module_of(verb: str) -> str:
    """The module of a verb; one whose name is a word of Python's own has a line below it."""
    return f"prowess.cli.{verb}_" if verb == "import" else f"prowess.cli.{verb}"


def overview() -> str:
    """What `prowess --help` says."""
    width = max(map(len, VERBS)) + 2
    return ABOUT + "".join(f"  {verb:{width}}{line}\n" for verb, line in VERBS.items()) + CLOSING


def _no_such_verb(verb: str) -> Exception:
    from prowess.errors import UsageError
    from prowess.redact import printable

    if not verb:
        return UsageError("no verb given", hint=f"one of {', '.join(VERBS)}; prowess --help")
    from difflib import get_close_matches

    near = get_close_matches(verb, VERBS, 1)
    hint = f"did you mean {near[0]}?" if near else f"one of {', '.join(VERBS)}"
    return UsageError(f"no verb named {printable(verb, 60)}", hint=hint)


def _could_not_answer(error: Exception) -> int:
    from prowess.cli import screen
    from prowess.errors import ProwessError
    from prowess.redact import printable

    if isinstance(error, ProwessError):
        screen.complain(error.message, error.hint)
        return 2
    import os

    if os.environ.get("PROWESS_DEBUG"):
        import traceback

        screen.say("".join(traceback.format_exception(error)).rstrip())
    if isinstance(error, OSError):
        named = f"{printable(str(error.filename), 500)}: " if error.filename else ""
        screen.complain(f"{named}{error.strerror or type(error).__name__}")
    else:
        what = printable(f"{type(error).__name__}: {error}")
        screen.complain(
            f"a fault of prowess itself: {what}",
            "please report it; PROWESS_DEBUG=1 shows where it happened",
        )
    return 2
