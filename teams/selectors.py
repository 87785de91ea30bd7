"""Reading definitions for running: which teams a person may run, and what is off."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.db.models import Q, QuerySet, Value
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


def disabled_parts(uids: Collection[UUID]) -> dict[UUID, str]:
    """Which of these agents, tasks, tools and profiles are switched off now.

    Answers uid -> reason code. Dropped ones do not count: runs in flight finish.
    """
    if not uids:
        return {}
    queries = [
        model.objects.filter(uid__in=uids, enabled=False)
        .order_by()
        .values_list("uid", Value(code))
        for model, code in (
            (Agent, "agent_disabled"),
            (Task, "task_disabled"),
            (Tool, "tool_disabled"),
            (Profile, "profile_disabled"),
        )
    ]
    return dict(queries[0].union(*queries[1:], all=True))
