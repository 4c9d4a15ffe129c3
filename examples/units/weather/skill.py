"""The weather of a city, from the service of `weather_server.py`."""

from __future__ import annotations

from typing import Any

SERVICE = "http://127.0.0.1:18932"


class Weather:
    """Plain dictionaries in and out; what it may reach stands in schema.json."""

    async def execute(self, params: dict[str, Any], ctx: Any) -> dict[str, Any]:
        answer = await ctx.http.get(f"{SERVICE}/weather", params={"city": params["city"]})
        if answer.status_code == 404:
            raise LookupError(f"no weather is known of {params['city']}")
        told = answer.raise_for_status().json()
        if not {"city", "celsius", "sky"} <= set(told):
            raise RuntimeError("the weather service answered with something else than weather")
        degrees = told["celsius"]
        if params.get("unit") == "fahrenheit":
            degrees = round(degrees * 9 / 5 + 32, 1)
        return {"city": told["city"], "temperature": degrees, "sky": told["sky"]}
