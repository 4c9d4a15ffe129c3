"""A template served from its own body: one text for all values, with the variables put in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from prowess.content.files import Files
from prowess.content.media_types import MARKDOWN
from prowess.content.model import Content, Given, plain
from prowess.content.placeholders import filled


class BodyValues:
    """The body of the file at `path`; `{section}` in it becomes the variable's value, or nothing."""

    def __init__(self, body: str, variables: Sequence[str], type: str, files: Files, path: str) -> None:
        self._variables = tuple(variables)
        self.type = type or MARKDOWN
        self._body = body
        self._files = files
        self._path = path

    async def read(self, given: Given, timeout: float) -> Content | None:
        """The text for these variables; there is none where they are all undefined. Raises Unreadable."""
        values = plain(given)
        if not any(values.values()):
            return None
        return Content(
            filled(self._body, {each: values.get(each, "") for each in self._variables}), self.type
        )

    def complete(self, variable: str, given: Mapping[str, str]) -> Sequence[str]:
        """Any value will do, so none is known."""
        return ()

    def known(self) -> Iterator[Given]:
        """None in particular."""
        return iter(())

    def stamp(self, given: Given) -> str:
        """That of the file."""
        return self._files.stamp(self._path)
