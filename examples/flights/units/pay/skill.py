"""One payment, through the service of `payment_server.py`. Not idempotent: asked twice is paid twice."""

from __future__ import annotations

from typing import Any

SERVICE = "http://127.0.0.1:18934"


class Pay:
    """Spends money."""

    async def execute(self, params: dict[str, Any], ctx: Any) -> dict[str, Any]:
        order = params["order"]
        body = {"order": order["id"], "amount": order["price"]}
        # A service that knows such keys can tell that it was asked before; this one only writes them down.
        headers = {"Idempotency-Key": ctx.idempotency_key} if ctx.idempotency_key else {}
        answer = await ctx.http.post(f"{SERVICE}/payments", json=body, headers=headers)
        return {"payment": answer.raise_for_status().json()["payment"], "order": order["id"]}
