"""`prowess.toml`: plugins, policy, limits, credentials and what servers are given, as one value.

Every table is read into the dataclass that stands beside the code that enforces it; an unknown key,
a wrong type and a secret written out are errors with the line and what to write instead. Relative
paths count from the file's own folder. `config_fields.py` lists everything that can be written.
Nothing is opened but the file itself, and no secret is read.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass, field, is_dataclass, replace
from dataclasses import fields as dataclass_fields
from typing import TYPE_CHECKING, Any, TypeVar

from prowess.errors import Unreadable, UsageError
from prowess.redact import printable

if TYPE_CHECKING:
    from prowess.call.limits import Limits
    from prowess.call.log_lines import LogSection
    from prowess.call.policy import Policy
    from prowess.call.sections import Place
    from prowess.credentials.sections import CredentialSection, ServerSection
    from prowess.host.sections import (
        ContentSection,
        RecordsSection,
        RedactionSection,
        StoreSection,
        UnitsSection,
    )
    from prowess.host.serving import ServeSection
    from prowess.workflow.queues import WorkflowsSection

MAX_BYTES = 1_000_000
STDERR = "stderr"  # the one place of log lines that is no path

Section = TypeVar("Section")


@dataclass(frozen=True, slots=True, kw_only=True)
class Config:
    """What one `prowess.toml` says. `plugins` are labels and absolute paths, in the file's order."""

    file: str
    plugins: tuple[tuple[str, str], ...]
    policy: Policy
    limits: Limits
    redaction: RedactionSection
    records: RecordsSection
    store: StoreSection
    log: LogSection
    units: UnitsSection
    content: ContentSection
    workflows: WorkflowsSection
    serve: ServeSection
    credentials: Mapping[str, CredentialSection] = field(default_factory=dict)
    servers: Mapping[str, ServerSection] = field(default_factory=dict)


def load_config(path: str) -> Config:
    """The configuration in the file at `path`. Raises Unreadable, and UsageError with the line."""
    text = _text(path)
    document = _parsed(path, text)
    try:
        return _config(path, document)
    except UsageError as error:
        raise _placed(path, text, error) from None


def _text(path: str) -> str:
    try:
        with open(path, "rb") as file:
            data = file.read(MAX_BYTES + 1)
    except FileNotFoundError:
        raise UsageError(f"there is no {printable(path, 500)}") from None
    except OSError as error:
        raise Unreadable(f"{printable(path, 500)}: {error.strerror}") from None
    if len(data) > MAX_BYTES:
        raise Unreadable(f"{printable(path, 500)} is over {MAX_BYTES} bytes")
    try:
        return data.decode("utf-8-sig").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise Unreadable(f"{printable(path, 500)} is not UTF-8") from None


def _parsed(path: str, text: str) -> dict[str, Any]:
    import tomllib

    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # a number of very many digits is a plain ValueError
        words = str(error) if isinstance(error, tomllib.TOMLDecodeError) else "too deep, or too long a number"
        raise UsageError(f"{printable(path, 500)} is not TOML: {printable(words)}") from None


def _placed(path: str, text: str, error: UsageError) -> UsageError:
    from prowess.call.sections import SectionFault
    from prowess.spec.toml_lines import line_of

    line = line_of(text, error.keys) if isinstance(error, SectionFault) else None
    at = f":{line}" if line is not None else ""
    return UsageError(f"{printable(path, 500)}{at}: {error.message}", hint=error.hint)


