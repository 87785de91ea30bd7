"""Celery's way into the engine. Messages carry ids only; a duplicate is harmless,
for the second claim of a run finds it taken."""

from __future__ import annotations

from uuid import UUID

from celery import shared_task

from conversations import dispatch
from conversations.engine.loop import advance
from conversations.services.retention import remove_old
from supervisor_site.common.connections import release_connection


@shared_task(ignore_result=True, acks_late=True, reject_on_worker_lost=True)
def advance_run(run_id: str) -> None:
    try:
        advance(UUID(run_id))
    finally:
        release_connection()


@shared_task(ignore_result=True)
def take_up_runs() -> None:
    """By beat: runs whose worker died, and requests that nobody decided in time."""
    try:
        dispatch.take_up()
    finally:
        release_connection()


@shared_task(ignore_result=True)
def remove_old_conversations() -> None:
    remove_old()


def send(run_id: UUID) -> None:
    advance_run.delay(str(run_id))


dispatch.register("celery", send)
