"""What git may see and use while it fetches: an environment without surprises, and limits of the kernel."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable

# Of git's own variables those by which a user says how to connect; the rest would move repositories,
# indexes, hooks or configuration under our hands.
_KEPT = frozenset(
    {
        *("GIT_SSH", "GIT_SSH_COMMAND", "GIT_SSH_VARIANT"),
        *("GIT_SSL_CAINFO", "GIT_SSL_CAPATH", "GIT_SSL_CERT", "GIT_SSL_KEY", "GIT_PROXY_COMMAND"),
        *("GIT_CONFIG_GLOBAL", "GIT_CONFIG_SYSTEM", "GIT_CONFIG_NOSYSTEM"),
    }
)
_MEMORY = 4 << 30


def environment() -> dict[str, str]:
    """The environment of git."""
    found = {
        name: value for name, value in os.environ.items() if not name.startswith("GIT_") or name in _KEPT
    }
    return {
        "GIT_SSH_COMMAND": "ssh -oBatchMode=yes",
        **found,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "SSH_ASKPASS": "",
        "SSH_ASKPASS_REQUIRE": "never",
        "GCM_INTERACTIVE": "never",
        "GIT_ALLOW_PROTOCOL": "https:ssh:file",
        "GIT_NO_REPLACE_OBJECTS": "1",
        "GIT_LFS_SKIP_SMUDGE": "1",
        "LC_ALL": "C",
    }


def limits(file_bytes: int) -> Callable[[], None] | None:
    """What a process is bound to before it becomes git: the size of a file it writes, its memory."""
    if sys.platform == "win32":
        return None
    import resource

    def limited() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (file_bytes, file_bytes))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        if sys.platform == "linux":
            resource.setrlimit(resource.RLIMIT_AS, (_MEMORY, _MEMORY))

    return limited
