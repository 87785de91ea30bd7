"""Which hosts the product may call: an allow-list, and no way round it (S14).

Allowed are the host and port of ``OPENAI_BASE_URL`` and those in
``TOOL_ALLOWED_HOSTS`` (``host``, ``host:port``, ``*.example.com`` for subdomains).
A private, loopback or link-local address is refused unless the host is listed
itself, not by a pattern. Names are checked again by the address they turn out to
have, at the moment of connecting: see ``refuse_addresses``.
"""

from __future__ import annotations

import ipaddress
import re
import socket
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import lru_cache
from urllib.parse import urlsplit

from django.conf import settings
from django.utils.translation import gettext as _

PORTS = {"http": 80, "https": 443}
NUMERIC_PART = r"(0x[0-9a-f]+|\d+)"
NUMERIC_HOST = re.compile(rf"{NUMERIC_PART}(\.{NUMERIC_PART}){{0,3}}")
UNSAFE = re.compile(r"[\s\\\x00-\x1f\x7f]")
NAT64 = ipaddress.ip_network("64:ff9b::/96")

Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class HostNotAllowed(Exception):
    """``code``: ``scheme``, ``userinfo``, ``malformed``, ``unlisted``, ``private`` or
    ``unresolved``; ``str()`` is a translated sentence."""

    def __init__(self, code: str, host: str = "") -> None:
        super().__init__(code, host)
        self.code = code
        self.host = host

    def __str__(self) -> str:
        return _sentence(self.code) % {"host": self.host}


def _sentence(code: str) -> str:
    sentences = {
        "scheme": _("Only http and https addresses can be called."),
        "userinfo": _("The address must not contain a user name or password."),
        "malformed": _("The address cannot be read."),
        "unlisted": _(
            "The host %(host)s is not allowed. TOOL_ALLOWED_HOSTS lists those that are."
        ),
        "private": _(
            "The host %(host)s has a private address and is not listed by itself in "
            "TOOL_ALLOWED_HOSTS."
        ),
        "unresolved": _("The host %(host)s was not found."),
    }
    return sentences[code]


@dataclass(frozen=True, slots=True)
class Target:
    """A host and port that may be called. ``listed``: by itself, so that a private
    address is meant."""

    host: str
    port: int
    listed: bool


def canonical_host(text: str) -> str:
    """One spelling for a host: lower case, ASCII, addresses in their usual form."""
    host = text.strip("[]").rstrip(".").lower()
    if NUMERIC_HOST.fullmatch(host):
        # 127.1, 0x7f000001 and 2130706433 all reach 127.0.0.1.
        try:
            return socket.inet_ntoa(socket.inet_aton(host))
        except OSError as error:
            raise HostNotAllowed("malformed", text) from error
    try:
        return str(ipaddress.ip_address(host))
    except ValueError:
        pass
    try:
        return host.encode("idna").decode() if not host.isascii() else host
    except UnicodeError as error:
        raise HostNotAllowed("malformed", text) from error


def _split(url: str) -> tuple[str, int]:
    """The host and port of a URL, refused where its parts are not plain."""
    if UNSAFE.search(url):
        raise HostNotAllowed("malformed")
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise HostNotAllowed("malformed") from error
    if parts.scheme not in PORTS:
        raise HostNotAllowed("scheme")
    if "@" in parts.netloc:
        raise HostNotAllowed("userinfo")
    if not parts.hostname:
        raise HostNotAllowed("malformed")
    return canonical_host(parts.hostname), port or PORTS[parts.scheme]


@lru_cache(maxsize=256)
def _entry(text: str) -> tuple[str, int | None]:
    """A list entry as host (or ``.domain`` for a pattern) and port, if it names one."""
    parts = urlsplit(f"//{text.removeprefix('*')}")
    domain = canonical_host(parts.netloc.removesuffix(f":{parts.port}").lstrip("."))
    return (f".{domain}" if text.startswith("*.") else domain), parts.port


def _fits(host: str, port: int, entry: str) -> bool:
    try:
        wanted, its_port = _entry(entry)
    except (HostNotAllowed, ValueError):
        return False
    if its_port is not None and its_port != port:
        return False
    return host.endswith(wanted) if wanted.startswith(".") else host == wanted


def _own_server(host: str, port: int) -> bool:
    if not settings.OPENAI_BASE_URL:
        return False
    try:
        return _split(settings.OPENAI_BASE_URL) == (host, port)
    except HostNotAllowed:
        return False


def target_of(url: str, *, also: Collection[str] = ()) -> Target:
    """The allowed target of a URL, without asking the name service.

    ``also``: further entries that are allowed at public addresses. Raises
    ``HostNotAllowed``.
    """
    host, port = _split(url)
    fitting = [e for e in settings.TOOL_ALLOWED_HOSTS if _fits(host, port, e)]
    if _own_server(host, port) or any(not e.startswith("*") for e in fitting):
        return Target(host, port, listed=True)
    if fitting or any(_fits(host, port, entry) for entry in also):
        return Target(host, port, listed=False)
    raise HostNotAllowed("unlisted", host)


def _embedded(address: Address) -> Address:
    """The IPv4 address that an IPv6 one leads to, where it does."""
    if isinstance(address, ipaddress.IPv4Address):
        return address
    if address in NAT64:
        return ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)
    teredo = address.teredo[1] if address.teredo else None
    return address.ipv4_mapped or address.sixtofour or teredo or address


def is_public(text: str) -> bool:
    """Whether an address is one of the open internet."""
    address = _embedded(ipaddress.ip_address(text.partition("%")[0]))
    return address.is_global and not (address.is_multicast or address.is_reserved)


def refuse_addresses(target: Target, addresses: Iterable[str]) -> None:
    """Raises ``HostNotAllowed`` if any of a host's addresses is not to be called.

    Connect only to addresses that passed: asking the name service a second time may
    bring others.
    """
    if not target.listed and not all(is_public(address) for address in addresses):
        raise HostNotAllowed("private", target.host)


def check_url_allowed(url: str, *, also: Collection[str] = ()) -> None:
    """Scheme, list and the addresses the host has now. Raises ``HostNotAllowed``."""
    target = target_of(url, also=also)
    try:
        found = socket.getaddrinfo(target.host, target.port, type=socket.SOCK_STREAM)
    except OSError as error:
        raise HostNotAllowed("unresolved", target.host) from error
    refuse_addresses(target, [str(entry[4][0]) for entry in found])
