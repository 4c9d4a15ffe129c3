"""URIs of content: the one that a file has by default, and the form in which two are compared.

RFC 3986, 6.2.2: percent-encoding in upper case and only where it is needed, the scheme in lower case.
What is no ASCII counts as its percent-encoded UTF-8, so that both ways of writing it mean one resource.
"""

from __future__ import annotations

import re
from unicodedata import normalize
from urllib.parse import quote

RESERVED = ":/?#[]@!$&'()*+,;="
LONGEST = 4_096  # characters of a URI that are looked at

_ENCODED = re.compile("%([0-9A-Fa-f]{2})?")
_UNRESERVED = re.compile(r"[A-Za-z0-9._~-]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")


def has_scheme(text: str) -> bool:
    """Whether a URI, or a template of one, begins with a scheme."""
    return _SCHEME.match(text) is not None


def normal(uri: str) -> str:
    """The form in which URIs are compared."""
    text = _ENCODED.sub(_one_way, quote(uri, safe=RESERVED + "%", errors="replace"))
    scheme = _SCHEME.match(text)
    return text if scheme is None else scheme[0].lower() + text[scheme.end() :]


def _one_way(found: re.Match[str]) -> str:
    if found[1] is None:
        return "%25"
    character = chr(int(found[1], 16))
    return character if _UNRESERVED.fullmatch(character) else found[0].upper()


def default_uri(folder: str, path: str) -> str:
    """The URI of the file at `path` below `resources/` of a folder of that name: `embedded:guide/api`."""
    return f"embedded:{quote(singular(folder), safe='')}/{quote(normalize('NFC', stem(path)), safe='/')}"


def stem(path: str) -> str:
    """A path without the ending of Markdown; other endings belong to the name."""
    return path[: -len(".md")] if path.lower().endswith(".md") else path


def singular(folder: str) -> str:
    """A folder's name as the name of one thing in it: `guides` holds a `guide`."""
    folder = normalize("NFC", folder)
    plural = len(folder) > 2 and folder.endswith("s") and not folder.endswith("ss")
    return folder[:-1] if plural else folder
