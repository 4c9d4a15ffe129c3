from __future__ import annotations

import shutil
import subprocess
from typing import Any

import pytest

from prowess.cli import VERBS
from prowess.spec.rules import RULES


def completed(script: str, words: list[str]) -> set[str]:
    """What bash offers for the last of `words`."""
    quoted = " ".join(f"'{word}'" for word in words)
    asked = f"{script}\nCOMP_WORDS=({quoted}); COMP_CWORD={len(words) - 1}; _prowess\n"
    asked += r'printf "%s\n" "${COMPREPLY[@]}"'
    done = subprocess.run(
        ["bash", "--norc", "-c", asked], capture_output=True, text=True, timeout=10, check=True, cwd="/"
    )
    return set(done.stdout.split())


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_verbs_options_and_values(prowess: Any) -> None:
    script = prowess("completion", "bash").out
    assert completed(script, ["prowess", ""]) == {*VERBS, "--help", "--version"}
    assert completed(script, ["prowess", "che"]) == {"check"}
    assert {"--fail-on", "--format", "--json", "--profile"} <= completed(script, ["prowess", "check", "--"])
    assert completed(script, ["prowess", "check", "--profile", ""]) == {"spec", "lenient"}
    assert completed(script, ["prowess", "check", "x", "--fail-on", "co"]) == {"connection", "component"}
    assert completed(script, ["prowess", "explain", "server-"]) == {
        each for each in RULES if each.startswith("server-")
    }
    assert completed(script, ["prowess", "completion", "z"]) == {"zsh"}


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_script_knows_every_verb_and_option(shell: str, prowess: Any) -> None:
    ran = prowess("completion", shell)
    assert ran.status == 0
    for word in [*VERBS, "fail-on", "no-connect", "snapshot", "load-report", "lenient"]:
        assert word in ran.out


@pytest.mark.parametrize("shell", ["zsh", "fish"])
def test_a_script_is_sound_for_its_shell(shell: str, prowess: Any) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"needs {shell}")
    script = prowess("completion", shell).out
    done = subprocess.run(
        [shell, "-n"], input=script, capture_output=True, text=True, timeout=10, check=False
    )
    assert (done.returncode, done.stderr) == (0, "")
