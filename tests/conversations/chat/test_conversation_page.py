"""A conversation's page: who said what, nested by who delegated."""

from __future__ import annotations

import re

from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from conversations.models import HumanRequest, Message, Run, ToolCall
from tests.conversations.chat.page import Element, read
from tests.conversations.factories import make_run_tree


def page_of(alice: Client, run: Run) -> Element:
    answer = alice.get(f"/c/{run.conversation_id}/")
    assert answer.status_code == 200
    return read(answer)


def log_of(alice: Client, run: Run) -> Element:
    return page_of(alice, run).one(role="log")


def groups(element: Element) -> list[str]:
    return [group.attributes["aria-label"] for group in element.all(role="group")]


def test_each_delegation_is_a_group_in_the_order_it_happened(
    alice: Client, done_run: Run
) -> None:
    log = log_of(alice, done_run)

    assert log.attributes["aria-label"] == "Conversation"
    assert groups(log) == [
        "ACCOUNT_AGENT / ACCOUNT_MANAGEMENT_TASK",
        "PAYMENT_AGENT / PAYMENT_LOOKUP_TASK",
    ]


def test_each_message_is_an_article_named_after_its_author(
    alice: Client, done_run: Run
) -> None:
    articles = log_of(alice, done_run).all("article")

    assert [article.attributes["aria-label"] for article in articles] == [
        "alice",
        "SUPPORT_SUPERVISOR, request",
        "ACCOUNT_AGENT",
        "SUPPORT_SUPERVISOR, request",
        "PAYMENT_AGENT",
        "SUPPORT_SUPERVISOR",
    ]


def test_a_group_holds_the_request_the_tool_call_and_the_result(
    alice: Client, done_run: Run
) -> None:
    log = log_of(alice, done_run)
    worker = log.all(role="group")[0]

    call = worker.one("details", class_="call")
    assert "lookup_account" in call.one("summary").text
    assert "C-1001" in call.one("summary").text
    assert '"plan": "Business"' in call.one("pre").text
    assert "Show the account of customer C-1001." in worker.text
    assert "Customer C-1001 is Ada Byron , on the Business plan." in worker.text


def test_a_group_within_two_others_tells_its_path_instead_of_more_indent(
    alice: Client, owner: User
) -> None:
    run = make_run_tree(owner, "sent")
    account, payment, notification = run.task_runs.filter(depth=1).order_by("position")
    run.task_runs.filter(pk=payment.pk).update(parent=account, depth=2)
    run.task_runs.filter(pk=notification.pk).update(parent=payment, depth=3)

    heads = log_of(alice, run).all("span", class_="task-agent")

    assert [head.text for head in heads] == [
        "ACCOUNT_AGENT",
        "PAYMENT_AGENT",
        "ACCOUNT_AGENT › PAYMENT_AGENT › NOTIFICATION_AGENT",
    ]


def test_what_is_done_is_folded_and_what_went_wrong_is_open(
    alice: Client, done_run: Run, failed_run: Run
) -> None:
    done = log_of(alice, done_run).all(role="group")
    failed = log_of(alice, failed_run).all(role="group")

    assert ["data-folded" in group.attributes for group in done] == [True, True]
    assert ["data-folded" in group.attributes for group in failed] == [False]
    assert done[0].all("button")[0].attributes["aria-expanded"] == "false"
    assert failed[0].all("button")[0].attributes["aria-expanded"] == "true"


def test_the_answer_is_rendered_and_made_harmless(alice: Client, owner: User) -> None:
    run = make_run_tree(owner, "done")
    said = Message.objects.filter(author="SUPPORT_SUPERVISOR").last()
    assert said is not None
    Message.objects.filter(pk=said.pk).update(
        text="**bold** <script>alert(1)</script> <img src=x onerror=alert(1)>"
    )

    html = alice.get(f"/c/{run.conversation_id}/").content.decode()

    assert "<strong>bold</strong>" in html
    assert "<script>alert" not in html
    assert "<img" not in html


