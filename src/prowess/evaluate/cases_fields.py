"""One object of a file of cases, asked for its members by type; what is wrong is told with its place."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from prowess.errors import UsageError
from prowess.evaluate.cases_located import Located, wrong
from prowess.redact import printable


class Fields:
    """The members of `located`, which has to be an object; `what` is what it stands for in messages."""

    def __init__(self, located: Located, file: str, what: str = "a case") -> None:
        self.file = file
        self.line = located.line
        if not isinstance(located.value, Mapping):
            raise wrong(
                file, located.line, f"{what} is an object with members, and this is {_named(located.value)}"
            )
        self._held: Mapping[str, Located] = located.value

    def __contains__(self, name: str) -> bool:
        return name in self._held

    @property
    def place(self) -> str:
        """`evals/triggers.yaml:12`."""
        return f"{printable(self.file, 300)}:{self.line}"

    def only(self, known: Iterable[str]) -> None:
        """Raises UsageError for a member that is not among `known`."""
        names = sorted(known)
        for name, each in self._held.items():
            if name not in names:
                near = get_close_matches(name, names, 1)
                hint = f"did you mean {near[0]}?" if near else f"known are {', '.join(names)}"
                raise wrong(self.file, each.line, f"the member {printable(name, 60)} is not known", hint)

    def text(self, *names: str) -> str:
        """The text under the first of `names` that is there; empty for none, and for null."""
        for name in names:
            value = self._held[name].value if name in self._held else None
            if value is not None:
                return self._texted(name, self._held[name])
        return ""

    def word(self, name: str, words: Iterable[str]) -> str:
        """The text under `name`, which is one of `words` or not there."""
        said = self.text(name)
        if said and said not in (known := tuple(words)):
            raise self.wrong(name, f"{name} is {printable(said, 40)}", f"one of {', '.join(known)}")
        return said

    def flag(self, name: str) -> bool:
        """True or false under `name`, which has to be there."""
        value = self._held[name].value if name in self._held else None
        if not isinstance(value, bool):
            raise self.wrong(name, f"{name} is true or false", "without quotation marks")
        return value

    def texts(self, name: str) -> tuple[str, ...]:
        """The list of texts under `name`; empty where it is not there."""
        return tuple(self._texted(name, each) for each in self.items(name))

    def items(self, *names: str) -> list[Located]:
        """The list under the first of `names` that is there; empty for none, and for null."""
        for name in names:
            if name in self._held and self._held[name].value is not None:
                value = self._held[name].value
                if isinstance(value, list):
                    return value
                raise self.wrong(
                    name, f"{name} is a list, and this is {_named(value)}", "write it in brackets: []"
                )
        return []

    def wrong(self, name: str, what: str, hint: str = "") -> UsageError:
        """The error for the member `name`."""
        line = self._held[name].line if name in self._held else self.line
        return wrong(self.file, line, what, hint)

    def _texted(self, name: str, located: Located) -> str:
        if isinstance(located.value, str):
            return located.value
        what = f"{name} is text, and this is {_named(located.value)}"
        raise wrong(self.file, located.line, what, "put it in quotation marks")


def _named(value: object) -> str:
    if value is None or isinstance(value, bool):
        return {None: "null", True: "true", False: "false"}[value]
    kinds: tuple[tuple[type, str], ...] = ((str, "text"), (list, "a list"), (Mapping, "an object"))
    return next((name for kind, name in kinds if isinstance(value, kind)), "a number")
