"""The lines of a package's places, for formats that know lines only; each file is read once."""

from __future__ import annotations

from prowess.cli.verdict import Verdict
from prowess.source.directory import DirectorySource
from prowess.spec import limits
from prowess.spec.diagnostics import Place
from prowess.spec.json_lines import pointer_lines

LARGEST = limits.JSON_BYTES  # what the judge reads


class Lines:
    """The lines of one package's places; each file is read once."""

    def __init__(self, verdict: Verdict) -> None:
        self._source = DirectorySource(verdict.path)
        self._places = [each.place for each in verdict.judgement.diagnostics]
        self._known: dict[str, dict[str, int]] = {}

    def line(self, place: Place) -> int | None:
        """The place's own line, or the one that its pointer means."""
        if place.line is not None or not place.pointer:
            return place.line
        if place.file not in self._known:
            content = self._source.read(place.file, LARGEST)
            text = content.decode("utf-8", "replace") if isinstance(content, bytes) else ""
            wanted = {each.pointer for each in self._places if each.file == place.file and each.pointer}
            self._known[place.file] = pointer_lines(text, wanted)
        return self._known[place.file].get(place.pointer)
