"""Addresses of the internet: IP addresses, domain names, e-mail addresses, URLs."""

from __future__ import annotations

import string
from typing import TYPE_CHECKING, Any, Literal, overload

from everycase.errors import InvalidArgument
from everycase.gen.base import Gen
from everycase.gen.collections import tuples
from everycase.gen.composition import one_of
from everycase.gen.intern import interned
from everycase.gen.kinds import Filter, Int, Map
from everycase.gen.scalars import integers, just, sampled_from
from everycase.gen.show import described
from everycase.gen.strings import text
from everycase.gen.validate import as_gen, require_instance, require_int

if TYPE_CHECKING:
    from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network

#: The first and last addresses of blocks with a special meaning (RFC 6890 and its successors).
_NOTABLE_V4 = [
    "0.0.0.0",
    "10.0.0.0",
    "10.255.255.255",
    "100.64.0.0",
    "127.0.0.1",
    "127.255.255.255",
    "169.254.0.0",
    "172.16.0.0",
    "172.31.255.255",
    "192.0.0.0",
    "192.0.2.0",
    "192.88.99.0",
    "192.168.0.0",
    "192.168.255.255",
    "198.18.0.0",
    "198.51.100.0",
    "203.0.113.0",
    "224.0.0.0",
    "240.0.0.0",
    "255.255.255.255",
]
_NOTABLE_V6 = [
    "::",
    "::1",
    "::ffff:0:0",
    "::ffff:255.255.255.255",
    "64:ff9b::",
    "100::",
    "2001::",
    "2001:db8::",
    "2002::",
    "fc00::",
    "fe80::",
    "ff00::",
    "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff",
]

#: Endings of domain names: common ones, long and short ones, a country's and one in another script.
_TOP_LEVEL = [
    "com",
    "org",
    "net",
    "io",
    "de",
    "uk",
    "jp",
    "edu",
    "gov",
    "info",
    "museum",
    "photography",
    "xn--p1ai",
]
_LETTERS_DIGITS = string.ascii_lowercase + string.digits
#: The characters allowed in the local part of an address without quotes (RFC 5322: atext).
_ATOM = string.ascii_letters + string.digits + "!#$%&'*+-/=^_`{|}~"
#: The characters allowed in a path as they are (RFC 3986: unreserved and sub-delims, colon and at-sign).
_PATH = string.ascii_letters + string.digits + "-._~!$&'()*+,;=:@"


@overload
def ip_addresses(*, v: Literal[4], network: str | IPv4Network | None = None) -> Gen[IPv4Address]: ...
@overload
def ip_addresses(*, v: Literal[6], network: str | IPv6Network | None = None) -> Gen[IPv6Address]: ...
@overload
def ip_addresses(
    *, v: None = None, network: str | IPv4Network | IPv6Network | None = None
) -> Gen[IPv4Address | IPv6Address]: ...
def ip_addresses(*, v: int | None = None, network: Any = None) -> Gen[Any]:
    """IP addresses, optionally of version 4 or 6, or of one network. The first address is the simplest.

    Random addresses include the ends of blocks with a special meaning (loopback, private, multicast, ...)
    more often than by pure chance.

    >>> {address.version for address in ip_addresses(v=6).sample(50, seed=0)}
    {6}
    >>> ip_addresses(network="10.0.0.0/30")[3]
    IPv4Address('10.0.0.3')
    """
    from ipaddress import IPv4Network, IPv6Network, ip_network

    if v not in (None, 4, 6) or isinstance(v, bool):
        raise InvalidArgument(f"v={v!r} must be 4 or 6, or None for both")
    shown = network
    if network is None:
        node = one_of([_addresses(n) for n in ([4, 6] if v is None else [v])])
        return described(node, "ip_addresses", v=v)
    if isinstance(network, str):
        try:
            network = ip_network(network)
        except ValueError as problem:
            raise InvalidArgument(
                f"network={shown!r} is not a network: {problem}; for example network='10.0.0.0/8'"
            ) from None
    require_instance("network", network, (IPv4Network, IPv6Network), "a network such as '10.0.0.0/8'")
    if v not in (None, network.version):
        raise InvalidArgument(
            f"v={v} contradicts network={shown!r}, which is of version {network.version}; leave out v"
        )
    low, high = int(network.network_address), int(network.broadcast_address)
    node = _addresses(network.version, low, high)
    return described(node, "ip_addresses", v=v, network=shown)


