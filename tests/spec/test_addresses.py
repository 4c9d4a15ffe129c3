"""URLs by RFC 3986, loopback by how a host is written, header fields by RFC 9110."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.spec.header_fields import is_field_name, is_field_value, repeated_names
from prowess.spec.urls import is_loopback, url_problem


@pytest.mark.req("AP-7.2-8")
@pytest.mark.parametrize(
    "url",
    [
        "https://example.com",
        "HTTPS://EXAMPLE.com/MCP?a=$B&c=%7Bd%7D",
        "https://example.com:443/mcp",
        "https://example.com:65535",
        "https://example.com:/",
        "https://example.com/a@b:c",
        "https://example.com?q=/?",
        "https://[2001:db8::1]:8443/mcp",
        "https://[::ffff:1.2.3.4]/",
        "https://[v1.a:b]/",
        "https://xn--bcher-kva.example/",
        "http://localhost:8000/mcp",
        "http://LocalHost/",
        "http://127.0.0.1:3000/mcp",
        "http://127.255.255.254/",
        "http://[::1]/mcp",
        "http://[0:0:0:0:0:0:0:1]/mcp",
    ],
)
def test_a_valid_address_passes(url: str) -> None:
    assert url_problem(url) is None


@pytest.mark.req("AP-7.2-8")
@pytest.mark.parametrize(
    "url",
    [
        "",
        "/mcp",
        "//example.com/mcp",
        "example.com/mcp",
        "https:",
        "https:/example.com",
        "https://",
        "https:///mcp",
        "https://:443/",
        "https://?q",
        "ftp://example.com/",
        "ws://example.com/",
        "file:///etc/passwd",
        "javascript://localhost/",
        "https://user@example.com/",
        "https://user:password@example.com/",
        "https://@example.com/",
        "https://:@example.com/",
        "https://example.com/#",
        "https://example.com/#part",
        "https://example.com#",
        "https://example.com/a b",
        " https://example.com/",
        "https://example.com/\n",
        "https://exa\tmple.com/",
        "https://example.com/\x00",
        "https://example.com/\x7f",
        "https://example.com:65536/",
        "https://example.com:99999999999999999999/",
        "https://example.com:0x50/",
        "https://example.com:-1/",
        "https://example.com:80:80/",
        "https://example.com\\@evil.example/",
        "https://b\u00fccher.example/",
        "https://example.com/%zz",
        "https://exa%2mple.com/",
        "https://example.com/{path}",
        "https://example.com/${PLUGIN_ROOT}",
        "https://[::1/",
        "https://::1/",
        "https://[::g]/",
        "https://[1:2:3:4:5:6:7]/",
        "https://[1:2:3:4:5:6:7:8:9]/",
        "https://[1::2::3]/",
        "https://[:1]/",
        "https://[::1.2.3]/",
        "https://[1.2.3.4::]/",
        "https://[fe80::1%25eth0]/",
        "https://[]/",
        "https://[::1]x/",
    ],
)
def test_an_invalid_address_is_refused(url: str) -> None:
    problem = url_problem(url)
    assert problem is not None
    assert not problem.insecure


@pytest.mark.req("AP-7.2-8")
@pytest.mark.parametrize(
    "host",
    [
        "example.com",
        "0.0.0.0",
        "127.1",
        "2130706433",
        "0x7f000001",
        "0177.0.0.1",
        "127.0.0.01",
        "127.0.0.256",
        "128.0.0.1",
        "foo.localhost",
        "localhost.",
        "localhost.example.com",
        "%6cocalhost",
        "[::]",
        "[::2]",
        "[::ffff:127.0.0.1]",
    ],
)
def test_plain_http_is_refused_where_the_host_is_not_loopback(host: str) -> None:
    problem = url_problem(f"http://{host}/mcp")
    assert problem is not None
    assert problem.insecure
    assert url_problem(f"https://{host}/mcp") is None


@given(st.ip_addresses(v=6))
def test_every_ipv6_address_is_a_host(address: ipaddress.IPv6Address) -> None:
    for text in (address.compressed, address.exploded, address.compressed.upper()):
        assert url_problem(f"https://[{text}]/") is None
        assert is_loopback(f"[{text}]") == (address == ipaddress.ip_address("::1"))


@given(st.ip_addresses(v=4))
def test_an_ipv4_address_is_loopback_where_the_standard_says_so(address: ipaddress.IPv4Address) -> None:
    assert is_loopback(str(address)) == address.is_loopback


@given(st.text(alphabet="htps:/[]@#?%.0127:\\ \n$al", max_size=40))
def test_what_passes_never_holds_what_an_address_may_not(rest: str) -> None:
    if url_problem(f"https://{rest}") is None:
        assert not set(rest) & set(" \n\\#")
        assert "@" not in rest.partition("/")[0].partition("?")[0]


@pytest.mark.req("AP-7.2-9")
def test_header_names_are_tokens() -> None:
    assert all(map(is_field_name, ["X-Tenant", "x", "a!#$%&'*+-.^_`|~9"]))
    bad = ["", " ", "a b", "a:", "a\n", "\u00e9", "(a)", "a/b", 'a"', "a\0"]
    assert not any(map(is_field_name, bad))


@pytest.mark.req("AP-7.2-9")
def test_header_values_are_field_values() -> None:
    assert all(map(is_field_value, ["", "x", "a b\tc", "${PLUGIN_ROOT}|fixture value", "caf\u00e9"]))
    bad = [" a", "a ", "\ta", "a\n", "a\r\nX: b", "a\0b", "\x7f", "\u20ac", "\n"]
    assert not any(map(is_field_value, bad))


@pytest.mark.req("AP-7.2-9")
def test_a_name_in_another_casing_is_the_same_name() -> None:
    assert repeated_names(["X-One", "x-two", "X-ONE", "x-one"]) == ["X-ONE", "x-one"]
    assert repeated_names(["a", "b"]) == []
