"""What is remembered, for the verbs that look at it: the store that the configuration at a PATH names."""

from __future__ import annotations

TYPE_CHECKING = False
if TYPE_CHECKING:
    from prowess.host.storing import Store
    from prowess.store.remembered import Pin


def stored(path: str | None) -> Store:
    """The store of the `prowess.toml` at PATH, or this user's. Raises what is wrong with the file."""
    from prowess.host.setup import config_file
    from prowess.host.storing import Store

    file = config_file(path) if path is not None else None
    if file is None:
        return Store.on_disk()
    from prowess.host.config import load_config

    return Store.of(load_config(file))


def there(store: Store) -> bool:
    """Whether anything can be remembered; looking alone makes no file."""
    return store.shared is not None or (store.database is not None and store.database.exists())


def pins(store: Store, path: str) -> tuple[Pin, ...]:
    """The pins of what PATH brings."""
    import asyncio

    return asyncio.run(store.pins.all(store.scope(path))) if there(store) else ()