def test_tool_results_and_prompts_are_shown_as_text(alice: Client, owner: User) -> None:
    run = make_run_tree(owner, "done", prompt="<u>hi</u> & bye")
    ToolCall.objects.filter(kind="function").update(result="<svg onload=alert(1)>")

    html = alice.get(f"/c/{run.conversation_id}/").content.decode()

    assert "&lt;u&gt;hi&lt;/u&gt; &amp; bye" in html
    assert "<svg onload" not in html


def test_an_open_approval_is_a_card_with_the_call_and_its_buttons(
    alice: Client, waiting_run: Run
) -> None:
    card = log_of(alice, waiting_run).one(class_="card")

    assert card.attributes["role"] == "group"
    assert card.attributes["aria-label"].startswith("send_email")
    assert [b.text for b in card.all("button")] == ["Approve", "Deny"]
    assert [label.text for label in card.all("label")] == ["Reason"]
    facts = zip(card.all("dt"), card.all("dd"), strict=True)
    assert [(name.text, value.text) for name, value in facts] == [
        ("subject", "Your account and payments"),
        ("body", "Plan: Business. Last payments: 49.00, 49.00 and 29.00 EUR."),
        ("to", "me"),
    ]


def test_a_card_says_in_words_what_will_happen_who_asks_and_until_when(
    alice: Client, waiting_run: Run
) -> None:
    HumanRequest.objects.update(prompt="Send an e-mail to me")

    card = log_of(alice, waiting_run).one(class_="card")

    assert card.one("p", class_="card-path").text.endswith(
        "NOTIFICATION_AGENT / NOTIFICATION_TASK"
    )
    assert card.one("div", class_="card-sentence").text == "Send an e-mail to me"
    assert card.all("p", class_="card-about") == []
    assert card.one("p", class_="card-time muted small").text == "Time left: 3 days"


def test_without_words_of_its_own_the_tool_is_named_and_described(
    alice: Client, waiting_run: Run
) -> None:
    card = log_of(alice, waiting_run).one(class_="card")

    assert card.one("div", class_="card-sentence").text == (
        "NOTIFICATION_AGENT wants to use send_email."
    )
    assert card.one("p", class_="card-about").text == ("Send email of a customer.")


def test_an_open_question_is_a_card_with_its_choices(
    alice: Client, waiting_run: Run
) -> None:
    HumanRequest.objects.update(
        kind="question", prompt="Which customer?", choices=["C-1001", "C-1002"]
    )

    card = log_of(alice, waiting_run).one(class_="card")

    assert card.attributes["aria-label"].startswith("Question")
    assert [b.text for b in card.all("button")] == ["C-1001", "C-1002", "Answer"]
    assert [label.text for label in card.all("label")] == ["Your answer"]


def test_a_recovery_choice_has_three_ways_to_go_on(
    alice: Client, waiting_run: Run
) -> None:
    HumanRequest.objects.update(kind="recovery")

    card = log_of(alice, waiting_run).one(class_="card")

    assert [b.text for b in card.all("button")] == ["Retry", "Skip", "Fail"]


def test_after_the_decision_one_line_remains(alice: Client, owner: User) -> None:
    log = log_of(alice, make_run_tree(owner, "sent"))

    settled = log.one(class_="settled")
    assert settled.attributes["aria-label"].startswith("send_email")
    (line,) = settled.all("p")
    assert re.fullmatch(
        r"Approved by alice , \d\d:\d\d · sent an e-mail to me", line.text
    )
    assert log.all("form") == []


def test_what_was_refused_is_named_in_the_line_that_remains(
    alice: Client, waiting_run: Run, owner: User
) -> None:
    HumanRequest.objects.update(
        state="DENIED", decided_by=owner, decided_at=timezone.now(), reason="Not today"
    )
    ToolCall.objects.filter(name="send_email").update(state="DENIED")

    line = log_of(alice, waiting_run).one(class_="settled").one("p").text

    assert re.fullmatch(
        r"Send an e-mail to me · Denied by alice , \d\d:\d\d · “Not today”", line
    )


