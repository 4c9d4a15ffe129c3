"""A Python file imported apart: under a name of its own, with its neighbours to itself.

Each unit is a package named by where it is, so two units may have modules of the same name and
neither sees the other's. `import client` inside a unit finds the `client.py` beside it, also when
it is imported late; nothing is registered under that plain name. `from skills.base import Skill`
finds the public base class where no such module is installed. What a unit prints goes to stderr,
because stdout belongs to whoever runs Prowess. Files are compiled from their text each time: a
cached bytecode file would be stale after two changes in one second.
"""

from __future__ import annotations

import builtins
import hashlib
import importlib
import itertools
import os
import re
import sys
from collections.abc import Callable, Sequence
from importlib.machinery import ModuleSpec, PathFinder, SourceFileLoader
from importlib.util import module_from_spec, spec_from_file_location
from types import CodeType, ModuleType
from typing import Any

PREFIX = "prowess_unit_"
_NOT_WORD = re.compile(r"\W+")


class _Loader(SourceFileLoader):
    """Compiles from source and gives the module the builtins of its package."""

    def get_code(self, fullname: str) -> CodeType:
        code: CodeType = self.source_to_code(self.get_data(self.path), self.path)
        return code

    def exec_module(self, module: ModuleType) -> None:
        package = sys.modules[module.__name__.partition(".")[0]]
        module.__dict__["__builtins__"] = package.__dict__["__prowess_builtins__"]
        super().exec_module(module)


class _Finder:
    """Finds the modules of packages made here, and nothing else."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module beside a unit."""
        if not name.startswith(PREFIX) or path is None:
            return None
        spec = PathFinder.find_spec(name, path)
        if spec is not None and isinstance(spec.loader, SourceFileLoader):
            spec.loader = _Loader(name, spec.loader.path)
        return spec


_FINDER = _Finder()


_NUMBERS = itertools.count()


def package_name(file: str) -> str:
    """A new name for the file at this path: two Hosts, or two states of a file, share no module."""
    place = hashlib.sha256(os.path.abspath(file).encode("utf-8", "surrogatepass")).hexdigest()[:16]
    return f"{PREFIX}{place}_{next(_NUMBERS)}"


def load(file: str) -> ModuleType:
    """The module in `file`, imported anew. Raises whatever the file raises; then nothing is left of it."""
    if _FINDER not in sys.meta_path:
        sys.meta_path.insert(0, _FINDER)
    importlib.invalidate_caches()
    name = package_name(file)
    folder = os.path.dirname(os.path.abspath(file))
    package = ModuleType(name)
    package.__path__ = [folder]
    package.__dict__["__prowess_builtins__"] = _builtins(name, folder)
    sys.modules[name] = package
    stem = _NOT_WORD.sub("_", os.path.basename(file).removesuffix(".py"))
    inner = f"{name}.{stem}"
    try:
        spec = spec_from_file_location(inner, file, loader=_Loader(inner, file))
        if spec is None or spec.loader is None:
            raise ImportError(f"{os.path.basename(file)} cannot be imported")
        module = module_from_spec(spec)
        sys.modules[inner] = module
        spec.loader.exec_module(module)
    except BaseException:
        unload(name)
        raise
    return module


def unload(name: str) -> None:
    """Forget a package and all its modules; who still holds one of them keeps it."""
    for each in [known for known in sys.modules if known == name or known.startswith(f"{name}.")]:
        del sys.modules[each]


def files_of(name: str) -> list[str]:
    """The source files that a package has loaded so far, sorted."""
    loaded = (sys.modules[each] for each in list(sys.modules) if each.startswith(f"{name}."))
    files = {getattr(each, "__file__", None) for each in loaded}
    return sorted(each for each in files if isinstance(each, str) and each.endswith(".py"))


def _builtins(package: str, folder: str) -> dict[str, Any]:
    return {**vars(builtins), "__import__": _importer(package, folder), "print": _print}


def _importer(package: str, folder: str) -> Callable[..., ModuleType]:
    def importing(
        name: str, globals: Any = None, locals: Any = None, fromlist: Any = (), level: int = 0
    ) -> ModuleType:
        top = name.partition(".")[0]
        if level == 0 and _is_beside(folder, top):
            found: ModuleType = builtins.__import__(f"{package}.{name}", globals, locals, fromlist, 0)
            return found if fromlist else sys.modules[f"{package}.{top}"]
        try:
            return builtins.__import__(name, globals, locals, fromlist, level)
        except ModuleNotFoundError as error:
            if level == 0 and name in ("skills", "skills.base") and error.name in ("skills", "skills.base"):
                return _skills(name, fromlist)
            raise

    return importing


def _is_beside(folder: str, top: str) -> bool:
    """Whether a module of that name stands in the folder; the standard library is never hidden."""
    if top in sys.stdlib_module_names or not top:
        return False
    at = os.path.join(folder, top)
    return os.path.isfile(f"{at}.py") or os.path.isfile(os.path.join(at, "__init__.py"))


def _skills(name: str, fromlist: Any) -> ModuleType:
    """The package that published units import their base class from."""
    from prowess.units.skill_class import SkillUnit

    top, base = ModuleType("skills"), ModuleType("skills.base")
    base.__dict__["Skill"] = SkillUnit
    top.__dict__["base"] = base
    return base if name == "skills.base" and fromlist else top


def _print(*values: object, sep: str | None = " ", end: str | None = "\n", file: Any = None,
           flush: bool = False) -> None:  # fmt: skip
    print(*values, sep=sep, end=end, file=sys.stderr if file is None else file, flush=flush)
