"""A project made into one package for every client, with archives that are the same bytes each time.

Agent Plugins 1.0.0. The package is put together apart, judged like any other, and only then written: what
does not pass `prowess check` is refused. The layouts of other clients are made from its two documents and
read back before they are believed.

    DIST/
    ├── NAME/                    the package
    ├── NAME-VERSION.zip         the same files, plugin.json at the top
    ├── NAME-VERSION.tar.gz
    └── NAME-VERSION.sha256      digests of the two
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import tempfile
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from prowess.author.fixtures import secret_in
from prowess.author.layouts import CLIENTS, layout_of
from prowess.author.layouts_agreeing import disagreements
from prowess.author.packing_archives import PackedFile, files_of_zip, tar_gz_of, zip_of
from prowess.author.packing_project import CONTENT, UNITS, WORKFLOWS, Project, read_project
from prowess.author.packing_proving import insist_on_installable
from prowess.author.plugin import NAMESPACE, serving
from prowess.author.scaffold import json_file
from prowess.errors import PackageRejected, UsageError
from prowess.redact import printable
from prowess.spec.diagnostics import Diagnostic, Reach
from prowess.spec.names import name_problem, suggested_name
from prowess.spec.versions import SUPPORTED

VERSION = "0.1.0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """What was packed: the package's directory, its archives with their SHA-256, and what is to be told.

    `contents` is one digest of all paths, modes and bytes, whatever compressed them.
    """

    name: str
    version: str
    folder: str
    files: tuple[str, ...]
    archives: dict[str, str]
    contents: str
    notes: tuple[str, ...] = ()


def pack(
    path: str,
    out: str,
    *,
    targets: Sequence[str] = (),
    name: str = "",
    version: str = "",
) -> Packed:
    """Pack the project at `path` into the directory `out`; `targets` are names of CLIENTS.

    `name` and `version` are for a project without a manifest. Raises PackageRejected for what does not
    pass check or holds a secret, UsageError and Unreadable; then nothing is written.
    """
    project = read_project(path, apart=frozenset({os.path.realpath(out)}))
    files = dict(project.gathered.files)
    manifest, servers, notes = _documents(project, name, version)
    _put(files, "plugin.json", manifest, project.manifest)
    if servers is not None:
        _put(files, "mcp.json", servers, project.servers)
    if files.keys() & {"fixtures/index.json"} and (manifest, servers) != (project.manifest, project.servers):
        files = {each: file for each, file in files.items() if not each.startswith("fixtures/")}
        notes.append("fixtures/ is of the project as it was: prowess fixtures freezes those of the package")
    for target in targets:
        if target in CLIENTS:
            notes += _add_layout(target, files, manifest, servers)
    insist_on_sound(files)
    _insist_on_ours(out, str(manifest["name"]))
    return _written(out, manifest, files, (*project.notes, *notes))


# -- plugin.json and mcp.json


def _documents(
    project: Project, name: str, version: str
) -> tuple[dict[str, Any], dict[str, Any] | None, list[str]]:
    """The two documents of the package, and what is to be told about them."""
    if project.manifest is not None and (name or version):
        raise UsageError("plugin.json says the name and the version", hint="leave --name and --version out")
    manifest = dict(project.manifest or _made_manifest(project, name, version))
    servers = project.servers
    places = [each for each in project.served if not _serves(servers, each)]
    if places:
        servers = dict(servers or {"$schema": SUPPORTED[-1].mcp_schema, "mcpServers": {}})
        entries = dict(servers.get("mcpServers") or {})
        called = str(manifest.get("name"))
        called = f"{called}-prowess" if called in entries else called
        servers["mcpServers"] = {**entries, called: serving(tuple(places))}
        extensions = dict(manifest.get("extensions") or {})
        extensions[NAMESPACE] = {
            **(extensions.get(NAMESPACE) or {}),
            "serves": [f"./{each}" for each in places],
        }
        manifest["extensions"] = extensions
    return manifest, servers, []


def _made_manifest(project: Project, name: str, version: str) -> dict[str, Any]:
    folder = os.path.basename(project.root)
    called = name or suggested_name(folder.replace("_", "-")) or ""
    problem = name_problem(called) if called else "cannot be made from the directory's"
    if problem is not None:
        raise UsageError(f"the package's name {problem}", hint="--name with a-z, 0-9, - and .")
    return {"$schema": SUPPORTED[-1].plugin_schema, "name": called, "version": version or VERSION}


def _serves(servers: Mapping[str, Any] | None, place: str) -> bool:
    """Whether an entry serves this directory already."""
    entries = (servers or {}).get("mcpServers")
    wanted = f"${{PLUGIN_ROOT}}/{place}"
    return isinstance(entries, dict) and any(
        isinstance(each, dict) and wanted in (each.get("args") or ()) for each in entries.values()
    )


def _put(files: dict[str, PackedFile], path: str, value: Any, before: Any) -> None:
    """A document, as its author wrote it where nothing was added."""
    if path not in files or value != before:
        files[path] = PackedFile(content=json_file(value).encode())


def _add_layout(
    target: str, files: dict[str, PackedFile], manifest: Mapping[str, Any], servers: Mapping[str, Any] | None
) -> tuple[str, ...]:
    entries = (servers or {}).get("mcpServers") or {}
    skills = any(each.startswith("skills/") for each in files)
    try:
        layout = layout_of(CLIENTS[target], manifest, entries, skills=skills)
    except (KeyError, TypeError, AttributeError):  # an entry that is none; check is about to say which
        return ()
    for path, value in layout.files.items():
        files[path] = PackedFile(content=json_file(value).encode())
    back = {path: json.loads(files[path].content) for path in layout.files}
    if differing := disagreements(layout, back, manifest, entries):
        raise PackageRejected(f"the layout for {target} does not agree: {printable(differing[0], 300)}")
    return layout.notes


# -- judging


def insist_on_sound(files: Mapping[str, PackedFile]) -> None:
    """Raise PackageRejected for what `prowess check` would not pass, and for a secret in a document."""
    for name in ("plugin.json", "mcp.json"):
        where = secret_in(json.loads(files[name].content)) if name in files else None
        if where is not None:
            raise PackageRejected(f"{name} holds a secret at {where or '/'}", hint="a package carries none")
    with tempfile.TemporaryDirectory(prefix="prowess-pack-") as folder:
        write_files(folder, files)
        for each in _findings(folder):
            if each.reach >= Reach.ENTRY:
                raise PackageRejected(
                    f"it does not pass check: {each.place}: {each.message} [{each.rule}]", hint=each.hint
                )


def _findings(folder: str) -> list[Diagnostic]:
    from prowess.source.judging import judge

    found = list(judge(folder).diagnostics)
    if os.path.isdir(units := os.path.join(folder, *UNITS.split("/"))):
        from prowess.units.discovery import judge as judge_units

        found += judge_units(units).diagnostics
    content = os.path.join(folder, *CONTENT.split("/"))
    for name in sorted(os.listdir(content)) if os.path.isdir(content) else []:
        from prowess.content.judging import judge as judge_content

        found += judge_content(os.path.join(content, name)).diagnostics
    if os.path.isdir(os.path.join(folder, *WORKFLOWS.split("/"))):
        from prowess.workflow.judging import judge as judge_workflows

        found += judge_workflows(folder, WORKFLOWS).diagnostics
    return found


# -- writing


def write_files(folder: str, files: Mapping[str, PackedFile]) -> None:
    """Write `files` into the directory `folder`, which is there."""
    for path, each in files.items():
        place = os.path.join(folder, *path.split("/"))
        os.makedirs(os.path.dirname(place), exist_ok=True)
        with open(place, "xb") as opened:
            opened.write(each.content)
        os.chmod(place, each.mode)


def _written(
    out: str, manifest: Mapping[str, Any], files: Mapping[str, PackedFile], notes: tuple[str, ...]
) -> Packed:
    from prowess.store.whole_file import replace_whole

    name, version = str(manifest["name"]), str(manifest.get("version", ""))
    stem = f"{name}-{version}" if re.fullmatch(r"[0-9A-Za-z.+-]{1,64}", version) else name
    archives = {f"{stem}.zip": zip_of(files), f"{stem}.tar.gz": tar_gz_of(files)}
    digests = {each: hashlib.sha256(content).hexdigest() for each, content in archives.items()}
    try:
        insist_on_installable(archives)
        os.makedirs(out, exist_ok=True)
        folder = _replaced(out, name, files)
        for each, content in archives.items():
            replace_whole(os.path.join(out, each), content, mode=0o644, durable=False)
        sums = "".join(f"{digests[each]}  {each}\n" for each in sorted(digests))
        replace_whole(os.path.join(out, f"{stem}.sha256"), sums.encode(), mode=0o644, durable=False)
    except OSError as error:
        raise UsageError(f"{printable(out, 300)}: {error.strerror}") from None
    return Packed(
        name=name,
        version=version,
        folder=folder,
        files=tuple(sorted(files)),
        archives={os.path.join(out, each): digest for each, digest in digests.items()},
        contents=contents_digest(files),
        notes=notes,
    )


def contents_digest(files: Mapping[str, PackedFile]) -> str:
    """One digest of all paths, modes and bytes."""
    lines = (
        f"{path}\0{each.mode:o}\0{hashlib.sha256(each.content).hexdigest()}\n"
        for path, each in sorted(files.items())
    )
    return hashlib.sha256("".join(lines).encode("utf-8", "surrogateescape")).hexdigest()


def _replaced(out: str, name: str, files: Mapping[str, PackedFile]) -> str:
    """The package's directory, written beside the one that is there and put into its place."""
    folder = os.path.join(out, name)
    fresh = tempfile.mkdtemp(dir=out, prefix=".new-")
    try:
        write_files(fresh, files)
        os.chmod(fresh, 0o755)  # noqa: S103  # a package is for everybody to read; the temporary one was not
        if os.path.lexists(folder):
            old = tempfile.mkdtemp(dir=out, prefix=".old-")
            os.rename(folder, os.path.join(old, name))
            os.rename(fresh, folder)
            shutil.rmtree(old, ignore_errors=True)
        else:
            os.rename(fresh, folder)
    except BaseException:
        shutil.rmtree(fresh, ignore_errors=True)
        raise
    return folder


