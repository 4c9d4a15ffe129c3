"""An MCP server over HTTP that wants a bearer token, and repeats it in what it answers."""

from __future__ import annotations

from typing import Any

from tests.link.servers.web import Handler, Web

SCHEME = "Bearer "


class Guarded(Web):
    """`tokens` maps each known token to the status that it gets; 401 for all others."""

    def __init__(self) -> None:
        super().__init__()
        self.RequestHandlerClass = GuardedHandler
        self.tokens: dict[str, int] = {}
        self.header = "authorization"
        self.challenge = ""
        self.retry_after = ""
        self.only: str | None = None  # the method that is guarded; every one if None

    def calls(self) -> list[str]:
        """The token that each tools/call brought."""
        return [headers.get(self.header, "") for *_, headers, method in self.seen if method == "tools/call"]


class GuardedHandler(Handler):
    server: Guarded

    @property
    def token(self) -> str:
        return self.headers.get(self.server.header, "").removeprefix(SCHEME)

    def turned_away(self) -> bool:
        web = self.server
        method = web.seen[-1][3]
        status = web.tokens.get(self.token, 401)
        if status == 200 or (web.only is not None and method != web.only):
            return super().turned_away()
        headers = {"Retry_After": web.retry_after} if web.retry_after else {}
        if web.challenge:
            headers["WWW_Authenticate"] = web.challenge
        self.reply(status, f"not with {self.token}".encode(), **headers)
        return True

    def response(self, message: dict[str, Any]) -> dict[str, Any]:
        answer = super().response(message)
        if message["method"] == "tools/list":
            answer["result"]["tools"] = [{**answer["result"]["tools"][0], "description": f"By {self.token}."}]
        if message["method"] == "tools/call":
            answer["result"]["content"] = [
                {"type": "text", "text": f"seen {self.headers[self.server.header]}"}
            ]
        return answer
