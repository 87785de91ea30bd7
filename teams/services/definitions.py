"""Making, changing and dropping definitions: the one way that rows of them change.

Attributes are those of the REST API; the admin's forms call the same rules. Each
function does all or nothing. ``user=None`` is the operator at the command line.
"""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from supervisor_site.common.errors import Forbidden, NotFound
from supervisor_site.common.names import name_key
from teams.models import Agent, Definition
from teams.permissions import Action, Person, may
from teams.services.attributes.given import flat
from teams.services.attributes.kinds import Kind, kind_named
from teams.services.saving import save_definition
from teams.validation import refuse_broken_lead, refuse_drop


def need(user: Person | None, action: Action, kind: str) -> None:
    """Raises ``Forbidden`` unless the user may do that to objects of the kind."""
    if user is not None and not may(user, action, kind):
        raise Forbidden(
            _("You may not do this: it needs the right “%(right)s”.")
            % {"right": f"teams.{action}_{kind}"}
        )


def find(kind: str, name: str, *, lock: bool = False) -> Definition:
    """The live object of that name. Raises ``NotFound``."""
    found = _found(kind_named(kind), name, lock=lock)
    if found is None:
        raise _unknown(kind, name)
    return found


def _found(kind: Kind, name: str, *, lock: bool) -> Definition | None:
    rows = kind.model.objects.named(name)
    rows = rows.select_for_update() if lock else rows
    found: Definition | None = rows.first()
    return found


def _unknown(kind: str, name: str) -> NotFound:
    return NotFound(
        _("There is no %(kind)s “%(name)s”.")
        % {"kind": kind_named(kind).model._meta.verbose_name, "name": name[:125]}
    )


def create(kind: str, attributes: dict[str, Any], *, user: Person | None) -> Definition:
    """A new object of the kind from its attributes.

    Raises ``Invalid``, ``Forbidden``, and ``Conflict`` ``exists`` for a name taken.
    """
    spec = kind_named(kind)
    need(user, "add", kind)
    given = flat(spec, attributes)
    with transaction.atomic():
        definition = spec.model()
        if user is not None and user.pk is not None:
            definition.created_by_id = user.pk
        later = {key for key in spec.mutual & given.keys() if _itself(given, key)}
        first = {key: value for key, value in given.items() if key not in later}
        save_definition(spec, definition, first, user=user)
        if later:
            rest = {key: given[key] for key in later}
            save_definition(spec, definition, rest, user=user)
        return definition


def _itself(given: dict[str, Any], key: str) -> bool:
    """Whether a new object names itself, which has to be there for that."""
    named = given[key] if isinstance(given[key], list) else [given[key]]
    own = str(given.get("name", ""))
    return any(
        name_key(name) == name_key(own) for name in named if isinstance(name, str)
    )


def update(
    kind: str, name: str, attributes: dict[str, Any], *, user: Person | None
) -> Definition:
    """Change the attributes given and leave the others; ``name`` renames.

    Raises as ``create`` does, ``NotFound``, and ``Conflict`` ``in_use`` where the
    change would break a saved team.
    """
    spec = kind_named(kind)
    need(user, "change", kind)
    given = flat(spec, attributes)
    with transaction.atomic():
        definition = find(kind, name, lock=True)
        save_definition(spec, definition, given, user=user)
        if isinstance(definition, Agent):
            refuse_broken_lead(definition)
        return definition


def set_enabled(
    kind: str,
    name: str,
    enabled: bool,  # noqa: FBT001 - set_enabled("agent", name, False) reads well
    *,
    user: Person | None,
) -> Definition:
    """Switch on or off. Runs in flight stop where they need what is off (S14)."""
    need(user, "change", kind)
    with transaction.atomic():
        definition = find(kind, name, lock=True)
        if definition.enabled != enabled:
            definition.enabled = enabled
            definition.save(update_fields=["enabled", "updated_at"])
        return definition


def drop(
    kind: str, name: str, *, user: Person | None, force: bool = False
) -> Definition | None:
    """Take the object away from new runs; its name is free again.

    Raises ``Conflict`` ``in_use`` while something saved needs it. With ``force`` a
    missing object is no error and answers None.
    """
    spec = kind_named(kind)
    need(user, "delete", kind)
    with transaction.atomic():
        definition = _found(spec, name, lock=True)
        if definition is None:
            if force:
                return None
            raise _unknown(kind, name)
        refuse_drop(definition)
        definition.dropped_at = timezone.now()
        definition.save(update_fields=["dropped_at", "updated_at"])
        return definition