def _insist_on_ours(out: str, name: str) -> None:
    """Raise UsageError where the package's directory is there and is not what was packed there before.

    A project, or a package that somebody changed by hand, is never replaced: what was packed is the same
    as in one of the archives beside it.
    """
    folder = os.path.join(out, name)
    if not os.path.lexists(folder):
        return
    if os.path.isdir(folder) and not os.path.islink(folder):
        found = _digest_of_folder(folder)
        for each in sorted(os.listdir(out)):
            if (
                each.startswith(name)
                and each.endswith(".zip")
                and _digest_of_zip(os.path.join(out, each)) == found
            ):
                return
    raise UsageError(
        f"{printable(folder, 300)} is there, and is not what an archive beside it holds; nothing was written",
        hint="--out with another directory, or remove it yourself",
    )


def _digest_of_folder(folder: str) -> str:
    files = {}
    for place, folders, names in os.walk(folder):
        folders.sort()
        for each in names:
            path = os.path.join(place, each)
            if os.path.islink(path) or not os.path.isfile(path):
                return ""
            with open(path, "rb") as opened:
                executable = bool(os.fstat(opened.fileno()).st_mode & 0o100)
                content = opened.read()
            relative = os.path.relpath(path, folder).replace(os.sep, "/")
            files[relative] = PackedFile(content=content, executable=executable)
    return contents_digest(files)


def _digest_of_zip(path: str) -> str:
    try:
        with open(path, "rb") as opened:
            return contents_digest(files_of_zip(opened.read()))
    except (OSError, zipfile.BadZipFile, RuntimeError, ValueError, EOFError):
        return ""
