"""The example agents as a person starts them."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from examples.agent.plain_agent import PACKAGE
from examples.agent.provider import Provider

ANSWER = "Week 2026-W31: 4 invoices; open 3475.40, overdue 1200.00, paid 399.00.\n"


@pytest.mark.slow
@pytest.mark.parametrize("words", [["plain_agent.py", "anthropic"], ["pydantic_agent.py"]])
def test_an_example_agent_prints_its_answer(provider: Provider, words: list[str]) -> None:
    script = PACKAGE.parent / "agent" / words[0]
    done = subprocess.run(
        [sys.executable, str(script), *words[1:], "Which invoices of week 31 are there?"],
        env={**os.environ, "PROVIDER_URL": provider.url},
        capture_output=True,
        text=True,
        timeout=50,
        check=False,
    )
    assert (done.stdout, done.returncode) == (ANSWER, 0), done.stderr


@pytest.mark.slow
def test_the_provider_says_where_it_listens() -> None:
    script = PACKAGE.parent / "agent" / "provider.py"
    with subprocess.Popen(
        [sys.executable, str(script), "--port", "0"], stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline().startswith("listening on http://127.0.0.1:")
        finally:
            process.terminate()
            process.wait(10)