def _config(path: str, document: dict[str, Any]) -> Config:
    from prowess.call.limits import Limits
    from prowess.call.log_lines import LogSection
    from prowess.call.policy import Policy
    from prowess.credentials.sections import CredentialSection, ServerSection
    from prowess.host.config_judging import (
        insist_on_connections,
        insist_on_sound,
        insist_on_unit_credentials,
    )
    from prowess.host.sections import (
        ContentSection,
        RecordsSection,
        RedactionSection,
        StoreSection,
        UnitsSection,
    )
    from prowess.host.serving import ServeSection
    from prowess.workflow.queues import WorkflowsSection

    folder = os.path.dirname(os.path.abspath(path))
    insist_on_sound(document)
    records = _section(RecordsSection, document, "records")
    log = _section(LogSection, document, "log")
    units = _section(UnitsSection, document, "units")
    content = _section(ContentSection, document, "content")
    workflows = _section(WorkflowsSection, document, "workflows")
    config = Config(
        file=os.path.abspath(path),
        plugins=_plugins(document.get("plugins", {}), folder),
        policy=_section(Policy, document, "policy"),
        limits=_section(Limits, document, "limits"),
        redaction=_section(RedactionSection, document, "redaction"),
        records=_rooted(replace(records, sqlite=_path(records.sqlite, folder)), folder),
        store=_rooted(_section(StoreSection, document, "store"), folder),
        log=log if log.to == STDERR else replace(log, to=_path(log.to, folder)),
        units=_rooted(replace(units, paths=tuple(_path(each, folder) for each in units.paths)), folder),
        content=replace(content, paths=tuple(_path(each, folder) for each in content.paths)),
        workflows=_rooted(
            replace(
                workflows,
                paths=tuple(_path(each, folder) for each in workflows.paths),
                sqlite=_path(workflows.sqlite, folder),
            ),
            folder,
        ),
        serve=_rooted(_section(ServeSection, document, "serve"), folder),
        credentials=_named(CredentialSection, document, "credentials", folder),
        servers=_named(ServerSection, document, "servers", folder),
    )
    insist_on_connections(config.plugins, config.servers, tuple(config.credentials))
    insist_on_unit_credentials(config.units, tuple(config.credentials))
    return config


def _section(kind: type[Section], document: Mapping[str, Any], name: str) -> Section:
    from prowess.call.sections import Place

    return _read(kind, document.get(name, {}), Place(f"[{name}]"), (name,))


def _named(kind: type[Section], document: Mapping[str, Any], name: str, folder: str) -> dict[str, Section]:
    """A table of tables, each under a name of the user's."""
    from prowess.call.sections import Place
    from prowess.host.config_judging import fault

    tables = document.get(name, {})
    if not isinstance(tables, dict):
        raise fault(f"[{name}] must be a table of tables", name, hint=f"[{name}.NAME]")
    found: dict[str, Section] = {}
    for key, table in tables.items():
        shown = printable(key) if name != "servers" else f'"{printable(key)}"'
        found[key] = _rooted(_read(kind, table, Place(f"[{name}.{shown}]"), (name, key)), folder)
    return found


def _read(kind: type[Section], table: Any, place: Place, above: tuple[str, ...]) -> Section:
    from prowess.call.sections import SectionFault, read_section

    try:
        return read_section(kind, table, place)
    except SectionFault as error:
        raise SectionFault(error.message, hint=error.hint, keys=(*above, *error.keys)) from None


def _plugins(table: Any, folder: str) -> tuple[tuple[str, str], ...]:
    from prowess.host.config_judging import fault
    from prowess.store.installed_opening import located

    if not isinstance(table, dict):
        raise fault("[plugins] must be a table", "plugins", hint='[plugins] and LABEL = "path" below it')
    found: list[tuple[str, str]] = []
    for label, path in table.items():
        if not isinstance(path, str) or not path:
            raise fault(f"[plugins] {printable(label)} must be a path", "plugins", label, hint='"path"')
        if not label or "/" in label or not label.isprintable() or len(label) > 64:
            raise fault(f"[plugins] {printable(label)} is no label", "plugins", label, hint="no slash in it")
        place = located(path, folder)
        found.append((label, place if place != path else _path(path, folder)))
    return tuple(found)


def _path(path: str, folder: str) -> str:
    """A path as it is meant: from the file's folder, `~` the user's home; an empty one stays empty."""
    return os.path.normpath(os.path.join(folder, os.path.expanduser(path))) if path else ""


def _rooted(value: Any, folder: str) -> Any:
    """The same section with every `file` of a secret absolute."""
    if isinstance(value, tuple):
        return tuple(_rooted(each, folder) for each in value)
    if isinstance(value, Mapping):
        return {key: _rooted(each, folder) for key, each in value.items()}
    if not is_dataclass(value) or isinstance(value, type):
        return value
    parts = {each.name: _rooted(getattr(value, each.name), folder) for each in dataclass_fields(value)}
    if "file" in parts:
        parts["file"] = _path(parts["file"], folder)
    return replace(value, **parts)
