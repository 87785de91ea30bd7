"""Each variable: what it sets, and that a bad value is refused by its name."""

from __future__ import annotations

import base64
import os
import runpy
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured

from supervisor_site.database import SQLITE

SETTINGS = str(Path(__file__).parents[2] / "supervisor_site" / "settings.py")
KEY = "a" * 50
# Always the same: it names a test, and several workers collect the same tests.
FERNET = base64.urlsafe_b64encode(bytes(32)).decode()
PRODUCTION = {"DEBUG": "false", "SECRET_KEY": KEY, "FIELD_ENCRYPTION_KEYS": FERNET}

Read = Callable[..., dict[str, Any]]


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Read:
    """The settings as a process with exactly these variables would see them."""

    def read_settings(**variables: str) -> dict[str, Any]:
        monkeypatch.setattr(os, "environ", {**variables})
        return runpy.run_path(SETTINGS)

    return read_settings


@pytest.mark.parametrize(
    ("name", "value", "why"),
    [
        ("DEBUG", "maybe", "true or false"),
        ("RUN_DISPATCHER", "cron", "one of thread, celery"),
        ("RUN_THREADS", "many", "whole number"),
        ("RUN_THREADS", "0", "at least 1"),
        ("RUN_THREADS", "100000", "at most 1000"),
        ("SERVER_PROCESSES", "-1", "at least 1"),
        ("WEB_CONCURRENCY", "x", "whole number"),
        ("LOG_FORMAT", "xml", "one of text, json"),
        ("BASE_URL", "example.com", "http:// or https://"),
        ("BASE_URL", "https://", "no host"),
        ("BASE_URL", "https://host:port", "not an address"),
        ("BASE_URL", "https://example.com/?a=b", "no '?'"),
        ("ALLOWED_HOSTS", "https://example.com", "without scheme"),
        ("ALLOWED_HOSTS", "a.example, b.example/path", "'b.example/path'"),
        ("DATABASE_URL", "nonsense", "cannot be read"),
        ("DATABASE_URL", "mysql://host/name", "sqlite:/// or postgres://"),
        ("DATABASE_URL", "postgres://host", "no database"),
        ("DATABASE_URL", "postgres://host:port/name", "cannot be read"),
        ("DATABASE_URL", "sqlite://:memory:", "must name a file"),
        ("DATABASE_URL", "sqlite:////dev/null/db.sqlite3", "cannot be made"),
        ("REDIS_URL", "http://host", "redis:// or rediss:// or unix://"),
        ("REDIS_URL", "redis://:6379", "no host"),
        ("CELERY_BROKER_URL", "kafka://host", "must start with redis://"),
        ("OPENAI_BASE_URL", "localhost:11434/v1", "http:// or https://"),
        ("OPENAI_BASE_URL", "http://me:secret@host/v1", "user name or password"),
        ("OPENAI_API_KEY", "sk-one two", "a space"),
        ("FIELD_ENCRYPTION_KEYS", "short", "no Fernet key at place 1"),
        ("FIELD_ENCRYPTION_KEYS", f"{FERNET},short", "no Fernet key at place 2"),
        ("EMAIL_URL", "nonsense", "no known scheme"),
        ("EMAIL_URL", "carrier-pigeon://host", "no known scheme"),
        ("EMAIL_URL", "smtp://host:port", "cannot be read"),
        ("TOOL_ALLOWED_HOSTS", "https://api.example.com", "without scheme"),
        ("TOOL_ALLOWED_HOSTS", "*", "a host looks like"),
        ("TOOL_ALLOWED_HOSTS", "api.example.com:http", "a host looks like"),
    ],
)
def test_a_bad_value_stops_the_start_with_its_name_and_why(
    read: Read, name: str, value: str, why: str
) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        read(**{name: value})

    assert str(refused.value).startswith(f"{name} ")
    assert why in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value", "secret"),
    [
        ("OPENAI_API_KEY", "sk-hush hush", "hush"),
        ("FIELD_ENCRYPTION_KEYS", "hush", "hush"),
        ("DATABASE_URL", "postgres://me:hush@host:port/name", "hush"),
        ("REDIS_URL", "http://:hush@host", "hush"),
        ("OPENAI_BASE_URL", "http://me:hush@host/v1", "hush"),
        ("EMAIL_URL", "pigeon://me:hush@host", "hush"),
        ("EMAIL_URL", "smtp://me:hush@host:port", "hush"),
    ],
)
def test_the_refusal_does_not_repeat_a_secret(
    read: Read, name: str, value: str, secret: str
) -> None:
    with pytest.raises(ImproperlyConfigured) as refused:
        read(**{name: value})

    assert secret not in str(refused.value)


@pytest.mark.parametrize("missing", ["SECRET_KEY", "FIELD_ENCRYPTION_KEYS"])
def test_production_does_not_start_without_its_secrets(
    read: Read, missing: str
) -> None:
    variables = {**PRODUCTION}
    del variables[missing]

    with pytest.raises(ImproperlyConfigured, match=f"^{missing} is missing"):
        read(**variables)


def test_production_does_not_start_with_a_short_secret_key(read: Read) -> None:
    with pytest.raises(ImproperlyConfigured, match=r"^SECRET_KEY is too short"):
        read(**{**PRODUCTION, "SECRET_KEY": "hush"})


