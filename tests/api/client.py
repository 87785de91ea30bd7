"""A caller of the REST API, by token or by session."""

from __future__ import annotations

import json
from typing import Any

from django.contrib.auth.models import User
from django.test import Client

from teams.models import ApiToken


class Api:
    """Calls with JSON in and out; ``user=None`` is anonymous."""

    def __init__(self, user: User | None = None) -> None:
        self.client = Client(raise_request_exception=False)
        self.headers: dict[str, str] = {}
        if user is not None:
            _token, text = ApiToken.issue(user=user, name="tests")
            self.headers["Authorization"] = f"Bearer {text}"

    def call(self, method: str, path: str, body: Any = None, **headers: str) -> Any:
        """``body`` as JSON, or as it is where it is bytes."""
        data = b"" if body is None else body
        if not isinstance(data, bytes):
            data = json.dumps(data).encode()
        return self.client.generic(
            method,
            f"/api{path}",
            data,
            content_type="application/json",
            headers=self.headers | headers,
        )

    def get(self, path: str) -> Any:
        return self.call("GET", path)

    def post(self, path: str, body: Any = None) -> Any:
        return self.call("POST", path, body)

    def patch(self, path: str, body: Any) -> Any:
        return self.call("PATCH", path, body)

    def delete(self, path: str) -> Any:
        return self.call("DELETE", path)


def assert_problem(response: Any, status: int, code: str) -> dict[str, Any]:
    """The response is a problem of this status and code; returns it."""
    assert response.headers["Content-Type"] == "application/problem+json"
    problem: dict[str, Any] = response.json()
    assert (response.status_code, problem["status"], problem["code"]) == (
        status,
        status,
        code,
    ), problem
    assert problem["title"]
    assert problem["detail"]
    return problem


def fields(problem: dict[str, Any]) -> list[str]:
    return [error["field"] for error in problem["errors"]]
