"""Old conversations are deleted for good, with all that happened in them.

A conversation is old when nothing has changed in it for ``RETENTION_DAYS``; one that
has a run at work, or waiting for a person, is kept. A few go in one transaction, so
that others need not wait long.
"""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from conversations.choices import RUN_OPEN
from conversations.models import (
    Conversation,
    Event,
    HumanRequest,
    Message,
    ModelCall,
    Payload,
    Run,
    StandingApproval,
    TaskRun,
    Thread,
    ToolCall,
)
from supervisor_site.common.connections import release_connection

logger = logging.getLogger("supervisor.retention")

AT_ONCE = 20
# A large text just written may not be referred to yet.
PAYLOAD_AGE = timedelta(hours=1)


def old_conversations(days: int, now: datetime) -> QuerySet[Conversation]:
    """Those untouched for so many days, the longest first; none for 0."""
    if not days:
        return Conversation.objects.none()
    at_work = Run.objects.filter(conversation=OuterRef("pk"), state__in=RUN_OPEN)
    old = Conversation.objects.filter(updated_at__lt=now - timedelta(days=days))
    return old.filter(~Exists(at_work)).order_by("updated_at")


def remove_old(days: int | None = None) -> int:
    """Delete what is older than ``days`` (the setting's by default); how many
    conversations went."""
    days = settings.RETENTION_DAYS if days is None else days
    old = old_conversations(days, timezone.now())
    removed = 0
    while found := _remove_some(old):
        removed += found
    if removed:
        logger.info("%d conversations older than %d days removed", removed, days)
        remove_unused_payloads()
    release_connection()
    return removed


def _remove_some(old: QuerySet[Conversation]) -> int:
    """A transaction's worth. Locked first: nobody writes in them meanwhile."""
    with transaction.atomic():
        if connection.features.has_select_for_update:
            old = old.select_for_update()
        ids = list(old.values_list("id", flat=True)[:AT_ONCE])
        runs = list(Run.objects.filter(conversation__in=ids).values_list("id"))
        run_ids = [run_id for (run_id,) in runs]
        tasks = TaskRun.objects.filter(run__in=run_ids)
        # References are checked at the end of the transaction, so the order is free;
        # Django's own deletion would look for what refers to each row.
        for rows in (
            Event.objects.filter(conversation__in=ids),
            StandingApproval.objects.filter(conversation__in=ids),
            HumanRequest.objects.filter(run__in=run_ids),
            ToolCall.objects.filter(task_run__in=tasks),
            ModelCall.objects.filter(task_run__in=tasks),
            Message.objects.filter(conversation__in=ids),
            TaskRun.objects.filter(run__in=run_ids),
            Run.objects.filter(pk__in=run_ids),
            Thread.objects.filter(conversation__in=ids),
            Conversation.objects.filter(pk__in=ids),
        ):
            rows._raw_delete(using=rows.db)  # noqa: SLF001
    return len(ids)


def remove_unused_payloads() -> int:
    """Delete large texts that no row refers to any more; how many."""
    old = Payload.objects.filter(created_at__lt=timezone.now() - PAYLOAD_AGE)
    unused = old.filter(
        ~Exists(ModelCall.objects.filter(system=OuterRef("pk"))),
        ~Exists(ModelCall.objects.filter(tools=OuterRef("pk"))),
        ~Exists(ToolCall.objects.filter(full_result=OuterRef("pk"))),
    )
    removed, _by_model = unused.delete()
    return removed