def test_production_knows_no_demo_password_of_its_own(read: Read) -> None:
    settings = read(**PRODUCTION)

    assert settings["DEBUG"] is False
    assert settings["DEMO_PASSWORD"] == ""


def test_development_makes_its_secrets_itself(read: Read) -> None:
    settings = read()

    assert settings["DEBUG"] is True
    assert len(settings["SECRET_KEY"]) >= 50
    assert len(settings["FIELD_ENCRYPTION_KEYS"]) == 1
    assert settings["DEMO_PASSWORD"]


def test_nothing_set_means_sqlite_threads_and_the_rehearsal_model(read: Read) -> None:
    settings = read()

    assert settings["DATABASES"]["default"]["ENGINE"] == SQLITE
    assert settings["RUN_DISPATCHER"] == "thread"
    assert settings["RUN_THREADS"] == 64
    assert settings["REDIS_URL"] == ""
    assert settings["OPENAI_API_KEY"] == ""
    assert settings["OPENAI_BASE_URL"] == ""
    assert settings["BASE_URL"] == "http://127.0.0.1:8000"
    assert settings["TOOL_ALLOWED_HOSTS"] == []
    assert settings["EMAIL_BACKEND"].endswith("console.EmailBackend")


def test_sqlite_waits_for_the_lock_before_it_reads(read: Read, tmp_path: Path) -> None:
    settings = read(DATABASE_URL=f"sqlite:///{tmp_path}/made/db.sqlite3")
    options = settings["DATABASES"]["default"]["OPTIONS"]

    assert options["transaction_mode"] == "IMMEDIATE"
    assert options["timeout"] == 20
    assert (tmp_path / "made").is_dir()


@pytest.mark.parametrize("scheme", ["postgres://me@host/name", "sqlite:///var/db"])
def test_either_database_gets_a_pool_of_bounded_size(read: Read, scheme: str) -> None:
    settings = read(DATABASE_URL=scheme, DATABASE_POOL="9")
    database = settings["DATABASES"]["default"]

    assert database["OPTIONS"]["pool"]["max_size"] == 9
    assert database["CONN_MAX_AGE"] == 0


def test_redis_serves_the_channel_layer_and_the_broker(read: Read) -> None:
    settings = read(REDIS_URL="redis://:pw@host:6379/0")
    layer = settings["CHANNEL_LAYERS"]["default"]

    assert layer["BACKEND"] == "channels_redis.pubsub.RedisPubSubChannelLayer"
    assert layer["CONFIG"]["hosts"] == [
        {"address": "redis://:pw@host:6379/0", "max_connections": 1000}
    ]
    assert settings["CELERY_BROKER_URL"] == "redis://:pw@host:6379/0"


def test_a_broker_of_its_own_wins(read: Read) -> None:
    settings = read(REDIS_URL="redis://host", CELERY_BROKER_URL="amqp://other//")

    assert settings["CELERY_BROKER_URL"] == "amqp://other//"


def test_the_email_address_sets_djangos_mail(read: Read) -> None:
    settings = read(EMAIL_URL="submission://me%40example.com:pw@mail.example.com:2587")

    assert settings["EMAIL_BACKEND"].endswith("smtp.EmailBackend")
    assert settings["EMAIL_HOST"] == "mail.example.com"
    assert settings["EMAIL_PORT"] == 2587
    assert settings["EMAIL_HOST_USER"] == "me@example.com"
    assert settings["EMAIL_HOST_PASSWORD"] == "pw"
    assert settings["EMAIL_USE_TLS"] is True


def test_a_model_server_is_named_by_address_key_and_model(read: Read) -> None:
    settings = read(
        OPENAI_BASE_URL="http://127.0.0.1:11434/v1/",
        OPENAI_API_KEY="sk-key",
        OPENAI_MODEL="qwen3",
    )

    assert settings["OPENAI_BASE_URL"] == "http://127.0.0.1:11434/v1"
    assert settings["OPENAI_API_KEY"] == "sk-key"
    assert settings["OPENAI_MODEL"] == "qwen3"


def test_tool_hosts_may_name_subdomains_ports_and_addresses(read: Read) -> None:
    hosts = "api.example.com, *.example.org, localhost:8080, [::1]:9000"

    assert read(TOOL_ALLOWED_HOSTS=hosts)["TOOL_ALLOWED_HOSTS"] == [
        "api.example.com",
        "*.example.org",
        "localhost:8080",
        "[::1]:9000",
    ]


def test_an_https_address_makes_cookies_secure_and_its_origin_trusted(
    read: Read,
) -> None:
    settings = read(**PRODUCTION, BASE_URL="https://teams.example.com/")

    assert settings["BASE_URL"] == "https://teams.example.com"
    assert settings["CSRF_TRUSTED_ORIGINS"] == ["https://teams.example.com"]
    assert settings["SESSION_COOKIE_SECURE"] is True
    assert settings["CSRF_COOKIE_SECURE"] is True


def test_the_number_of_server_processes_is_read_where_servers_read_it(
    read: Read,
) -> None:
    assert read()["SERVER_PROCESSES"] == 1
    assert read(WEB_CONCURRENCY="3")["SERVER_PROCESSES"] == 3
    assert read(WEB_CONCURRENCY="3", SERVER_PROCESSES="2")["SERVER_PROCESSES"] == 2
