"""The container files agree with the project they pack."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

ROOT = Path(__file__).parents[2]
DOCKERFILE = (ROOT / "Dockerfile").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
APP = ("migrate", "server", "worker", "beat")


def test_all_that_is_copied_exists_and_is_sent() -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    copied = re.findall(r"^COPY (?!--from)(\S+) ", DOCKERFILE, re.MULTILINE)

    assert copied
    for name in copied:
        assert (ROOT / name).exists(), name
        assert f"!{name}" in ignored


def test_what_is_imported_is_compiled_for_nothing_can_be_written_later() -> None:
    compiled = re.search(r"^RUN python -m compileall -q (.+)$", DOCKERFILE, re.M)
    copied = re.findall(r"^COPY (?!--from)(\S+) ", DOCKERFILE, re.MULTILINE)
    packages = {name for name in copied if (ROOT / name / "__init__.py").exists()}

    assert compiled
    assert packages < set(compiled[1].split())


def test_the_image_runs_as_an_ordinary_user() -> None:
    assert re.findall(r"^USER (\S+)$", DOCKERFILE, re.MULTILINE) == ["app"]


@pytest.mark.parametrize("name", ["postgres", "valkey"])
def test_images_of_others_are_pinned_to_a_version(name: str) -> None:
    assert re.fullmatch(r"[a-z/]+:\d+\.\d+(\.\d+)?-\w+", SERVICES[name]["image"])


def test_every_setting_given_is_one_that_is_read() -> None:
    read = "".join(path.read_text() for path in (ROOT / "supervisor_site").glob("*.py"))

    for name in SERVICES["server"]["environment"]:
        assert f'"{name}"' in read, name


@pytest.mark.parametrize("name", APP)
def test_all_parts_of_the_site_share_one_set_up(name: str) -> None:
    assert SERVICES[name]["environment"] == SERVICES["server"]["environment"]
    assert SERVICES[name]["read_only"] is True


def test_every_service_that_others_wait_for_says_when_it_is_healthy() -> None:
    for name in ("server", "worker", "postgres", "valkey"):
        assert SERVICES[name]["healthcheck"]["test"]


def test_no_secret_has_a_default() -> None:
    text = (ROOT / "compose.yaml").read_text()

    for name in ("SECRET_KEY", "FIELD_ENCRYPTION_KEYS", "POSTGRES_PASSWORD"):
        assert set(re.findall(r"\$\{" + name + r"([^}]*)\}", text)) == {
            ":?set it in .env"
        }
