"""A template served from a table: the row whose cells are the variables' values.

A CSV file with a header, a JSON array of objects, or a JSON object whose keys are the values of the one
variable. What is served is the row's `column` (by default `text`, where there is one), else the whole
row as JSON.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from unicodedata import normalize

from prowess.content.files import Files
from prowess.content.media_types import MARKDOWN
from prowess.content.model import Content, Given, plain
from prowess.content.uri_template import UriTemplate
from prowess.redact import printable
from prowess.spec.strict_json import Malformed, parse

JSON = "application/json"
TEXT = "text"
MOST_ROWS = 100_000

Row = dict[str, Any]
Key = tuple[str, ...]


class TableFault(ValueError):
    """A table that cannot be used; `line` is where, if that is known."""

    def __init__(self, message: str, line: int = 0) -> None:
        super().__init__(message)
        self.line = line


class TableValues:
    """Rows by the cells of the variables' columns; an undefined variable is an empty cell."""

    def __init__(
        self,
        rows: Mapping[Key, Row],
        variables: Sequence[str],
        *,
        column: str,
        type: str,
        files: Files,
        path: str,
    ) -> None:
        self._rows = rows
        self._variables = tuple(variables)
        self._column = column
        self.type = type or (MARKDOWN if column else JSON)
        self._files = files
        self._path = path

    def _row(self, given: Given) -> Row | None:
        values = plain(given)
        return self._rows.get(tuple(normalize("NFC", values.get(each, "")) for each in self._variables))

    async def read(self, given: Given, timeout: float) -> Content | None:
        """The cell, or the row as JSON."""
        row = self._row(given)
        if row is None:
            return None
        value = row[self._column] if self._column else row
        text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
        return Content(text, self.type)

    def complete(self, variable: str, given: Mapping[str, str]) -> Sequence[str]:
        """The cells of the variable's column, in the rows that fit the other variables."""
        if variable not in self._variables:
            return ()
        at = self._variables.index(variable)
        said = [normalize("NFC", given.get(each, "")) for each in self._variables]
        fitting = (
            key[at]
            for key in self._rows
            if key[at]
            and all(
                not want or want == has
                for n, (want, has) in enumerate(zip(said, key, strict=True))
                if n != at
            )
        )
        return tuple(dict.fromkeys(fitting))

    def known(self) -> Iterator[Given]:
        """The variables of every row."""
        for key in self._rows:
            yield {name: value for name, value in zip(self._variables, key, strict=True) if value}

    def stamp(self, given: Given) -> str:
        """That of the file, where there is a row."""
        return "" if self._row(given) is None else self._files.stamp(self._path)


def table_values(
    data: bytes, path: str, template: UriTemplate, *, column: str, type: str, files: Files
) -> TableValues:
    """The table in the bytes of the file at `path`. Raises TableFault."""
    variables = template.variables
    read = _json_rows if path.lower().endswith(".json") else _csv_rows
    rows: dict[Key, Row] = {}
    columns: set[str] = set()
    for line, row in read(data, variables):
        missing = [each for each in variables if each not in row]
        if missing:
            raise TableFault(f"there is no column {printable(', '.join(missing), 200)}", line)
        if column and column not in row:
            raise TableFault(f"there is no column {printable(column, 80)}", line)
        key = tuple(normalize("NFC", _cell(row[each])) for each in variables)
        if key in rows:
            raise TableFault(f"two rows are for {printable(', '.join(key), 200)}", line)
        if len(rows) >= MOST_ROWS:
            raise TableFault(f"it has more than {MOST_ROWS} rows", line)
        rows[key] = row
        columns = columns & row.keys() if len(rows) > 1 else set(row)
    if not column and TEXT in columns and TEXT not in variables:
        column = TEXT
    return TableValues(rows, variables, column=column, type=type, files=files, path=path)


def _cell(value: Any) -> str:
    if isinstance(value, str):
        return value
    return "" if value is None else json.dumps(value, ensure_ascii=False)


def _csv_rows(data: bytes, variables: Sequence[str]) -> Iterator[tuple[int, Row]]:
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise TableFault("it is not UTF-8") from None
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        header = next(reader, [])
        if len(set(header)) < len(header) or not all(header):
            raise TableFault("the first row must name every column, each once", 1)
        for cells in reader:
            if not cells:
                continue
            if len(cells) != len(header):
                raise TableFault(f"{len(cells)} cells under {len(header)} columns", reader.line_num)
            yield reader.line_num, dict(zip(header, cells, strict=True))
    except csv.Error as error:
        raise TableFault(f"not CSV: {printable(str(error), 200)}", reader.line_num) from None


def _json_rows(data: bytes, variables: Sequence[str]) -> Iterator[tuple[int, Row]]:
    document = parse(data)
    if isinstance(document, Malformed):
        raise TableFault(f"not JSON: {document.reason}", document.line or 0)
    if document.duplicates:
        raise TableFault(f"{printable(document.duplicates[0].key, 80)} stands twice")
    value = document.value
    if isinstance(value, dict) and len(variables) == 1:
        for key, each in value.items():
            yield 0, {variables[0]: key, **(each if isinstance(each, dict) else {TEXT: each})}
    elif isinstance(value, list) and all(isinstance(each, dict) for each in value):
        yield from ((0, dict(each)) for each in value)
    else:
        raise TableFault("it must be a list of objects, or for one variable an object by its values")
