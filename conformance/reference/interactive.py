"""Tools that ask the client: elicitation, sampling, roots, in one round and in several.

In MCP 2026-07-28 they end with `input_required` and are called again (SEP-2322); in 2025-11-25 they
put their questions while they run. `requestState` is sealed, for it comes back from the client.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from conformance.reference.asking import CAPABILITY, INVALID_PARAMS, Asked, Refused, sealed
from conformance.reference.contents import answer, elicitation, roots, sampling, text
from conformance.reference.tools import SHELF

TEXT = {"type": "string"}


def _content(response: Mapping[str, Any]) -> Mapping[str, Any]:
    """What a person filled in; nothing when they declined."""
    content = response.get("content")
    return content if isinstance(content, Mapping) else {}


def _sampled(response: Mapping[str, Any]) -> str:
    content = response.get("content")
    return str(content.get("text", "")) if isinstance(content, Mapping) else json.dumps(content)


def _uris(response: Mapping[str, Any]) -> str:
    return ", ".join(str(each.get("uri", "")) for each in response["roots"])


async def _form(asked: Asked, question: dict[str, Any]) -> dict[str, Any]:
    """Ask one question and say what was answered."""
    response = (await asked.collect({"form": question}))["form"]
    content = json.dumps(dict(_content(response)), sort_keys=True)
    return answer(text(f"Elicitation completed: action={response.get('action')}, content={content}"))


# -- one question ----------------------------------------------------------------------------------


@SHELF.tool(
    "Asks the client's model",
    {"type": "object", "properties": {"prompt": TEXT}, "required": ["prompt"]},
)
async def test_sampling(asked: Asked) -> dict[str, Any]:
    """What the model said."""
    responses = await asked.collect({"reply": sampling(str(asked.arguments["prompt"]))})
    return answer(text(f"LLM response: {_sampled(responses['reply'])}"))


@SHELF.tool(
    "Asks a person for a name and an address",
    {"type": "object", "properties": {"message": TEXT}, "required": ["message"]},
)
async def test_elicitation(asked: Asked) -> dict[str, Any]:
    """What the person filled in."""
    return await _form(
        asked,
        elicitation(
            str(asked.arguments["message"]),
            username={**TEXT, "description": "User's response"},
            email={**TEXT, "description": "User's email address"},
        ),
    )


@SHELF.tool("Asks a person with a form in which every field has a default")
async def test_elicitation_sep1034_defaults(asked: Asked) -> dict[str, Any]:
    """What the person left and changed."""
    return await _form(
        asked,
        elicitation(
            "Please look through these values",
            [],
            name={**TEXT, "default": "John Doe"},
            age={"type": "integer", "default": 30},
            score={"type": "number", "default": 95.5},
            status={**TEXT, "enum": ["active", "inactive", "pending"], "default": "active"},
            verified={"type": "boolean", "default": True},
        ),
    )


@SHELF.tool("Asks a person with a form that has every kind of choice")
async def test_elicitation_sep1330_enums(asked: Asked) -> dict[str, Any]:
    """What the person chose."""
    plain = ["option1", "option2", "option3"]
    titled = [
        {"const": f"value{number}", "title": f"{name} Option"}
        for number, name in enumerate(("First", "Second", "Third"), start=1)
    ]
    names = ["Option One", "Option Two", "Option Three"]
    return await _form(
        asked,
        elicitation(
            "Please choose",
            [],
            untitledSingle={**TEXT, "enum": plain},
            titledSingle={**TEXT, "oneOf": titled},
            legacyEnum={**TEXT, "enum": ["opt1", "opt2", "opt3"], "enumNames": names},
            untitledMulti={"type": "array", "items": {**TEXT, "enum": plain}},
            titledMulti={"type": "array", "items": {"anyOf": titled}},
        ),
    )


@SHELF.tool("Asks a person for a name")
async def test_input_required_result_elicitation(asked: Asked) -> dict[str, Any]:
    """A greeting."""
    responses = await asked.collect({"user_name": elicitation("What is your name?", name=TEXT)})
    return answer(text(f"Hello, {_content(responses['user_name']).get('name', 'stranger')}!"))


@SHELF.tool("Asks a person, and never with a request of its own on the stream of the call")
async def test_streaming_elicitation(asked: Asked) -> dict[str, Any]:
    """A confirmation, after some progress."""
    await asked.progress(1, 2)
    responses = await asked.collect({"go_on": elicitation("Shall this go on?", ok={"type": "boolean"})})
    return answer(text(f"The answer was {_content(responses['go_on']).get('ok')}"))


@SHELF.tool("Asks the client's model for a capital")
async def test_input_required_result_sampling(asked: Asked) -> dict[str, Any]:
    """What the model said."""
    responses = await asked.collect({"capital_question": sampling("What is the capital of France?")})
    return answer(text(_sampled(responses["capital_question"])))


@SHELF.tool("Needs a client that lets its model be asked")
async def test_missing_capability(asked: Asked) -> dict[str, Any]:
    """What the model said; a client without `sampling` is refused before anything is done."""
    responses = await asked.collect({"word": sampling("Say one word", 10)})
    return answer(text(_sampled(responses["word"])))


@SHELF.tool("Asks which directories the client works in")
async def test_input_required_result_list_roots(asked: Asked) -> dict[str, Any]:
    """Their URIs."""
    responses = await asked.collect({"client_roots": roots()})
    return answer(text(f"Roots: {_uris(responses['client_roots'])}"))


# -- several questions, and state that goes through the client ---------------------------------------


async def _confirmed(asked: Asked, state: str) -> None:
    """Ask for a confirmation; answers that come back without the state that was given out are refused."""
    given = asked.state()
    if asked.params.get("inputResponses") is not None and given != state:
        raise Refused(INVALID_PARAMS, "requestState is missing, or belongs to another request")
    question = elicitation("Please confirm", ok={"type": "boolean"})
    await asked.collect({"confirm": question}, sealed(state))


@SHELF.tool("Asks for a confirmation and gives out a state")
async def test_input_required_result_request_state(asked: Asked) -> dict[str, Any]:
    """Whether the state came back."""
    await _confirmed(asked, "request-state")
    return answer(text("state-ok"))


@SHELF.tool("Asks for a confirmation and refuses a state that was changed")
async def test_input_required_result_tampered_state(asked: Asked) -> dict[str, Any]:
    """Whether the state came back as it was."""
    await _confirmed(asked, "tampered-state")
    return answer(text("The state came back as it was"))


@SHELF.tool("Asks a person, the model and for the roots at once")
async def test_input_required_result_multiple_inputs(asked: Asked) -> dict[str, Any]:
    """All three answers."""
    asked.state()
    responses = await asked.collect(
        {
            "user_name": elicitation("What is your name?", name=TEXT),
            "greeting": sampling("Generate a greeting", 50),
            "client_roots": roots(),
        },
        sealed("multiple-inputs"),
    )
    name = _content(responses["user_name"]).get("name", "stranger")
    return answer(text(f"{_sampled(responses['greeting'])} {name}: {_uris(responses['client_roots'])}"))


@SHELF.tool("Asks a person twice; what was said first is in the state")
async def test_input_required_result_multi_round(asked: Asked) -> dict[str, Any]:
    """Both answers."""
    step, _, name = asked.state().partition(":")
    if step != "second":
        first = elicitation("Step 1: What is your name?", name=TEXT)
        responses = await asked.collect({"step1": first}, sealed("first:"))
        name = str(_content(responses["step1"]).get("name", "stranger"))
    second = elicitation("Step 2: What is your favorite color?", color=TEXT)
    responses = await asked.collect({"step2": second}, sealed(f"second:{name}"))
    return answer(text(f"{name} likes {_content(responses['step2']).get('color', 'no color')}"))


@SHELF.tool("Asks only for what the client says it can answer")
async def test_input_required_result_capabilities(asked: Asked) -> dict[str, Any]:
    """Which kinds of question were answered."""
    questions = {
        "elicitation": elicitation("What is your name?", name=TEXT),
        "sampling": sampling("Say hello", 20),
        "roots": roots(),
    }
    able = {
        key: question
        for key, question in questions.items()
        if CAPABILITY[str(question["method"])] in asked.client.capabilities
    }
    responses = await asked.collect(able)
    return answer(text(f"Answered: {', '.join(sorted(responses)) or 'nothing'}"))
