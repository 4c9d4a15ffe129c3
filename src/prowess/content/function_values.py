"""A template served by a Python function, which is called with the variables by their names.

    async def section(section: str) -> str | bytes | None

None says that there is no such resource; what is neither text nor bytes is served as JSON. The function
runs only where a Code was handed in, that is, where somebody has agreed to it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from prowess.content.files import RESOURCE_BYTES, Files
from prowess.content.media_types import MARKDOWN
from prowess.content.model import Code, Content, Given
from prowess.errors import NotFound, ProwessError, Unreadable, why
from prowess.redact import printable

BYTES = "application/octet-stream"
JSON = "application/json"


class FunctionValues:
    """The function `name` in the file at `path`; `code` is set by who may run it."""

    def __init__(self, path: str, name: str, type: str, files: Files, code: Code | None = None) -> None:
        self.type = type
        self.path = path
        self._name = name
        self._files = files
        self._code = code

    def by(self, code: Code) -> FunctionValues:
        """The same, allowed to run. Raises ProwessError where `code` does not agree."""
        file = self._files.on_disk(self.path)
        if file is None:
            raise NotFound(f"{printable(self.path, 300)}: code runs from a disk only")
        code.agree(file)
        return FunctionValues(self.path, self._name, self.type, self._files, code)

    async def read(self, given: Given, timeout: float) -> Content | None:
        """What the function gives for these variables, within `timeout` seconds."""
        import asyncio  # on use: whoever only judges needs none of it

        what = printable(f"{self.path}:{self._name}", 200)
        try:
            async with asyncio.timeout(timeout):
                value = await self._called(dict(given))
            content = None if value is None else self._content(value)
        except TimeoutError:
            raise Unreadable(f"{what} did not answer within {timeout:g} s") from None
        except ProwessError:
            raise
        except SystemExit:
            raise Unreadable(f"{what} failed: SystemExit") from None
        except Exception as error:  # noqa: BLE001  # boundary: what a function raises is its resource's fault alone
            raise Unreadable(f"{what} failed: {why(error)}") from None
        if content is not None and len(content.data) > RESOURCE_BYTES:
            raise Unreadable(f"{what} gave more than {RESOURCE_BYTES} bytes")
        return content

    async def _called(self, given: dict[str, Any]) -> Any:
        import inspect

        from prowess.content.apart import apart

        file = self._files.on_disk(self.path)
        if self._code is None or file is None:
            raise NotFound(f"nothing here runs {printable(self.path, 200)}")
        code = self._code
        function = await apart(lambda: code.function(file, self._name))
        if inspect.iscoroutinefunction(function):
            return await function(**given)
        return await apart(lambda: function(**given))

    def _content(self, value: Any) -> Content:
        if isinstance(value, str):
            return Content(value, self.type or MARKDOWN)
        if isinstance(value, bytes):
            return Content(value, self.type or BYTES)
        return Content(json.dumps(value, ensure_ascii=False, indent=2, allow_nan=False), self.type or JSON)

    def complete(self, variable: str, given: Mapping[str, str]) -> Sequence[str]:
        """Nobody knows; `complete:` may say some."""
        return ()

    def known(self) -> Iterator[Given]:
        """Nobody knows."""
        return iter(())

    def stamp(self, given: Given) -> str:
        """That of the file with the function."""
        return self._files.stamp(self.path)
