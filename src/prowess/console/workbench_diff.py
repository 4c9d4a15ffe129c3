"""Two documents compared by their structure: what was added, removed or changed, by path.

Members are found by their names. Items of an array are found by what identifies them, where all are objects
and each says another `id`, `uri`, `uriTemplate` or `name` (with its `server`, if it says one); else by
their place, after the items that are the same at both ends. Numbers are the same if their values are,
however they are written. `static/workbench.js` does the same in a browser.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from prowess.capability.runtime_keys import RuntimeKey, runtime_keys
from prowess.capability.snapshot import SCHEMA_PREFIX
from prowess.console.workbench_json import Member, Node, compact, decoded
from prowess.spec.versions import SUPPORTED

MOST = 100  # differences that are told; the rest is counted
EXCERPT = 160  # characters of a value
STEP = 80  # characters of a name in a path
LONGEST_EXPONENT = 15  # digits; a longer one is compared as it is written
IDENTITIES = ("id", "uri", "uriTemplate", "name")

What = Literal["added", "removed", "changed", "reordered"]
DocumentKind = Literal["snapshot", "plugin", "mcp", "other"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Difference:
    """One difference: where, and both values as far as they are told. The path of the document is empty."""

    what: What
    path: str
    old: str = ""
    new: str = ""


@dataclass(slots=True)
class Differences:
    """The first differences in the order of the old document, and how many there are of each kind."""

    told: list[Difference] = field(default_factory=list)
    counts: dict[What, int] = field(
        default_factory=lambda: {"added": 0, "removed": 0, "changed": 0, "reordered": 0}
    )

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self.counts.values())

    def add(self, what: What, path: str, old: Node | None = None, new: Node | None = None) -> None:
        """One more; its values are only written if it is told."""
        self.counts[what] += 1
        if len(self.told) < MOST:
            written = ["" if each is None else compact(each, EXCERPT) for each in (old, new)]
            self.told.append(Difference(what=what, path=path, old=written[0], new=written[1]))


def differences(old: Node, new: Node) -> Differences:
    """What differs between two documents."""
    known: dict[Any, int] = {}
    _number_same(old, known)
    _number_same(new, known)
    found = Differences()
    _compare(old, new, "", found)
    return found


# -- what is the same: equal values get equal numbers, from the leaves up


def _number_same(node: Node, known: dict[Any, int]) -> None:
    if node.members is None:
        key: Any = _scalar(node)
    else:
        for each in node.members:
            _number_same(each.value, known)
        if node.kind == "array":
            key = (node.text, *[each.value.same for each in node.members])
        else:
            key = (node.text, frozenset((each, value.same) for each, value in _named(node).items()))
    node.same = known.setdefault(key, len(known) + 1)


def _scalar(node: Node) -> tuple[str, str]:
    if node.kind == "string":
        return "string", decoded(node.text)
    return node.kind, number(node.text) if node.kind == "number" else node.text


def number(text: str) -> str:
    """A number in the one way in which nothing else writes its value: digits, and a power of ten."""
    mantissa, _, exponent = text.lower().partition("e")
    whole, _, part = mantissa.lstrip("-").partition(".")
    digits, stripped = exponent.lstrip("+-").lstrip("0"), (whole + part).rstrip("0")
    kept = stripped.lstrip("0")
    if not kept:
        return "0"
    if len(digits) > LONGEST_EXPONENT:
        return text
    power = int(digits or "0") * (-1 if exponent.startswith("-") else 1) + len(whole) - len(stripped)
    return f"{'-' if mantissa.startswith('-') else ''}{kept}e{power}"


def _named(node: Node) -> dict[tuple[str, int], Node]:
    """Members by their name, and which of several with that name each is."""
    found: dict[tuple[str, int], Node] = {}
    counts: dict[str, int] = {}
    for each in node.inside():
        name = decoded(each.name)
        counts[name] = counts.get(name, 0) + 1
        found[name, counts[name]] = each.value
    return found


# -- what differs


def _compare(old: Node, new: Node, path: str, found: Differences) -> None:
    if old.same == new.same:
        return
    if old.kind == new.kind == "object":
        _pairs(_named(old), _named(new), path, found, _member_step)
    elif old.kind == new.kind == "array":
        _arrays(old, new, path, found)
    else:
        found.add("changed", path, old, new)


def _pairs(old: dict[Any, Node], new: dict[Any, Node], path: str, found: Differences, step: Any) -> None:
    for key, value in old.items():
        if key in new:
            _compare(value, new[key], path + step(key), found)
        else:
            found.add("removed", path + step(key), value)
    for key, value in new.items():
        if key not in old:
            found.add("added", path + step(key), None, value)


def _member_step(key: tuple[str, int]) -> str:
    name, nth = key
    return "/" + cut(name.replace("~", "~0").replace("/", "~1")) + (f"({nth})" if nth > 1 else "")


def cut(text: str) -> str:
    """A name as a path shows it."""
    return text if len(text) <= STEP else text[:STEP] + "…"


def _arrays(old: Node, new: Node, path: str, found: Differences) -> None:
    by = _identity(old.inside(), new.inside())
    if by is None:
        _by_place([each.value for each in old.inside()], [each.value for each in new.inside()], path, found)
        return
    before, after = _identified(old.inside(), by), _identified(new.inside(), by)
    assert before is not None
    assert after is not None
    _pairs(before, after, path, found, lambda key: _identity_step(by, key))
    if [each for each in before if each in after] != [each for each in after if each in before]:
        found.add("reordered", path)


def _by_place(old: Sequence[Node], new: Sequence[Node], path: str, found: Differences) -> None:
    shorter = min(len(old), len(new))
    begin = next((at for at in range(shorter) if old[at].same != new[at].same), shorter)
    most = shorter - begin
    end = next((at for at in range(most) if old[-1 - at].same != new[-1 - at].same), most)
    _pairs(
        dict(enumerate(old[begin : len(old) - end], begin)),
        dict(enumerate(new[begin : len(new) - end], begin)),
        path,
        found,
        lambda at: f"/{at}",
    )


def _identity(old: Sequence[Member], new: Sequence[Member]) -> str | None:
    """The member that tells the items of both arrays apart, or None where nothing does."""
    for by in IDENTITIES if old and new else ():
        if _identified(old, by) is not None and _identified(new, by) is not None:
            return by
    return None


def _identified(items: Iterable[Member], by: str) -> dict[tuple[str, str], Node] | None:
    found: dict[tuple[str, str], Node] = {}
    for each in items:
        name = _text_of(each.value, by)
        key = (_text_of(each.value, "server") or "", name or "")
        if name is None or key in found:
            return None
        found[key] = each.value
    return found


def _text_of(node: Node, member: str) -> str | None:
    """A member of an object that is a text; of several, the last."""
    if node.kind != "object":
        return None
    for each in reversed(node.inside()):
        if each.value.kind == "string" and decoded(each.name) == member:
            return decoded(each.value.text)
    return None


def _identity_step(by: str, key: tuple[str, str]) -> str:
    server, name = key
    return f"[server={cut(server)},{by}={cut(name)}]" if server else f"[{by}={cut(name)}]"


# -- what a document is


PLUGIN_SCHEMAS = tuple(each.plugin_schema for each in SUPPORTED)
MCP_SCHEMAS = tuple(each.mcp_schema for each in SUPPORTED)


def kind_of(root: Node) -> DocumentKind:
    """What a document is, by what it says of itself, else by its shape."""
    if root.kind != "object":
        return "other"
    schema = _text_of(root, "$schema") or ""
    if schema in PLUGIN_SCHEMAS:
        return "plugin"
    if schema in MCP_SCHEMAS:
        return "mcp"
    members = {decoded(each.name): each.value.kind for each in root.inside()}
    listed = members.get("mcpServers") == members.get("tools") == "array"
    if schema.startswith(SCHEMA_PREFIX) or (listed and members.get("plugin") == "object"):
        return "snapshot"
    return "mcp" if members.get("mcpServers") == "object" else "other"


FILES: dict[DocumentKind, str] = {"plugin": "plugin.json", "mcp": "mcp.json"}


def written_back(root: Node) -> tuple[RuntimeKey, ...]:
    """The run-time keys in a manifest or an `mcp.json`; none in anything else."""
    file = FILES.get(kind_of(root))
    return runtime_keys(_names(root), file) if file else ()


def _names(node: Node) -> Any:
    """A document with its names and nothing else."""
    if node.kind == "object":
        return {decoded(each.name): _names(each.value) for each in node.inside()}
    return [_names(each.value) for each in node.inside()] if node.kind == "array" else None
