"""Export and import of a team with all it needs, secrets excluded (S14)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from itertools import groupby
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from supervisor_site.common.errors import Conflict, FieldError, Forbidden, Invalid
from teams.models import Agent, Definition, Profile, Task, Team, Tool
from teams.permissions import Person, can_build
from teams.services.bundles import KIND, SCHEMA, Item, below, read_bundle
from teams.services.definitions import need
from teams.services.describe import as_attributes
from teams.services.saving import save_definition
from teams.validation import parts_of, refuse_broken_lead


@dataclass(frozen=True)
class Change:
    """What an import does to one object.

    ``action``: ``create``, ``update``, ``keep``, or ``note`` for something that is
    left to do. ``attributes`` names what an update changes.
    """

    action: str
    kind: str
    name: str
    attributes: tuple[str, ...] = ()
    message: str = ""

    def as_json(self) -> dict[str, Any]:
        return asdict(self) | {"attributes": list(self.attributes)}


def export_team(team: Team) -> dict[str, Any]:
    """The team and all it uses as a bundle. Keys stay here: ``has_key`` tells."""
    parts = parts_of(team)
    tools: dict[int, Tool] = {}
    for agent in parts.agents:
        tools.update((tool.pk, tool) for tool in agent.tools.all())
    for task in parts.tasks:
        tools.update((tool.pk, tool) for tool in task.tools.all())
    profiles = {agent.profile_id: agent.profile for agent in parts.agents}
    return {
        "schema": SCHEMA,
        "kind": KIND,
        "team": as_attributes(team),
        "agents": _described(parts.agents),
        "tasks": _described(parts.tasks),
        "tools": _described(tools.values()),
        "profiles": _described(profiles.values()),
    }


def _described(rows: Iterable[Agent | Task | Tool | Profile]) -> list[dict[str, Any]]:
    return [as_attributes(row) for row in sorted(rows, key=lambda row: row.name_key)]


def import_bundle(
    bundle: Any, *, user: Person | None, dry_run: bool = False, replace: bool = False
) -> list[Change]:
    """Make what the bundle holds; all of it or nothing.

    An object that exists with the same attributes is used as it is. One that
    differs is changed with ``replace``; without it the answer is ``Conflict``
    ``exists``, with all of them in ``objects``. ``dry_run`` answers the same and
    keeps nothing. Also raises ``Invalid`` (fields are paths into the bundle) and
    ``Forbidden``.
    """
    if user is not None and not can_build(user):
        raise Forbidden(_("You may not do this: it needs the right to build teams."))
    items = read_bundle(bundle)
    with transaction.atomic():
        changes = _Import(user=user, replace=replace).take(items)
        if dry_run:
            transaction.set_rollback(True)
    return changes


class _Import:
    """One import at work, inside one transaction."""

    def __init__(self, *, user: Person | None, replace: bool) -> None:
        self.user = user
        self.replace = replace
        self.changes: list[Change] = []
        self.notes: list[Change] = []
        self.conflicts: list[Change] = []
        self.agents: list[Agent] = []

    def take(self, items: list[Item]) -> list[Change]:
        # Kind by kind: errors in one would only cause others in the next.
        for _kind, group in groupby(items, key=lambda item: item.kind.name):
            errors: list[FieldError] = []
            for item in group:
                try:
                    self._take_one(item)
                except Invalid as error:
                    errors += below(item.path, error)
            if errors and not self.conflicts:
                raise Invalid(errors)
            if errors:
                break
        if self.conflicts:
            raise self._conflict()
        for agent in self.agents:
            refuse_broken_lead(agent)
        return self.changes + self.notes

    def _take_one(self, item: Item) -> None:
        rows = item.kind.model.objects.named(item.name).select_for_update()
        found: Definition | None = rows.first()
        if found is None:
            found = self._make(item)
        else:
            self._meet(item, found)
        if isinstance(found, Agent):
            self.agents.append(found)
        if isinstance(found, Profile):
            self._note_secret(item, found)

    def _make(self, item: Item) -> Definition:
        need(self.user, "add", item.kind.name)
        made = item.kind.model()
        if self.user is not None:
            made.created_by_id = self.user.pk
        save_definition(item.kind, made, item.given, user=self.user)
        self.changes.append(Change("create", item.kind.name, made.name))
        return made

    def _meet(self, item: Item, found: Definition) -> None:
        """An object of that name is here: the same, to be changed, or in the way."""
        before = as_attributes(found)
        point = transaction.savepoint()
        save_definition(item.kind, found, item.given, user=self.user)
        after = as_attributes(found)
        changed = tuple(key for key in after if after[key] != before[key])
        if "api_key" in item.given:
            changed += ("api_key",)
        if changed and self.replace:
            need(self.user, "change", item.kind.name)
            transaction.savepoint_commit(point)
            change = Change("update", item.kind.name, found.name, changed)
            self.changes.append(change)
            return
        transaction.savepoint_rollback(point)
        found.refresh_from_db()
        change = Change("keep", item.kind.name, found.name, changed)
        (self.conflicts if changed else self.changes).append(change)

    def _note_secret(self, item: Item, profile: Profile) -> None:
        if item.given.get("has_key") and not profile.has_key:
            message = _("Give the profile “%(name)s” its API key: a bundle holds none.")
            note = message % {"name": profile.name}
            self.notes.append(Change("note", "profile", profile.name, message=note))

    def _conflict(self) -> Conflict:
        names = ", ".join(f"“{change.name}”" for change in self.conflicts)
        return Conflict(
            _(
                "These exist and differ: %(names)s. Import with “replace” to change "
                "them, or take them out of the bundle to use them as they are."
            )
            % {"names": names},
            code="exists",
            objects=[
                {
                    "kind": change.kind,
                    "name": change.name,
                    "attributes": list(change.attributes),
                }
                for change in self.conflicts
            ],
        )
