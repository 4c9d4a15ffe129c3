"""The public names, in one list; whatever is not here is private."""

from __future__ import annotations

import subprocess
import sys

import pytest

import prowess

PUBLIC = [
    *("Host", "judge", "diff"),
    *("Snapshot", "Drift", "Judgement", "Plugin", "Skill", "Diagnostic", "Place", "Reach"),
    *("Offer", "Tool", "Prompt", "Resource", "ResourceTemplate"),
    *("Provider", "MemoryProvider", "Caller", "Invocation"),
    *("Outcome", "Answered", "ToolFailed", "TimedOut", "Lost", "Refused", "Problem"),
    *("CallResult", "Page", "Policy", "Limits", "Approver", "Store", "Activated"),
    *("unit", "SkillUnit", "UnitContext"),
    *("DirectorySource", "MemorySource"),
    *("ProwessError", "UsageError", "PackageRejected", "NotFound"),
    *("AccessDenied", "Unreadable", "ConnectionFailed", "SkillRefused", "StoreFailed", "CredentialFailed"),
]


def test_the_public_names_are_these() -> None:
    assert sorted(prowess.__all__) == sorted(PUBLIC)
    assert set(PUBLIC) <= set(dir(prowess))


@pytest.mark.parametrize("name", PUBLIC)
def test_a_public_name_is_there_and_documented(name: str) -> None:
    value = getattr(prowess, name)
    assert name == "Outcome" or (value.__doc__ and not value.__doc__.startswith(f"{name}("))


def test_another_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError):
        prowess.nonsense  # noqa: B018


def test_importing_prowess_imports_nothing_else() -> None:
    program = (
        "import sys; before = set(sys.modules); import prowess; print(*sorted(set(sys.modules) - before))"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=20, check=True
    )
    assert set(done.stdout.split()) <= {"prowess", "__future__"}
