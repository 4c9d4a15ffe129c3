"""The option `--scope`, and which packages a verb is about."""

from __future__ import annotations

from prowess.cli import screen
from prowess.errors import NotFound

TYPE_CHECKING = False
if TYPE_CHECKING:
    from argparse import Namespace

    from prowess.cli.parsing import Parser
    from prowess.store.installed import Scope
    from prowess.store.lock import Installed


def add_scope(parser: Parser) -> None:
    """`--scope`, for every verb about installed packages."""
    parser.add_argument(
        "--scope",
        choices=("project", "user"),
        help="project: the prowess.lock of this directory; user: yours, everywhere "
        "(default: the project, where there is a prowess.toml or prowess.lock)",
    )


def scope_to_change(options: Namespace) -> Scope:
    """Where something new is installed."""
    from prowess.store.installed import is_project, project, user

    if options.scope is not None:
        return project() if options.scope == "project" else user()
    scope = project() if is_project() else user()
    said = "this project" if scope.name == "project" else "you, in every directory"
    screen.say(f"installs for {said} (--scope says otherwise)")
    return scope


def scopes(options: Namespace) -> tuple[Scope, ...]:
    """Where a verb looks, the project first."""
    from prowess.store.installed import project, user

    if options.scope is None:
        return project(), user()
    return (project() if options.scope == "project" else user(),)


def named(options: Namespace) -> tuple[Scope, Installed]:
    """The package that NAME means. Raises NotFound."""
    from prowess.store.installed import PREFIX, found

    return found(options.name.removeprefix(PREFIX), scopes(options))


def all_installed(options: Namespace) -> list[tuple[Scope, Installed]]:
    """Every package of the scopes, by name."""
    return [(scope, one) for scope in scopes(options) for _, one in sorted(scope.read().installed.items())]


def chosen(options: Namespace) -> list[tuple[Scope, Installed]]:
    """The package that NAME means, or all. Raises NotFound where there is none."""
    if options.name is not None:
        return [named(options)]
    found = all_installed(options)
    if not found:
        raise NotFound("nothing is installed", hint="prowess add SOURCE")
    return found
