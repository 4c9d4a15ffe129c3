"""Finds cities, from the service of `weather_server.py`: ten lines from its decorator on."""

from typing import Annotated

from pydantic import Field, TypeAdapter

from prowess import UnitContext, unit

Text = Annotated[str, Field(description="Part of the name", examples=["os"], max_length=60)]

CITIES = ["Lagos", "Oslo", "Osaka"]
TWIN = {"url": "http://127.0.0.1:18932/cities?q=os", "json": CITIES}  # what the service says in tests


@unit(
    idempotent=True,
    triggers=["find a city", "which cities"],
    permissions={"hosts": ["127.0.0.1:18932"]},
    examples=[{"input": {"text": "os"}, "output": {"result": CITIES}, "http": [TWIN]}],
)
async def search_cities(text: Text, ctx: UnitContext) -> list[str]:
    "Finds the cities whose name contains a text."
    answer = await ctx.http.get("http://127.0.0.1:18932/cities", params={"q": text})
    return TypeAdapter(list[str]).validate_python(answer.raise_for_status().json())
