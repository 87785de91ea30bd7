"""Who may do what with definitions: building, running and using a credential are
separate rights (S14). Every edge asks here and nowhere else."""

from __future__ import annotations

from typing import Literal

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, User

from teams.models import Team

Person = User | AnonymousUser | AbstractBaseUser
Action = Literal["view", "add", "change", "delete"]

KINDS = ("profile", "tool", "agent", "task", "team")
ACTIONS: tuple[Action, ...] = ("view", "add", "change", "delete")


def _has(user: Person, permission: str) -> bool:
    if not user.is_active:
        return False
    return isinstance(user, User) and user.has_perm(permission)


def may(user: Person, action: Action, kind: str) -> bool:
    """Whether the user holds Django's own permission, such as ``teams.add_agent``.

    Whoever may add, change or delete objects of a kind may see them as well.
    """
    actions = ACTIONS if action == "view" else (action,)
    return any(_has(user, f"teams.{each}_{kind}") for each in actions)


def can_build(user: Person) -> bool:
    """Whether the user may add or change definitions of any kind."""
    return any(may(user, each, kind) for kind in KINDS for each in ("add", "change"))


def can_run_every_team(user: Person) -> bool:
    return _has(user, "teams.run_any_team")


def can_run(user: Person, team: Team) -> bool:
    """Whether the team is shared with the user; being able to build it is not enough.

    Says nothing of ``enabled``: a disabled team is "not now", not "not you".
    """
    return team.dropped_at is None and is_shared_with(user, team)


def is_shared_with(user: Person, team: Team) -> bool:
    """``can_run``, dropped or not: what is in flight then may go on."""
    if not (user.is_active and user.is_authenticated):
        return False
    # First what asks no database: every start of a run comes here twice.
    if team.access_everyone or can_run_every_team(user):
        return True
    return team.access_groups.filter(user=user.pk).exists()


def can_use_credentials(user: Person) -> bool:
    """Whether the user may attach a profile that holds a key to an agent."""
    return _has(user, "teams.use_credentials")
