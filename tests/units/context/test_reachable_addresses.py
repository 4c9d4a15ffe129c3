"""Which addresses and hosts are open: public ones, declared ones, and in no spelling any other."""

from __future__ import annotations

import ipaddress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from prowess.units.addresses import may_reach, networks, parsed
from prowess.units.hosts import declared

PRIVATE = (
    *("127.0.0.1", "127.9.9.9", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255"),
    *("192.168.1.1", "169.254.169.254", "169.254.1.1", "100.64.0.1", "192.0.0.192", "192.0.2.1"),
    *("198.18.0.1", "198.51.100.7", "203.0.113.9", "224.0.0.1", "239.1.1.1", "240.0.0.1"),
    *("255.255.255.255", "192.88.99.1", "168.63.129.16", "100.100.100.200"),
    *("::", "::1", "fe80::1", "fc00::1", "fd00:ec2::254", "ff02::1", "fec0::1", "2001:db8::1"),
    # IPv4 carried inside IPv6: mapped, compatible, 6to4, Teredo, NAT64
    *("::ffff:127.0.0.1", "::ffff:a9fe:a9fe", "::127.0.0.1", "2002:7f00:1::", "2001:0:7f00:1::"),
    *("64:ff9b::7f00:1", "64:ff9b::a00:1", "64:ff9b:1::1", "100::1", "fe80::1%eth0", "3fff::1"),
)
PUBLIC = ("8.8.8.8", "1.1.1.1", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "64:ff9b::808:808")


@pytest.mark.parametrize("text", PRIVATE)
def test_what_is_not_public_is_closed_until_it_is_declared(text: str) -> None:
    address = parsed(text)
    assert address is not None
    assert not may_reach(address, ())
    alone, _ = networks([str(address).partition("%")[0]])
    assert may_reach(address, alone)


@pytest.mark.parametrize("text", PUBLIC)
def test_what_is_public_is_open(text: str) -> None:
    address = parsed(text)
    assert address is not None
    assert may_reach(address, ())


@given(st.integers(0, 2**32 - 1))
def test_ipv4_inside_ipv6_is_judged_as_what_it_is(number: int) -> None:
    bare = ipaddress.IPv4Address(number)
    for prefix in ("::ffff:", "64:ff9b::"):
        assert may_reach(ipaddress.IPv6Address(f"{prefix}{bare}"), ()) == may_reach(bare, ())


@given(st.integers(0, 2**32 - 1))
def test_nothing_that_is_private_by_the_standard_library_is_open(number: int) -> None:
    address = ipaddress.IPv4Address(number)
    if address.is_private or address.is_loopback or address.is_link_local or address.is_multicast:
        assert not may_reach(address, ())


def test_a_declared_network_opens_its_addresses_and_no_metadata_service() -> None:
    wide, odd = networks(["10.0.0.0/8", "169.254.0.0/16", "10.1.2.3/8", "everything"])
    assert odd == ("10.1.2.3/8", "everything")
    assert may_reach(ipaddress.ip_address("10.200.1.1"), wide)
    assert may_reach(ipaddress.ip_address("169.254.7.7"), wide)
    assert not may_reach(ipaddress.ip_address("169.254.169.254"), wide)
    named, _ = networks(["169.254.169.254"])
    assert may_reach(ipaddress.ip_address("169.254.169.254"), named)


@pytest.mark.parametrize(
    ("said", "scheme", "name", "port", "covered"),
    [
        ("api.test", "https", "api.test", 443, True),
        ("api.test", "http", "api.test", 80, True),
        ("api.test", "https", "api.test", 8443, False),
        ("api.test", "http", "api.test", 443, False),
        ("API.Test.", "https", "api.test", 443, True),
        ("api.test:8443", "https", "api.test", 8443, True),
        ("api.test:8443", "https", "api.test", 443, False),
        ("https://api.test", "http", "api.test", 80, False),
        ("*.api.test", "https", "a.b.api.test", 443, True),
        ("*.api.test", "https", "api.test", 443, False),
        ("*.api.test", "https", "evilapi.test", 443, False),
        ("api.test", "https", "api.test.evil", 443, False),
        ("api.test", "https", "sub.api.test", 443, False),
        ("[::1]:8080", "http", "::1", 8080, True),
        ("::1", "http", "::1", 80, True),
        ("[0:0::1]", "http", "::1", 80, True),
        ("bücher.test", "https", "xn--bcher-kva.test", 443, True),
    ],
)
def test_a_declared_host_covers_itself_and_nothing_beside(
    said: str, scheme: str, name: str, port: int, covered: bool
) -> None:
    (host,), odd = declared([said])
    assert not odd
    assert host.covers(scheme, name, port) is covered


@pytest.mark.parametrize(
    "said",
    ["", "*", "*.com", "api.test/v1", "me@api.test", "ftp://api.test", "a b", "api.test:0", "a.*.test"],
)
def test_what_names_no_host_grants_nothing(said: str) -> None:
    assert declared([said]) == ((), (said,))