@interned
def _addresses(version: int, low: int = 0, high: int | None = None) -> Gen[Any]:
    from ipaddress import IPv4Address, IPv6Address

    kind: Any = IPv4Address if version == 4 else IPv6Address
    high = (2 ** (32 if version == 4 else 128) - 1) if high is None else high
    notable = [int(kind(address)) for address in (_NOTABLE_V4 if version == 4 else _NOTABLE_V6)]
    edges = [low, high, *(n for n in notable if low <= n <= high)]
    return Map(Int(low, high, low, edges, share=1 / 3), kind, int, share=True)


def domains(*, max_length: int = 255, max_element_length: int = 63) -> Gen[str]:
    """Domain names: one or more labels and a top-level domain. ``a.com`` is the simplest.

    >>> domains()[0]
    'a.com'
    >>> all(len(name) <= 20 for name in domains(max_length=20).sample(50, seed=0))
    True
    """
    require_int("max_length", max_length)
    require_int("max_element_length", max_element_length)
    if not 4 <= max_length <= 255:
        raise InvalidArgument(f"max_length={max_length} must be from 4 to 255: a.de has 4 characters")
    if not 1 <= max_element_length <= 63:
        raise InvalidArgument(f"max_element_length={max_element_length} must be from 1 to 63")
    return _domains(max_length, max_element_length)


@interned
def _domains(most: int, most_in_label: int) -> Gen[str]:
    endings = [name for name in _TOP_LEVEL if len(name) <= min(most - 2, most_in_label)] or ["de"]
    first, last = sampled_from(string.ascii_lowercase + string.digits), sampled_from(_LETTERS_DIGITS)
    label: Gen[str] = first
    if most_in_label > 1:
        # A label begins and ends with a letter or digit; hyphens are allowed in between.
        longer = tuples(first, text(_LETTERS_DIGITS + "-", max_size=most_in_label - 2), last)
        label = one_of(first, Map(longer, "".join, share=True))
    from everycase.gen.collections import lists

    labels = lists(label, min_size=1, max_size=max(1, min(4, (most - 3) // 2)))
    named = tuples(labels, sampled_from(endings)).map(lambda parts: ".".join([*parts[0], parts[1]]))
    whole = Filter(named, lambda name: len(name) <= most)
    shown = {"max_length": None if most == 255 else most}
    return described(
        whole, "domains", **shown, max_element_length=None if most_in_label == 63 else most_in_label
    )


def emails(*, domains: Gen[str] | None = None) -> Gen[str]:
    """E-mail addresses (RFC 5322, without quotes and comments); ``domains`` generates the part after the @.

    >>> emails()[0]
    '0@a.com'
    >>> all("@" in address for address in emails().sample(50, seed=0))
    True
    """
    hosts = _domains(255, 63) if domains is None else as_gen("domains", domains)
    return _emails(hosts) if domains is None else described(_emails(hosts), "emails", domains=hosts)


@interned
def _emails(hosts: Gen[str]) -> Gen[str]:
    from everycase.gen.collections import lists

    atom = text(_in_order(_ATOM), min_size=1, max_size=64)
    local = Filter(lists(atom, min_size=1, max_size=3).map(".".join), lambda name: len(name) <= 64)
    address = tuples(local, hosts).map("@".join)
    # RFC 5321 allows a path of 256 characters, including the two angle brackets.
    return described(Filter(address, lambda whole: len(whole) <= 254), "emails")


def urls() -> Gen[str]:
    """URLs of the schemes http and https (RFC 3986): a domain, sometimes a port, a path, a query and a fragment.

    >>> urls()[0]
    'http://a.com/'
    >>> all(url.startswith(("http://", "https://")) for url in urls().sample(50, seed=0))
    True
    """
    return _urls()


@interned
def _urls() -> Gen[str]:
    from everycase.gen.collections import lists

    escaped = Map(integers(0, 255), lambda n: f"%{n:02X}", lambda code: int(code[1:], 16), share=True)
    character = one_of(sampled_from(_in_order(_PATH)), escaped)
    piece: Gen[str] = Map(lists(character), "".join, share=True)
    path = Map(lists(piece), "/".join, share=True)
    port = one_of(just(""), integers(1, 65535).map(":{}".format))
    query, fragment = (one_of(just(""), piece.map((mark + "{}").format)) for mark in "?#")
    parts = tuples(sampled_from(["http://", "https://"]), domains(), port, just("/"), path, query, fragment)
    return described(parts.map("".join), "urls")


def _in_order(characters: str) -> str:
    """Characters, the simplest first, as :func:`everycase.gen.characters` has them."""
    from everycase.gen.unicode import READABLE

    return "".join(c for c in READABLE if c in characters)
