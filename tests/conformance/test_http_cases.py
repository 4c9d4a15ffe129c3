"""The public suite's streamable HTTP and HTTP+SSE cases on valid entries (its `core` plugin)."""

from __future__ import annotations

import pytest
from tests.conformance.bringing_up import Suite
from tests.conformance.http_probe import Seen
from tests.conformance.packages import LITERAL

HEADER = "x-apc-literal"


def of_server(suite: Suite, route: str) -> list[Seen]:
    """What the configured origin saw on a route; never nothing."""
    requests = suite.origin.requests(route)
    assert requests, f"no request came to {route}"
    return requests


@pytest.mark.req("AP-7.2-14")
@pytest.mark.parametrize(
    "server",
    [
        pytest.param("http", marks=pytest.mark.conformance("mcp.streamable-http.tool-availability")),
        pytest.param("sse", marks=pytest.mark.conformance("mcp.sse.tool-availability")),
    ],
)
def test_the_tool_of_an_http_server_is_offered_and_answers(suite: Suite, server: str) -> None:
    assert suite.core.offers[server].status == "connected", suite.core.offers[server].reason
    assert [tool.name for tool in suite.core.offers[server].tools] == ["observe"]
    assert suite.core.observations[server] == [{"type": "text", "text": "observed"}]


@pytest.mark.req("AP-7.2-9", "AP-9.2-2")
@pytest.mark.parametrize(
    "route",
    [
        pytest.param(
            "/conformance/mcp",
            marks=pytest.mark.conformance("mcp.streamable-http.url.literal-route-and-query"),
        ),
        pytest.param(
            "/conformance/sse", marks=pytest.mark.conformance("mcp.sse.url.literal-route-and-query")
        ),
    ],
)
def test_a_url_is_used_letter_for_letter(suite: Suite, route: str) -> None:
    assert {each.target for each in of_server(suite, route)} == {f"{route}?value=$APC_HTTP_VALUE"}


@pytest.mark.req("AP-7.2-9", "AP-9.2-2")
@pytest.mark.parametrize(
    "route",
    [
        pytest.param(
            "/conformance/mcp", marks=pytest.mark.conformance("mcp.streamable-http.headers.literal-value")
        ),
        pytest.param("/conformance/sse", marks=pytest.mark.conformance("mcp.sse.headers.literal-value")),
        pytest.param("/messages", marks=pytest.mark.conformance("mcp.sse.headers.literal-post-value")),
    ],
)
def test_a_configured_header_goes_letter_for_letter_with_every_request(suite: Suite, route: str) -> None:
    assert {tuple(each.headers.get(HEADER, ())) for each in of_server(suite, route)} == {(LITERAL,)}


@pytest.mark.req("AP-7.2-10")
@pytest.mark.conformance("mcp.sse.headers.generated-precedence")
def test_the_accept_header_of_the_client_wins_on_an_event_stream(suite: Suite) -> None:
    for request in of_server(suite, "/conformance/sse"):
        assert "text/event-stream" in ",".join(request.headers["accept"])
        assert "text/plain" not in ",".join(request.headers["accept"])


@pytest.mark.req("AP-7.2-10")
def test_the_accept_header_of_the_client_wins_on_streamable_http(suite: Suite) -> None:
    for request in of_server(suite, "/conformance/mcp"):
        assert "text/plain" not in ",".join(request.headers.get("accept", []))


@pytest.mark.req("AP-7.2-11", "AP-7.2-13")
@pytest.mark.parametrize(
    ("server", "route", "foreign_route"),
    [
        pytest.param(
            "http-redirect",
            "/redirect/conformance/mcp",
            "/conformance/mcp",
            marks=pytest.mark.conformance("mcp.streamable-http.headers.cross-origin-redirect"),
        ),
        pytest.param(
            "sse-redirect",
            "/redirect/conformance/sse",
            "/conformance/sse",
            marks=pytest.mark.conformance("mcp.sse.headers.cross-origin-redirect"),
        ),
        pytest.param(
            "sse-endpoint",
            "/foreign-endpoint/sse",
            "/messages",
            marks=pytest.mark.conformance("mcp.sse.headers.cross-origin-endpoint"),
        ),
    ],
)
def test_configured_headers_never_follow_to_another_origin(
    suite: Suite, server: str, route: str, foreign_route: str
) -> None:
    assert all(HEADER in each.headers for each in of_server(suite, route))
    assert suite.core.offers[server].status == "failed"
    assert server not in suite.core.observations
    assert not suite.foreign.requests(foreign_route)


@pytest.mark.req("AP-7.2-11")
def test_the_foreign_origin_is_not_contacted_at_all(suite: Suite) -> None:
    assert not suite.foreign.seen
