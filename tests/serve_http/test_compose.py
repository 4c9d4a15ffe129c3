"""The example for several machines: what its files say of each other is so."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest
import yaml

from prowess.credentials.sections import Secret
from prowess.host.config import load_config

COMPOSE = Path(__file__).parents[2] / "examples" / "compose"


@pytest.fixture(scope="module")
def services() -> dict[str, Any]:
    found: dict[str, Any] = yaml.safe_load((COMPOSE / "compose.yaml").read_text())["services"]
    return found


def test_the_secrets_that_are_named_are_those_that_are_handed_in(services: dict[str, Any]) -> None:
    config = load_config(str(COMPOSE / "prowess.toml"))
    named = {config.store.postgres, *(each.token for each in config.serve.tokens.values())}
    handed = {Secret(env=name) for name in services["prowess"]["environment"]}
    assert named == handed


def test_the_endpoint_is_asked_by_a_name_that_is_allowed(services: dict[str, Any]) -> None:
    config = load_config(str(COMPOSE / "prowess.toml"))
    said = (COMPOSE / "nginx.conf").read_text()
    (name,) = config.serve.allowed_hosts
    assert f"proxy_set_header Host {name};" in said
    assert f"http://{name}:8000" in said and name in services


def test_what_the_image_runs_is_what_it_holds() -> None:
    lines = (COMPOSE / "Dockerfile").read_text().splitlines()
    root = COMPOSE.parents[1]
    copied = [shlex.split(each)[1:] for each in lines if each.startswith("COPY")]
    for *sources, _ in copied:
        assert all((root / each).exists() for each in sources), sources
    targets = [target for *_, target in copied]
    assert "/app/prowess.toml" in targets and "/app/units" in targets
    assert any("/app/prowess.toml" in each for each in lines if each.startswith("CMD"))


def test_several_endpoints_keep_no_sessions(services: dict[str, Any]) -> None:
    assert services["prowess"]["deploy"]["replicas"] > 1
    assert load_config(str(COMPOSE / "prowess.toml")).serve.sessions is False
