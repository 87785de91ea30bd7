"""Outbound calls go to allowed hosts only, however the address is written (S14)."""

from __future__ import annotations

import socket

import pytest

from supervisor_site.common.hosts import (
    HostNotAllowed,
    Target,
    canonical_host,
    check_url_allowed,
    is_public,
    refuse_addresses,
    target_of,
)


@pytest.fixture(autouse=True)
def _hosts(settings):
    settings.OPENAI_BASE_URL = "http://models.internal:8080/v1"
    settings.TOOL_ALLOWED_HOSTS = [
        "api.example.com",
        "*.example.org",
        "only.example.net:8443",
        "10.1.2.3",
        "[::1]:9000",
        "münchen.example",
    ]


@pytest.mark.parametrize(
    ("url", "target"),
    [
        ("http://models.internal:8080/v1", Target("models.internal", 8080, True)),
        ("https://api.example.com/v1", Target("api.example.com", 443, True)),
        ("https://API.example.com.:444/", Target("api.example.com", 444, True)),
        ("https://a.b.example.org/", Target("a.b.example.org", 443, False)),
        ("https://only.example.net:8443", Target("only.example.net", 8443, True)),
        ("http://10.1.2.3/", Target("10.1.2.3", 80, True)),
        ("http://167838211/", Target("10.1.2.3", 80, True)),
        ("http://[::1]:9000/", Target("::1", 9000, True)),
        ("http://münchen.example/", Target("xn--mnchen-3ya.example", 80, True)),
    ],
)
def test_listed_hosts_are_allowed(url, target):
    assert target_of(url) == target


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("ftp://api.example.com/", "scheme"),
        ("file:///etc/passwd", "scheme"),
        ("//api.example.com/", "scheme"),
        ("https://user:pw@api.example.com/", "userinfo"),
        ("https://api.example.com@evil.example/", "userinfo"),
        ("https:///path", "malformed"),
        ("https://api.example.com\\@evil.example/", "malformed"),
        ("https://api.example.com /", "malformed"),
        ("https://api.example.com:99999/", "malformed"),
        ("http://999999999999/", "malformed"),
        ("https://example.org/", "unlisted"),
        ("https://evilexample.org/", "unlisted"),
        ("https://api.example.com.evil.example/", "unlisted"),
        ("https://only.example.net/", "unlisted"),
        ("http://models.internal/v1", "unlisted"),
        ("http://[::1]:9001/", "unlisted"),
        ("http://127.0.0.1:8080/", "unlisted"),
        ("http://0x7f000001/", "unlisted"),
        ("http://[::ffff:10.1.2.3]/", "unlisted"),
    ],
)
def test_everything_else_is_refused_with_its_reason(url, code):
    with pytest.raises(HostNotAllowed) as refusal:
        target_of(url)
    assert refusal.value.code == code
    assert str(refusal.value)


def test_a_host_given_beside_the_list_is_allowed_at_public_addresses_only():
    target = target_of("https://api.openai.com/v1", also=["api.openai.com:443"])
    assert target == Target("api.openai.com", 443, listed=False)
    with pytest.raises(HostNotAllowed):
        target_of("http://api.openai.com/v1", also=["api.openai.com:443"])


@pytest.mark.parametrize("text", ["127.1", "0x7f.1", "2130706433", "0177.0.0.1"])
def test_every_spelling_of_an_address_is_one_host(text):
    assert canonical_host(text) == "127.0.0.1"


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "10.0.0.1",
        "172.16.5.5",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "::1",
        "::",
        "fe80::1%eth0",
        "fd00::1",
        "::ffff:127.0.0.1",
        "64:ff9b::a00:1",
        "2002:a00:1::1",
        "::10.0.0.1",
    ],
)
def test_addresses_that_are_not_of_the_open_internet(address):
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:4700::1111"])
def test_public_addresses(address):
    assert is_public(address)


def test_one_private_address_among_public_ones_refuses_the_host():
    with pytest.raises(HostNotAllowed) as refusal:
        refuse_addresses(Target("a.example.org", 443, False), ["93.184.216.34", "::1"])
    assert refusal.value.code == "private"
    refuse_addresses(Target("a.example.org", 443, True), ["127.0.0.1"])


def test_a_name_is_checked_by_its_addresses(settings):
    settings.TOOL_ALLOWED_HOSTS = ["*.localhost", "localhost"]
    check_url_allowed("http://localhost/")
    settings.TOOL_ALLOWED_HOSTS = ["*.invalid"]
    with pytest.raises(HostNotAllowed) as refusal:
        check_url_allowed("http://no.such.invalid/")
    assert refusal.value.code == "unresolved"


def test_a_pattern_does_not_allow_a_private_address(settings, monkeypatch):
    settings.TOOL_ALLOWED_HOSTS = ["*.example.org"]
    private = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("10.0.0.7", 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *args, **kwargs: private)
    with pytest.raises(HostNotAllowed) as refusal:
        check_url_allowed("https://inside.example.org/")
    assert refusal.value.code == "private"
