"""The public suite's stdio and file system cases on valid entries (its `core` plugin)."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import pytest
from tests.conformance.bringing_up import Suite

STDIO = ("default", "relative", "root", "data", "token")


def seen(suite: Suite, server: str) -> dict[str, Any]:
    observation: dict[str, Any] = suite.core.observations[server]
    return observation


@pytest.mark.req("AP-11-1")
@pytest.mark.parametrize(
    "server",
    [
        pytest.param("default", marks=pytest.mark.conformance("mcp.stdio.tool-availability.cwd-omitted")),
        pytest.param(
            "relative", marks=pytest.mark.conformance("mcp.stdio.tool-availability.cwd-plugin-relative")
        ),
        pytest.param("root", marks=pytest.mark.conformance("mcp.stdio.tool-availability.cwd-plugin-root")),
        pytest.param("data", marks=pytest.mark.conformance("mcp.stdio.tool-availability.cwd-plugin-data")),
    ],
)
def test_the_tool_of_a_stdio_server_is_offered_and_answers(suite: Suite, server: str) -> None:
    assert suite.core.offers[server].status == "connected"
    assert [tool.name for tool in suite.core.offers[server].tools] == ["observe"]
    assert seen(suite, server)["server"] == server
    assert seen(suite, server)["root"] == str(suite.core_root.resolve())


@pytest.mark.req("AP-7.2-6")
@pytest.mark.parametrize(
    ("server", "folder"),
    [
        pytest.param("default", ".", marks=pytest.mark.conformance("mcp.stdio.cwd.omitted")),
        pytest.param(
            "relative", "probe-workdir", marks=pytest.mark.conformance("mcp.stdio.cwd.plugin-relative")
        ),
        pytest.param("root", ".", marks=pytest.mark.conformance("mcp.stdio.cwd.plugin-root")),
    ],
)
def test_the_working_directory_is_the_one_in_the_package(suite: Suite, server: str, folder: str) -> None:
    assert seen(suite, server)["cwd"] == str((suite.core_root / folder).resolve())


@pytest.mark.req("AP-7.2-6")
@pytest.mark.conformance("mcp.stdio.cwd.plugin-data")
def test_the_working_directory_is_the_data_directory(suite: Suite) -> None:
    assert seen(suite, "data")["cwd"] == seen(suite, "data")["resolvedData"]


@pytest.mark.req("AP-9.1-1")
@pytest.mark.conformance("mcp.stdio.env.plugin-root")
def test_every_server_gets_the_resolved_root(suite: Suite) -> None:
    for server in STDIO:
        assert seen(suite, server)["env"]["PLUGIN_ROOT"] == str(suite.core_root.resolve())


@pytest.mark.req("AP-9.1-1")
@pytest.mark.conformance("mcp.stdio.env.plugin-data-absolute")
def test_every_server_gets_an_absolute_data_directory(suite: Suite) -> None:
    for server in STDIO:
        assert os.path.isabs(seen(suite, server)["env"]["PLUGIN_DATA"])


@pytest.mark.req("AP-9.1-1")
@pytest.mark.conformance("filesystem.data.writable")
def test_the_data_directory_can_be_written(suite: Suite) -> None:
    assert all(seen(suite, server)["dataWrite"] for server in STDIO)


@pytest.mark.req("AP-9.1-1")
@pytest.mark.conformance("filesystem.data.consistent-within-plugin")
def test_the_servers_of_one_plugin_share_its_data_directory(suite: Suite) -> None:
    assert len({seen(suite, server)["resolvedData"] for server in STDIO}) == 1


@pytest.mark.req("AP-9.1-1")
@pytest.mark.conformance("filesystem.data.distinct-across-plugins")
def test_two_plugins_have_two_data_directories(suite: Suite) -> None:
    one = Path(seen(suite, "default")["resolvedData"])
    other = Path(suite.recovery.observations["valid"]["resolvedData"])
    assert one != other
    assert one not in other.parents
    assert other not in one.parents


@pytest.mark.req("AP-9.1-2")
@pytest.mark.conformance("mcp.stdio.env.configured-value")
def test_a_configured_value_reaches_the_server(suite: Suite) -> None:
    assert seen(suite, "default")["env"]["APC_VALUE"] == "configured value"


@pytest.mark.req("AP-9.1-2")
def test_the_hosts_own_variables_do_not_reach_a_server(suite: Suite) -> None:
    for server in STDIO:
        assert "APC_HOST_SECRET" not in seen(suite, server)["env"]


@pytest.mark.req("AP-7.2-5")
@pytest.mark.conformance("mcp.stdio.command.single-token")
def test_a_command_with_a_space_in_its_name_is_one_token(suite: Suite) -> None:
    assert seen(suite, "token")["executed"] == "probe token"
    assert seen(suite, "token")["argv"] == ["token"]


@pytest.mark.req("AP-7.2-5", "AP-9.2-1", "AP-9.2-2")
@pytest.mark.conformance("mcp.stdio.args.preservation-and-expansion")
def test_arguments_arrive_one_by_one_with_the_two_placeholders_expanded(suite: Suite) -> None:
    env = seen(suite, "default")["env"]
    assert seen(suite, "default")["argv"] == [
        "default",
        "arg with spaces",
        "",
        env["PLUGIN_ROOT"],
        env["PLUGIN_DATA"],
        "${APC_UNKNOWN}",
        "$APC_VALUE",
        "${PLUGIN_ROOT_SUFFIX}",
    ]


@pytest.mark.req("AP-9.2-1", "AP-9.2-2")
@pytest.mark.conformance("mcp.stdio.env.expansion")
def test_environment_values_have_the_two_placeholders_expanded_and_no_other(suite: Suite) -> None:
    env = seen(suite, "default")["env"]
    root, data = env["PLUGIN_ROOT"], env["PLUGIN_DATA"]
    assert env["APC_EXPANSION"] == f"{root}|{data}|{root}"
    assert env["APC_LITERAL"] == "${APC_UNKNOWN}|$APC_VALUE|${PLUGIN_ROOT_SUFFIX}"


@pytest.mark.req("AP-7.1-1")
@pytest.mark.conformance("skills.discovery.immediate-children")
def test_only_immediate_children_with_a_skill_file_are_skills(suite: Suite) -> None:
    assert suite.core.skills == ["conformance-alpha", "conformance-beta"]
    assert not {each for each in suite.core.skipped if each.startswith("skills")}
