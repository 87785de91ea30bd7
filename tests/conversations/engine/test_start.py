"""Starting a run: what is refused, and what is written."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group, User

from conversations.choices import RunState
from conversations.models import Conversation, Event, Message, Run
from conversations.services.messages import post_message
from conversations.services.runs import RunOptions, retry_run, start_run
from supervisor_site.common.errors import Conflict, Invalid, NotFound
from teams.models import Team, TeamVersion
from tests.conversations.engine.conftest import Ask, go_on
from tests.support.scripted_model import Queue, text


def test_a_new_conversation_has_the_message_the_run_and_their_events(
    asker: User, office: Team
) -> None:
    run = start_run(user=asker, prompt="  First line\nsecond  ", team=office)
    conversation = Conversation.objects.get()
    assert (conversation.title, conversation.last_number) == ("First line", 2)
    message = Message.objects.get()
    assert (message.text, message.number) == ("First line\nsecond", 1)
    kinds = list(Event.objects.values_list("number", "kind", "row"))
    assert kinds == [(1, "message", message.pk), (2, "run.state", run.pk)]


@pytest.mark.parametrize(
    ("prompt", "code"), [("  ", "invalid"), ("x" * 100_001, "prompt_too_long")]
)
def test_an_empty_or_too_long_prompt_writes_nothing(
    asker: User, office: Team, prompt: str, code: str
) -> None:
    with pytest.raises(Invalid) as refused:
        start_run(user=asker, prompt=prompt, team=office)
    assert refused.value.code == code
    assert (Conversation.objects.count(), Run.objects.count()) == (0, 0)


def test_a_disabled_team_is_not_now(asker: User, office: Team) -> None:
    Team.objects.update(enabled=False)
    office.refresh_from_db()
    with pytest.raises(Conflict) as refused:
        start_run(user=asker, prompt="Hello", team=office)
    assert refused.value.code == "team_disabled"


def test_a_team_of_others_does_not_exist(asker: User, office: Team) -> None:
    Team.objects.update(access_everyone=False)
    office.refresh_from_db()
    with pytest.raises(NotFound):
        start_run(user=asker, prompt="Hello", team=office)
    group = Group.objects.create(name="office")
    office.access_groups.add(group)
    asker.groups.add(group)
    start_run(user=asker, prompt="Hello", team=office)


def test_rights_taken_away_before_the_start_end_the_run(
    asker: User, office: Team
) -> None:
    run = start_run(user=asker, prompt="Hello", team=office)
    Team.objects.update(access_everyone=False)
    run = go_on(run)
    assert (run.state, run.error_code) == (RunState.FAILED, "access_revoked")


def test_a_message_while_a_run_works_is_refused_with_that_run(
    asker: User, office: Team
) -> None:
    run = start_run(user=asker, prompt="Hello", team=office)
    with pytest.raises(Conflict) as refused:
        post_message(user=asker, conversation=run.conversation, content="And?")
    assert (refused.value.code, refused.value.extra["run"]) == (
        "conversation_busy",
        run,
    )
    assert Message.objects.count() == 1


def test_a_repeated_client_id_returns_the_first_run(asker: User, office: Team) -> None:
    options = RunOptions(client_id="click-1")
    run = start_run(user=asker, prompt="Hello", team=office, options=options)
    again = post_message(
        user=asker, conversation=run.conversation, content="Hello", options=options
    )
    assert again.pk == run.pk
    assert Run.objects.count() == 1


def test_another_team_than_the_conversations_is_refused(
    asker: User, office: Team
) -> None:
    run = start_run(user=asker, prompt="Hello", team=office)
    other = Team.objects.create(name="OTHER", pattern="sequential")
    with pytest.raises(Invalid):
        start_run(user=asker, prompt="Hi", team=other, conversation=run.conversation)


def test_an_edit_never_changes_a_run_in_flight(
    asker: User, office: Team, lead: Queue
) -> None:
    run = start_run(user=asker, prompt="Hello", team=office)
    office.supervisor_agent.role = "You lead something else."  # type: ignore[union-attr]
    office.supervisor_agent.save()  # type: ignore[union-attr]
    lead.add(text("As before."))
    assert go_on(run).answer == "As before."
    assert TeamVersion.objects.count() == 1


def test_a_retry_of_a_succeeded_run_is_a_new_run(ask: Ask, lead: Queue) -> None:
    lead.add(text("One."), text("Two."))
    run = ask("Count")
    second = go_on(retry_run(user=run.requested_by, run=run))
    assert (second.pk != run.pk, second.retry_of_id) == (True, run.pk)
    assert second.answer == "Two."
    # It does not know the answer it replaces.
    assert len(lead.requests[1].messages) == 2


def test_only_the_latest_run_can_be_opened_again(ask: Ask, lead: Queue) -> None:
    lead.add(text("One."), text("Two."))
    failed = ask("One")
    Run.objects.filter(pk=failed.pk).update(state=RunState.FAILED)
    ask("Two", failed.conversation)
    failed.refresh_from_db()
    with pytest.raises(Conflict) as refused:
        retry_run(user=failed.requested_by, run=failed)
    assert refused.value.code == "not_latest"
