"""`prowess completion SHELL`: a completion script, written from the verbs' own parsers.

    bash  source <(prowess completion bash)
    zsh   source <(prowess completion zsh)          after compinit
    fish  prowess completion fish | source

The script holds what this version knows and runs nothing when a key is pressed.
"""

from __future__ import annotations

from importlib import import_module

from prowess.cli import VERBS, module_of, screen
from prowess.cli.parsing import Parser, verb_parser

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Action, Namespace

MORE = """\
bash: source <(prowess completion bash)
zsh:  source <(prowess completion zsh), after compinit
fish: prowess completion fish | source"""


def add_arguments(parser: Parser) -> None:
    """The arguments of `completion`."""
    parser.add_argument("shell", metavar="SHELL", choices=tuple(WRITERS), help="bash, zsh or fish")


def run(options: Namespace) -> int:
    """Print the script."""
    screen.data(WRITERS[options.shell](_actions()))
    return 0


Actions = dict[str, list["Action"]]


def _actions() -> Actions:
    """Every verb's options and arguments."""
    return {verb: verb_parser(verb, import_module(module_of(verb))).given for verb in VERBS}


def _words(action: Action, verb: str) -> list[str]:
    """The words that may stand as this action's value; none means a file."""
    if verb == "explain" and not action.option_strings:
        from prowess.spec.rules import RULES

        return sorted(RULES)
    return [str(each) for each in action.choices or ()]


def _options(actions: list[Action]) -> list[Action]:
    return [each for each in actions if each.option_strings]


def _takes_value(action: Action) -> bool:
    return action.nargs != 0


def _argument_words(actions: list[Action], verb: str) -> list[str]:
    """Words for the arguments that are no options; none means files."""
    return [word for each in actions if not each.option_strings for word in _words(each, verb)]


def bash(verbs: Actions) -> str:
    """For bash: one function, one case for each verb and for each option with words of its own."""
    lines = [
        "# prowess completion for bash",
        "_prowess() {",
        '    local word="${COMP_WORDS[COMP_CWORD]}" before="${COMP_WORDS[COMP_CWORD-1]}" words=""',
        "    COMPREPLY=()",
        "    if [ $COMP_CWORD -eq 1 ]; then",
        f'        COMPREPLY=($(compgen -W "{" ".join(verbs)} --help --version" -- "$word"))',
        "        return",
        "    fi",
        '    case "${COMP_WORDS[1]} $before" in',
    ]
    for verb, actions in verbs.items():
        for option in filter(_takes_value, _options(actions)):
            pattern = "|".join(f"{verb}\\ {name}" for name in option.option_strings)
            words = " ".join(_words(option, verb))
            reply = f'-W "{words}"' if words else "-f"
            lines.append(f'        {pattern}) COMPREPLY=($(compgen {reply} -- "$word")); return ;;')
    lines += ["    esac", '    case "${COMP_WORDS[1]}" in']
    for verb, actions in verbs.items():
        names = [name for each in _options(actions) for name in each.option_strings]
        lines.append(f'        {verb}) words="{" ".join([*_argument_words(actions, verb), *names])}" ;;')
    lines += [
        "    esac",
        '    COMPREPLY=($(compgen -W "$words" -- "$word") $(compgen -f -- "$word"))',
        "}",
        "complete -o filenames -F _prowess prowess",
    ]
    return "\n".join(lines) + "\n"


def zsh(verbs: Actions) -> str:
    """For zsh: `_arguments` for each verb."""
    lines = ["#compdef prowess", "_prowess() {", "    local -a verbs", "    verbs=("]
    lines += [f"        {_quoted(f'{verb}:{about}')}" for verb, about in VERBS.items()]
    lines += [
        "    )",
        "    if (( CURRENT == 2 )); then",
        "        _describe verb verbs",
        "        return",
        "    fi",
        "    local verb=$words[2]",
        "    shift words; (( CURRENT-- ))",
        "    case $verb in",
    ]
    for verb, actions in verbs.items():
        specs = [_quoted(spec) for action in actions for spec in _zsh_specs(action, verb)]
        lines.append(f"        {verb}) _arguments {' '.join(specs)} ;;")
    return "\n".join([*lines, "    esac", "}", "compdef _prowess prowess"]) + "\n"


def _zsh_specs(action: Action, verb: str) -> list[str]:
    words = _words(action, verb)
    value = f"({' '.join(words)})" if words else "_files"
    if not action.option_strings:
        many = "*" if action.nargs == "+" else ""
        return [f"{many}:{action.dest}:{value}"]
    about = (action.help or "").translate({ord("["): "(", ord("]"): ")", ord(":"): ","})
    rest = f":{action.dest}:{value}" if _takes_value(action) else ""
    return [f"{name}[{about}]{rest}" for name in action.option_strings]


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\\''") + "'"


def fish(verbs: Actions) -> str:
    """For fish: one `complete` line for each verb and option."""
    lines = ["# prowess completion for fish"]
    lines += [
        f"complete -c prowess -f -n __fish_use_subcommand -a {verb} -d {_quoted(about)}"
        for verb, about in VERBS.items()
    ]
    for verb, actions in verbs.items():
        seen = f"complete -c prowess -n '__fish_seen_subcommand_from {verb}'"
        words = _argument_words(actions, verb)
        if words:
            lines.append(f"{seen} -f -a {_quoted(' '.join(words))}")
        lines += [f"{seen} {_fish_option(each, verb)}" for each in _options(actions)]
    return "\n".join(lines) + "\n"


def _fish_option(action: Action, verb: str) -> str:
    names = " ".join(f"-l {n[2:]}" if n.startswith("--") else f"-s {n[1:]}" for n in action.option_strings)
    words = _words(action, verb)
    value = f" -x -a {_quoted(' '.join(words))}" if words else " -r" if _takes_value(action) else ""
    return f"{names}{value} -d {_quoted(action.help or '')}"


WRITERS = {"bash": bash, "zsh": zsh, "fish": fish}
