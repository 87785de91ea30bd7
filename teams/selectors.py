"""Reading definitions for running: which teams a person may run, and what is off."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from uuid import UUID

from django.db import connection
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from supervisor_site.common.errors import Conflict, NotFound
from teams.models import Agent, Profile, Task, Team, Tool
from teams.permissions import Person, can_run, can_run_every_team


def shared_teams(user: Person) -> QuerySet[Team]:
    """The live teams that the user may run, disabled ones included."""
    teams: QuerySet[Team] = Team.objects.live()
    if not user.is_active or not user.is_authenticated:
        return teams.none()
    if can_run_every_team(user):
        return teams
    # A subquery, since a join would repeat a team shared with two of one's groups.
    through_groups = Team.access_groups.through.objects.filter(group__user=user.pk)
    return teams.filter(
        Q(access_everyone=True) | Q(pk__in=through_groups.values("team_id"))
    )


def runnable_teams(user: Person) -> QuerySet[Team]:
    """The enabled teams that the user may run, by name."""
    return shared_teams(user).filter(enabled=True)


def team_for_run(user: Person, name: str) -> Team:
    """The team of that name, to be run by the user.

    Raises ``NotFound`` for an unknown team and for one that is not shared with the
    user alike, ``Conflict`` ``team_disabled`` for one that is switched off.
    """
    team: Team | None = (
        Team.objects.named(name).select_related("supervisor_agent__profile").first()
    )
    if team is None or not can_run(user, team):
        raise NotFound(_("There is no team “%(name)s” here.") % {"name": name[:125]})
    if not team.enabled:
        raise Conflict(
            _("The team “%(name)s” is switched off at the moment.")
            % {"name": team.title},
            code="team_disabled",
        )
    return team


PARTS = (
    (Agent, "agent_disabled"),
    (Task, "task_disabled"),
    (Tool, "tool_disabled"),
    (Profile, "profile_disabled"),
)


def disabled_parts(uids: Collection[UUID]) -> dict[UUID, str]:
    """Which of these agents, tasks, tools and profiles are switched off now.

    Answers uid -> reason code. Dropped ones do not count: runs in flight finish.
    """
    if not uids:
        return {}
    # Plain SQL, since every step of every run asks this and building the query
    # takes the ORM ten times as long as the database takes to answer.
    column = Agent._meta.get_field("uid")
    wanted = [column.get_db_prep_value(uid, connection) for uid in uids]
    with connection.cursor() as cursor:
        cursor.execute(_disabled_sql(len(wanted)), wanted * len(PARTS))
        return {UUID(str(uid)): code for uid, code in cursor.fetchall()}


@lru_cache(maxsize=64)
def _disabled_sql(count: int) -> str:
    places = ", ".join(["%s"] * count)
    quote = connection.ops.quote_name
    return " UNION ALL ".join(
        f"SELECT {quote('uid')}, '{code}' FROM {quote(model._meta.db_table)} "  # noqa: S608
        f"WHERE NOT {quote('enabled')} AND {quote('uid')} IN ({places})"
        for model, code in PARTS
    )
