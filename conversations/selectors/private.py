"""What a person is not shown: words of the product to one agent, copies of what a
card shows already, and all that hidden participants do (H9)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import TYPE_CHECKING
from uuid import UUID

from django.db.models import Q, QuerySet

from conversations.choices import MessageRole
from conversations.models import Message, Run, TaskRun
from conversations.permissions import sees_all
from teams.choices import Pattern
from teams.services.versions import definition_of

if TYPE_CHECKING:
    from conversations.permissions import Person

# A notice to one agent (decision 0015).
NOTICE = Q(role=MessageRole.USER, author="")
# A question and its answer, as they are said to the other participants.
COPY = Q(to_everyone=True, model_call=None, task_run__isnull=False)


def said_to_people(
    messages: QuerySet[Message], hidden: Collection[UUID]
) -> QuerySet[Message]:
    """Those that are shown in a chat; ``hidden`` as ``hidden_tasks`` gives them."""
    shown = messages.exclude(NOTICE).exclude(COPY)
    return shown.exclude(task_run__in=hidden) if hidden else shown


def is_said_to_people(message: Message, hidden: Collection[UUID]) -> bool:
    """The same of one row."""
    copied = message.to_everyone and message.model_call_id is None
    if message.task_run_id is None:
        return bool(message.author)
    return bool(message.author) and not copied and message.task_run_id not in hidden


def hidden_tasks(runs: QuerySet[Run]) -> set[UUID]:
    """The task runs of hidden participants and of all they delegated to, in these runs.

    One query where no team of theirs hides anything.
    """
    versions = runs.filter(team_version__team__pattern=Pattern.HANDOFF)
    by_version = {
        version: hidden
        for version in versions.order_by()
        .values_list("team_version", flat=True)
        .distinct()
        if (hidden := hidden_agents(version))
    }
    if not by_version:
        return set()
    tasks = TaskRun.objects.filter(run__in=runs, run__team_version__in=by_version)
    rows = list(tasks.select_related("run").defer("request", "result"))
    return with_descendants(
        rows,
        {
            row.id
            for row in rows
            if row.depth == 0 and row.agent_uid in by_version[row.run.team_version_id]
        },
    )


def hidden_tasks_of(run: Run) -> set[UUID]:
    """The same of one run; no query where its team hides nothing."""
    if not hidden_agents(run.team_version_id):
        return set()
    return hidden_tasks(Run.objects.filter(pk=run.pk))


def kept_from(user: Person, runs: QuerySet[Run]) -> set[UUID]:
    """What this reader of traces and histories may not read: who may read every run
    reads hidden participants too."""
    return set() if sees_all(user) else hidden_tasks(runs)


def kept_from_run(user: Person, run: Run) -> set[UUID]:
    """The same of one run."""
    return set() if sees_all(user) else hidden_tasks_of(run)


def hidden_agents(version_id: int) -> tuple[UUID, ...]:
    return definition_of(version_id).outputs.hidden


def with_descendants(rows: Iterable[TaskRun], tops: set[UUID]) -> set[UUID]:
    found = set(tops)
    for row in sorted(rows, key=lambda row: row.depth):
        if row.parent_id in found:
            found.add(row.id)
    return found
