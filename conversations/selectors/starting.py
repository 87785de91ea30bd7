"""What a person can start a conversation with."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q

from conversations.models import Conversation
from teams.choices import Provider
from teams.models import Profile, Team
from teams.selectors import runnable_teams

STARTERS = 6


@dataclass(frozen=True)
class Choice:
    """The teams to choose from and the chosen one, if there is any."""

    teams: list[Team]
    team: Team | None
    rehearsal: bool

    @property
    def starters(self) -> list[str]:
        return self.team.starters[:STARTERS] if self.team else []


def choice_for(user: User, name: str = "") -> Choice:
    """``name`` where the person may run it, else the last one used, else the oldest."""
    teams = list(runnable_teams(user))
    team = next((t for t in teams if t.name == name), None) or _last_used(user, teams)
    return Choice(teams, team, rehearsal=team is not None and rehearses(team))


def _last_used(user: User, teams: list[Team]) -> Team | None:
    if not teams:
        return None
    last = (
        Conversation.objects.filter(owner=user, deleted_at__isnull=True)
        .order_by("-updated_at")
        .values_list("team", flat=True)
        .first()
    )
    oldest = min(teams, key=lambda team: team.pk)
    return next((team for team in teams if team.pk == last), oldest)


def rehearses(team: Team) -> bool:
    """Whether one of the team's agents works without a model."""
    offline = Q(provider=Provider.REHEARSAL)
    if not settings.OPENAI_API_KEY and not settings.OPENAI_BASE_URL:
        offline |= Q(provider=Provider.ENV)
    of_team = Q(agents__memberships__team=team) | Q(agents__leads=team)
    return Profile.objects.filter(offline, of_team).exists()
