"""A template served from a folder: the variables are the path of a file in it, without `.md`.

Only files that were found by walking are served, so no value can lead anywhere else.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from unicodedata import normalize

from prowess.content.expressions import Value
from prowess.content.files import Files
from prowess.content.markdown import read_markdown
from prowess.content.media_types import MARKDOWN, media_type
from prowess.content.model import Content, Given, as_text
from prowess.content.resources import is_markdown, load
from prowess.content.uri_template import UriTemplate
from prowess.content.uris import stem
from prowess.spec.diagnostics import Diagnostic


class FolderValues:
    """Files by their keys: the path below the folder, in NFC, with and without `.md`."""

    def __init__(self, files: Files, found: Mapping[str, str], template: UriTemplate, type: str) -> None:
        self._files = files
        self._found = dict(found)
        self._variables = template.variables
        self._type = type
        types = {self._type_of(each) for each in self._found.values()}
        self.type = types.pop() if len(types) == 1 else ""

    def _type_of(self, path: str) -> str:
        return self._type or (MARKDOWN if is_markdown(path) else media_type(path))

    def _path(self, given: Given) -> str | None:
        key = "/".join(as_text(given[each]) for each in self._variables if each in given)
        key = normalize("NFC", key)
        return self._found.get(key) or self._found.get(stem(key))

    async def read(self, given: Given, timeout: float) -> Content | None:
        """The file at the variables' path."""
        import asyncio  # on use: whoever only judges needs none of it

        path = self._path(given)
        return None if path is None else await asyncio.to_thread(load, self._files, path, self._type_of(path))

    def complete(self, variable: str, given: Mapping[str, str]) -> Sequence[str]:
        """The parts of paths that stand where the variable does, given those before it."""
        if variable not in self._variables:
            return ()
        at = self._variables.index(variable)
        if len(self._variables) == 1:
            return tuple(sorted(self._found))
        before = [given.get(each, "") for each in self._variables[:at]]
        parts = (each.split("/") for each in self._found)
        fitting = (
            part[at]
            for part in parts
            if len(part) > at
            and all(not said or said == has for said, has in zip(before, part, strict=False))
        )
        return tuple(sorted(set(fitting)))

    def known(self) -> Iterator[Given]:
        """The variables of every file whose path has as many parts as there are variables."""
        count = len(self._variables)
        for key in sorted(self._found):
            parts: list[Value] = [key] if count == 1 else list(key.split("/"))
            if len(parts) == count:
                yield dict(zip(self._variables, parts, strict=True))

    def stamp(self, given: Given) -> str:
        """That of the file."""
        path = self._path(given)
        return "" if path is None else self._files.stamp(path)


def folder_values(
    files: Files, top: str, paths: Sequence[str], template: UriTemplate, type: str
) -> tuple[FolderValues, list[Diagnostic]]:
    """The files at `paths` below the folder `top`, and what is wrong with those that are left out."""
    found: dict[str, str] = {}
    told: list[Diagnostic] = []
    for path in paths:
        if is_markdown(path):
            read = read_markdown(files, path, fenced=False)
            if isinstance(read, Diagnostic):
                told.append(read)
                continue
        key = normalize("NFC", stem(path.removeprefix(f"{top}/")))
        found.setdefault(key, path)
    return FolderValues(files, found, template, type), told
