"""Content in memory: the public twin of a folder, for tests and for whoever writes content by program."""

from __future__ import annotations

from collections.abc import Mapping

from prowess.content.files import MemoryFiles
from prowess.content.provider import ContentProvider
from prowess.content.recognising import LABEL
from prowess.source.memory import Content


class MemoryContent(ContentProvider):
    """A ContentProvider over `{path: text or bytes}`, such as `{"prompts/greet.md": "---\\n..."}`.

    `name` stands for the folder's name. `put` and `remove` change a file, and who listens hears of it
    before they return. Functions have no file to run from here, so templates served by one are left out.
    """

    def __init__(self, files: Mapping[str, Content], *, name: str = "guides", label: str = LABEL) -> None:
        self._contents = dict(files)
        self._memory = MemoryFiles(self._contents, name=name)
        super().__init__([self._memory], label=label)

    async def put(self, path: str, content: Content) -> None:
        """Write one file."""
        await self._change({**self._contents, path: content})

    async def remove(self, path: str) -> None:
        """Take one file away; nothing happens if it is not there."""
        await self._change({key: each for key, each in self._contents.items() if key != path})

    async def _change(self, files: dict[str, Content]) -> None:
        self._contents = files
        self._memory.give(files)
        await self.refresh()
