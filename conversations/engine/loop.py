"""The one loop: read the rows, decide, do it, write, until it pauses or ends.

``advance(run_id)`` claims the run, or leaves quietly where another holder has it.
It is the same for a first run and a resumed one, streamed or not: what a dead
process left behind is just rows.
"""

from __future__ import annotations

import logging
from typing import assert_never
from uuid import UUID

import structlog
from django.db import DatabaseError

from conversations.choices import RunState
from conversations.engine import ending
from conversations.engine.decide import decide, site_limits
from conversations.engine.delegate import delegate, fail_task, open_task, return_result
from conversations.engine.handoff import hand_over
from conversations.engine.human import ask_person, ask_recovery, pause
from conversations.engine.lease import (
    HandBackError,
    Holder,
    LeaseLostError,
    claim,
    release,
)
from conversations.engine.model_call import call_model
from conversations.engine.notice import notify
from conversations.engine.start import may_start
from conversations.engine.steps import (
    AskPerson,
    AskRecovery,
    CallModel,
    Cancel,
    Delegate,
    Fail,
    FailTask,
    Finish,
    HandOver,
    Notify,
    OpenTask,
    Pause,
    Return,
    RunTool,
    Step,
)
from conversations.engine.tool_call import run_call
from conversations.engine.work import Work, work_on

logger = logging.getLogger("supervisor.engine")

ENDINGS = (AskPerson, AskRecovery, Pause, Finish, Fail, Cancel)


def advance(run_id: UUID) -> None:
    """Work on a run until it waits for a person or ends. Safe to call at any time,
    any number of times, from any process."""
    holder = claim(run_id)
    if holder is None:
        return
    with structlog.contextvars.bound_contextvars(run=str(run_id)):
        try:
            _work(holder)
        except LeaseLostError:
            logger.info("run %s: taken over by another holder", run_id)
        except HandBackError:
            logger.info("run %s: handed back", run_id)
        except DatabaseError:
            # Not this run's fault: its lease runs out, and another holder goes on.
            holder.lost = True
            logger.exception("run %s: the database failed", run_id)
        except Exception:
            logger.exception("run %s: the engine failed", run_id)
            _fail_on_bug(holder)
        finally:
            release(holder)
    if holder.stale:
        # A signal crossed the last commit: a stop asked for while a pause was written.
        advance(run_id)


def _work(holder: Holder) -> None:
    work = work_on(holder)
    if not _begin(work):
        return
    limits = site_limits()
    while True:
        if holder.stopping:
            work.commit()
            raise HandBackError
        step = decide(work.rows, limits, work.now())
        perform(work, step)
        if isinstance(step, ENDINGS):
            work.commit(release=True)
            return
        if holder.stale:
            work.commit()
            work.reload()


def _begin(work: Work) -> bool:
    """Note that the run works; ``False`` where it may not start any more."""
    run = work.run
    if run.cancel_requested_at is not None:
        return True
    ending.end_wait(work)
    if run.started_at is None:
        work.set_run(started_at=work.now())
    if run.state not in (RunState.QUEUED, RunState.RESUMING):
        return True
    work.move_run(RunState.RUNNING)
    refusal = may_start(work.rows)
    if refusal:
        ending.fail(work, refusal.code, refusal.params)
        work.commit(release=True)
    return refusal is None


def perform(work: Work, step: Step) -> None:  # noqa: C901 - one case a step
    """Do one step: acts outside between commits, changes into the journal."""
    match step:
        case CallModel():
            failure = call_model(work, step)
            if failure:
                fail_task(work, failure)
        case RunTool():
            run_call(work, step)
        case OpenTask():
            open_task(work, step)
        case Delegate():
            delegate(work, step)
        case Return():
            return_result(work, step)
        case FailTask():
            fail_task(work, step)
        case HandOver():
            hand_over(work, step)
        case Notify():
            notify(work, step)
        case AskPerson():
            ask_person(work, step)
        case AskRecovery():
            ask_recovery(work, step)
        case Pause():
            pause(work)
        case Finish():
            ending.finish(work, step.answer, step.ended_by)
        case Fail():
            ending.fail(work, step.code, step.params)
        case Cancel():
            ending.cancel(work)
        case _:
            assert_never(step)


def _fail_on_bug(holder: Holder) -> None:
    """A fault of ours ends the run with a reason, instead of repeating for ever."""
    try:
        work = work_on(holder)
        if work.run.is_open:
            ending.fail(work, "internal", {})
            work.commit(release=True)
    except Exception:
        holder.lost = True
        logger.exception("run %s: could not be ended", holder.run_id)