def test_a_folded_part_says_what_was_done(alice: Client, done_run: Run) -> None:
    log = log_of(alice, done_run)

    assert [line.text for line in log.all("span", class_="task-summary")] == [
        "looked up account C-1001",
        "read payments of C-1001",
    ]


def test_what_failed_is_not_said_to_be_done(alice: Client, done_run: Run) -> None:
    ToolCall.objects.filter(name="lookup_account").update(state="FAILED")

    summaries = log_of(alice, done_run).all("span", class_="task-summary")

    assert summaries[0].text == "Look up account C-1001: Failed"


def test_the_status_says_how_the_last_run_stands(
    alice: Client, done_run: Run, waiting_run: Run, failed_run: Run
) -> None:
    def status(run: Run) -> str:
        return page_of(alice, run).one(role="status").text

    assert status(done_run) == "Done"
    assert status(waiting_run) == (
        "Waiting for you NOTIFICATION_AGENT asks to use send_email"
    )
    assert status(failed_run) == (
        "Failed The model's server did not answer within 60 s."
    )


def test_stop_is_there_while_something_is_open_and_retry_after_a_failure(
    alice: Client, done_run: Run, waiting_run: Run, failed_run: Run
) -> None:
    def offers(run: Run, word: str) -> bool:
        page = page_of(alice, run)
        return word in [button.text for button in page.all("button")]

    assert [offers(r, "Stop") for r in (done_run, waiting_run, failed_run)] == [
        False,
        True,
        False,
    ]
    assert [offers(r, "Retry") for r in (done_run, waiting_run, failed_run)] == [
        False,
        False,
        True,
    ]


def test_an_answer_can_be_copied_and_a_request_cannot(
    alice: Client, done_run: Run
) -> None:
    articles = log_of(alice, done_run).all("article")

    copies = {
        article.attributes["aria-label"]: len(article.all("button", title="Copy"))
        for article in articles
    }
    assert copies == {
        "alice": 0,
        "SUPPORT_SUPERVISOR, request": 0,
        "ACCOUNT_AGENT": 1,
        "PAYMENT_AGENT": 1,
        "SUPPORT_SUPERVISOR": 1,
    }


def test_a_reader_of_all_sees_it_without_writing(
    client: Client, administrator: User, done_run: Run
) -> None:
    client.force_login(administrator)

    page = page_of(client, done_run)

    assert page.all("textarea") == []
    assert "another person's conversation" in page.text


def test_a_long_text_is_cut_and_shown_in_full_on_a_page_of_its_own(
    alice: Client, done_run: Run
) -> None:
    said = Message.objects.filter(role="assistant").exclude(text="").last()
    assert said is not None
    Message.objects.filter(pk=said.pk).update(text="word " * 10_000 + "the end")
    address = f"/c/{done_run.conversation_id}/text/messages/{said.id}/"

    log = log_of(alice, done_run)

    assert "the end" not in log.text
    assert address in [a.attributes["href"] for a in log.all("a")]
    assert "the end" in read(alice.get(address)).text


def test_earlier_runs_are_paged(alice: Client, owner: User, done_run: Run) -> None:
    conversation = done_run.conversation
    for _ in range(21):
        conversation.refresh_from_db()
        make_run_tree(owner, "done", conversation=conversation)

    page = page_of(alice, done_run)
    assert len(page.all("section", class_="turn")) == 20
    link = page.one(id="earlier").one("a").attributes

    older = read(alice.get(link["hx-get"]))
    turns = older.all("section", class_="turn")
    assert len(turns) == 2
    assert turns[0].attributes["id"] == f"turn-{done_run.id}"
    assert older.all(id="earlier") == []

    without_script = read(alice.get(link["href"]))
    assert len(without_script.all("section", class_="turn")) == 2
