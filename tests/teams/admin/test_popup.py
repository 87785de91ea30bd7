"""Objects made in a pop-up come back to the form that asked for them."""

from __future__ import annotations

import json

from django.test import Client

from teams.models import Task
from tests.teams.admin import pages


def test_a_task_made_in_a_popup_is_handed_back(office: Client, db: None) -> None:
    response = pages.post(
        office,
        pages.add_url("task"),
        name="NEW",
        instruction="Do {query}",
        _popup="1",
    )
    assert response.status_code == 200
    handed = json.loads(response.context["popup_response_data"])
    assert handed == {"value": str(Task.objects.get().pk), "obj": "NEW"}
