"""Export and import of a team with all it needs, secrets excluded (S14)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
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
    tasks = _with_inputs(parts.tasks)
    tools: dict[int, Tool] = {}
    owners: list[Agent | Task] = [*parts.agents, *tasks]
    for owner in owners:
        tools.update((tool.pk, tool) for tool in owner.tools.all())
    profiles = {agent.profile_id: agent.profile for agent in parts.agents}
    return {
        "schema": SCHEMA,
        "kind": KIND,
        "team": as_attributes(team),
        "agents": _described(parts.agents),
        "tasks": _described(tasks),
        "tools": _described(tools.values()),
        "profiles": _described(profiles.values()),
    }


def _with_inputs(tasks: Iterable[Task]) -> list[Task]:
    """The tasks, and those whose results they take; there are no cycles (S12)."""
    found: dict[int, Task] = {}
    left = list(tasks)
    while left:
        task = left.pop()
        if task.pk not in found:
            found[task.pk] = task
            left += [task.input] if task.input else []
    return list(found.values())


def _described(rows: Iterable[Agent | Task | Tool | Profile]) -> list[dict[str, Any]]:
    found = [as_attributes(row) for row in sorted(rows, key=lambda row: row.name_key)]
    # What a trial call found out here is no part of a definition.
    return [{k: v for k, v in each.items() if k != "calls_tools"} for each in found]


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


@contextmanager
def _errors_of(item: Item, errors: list[FieldError]) -> Iterator[None]:
    """Go on after an object that is wrong, so that one answer names them all."""
    try:
        yield
    except Invalid as error:
        errors += below(item.path, error)


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
            errors = self._take_group(list(group))
            if errors and not self.conflicts:
                raise Invalid(errors)
            if errors:
                break
        if self.conflicts:
            raise self._conflict()
        for agent in self.agents:
            refuse_broken_lead(agent)
        return self.changes + self.notes

    def _take_group(self, items: list[Item]) -> list[FieldError]:
        """Objects of one kind may name each other, in a circle even: all that are
        new are made before any of them gets what it names."""
        errors: list[FieldError] = []
        new: dict[str, Definition] = {}
        for item in items:
            found = self._found(item)
            if found is None:
                with _errors_of(item, errors):
                    new[item.path] = self._make(item)
        if errors:
            # What is missing would only be missed by the others.
            return errors
        for item in items:
            with _errors_of(item, errors):
                made = new.get(item.path)
                if made is not None:
                    self._complete(item, made)
                elif (found := self._found(item)) is not None:
                    self._meet(item, found)
                    self._taken(item, found)
        return errors

    def _found(self, item: Item) -> Definition | None:
        rows = item.kind.model.objects.named(item.name).select_for_update(of=("self",))
        found: Definition | None = rows.first()
        return found

    def _complete(self, item: Item, made: Definition) -> None:
        rest = {n: v for n, v in item.given.items() if n in item.kind.mutual}
        if rest:
            save_definition(item.kind, made, rest, user=self.user)
        self._taken(item, made)

    def _taken(self, item: Item, found: Definition) -> None:
        if isinstance(found, Agent):
            self.agents.append(found)
        if isinstance(found, Profile):
            self._note_secret(item, found)

    def _make(self, item: Item) -> Definition:
        need(self.user, "add", item.kind.name)
        made = item.kind.model()
        if self.user is not None:
            made.created_by_id = self.user.pk
        given = {n: v for n, v in item.given.items() if n not in item.kind.mutual}
        save_definition(item.kind, made, given, user=self.user)
        self.changes.append(Change("create", item.kind.name, made.name))
        return made

    def _meet(self, item: Item, found: Definition) -> None:
        """An object of that name is here: the same, to be changed, or in the way."""
        before = as_attributes(found)
        point = transaction.savepoint()
        save_definition(item.kind, found, item.given, user=self.user)
        after = as_attributes(found)
        every = dict.fromkeys((*before, *after))
        changed = tuple(key for key in every if after.get(key) != before.get(key))
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
