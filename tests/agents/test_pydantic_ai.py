"""A Host as a pydantic-ai toolset: one call path, problems to be corrected, other failures as results."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
from examples.agent import pydantic_agent
from examples.agent.plain_agent import PACKAGE
from examples.agent.provider import Provider
from pydantic_ai import Agent
from pydantic_ai.exceptions import UnexpectedModelBehavior
from pydantic_ai.messages import (
    ModelMessage,
    ModelRequest,
    ModelResponse,
    TextPart,
    ToolCallPart,
    ToolReturnPart,
)
from pydantic_ai.models.function import AgentInfo, FunctionModel

import prowess
from prowess.call.limits import Limits
from prowess.call.policy import Policy, Rule
from prowess.errors import ProwessError
from prowess.host import Host
from prowess.host.pydantic_ai import HostToolset
from prowess.host.storing import Store
from prowess.provider import Caller, MemoryProvider
from prowess.store.remembered import CallRecord, DecisionRecord

PLUGIN = {"$schema": "https://agent-plugins.org/schemas/1.0.0/plugin.schema.json", "name": "sample"}
WEEK: dict[str, Any] = {
    "type": "object",
    "properties": {"week": {"type": "string", "pattern": "^W[0-9]{2}$"}},
    "required": ["week"],
}


class Scripted:
    """A model that makes these tool calls one after the other, then says that it is done."""

    def __init__(self, *calls: tuple[str, Any]) -> None:
        self._calls = list(calls)
        self.shown: list[AgentInfo] = []
        self.parts: list[ToolReturnPart] = []

    def __call__(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
        self.shown.append(info)
        last = messages[-1]
        assert isinstance(last, ModelRequest)
        self.parts += [each for each in last.parts if isinstance(each, ToolReturnPart)]
        if not self._calls:
            return ModelResponse(parts=[TextPart("done")])
        name, arguments = self._calls.pop(0)
        return ModelResponse(parts=[ToolCallPart(name, arguments)])


async def answer(arguments: Mapping[str, Any]) -> Any:
    return {"week": arguments["week"], "rows": ["x" * 90] * 20}


async def fail(arguments: Mapping[str, Any]) -> Any:
    raise ProwessError("the books are closed")


def books() -> MemoryProvider:
    shape = {"type": "object", "required": ["week"]}
    return MemoryProvider(
        "books",
        {
            "find": ({"inputSchema": WEEK, "description": "Finds.", "outputSchema": shape}, answer),
            "fail": ({"inputSchema": {"type": "object"}}, fail),
        },
    )


@pytest.fixture
def package(tmp_path: Path) -> Path:
    root = tmp_path / "sample"
    root.mkdir()
    (root / "plugin.json").write_text(json.dumps(PLUGIN))
    return root


def run(
    package: Path,
    model: Scripted,
    *,
    toolset: Mapping[str, Any] | None = None,
    deps: Any = None,
    **settings: Any,
) -> tuple[CallRecord, ...]:
    """An agent with this model on this Host; the records of its calls."""
    store = Store.in_memory()

    async def work() -> None:
        async with Host.open(package, providers=[books()], store=store, **settings) as host:
            agent = Agent(
                FunctionModel(model), toolsets=[HostToolset(host, **(toolset or {}))], deps_type=object
            )
            async with host.decide("which?", ["find"]):
                assert (await agent.run("which?", deps=deps)).output == "done"

    asyncio.run(asyncio.wait_for(work(), 20))
    records = store.recorder.records  # type: ignore[attr-defined]  # the in-memory recorder's
    (decision,) = (each for each in records if isinstance(each, DecisionRecord))
    calls = tuple(each for each in records if isinstance(each, CallRecord))
    assert decision.calls == tuple(each.id for each in calls)
    return calls


def test_a_model_sees_names_descriptions_and_schemas(package: Path) -> None:
    model = Scripted()
    run(package, model)
    tools = {each.name: each for each in model.shown[0].function_tools}
    assert sorted(tools) == ["fail", "find", "read_on_result"]
    assert (tools["find"].description, tools["find"].parameters_json_schema) == ("Finds.", WEEK)
    assert tools["find"].metadata == {"server": "books", "tool": "find", "annotations": None}


def test_a_schema_of_results_is_there_for_who_wants_the_model_to_see_it(package: Path) -> None:
    model = Scripted()

    async def work() -> None:
        async with Host.open(package, providers=[books()], store=Store.in_memory()) as host:
            toolset = HostToolset(host).filtered(lambda _, tool: tool.name == "find").include_return_schemas()
            await Agent(FunctionModel(model), toolsets=[toolset]).run("which?")

    asyncio.run(work())
    (find,) = model.shown[0].function_tools
    assert '"required"' in (find.description or "")  # where a provider has no field for it


def test_an_argument_that_does_not_fit_is_sent_back_with_its_problems(package: Path) -> None:
    model = Scripted(("find", {"week": "31"}), ("find", {"week": "W31"}))
    refused, answered = run(package, model)
    assert (refused.outcome, answered.outcome) == ("refused", "answered")
    first, second = model.parts
    assert (first.outcome, second.outcome) == ("retried", "success")
    told = json.loads(str(first.content))
    (problem,) = told["problems"]
    assert (told["refused"], problem["path"], problem["rule"]) == ("invalid-arguments", "/week", "pattern")
    assert second.metadata["record"] == answered.id


@pytest.mark.parametrize("arguments", ["[1]", '"text"', "{not json", "null"])
def test_arguments_that_are_no_object_are_the_models_to_correct(package: Path, arguments: str) -> None:
    model = Scripted(("find", arguments), ("find", {"week": "W31"}))
    run(package, model)
    assert [each.outcome for each in model.parts] == ["retried", "success"]


def test_a_failure_of_the_tool_is_a_failed_result_and_no_retry(package: Path) -> None:
    model = Scripted(*[("fail", {})] * 4)
    calls = run(package, model, toolset={"max_retries": 0})
    assert [each.outcome for each in calls] == ["tool-failed"] * 4
    assert [each.outcome for each in model.parts] == ["failed"] * 4
    assert "the books are closed" in str(model.parts[0].content)


def test_what_the_policy_asks_about_is_refused_with_the_way_to_allow_it(package: Path) -> None:
    policy = Policy(rules=(Rule(action="ask", tool="find"),))
    model = Scripted(("find", {"week": "W31"}))
    (record,) = run(package, model, policy=policy)
    assert record.outcome == "refused"
    assert model.parts[0].outcome == "failed"


def test_what_the_policy_denies_is_not_shown(package: Path) -> None:
    model = Scripted()
    run(package, model, policy=Policy(rules=(Rule(action="deny", tool="find"),)))
    assert sorted(each.name for each in model.shown[0].function_tools) == ["fail", "read_on_result"]


def test_a_model_may_correct_itself_only_so_often(package: Path) -> None:
    model = Scripted(*[("find", {"week": "31"})] * 3)
    with pytest.raises(UnexpectedModelBehavior):
        run(package, model, toolset={"max_retries": 1})


def test_a_large_result_is_read_on(package: Path) -> None:
    class Reading(Scripted):
        def __call__(self, messages: list[ModelMessage], info: AgentInfo) -> ModelResponse:
            response = super().__call__(messages, info)
            content = self.parts[-1].content if self.parts else {}
            if isinstance(content, dict) and "next_handle" in content:
                return ModelResponse(
                    parts=[ToolCallPart("read_on_result", {"handle": content["next_handle"]})]
                )
            return response

    model = Reading(("find", {"week": "W31"}))
    run(package, model, limits=Limits(result_bytes=1_000))
    parts: list[Any] = [each.content for each in model.parts]
    numbers = [(each["part"], each["parts"]) for each in parts]
    assert len(numbers) > 1
    assert numbers == [(number + 1, len(numbers)) for number in range(len(numbers))]


def test_a_handle_that_nobody_gave_out_is_the_models_to_correct(package: Path) -> None:
    model = Scripted(("read_on_result", {"handle": "made up"}))
    run(package, model)
    assert [each.outcome for each in model.parts] == ["retried"]


def test_who_asks_may_depend_on_the_run(package: Path) -> None:
    asking = {"caller": lambda ctx: Caller(principal=ctx.deps)}
    (record,) = run(package, Scripted(("find", {"week": "W31"})), toolset=asking, deps="ann")
    assert record.principal == "ann"


def test_the_example_corrects_itself_by_the_error_and_answers(provider: Provider) -> None:
    async def work() -> str:
        async with prowess.Host.open(PACKAGE, only=["invoice-tools"]) as host:
            return await pydantic_agent.ask(host, provider.url, "Which invoices of week 31 are there?")

    assert asyncio.run(work()) == "Week 2026-W31: 4 invoices; open 3475.40, overdue 1200.00, paid 399.00."
    error = json.dumps(provider.requests[-2])
    assert "invalid-arguments" in error
    assert len(provider.requests) == 3


def test_without_the_extra_its_install_command_is_named() -> None:
    program = (
        "import sys; sys.modules['pydantic_ai'] = None\n"
        "from prowess.errors import UsageError\n"
        "try:\n    import prowess.host.pydantic_ai\n"
        "except UsageError as error:\n    print(error.hint)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=30, check=False
    )
    assert done.stdout == "pip install 'prowess[agent]'\n"


def test_a_host_alone_imports_no_agent_framework() -> None:
    program = "import sys, prowess.host.host, prowess.call.path; sys.exit('pydantic_ai' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", program], check=False, timeout=30).returncode == 0
