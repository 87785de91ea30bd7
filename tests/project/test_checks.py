"""The system checks: each says what is wrong under its number, and only then."""

from __future__ import annotations

import pytest
from cryptography.fernet import Fernet
from django.core.checks import run_checks
from django.core.exceptions import ImproperlyConfigured
from pytest_django.fixtures import Settings

from supervisor_site.checks import refuse_unsafe_start
from supervisor_site.database import POSTGRESQL, SQLITE
from teams.models import Profile


def numbers(databases: list[str] | None = None) -> list[str]:
    found = run_checks(databases=databases)
    return sorted(str(each.id) for each in found if "supervisor." in str(each.id))


@pytest.fixture
def production(settings: Settings) -> Settings:
    settings.DEBUG = False
    settings.ALLOWED_HOSTS = ["teams.example.com"]
    settings.BASE_URL = "https://teams.example.com"
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    return settings


@pytest.fixture
def development(settings: Settings) -> Settings:
    settings.DEBUG = True
    settings.ALLOWED_HOSTS = ["127.0.0.1", "localhost", "[::1]"]
    return settings


def test_development_as_it_comes_is_fine(development: Settings) -> None:
    assert numbers() == []


def test_production_well_set_up_is_fine(production: Settings) -> None:
    assert numbers() == []


def test_several_server_processes_need_redis(production: Settings) -> None:
    production.SERVER_PROCESSES = 2
    assert numbers() == ["supervisor.E001"]

    production.REDIS_URL = "redis://host"
    assert numbers() == []


def test_the_server_refuses_to_start_on_an_error(production: Settings) -> None:
    production.SERVER_PROCESSES = 2

    with pytest.raises(ImproperlyConfigured, match="2 server processes share no"):
        refuse_unsafe_start()


def test_the_server_starts_in_spite_of_warnings(production: Settings) -> None:
    production.ALLOWED_HOSTS = ["localhost"]

    refuse_unsafe_start()


def test_celery_needs_a_broker_and_wants_redis_and_postgresql(
    development: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    development.RUN_DISPATCHER = "celery"
    development.CELERY_BROKER_URL = ""
    monkeypatch.setitem(development.DATABASES["default"], "ENGINE", SQLITE)

    assert numbers() == ["supervisor.E002", "supervisor.W001", "supervisor.W002"]


def test_celery_on_redis_and_postgresql_is_fine(
    development: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    development.RUN_DISPATCHER = "celery"
    development.REDIS_URL = development.CELERY_BROKER_URL = "redis://host"
    monkeypatch.setitem(development.DATABASES["default"], "ENGINE", POSTGRESQL)

    assert numbers() == []


def test_a_production_site_for_this_machine_alone_is_warned_of(
    production: Settings,
) -> None:
    production.ALLOWED_HOSTS = ["127.0.0.1", "localhost"]

    assert numbers() == ["supervisor.W003"]


def test_a_production_address_without_https_is_warned_of(
    production: Settings,
) -> None:
    production.BASE_URL = "http://teams.example.com"

    assert numbers() == ["supervisor.W004"]


def test_mail_to_the_console_is_warned_of_in_production(
    production: Settings,
) -> None:
    production.EMAIL_BACKEND = "django.core.mail.backends.console.EmailBackend"

    assert numbers() == ["supervisor.W005"]


def test_debugging_before_strangers_is_warned_of(development: Settings) -> None:
    development.ALLOWED_HOSTS = ["teams.example.com"]

    assert numbers() == ["supervisor.W006"]


@pytest.mark.django_db
def test_stored_keys_that_no_listed_key_reads_are_named(
    development: Settings,
) -> None:
    old, new = Fernet.generate_key().decode(), Fernet.generate_key().decode()
    development.FIELD_ENCRYPTION_KEYS = [old]
    profile = Profile(name="MINE", base_url="https://api.example.com")
    profile.set_api_key("sk-key")
    profile.save()

    development.FIELD_ENCRYPTION_KEYS = [new, old]
    assert numbers(["default"]) == []

    development.FIELD_ENCRYPTION_KEYS = [new]
    assert numbers(["default"]) == ["supervisor.E003"]
    assert numbers() == []
