"""Credentials for servers: kept or obtained host-side, bound to who may use them, injected, never shown.

sections.py    the tables of `prowess.toml`
reading.py     a secret from environment, file or keyring
grants.py      OAuth token requests and answers; endpoint.py sends them
source.py      one token, refreshed once for all who ask; also one that a person signed in for
vault.py       where obtained tokens are kept
pool.py        several tokens taking turns
binding.py     which server may have which credential
injecting.py   the values of one start or request
"""

from prowess.credentials.binding import Binding, Bindings, FileBindings, MemoryBindings
from prowess.credentials.credentials import Credentials
from prowess.credentials.injecting import FixedInjector, Injection, Injector
from prowess.credentials.token import Registration, SignedIn
from prowess.credentials.vault import FileVault, MemoryVault, Vault

__all__ = [
    "Binding",
    "Bindings",
    "Credentials",
    "FileBindings",
    "FileVault",
    "FixedInjector",
    "Injection",
    "Injector",
    "MemoryBindings",
    "MemoryVault",
    "Registration",
    "SignedIn",
    "Vault",
]
