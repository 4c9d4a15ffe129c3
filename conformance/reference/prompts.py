"""Prompts: plain, with arguments, with a resource, with a picture, with a question to the client."""

from __future__ import annotations

from typing import Any

from conformance.reference.asking import Asked
from conformance.reference.contents import elicitation, embedded, image, said, text
from conformance.reference.tools import Shelf

SHELF = Shelf()

WORDS = ("paris", "park", "party", "test", "testing")


@SHELF.prompt("A prompt without arguments")
async def test_simple_prompt(asked: Asked) -> dict[str, Any]:
    """One message."""
    return said(text("This is a simple prompt for testing."))


@SHELF.prompt("A prompt with two arguments", arg1="First test argument", arg2="Second test argument")
async def test_prompt_with_arguments(asked: Asked) -> dict[str, Any]:
    """The arguments in a message."""
    first, second = asked.arguments["arg1"], asked.arguments["arg2"]
    return said(text(f"Prompt with arguments: arg1='{first}', arg2='{second}'"))


@SHELF.prompt("A prompt with a resource inside", resourceUri="URI of the resource to embed")
async def test_prompt_with_embedded_resource(asked: Asked) -> dict[str, Any]:
    """A resource and what to do with it."""
    return said(
        embedded(str(asked.arguments["resourceUri"]), "Embedded resource content for testing."),
        text("Please process the embedded resource above."),
    )


@SHELF.prompt("A prompt with a picture inside")
async def test_prompt_with_image(asked: Asked) -> dict[str, Any]:
    """A picture and what to do with it."""
    return said(image(), text("Please analyze the image above."))


@SHELF.prompt("A prompt that asks a person before it is written")
async def test_input_required_result_prompt(asked: Asked) -> dict[str, Any]:
    """A message with what the person said."""
    question = elicitation("What context should the prompt use?", context={"type": "string"})
    response = (await asked.collect({"user_context": question}))["user_context"]
    content = response.get("content") or {}
    return said(text(f"Work with this context: {content.get('context', 'none')}"))


def completions(value: str) -> dict[str, Any]:
    """The words that begin with what was typed; a client shows them for any argument."""
    values = [word for word in WORDS if word.startswith(value)]
    return {"completion": {"values": values, "total": len(values), "hasMore": False}}
