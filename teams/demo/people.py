"""The demo's log-ins: an administrator, an operator, a plain user."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.contrib.auth.models import Permission, User


class RightMissing(Exception):
    """A permission the demo's users need is not in the database: migrate first."""


@dataclass(frozen=True)
class Person:
    username: str
    first_name: str
    staff: bool = False
    superuser: bool = False
    rights: tuple[str, ...] = ()


# What the operator may look at in the admin, and that it may answer for everyone.
OPERATOR_RIGHTS = (
    "view_all",
    "answer_any",
    "view_conversation",
    "view_run",
    "view_taskrun",
    "view_message",
    "view_modelcall",
    "view_toolcall",
    "view_humanrequest",
    "view_standingapproval",
)

PEOPLE = (
    Person("admin", "Admin", staff=True, superuser=True),
    Person("agent", "Agent", staff=True, rights=OPERATOR_RIGHTS),
    Person("alice", "Alice"),
)


def ensure(person: Person, password: str) -> User:
    """The account, made if there is none.

    In development an existing one gets the password that is printed; in production
    an account stays as its owner left it.
    """
    user, made = User.objects.get_or_create(
        username=person.username,
        defaults={
            "email": f"{person.username}@example.com",
            "first_name": person.first_name,
            "is_staff": person.staff,
            "is_superuser": person.superuser,
        },
    )
    if made or (settings.DEBUG and not user.check_password(password)):
        user.set_password(password)
        user.save(update_fields=["password"])
    if person.rights and (made or settings.DEBUG):
        user.user_permissions.add(*_permissions(person.rights))
    return user


def _permissions(codenames: tuple[str, ...]) -> list[Permission]:
    found = list(
        Permission.objects.filter(
            content_type__app_label="conversations", codename__in=codenames
        )
    )
    missing = set(codenames) - {permission.codename for permission in found}
    if missing:
        raise RightMissing(
            "There is no permission " + ", ".join(sorted(missing)) + ": migrate first."
        )
    return found
