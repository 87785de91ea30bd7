"""A new message in a conversation: a request, or the answer to an open question."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.utils.translation import gettext as _

from conversations.choices import RequestKind, RequestState, RunState
from conversations.models import Conversation, HumanRequest, Run
from conversations.services.checks import check_prompt, check_writer
from conversations.services.repeats import repeated
from conversations.services.requests import answer_request
from conversations.services.runs import (
    RunOptions,
    open_run,
    refuse_if_busy,
    start_run,
)
from supervisor_site.common.errors import Conflict


def post_message(
    *,
    user: User,
    conversation: Conversation,
    content: str,
    options: RunOptions | None = None,
) -> Run:
    """Exactly one open question: the text answers it. An approval or several requests
    open: ``decision_needed``, for free text never approves. A run at work:
    ``conversation_busy``. Otherwise a new run starts. A ``client_id`` seen before in
    the conversation changes nothing and returns the run of then. ``Forbidden`` for who
    may only read the conversation."""
    check_writer(user, conversation)
    check_prompt(content)
    options = options or RunOptions()
    first = repeated(user, conversation, options.client_id)
    if first is not None:
        return first
    run = open_run(conversation)
    if run is None:
        return start_run(
            user=user, prompt=content, conversation=conversation, options=options
        )
    if run.state != RunState.WAITING_FOR_HUMAN:
        refuse_if_busy(conversation)
    waiting = list(
        HumanRequest.objects.filter(run=run, state=RequestState.PENDING).select_related(
            "run__conversation", "call"
        )
    )
    if len(waiting) == 1 and waiting[0].kind == RequestKind.QUESTION:
        return _answered(user, waiting[0], content, options.client_id)
    raise Conflict(
        _("The team waits for your decision above. Decide first, then write on."),
        code="decision_needed",
        run=run,
    )


def _answered(user: User, request: HumanRequest, content: str, client_id: str) -> Run:
    conversation = request.run.conversation
    try:
        answer_request(user=user, request=request, answer=content, client_id=client_id)
    except Conflict:
        # Sent twice, and the other one was faster.
        if repeated(user, conversation, client_id) is None:
            raise
    return Run.objects.select_related(
        "conversation__team", "requested_by", "request"
    ).get(pk=request.run_id)
