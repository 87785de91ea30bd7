"""The committed description of the API is that of the code.

After a wanted change, and a look at the difference:

    manage.py export_openapi_schema --sorted --indent 2 --output docs/openapi.json
"""

from __future__ import annotations

import io
import json
from collections import Counter
from typing import Any

import pytest
from django.core.management import call_command

from tests.api.client import Api
from tests.support.product import ROOT


@pytest.fixture(scope="module")
def described() -> dict[str, Any]:
    out = io.StringIO()
    call_command("export_openapi_schema", stdout=out)
    found: dict[str, Any] = json.loads(out.getvalue())
    return found


def operations(described: dict[str, Any]) -> list[dict[str, Any]]:
    return [op for path in described["paths"].values() for op in path.values()]


def test_the_committed_description_is_up_to_date(described: dict[str, Any]) -> None:
    committed = json.loads((ROOT / "docs/openapi.json").read_text())
    assert described == committed, __doc__


def test_every_operation_has_a_short_name_of_its_own(described: dict[str, Any]) -> None:
    names = Counter(op["operationId"] for op in operations(described))
    assert [name for name, count in names.items() if count > 1] == []
    assert [name for name in names if name.startswith(("teams_", "conv"))] == []


def test_every_operation_needs_a_token_or_a_session(described: dict[str, Any]) -> None:
    wanted: list[dict[str, list[str]]] = [{"BearerAuth": []}, {"SessionAuth": []}]
    assert {json.dumps(op["security"]) for op in operations(described)} == {
        json.dumps(wanted)
    }


def test_every_operation_may_answer_with_a_problem(described: dict[str, Any]) -> None:
    for operation in operations(described):
        content = operation["responses"]["default"]["content"]
        assert list(content) == ["application/problem+json"]


def test_the_paths_of_the_contract_are_there(described: dict[str, Any]) -> None:
    got = {path: set(methods) for path, methods in described["paths"].items()}
    assert got["/api/conversations"] == {"get", "post"}
    assert got["/api/conversations/{conversation_id}"] == {"get", "patch", "delete"}
    assert got["/api/conversations/{conversation_id}/messages"] == {"get", "post"}
    assert got["/api/runs"] == {"get", "post"}
    for ending, method in (
        ("", "get"),
        ("/trace", "get"),
        ("/events", "get"),
        ("/cancel", "post"),
        ("/retry", "post"),
    ):
        assert got["/api/runs/{run_id}" + ending] == {method}
    assert got["/api/human-requests"] == {"get"}
    assert got["/api/human-requests/{request_id}"] == {"get"}
    assert got["/api/human-requests/{request_id}/respond"] == {"post"}
    for name in ("team-runs", "task-runs", "tool-calls"):
        assert got[f"/api/history/{name}"] == {"get"}
    assert got["/api/tokens"] == {"get", "post"}
    assert got["/api/tokens/{token_id}"] == {"delete"}


def test_the_page_and_its_description_are_open_to_everyone(db: None) -> None:
    page = Api().get("/docs")
    assert page.status_code == 200
    assert "'unsafe-inline'" not in page.headers["Content-Security-Policy"]
    assert "<style" not in page.text
    assert "https://" not in page.text
    assert Api().get("/openapi.json").json()["info"]["title"] == "Supervisor Site"
