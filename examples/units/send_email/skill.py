"""One e-mail, through the service of `outbox_server.py`.

The service wants a token. The unit has none: prowess.toml says which credential requests to that
service carry, and they carry it whether the unit knows or not.
"""

from __future__ import annotations

from typing import Any

SERVICE = "http://127.0.0.1:18933"


class SendEmail:
    """Not idempotent: sent twice is there twice, so Prowess never tries it again by itself."""

    async def execute(self, params: dict[str, Any], ctx: Any) -> dict[str, Any]:
        answer = await ctx.http.post(f"{SERVICE}/messages", json=params)
        told = answer.raise_for_status().json()
        if "id" not in told:
            raise RuntimeError("the e-mail service did not say that it took the message")
        ctx.log("sent", subject=params["subject"])
        return {"id": told["id"]}
