"""Which addresses are on the open internet, by IANA's registries of special-purpose addresses."""

from __future__ import annotations

from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

_CLOSED_4 = {
    "this network": ["0.0.0.0/8"],
    "private": ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16"],
    "shared by carriers (CGNAT)": ["100.64.0.0/10"],
    "this machine (loopback)": ["127.0.0.0/8"],
    "link-local": ["169.254.0.0/16"],
    "reserved": [
        "192.0.0.0/24",
        "192.0.2.0/24",
        "192.31.196.0/24",
        "192.52.193.0/24",
        "192.88.99.0/24",
        "192.175.48.0/24",
        "198.18.0.0/15",
        "198.51.100.0/24",
        "203.0.113.0/24",
        "240.0.0.0/4",
    ],
    "multicast": ["224.0.0.0/4"],
}
_CLOSED_6 = {
    "this machine (loopback)": ["::1/128"],
    "private (ULA)": ["fc00::/7"],
    "link-local": ["fe80::/10", "fec0::/10"],
    "multicast": ["ff00::/8"],
    "6to4": ["2002::/16"],
    "Teredo": ["2001::/32"],
    "reserved": ["2001::/23", "2001:db8::/32", "2620:4f:8000::/48", "3fff::/20"],
}
_OPEN_6 = IPv6Network("2000::/3")  # nothing else has been given out
_MAPPED = IPv6Network("::ffff:0:0/96")
_NAT64 = IPv6Network("64:ff9b::/96")
_CLOSED = [
    (what, network_kind(text))
    for kinds, network_kind in ((_CLOSED_4, IPv4Network), (_CLOSED_6, IPv6Network))
    for what, texts in kinds.items()
    for text in texts
]
# Where clouds hand out credentials; the first is of a range that is open otherwise. No network in settings opens any.
METADATA: frozenset[Address] = frozenset(
    [
        IPv4Address("168.63.129.16"),
        IPv4Address("169.254.169.254"),
        IPv4Address("169.254.170.2"),
        IPv4Address("169.254.170.23"),
        IPv4Address("100.100.100.200"),
        IPv4Address("192.0.0.192"),
        IPv6Address("fd00:ec2::254"),
        IPv6Address("fd00:ec2::23"),
        IPv6Address("fd20:ce::254"),
    ]
)


def unwrapped(address: Address) -> Address:
    """The IPv4 address that an IPv6 one stands for, where packets to it end up there."""
    if isinstance(address, IPv6Address) and (address in _MAPPED or address in _NAT64):
        return IPv4Address(int(address) & 0xFFFFFFFF)
    return address


def closed(address: Address) -> str | None:
    """Why nobody outside of it should be led there; None for what is on the open internet."""
    address = unwrapped(address)
    if address in METADATA:
        return "a cloud's metadata service"
    for what, network in _CLOSED:
        if address.version == network.version and address in network:
            return what
    if isinstance(address, IPv6Address) and address not in _OPEN_6:
        return "reserved"
    return None if address.is_global else "reserved"
