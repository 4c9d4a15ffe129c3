"""Which IP addresses a unit may be led to: the public ones, and what it declares. Pure.

An address is judged by what it comes to in the end: IPv4 inside IPv6 (mapped, NAT64) is judged as
IPv4, and every IPv6 range that is a tunnel or has a special meaning counts as private. Addresses
where clouds answer questions about a machine and its credentials are refused unless they are
declared one by one; a declared network that happens to contain one does not open it.
"""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable

Address = ipaddress.IPv4Address | ipaddress.IPv6Address
Network = ipaddress.IPv4Network | ipaddress.IPv6Network

# Link-local and unique-local ones would be refused as private anyway; the Azure one is a public number.
METADATA = frozenset(
    ipaddress.ip_address(each)
    for each in (
        *("169.254.169.254", "169.254.169.253", "169.254.170.2", "169.254.170.23"),
        *("100.100.100.200", "168.63.129.16", "192.0.0.192"),
        *("fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254"),
    )
)
_GLOBAL_V6 = ipaddress.IPv6Network("2000::/3")
_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")
# Special ranges inside 2000::/3 (IANA special-purpose registry), tunnels among them.
_SPECIAL_V6 = tuple(
    ipaddress.IPv6Network(each)
    for each in ("2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20")
)
_SPECIAL_V4 = tuple(
    ipaddress.IPv4Network(each) for each in ("192.0.0.0/24", "192.31.196.0/24", "192.52.193.0/24",
                                             "192.88.99.0/24", "192.175.48.0/24")
)  # fmt: skip


def parsed(text: str) -> Address | None:
    """The address that a text is, in its plainest form; None for a name."""
    try:
        return plain(ipaddress.ip_address(text))
    except ValueError:
        return None


def plain(address: Address) -> Address:
    """IPv4 where IPv6 only carries it."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address.ipv4_mapped is not None:
        return address.ipv4_mapped
    if address in _NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFF_FFFF)
    return address


def networks(declared: Iterable[str]) -> tuple[tuple[Network, ...], tuple[str, ...]]:
    """The declared addresses and networks, and those among them that cannot be read."""
    found: list[Network] = []
    odd: list[str] = []
    for each in declared:
        try:
            found.append(ipaddress.ip_network(each.strip("[]"), strict=True))
        except ValueError:
            odd.append(each)
    return tuple(found), tuple(odd)


def may_reach(address: Address, declared: Iterable[Network]) -> bool:
    """Whether a connection may go to `address`."""
    address = plain(address)
    if isinstance(address, ipaddress.IPv6Address) and address.scope_id:
        address = ipaddress.IPv6Address(int(address))  # which interface is not what is asked here
    holding = [each for each in declared if address in each]
    if address in METADATA:
        return any(each.num_addresses == 1 for each in holding)
    return bool(holding) or _public(address)


def _public(address: Address) -> bool:
    if isinstance(address, ipaddress.IPv6Address):
        return address in _GLOBAL_V6 and not any(address in each for each in _SPECIAL_V6)
    special = address.is_multicast or address.is_reserved or any(address in each for each in _SPECIAL_V4)
    return address.is_global and not special
