"""What a failed request says, and what can be done about it."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.test import Client

from conversations.models import Run
from tests.conversations.chat.page import Element, read
from tests.conversations.factories import make_run_tree


def page_of(alice: Client, run: Run) -> Element:
    return read(alice.get(f"/c/{run.conversation_id}/"))


def test_a_failure_says_what_happened_where_and_what_can_be_done(
    alice: Client, failed_run: Run
) -> None:
    end = page_of(alice, failed_run).one(id=f"run-{failed_run.id}")

    assert end.one("p", class_="run-error").text == (
        "The model's server did not answer within 60 s."
    )
    assert [button.text for button in end.all("button")] == ["Retry"]
    edit = end.one("a", data_edit="")
    assert edit.text == "Edit and retry"
    details = end.one("details")
    assert "open" not in details.attributes
    names = [name.text for name in details.all("dt")]
    values = [value.text for value in details.all("dd")]
    facts = dict(zip(names, values, strict=True))
    assert facts["Error code"] == "model_timeout"
    assert facts["Run"] == str(failed_run.id)
    assert facts["Where"] == "ACCOUNT_AGENT / ACCOUNT_MANAGEMENT_TASK"


def test_a_failed_request_is_written_anew_without_the_script_as_well(
    alice: Client, failed_run: Run
) -> None:
    page = page_of(alice, failed_run)
    address = page.one("a", data_edit="").attributes["href"]

    assert read(alice.get(address)).one("textarea").text == failed_run.request.text


def test_only_requests_of_the_conversation_are_written_anew(
    alice: Client, failed_run: Run, stranger: User
) -> None:
    other = make_run_tree(stranger, "failed")
    address = f"/c/{failed_run.conversation_id}/"

    for wanted in (str(other.id), "nonsense", ""):
        page = read(alice.get(address, {"edit": wanted}))
        assert page.one("textarea").text == ""


def test_a_run_that_was_done_offers_neither(alice: Client, done_run: Run) -> None:
    end = page_of(alice, done_run).one(id=f"run-{done_run.id}")

    assert end.all("button") == []
    assert end.all("a", data_edit="") == []
    assert end.one("summary").text == "Details"
