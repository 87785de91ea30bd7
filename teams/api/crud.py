"""The operations that every kind of definition has, as a router of one kind."""

from __future__ import annotations

from typing import Any

from ninja import Query, Router, Schema, Status

from supervisor_site.api_base import ApiRequest, Paging, page
from teams.api.schemas import Attributes
from teams.services import definitions
from teams.services.attributes.kinds import kind_named
from teams.services.describe import as_attributes, with_links


def definition_router(
    kind: str,
    attributes: type[Attributes],
    out: type[Schema],
    paged: type[Schema] | None,
) -> Router:
    """List, make, read, change, drop, switch on and off. Without ``paged`` reading
    is left to the caller, where others than builders may read too."""
    router = Router(tags=[f"{kind}s"])
    if paged is not None:
        _add_reading(router, kind, out, paged)
    _add_writing(router, kind, attributes, out)
    _add_switches(router, kind, out)
    return router


def found(kind: str, name: str) -> dict[str, Any]:
    """The object as it now stands in the database."""
    return as_attributes(definitions.find(kind, name))


def _add_reading(
    router: Router, kind: str, out: type[Schema], paged: type[Schema]
) -> None:
    def list_all(request: ApiRequest, paging: Query[Paging]) -> dict[str, Any]:
        definitions.need(request.user, "view", kind)
        rows = kind_named(kind).model.objects.live()
        return page(with_links(rows), paging, as_attributes)

    def get(request: ApiRequest, name: str) -> dict[str, Any]:
        definitions.need(request.user, "view", kind)
        return found(kind, name)

    router.get("", response=paged, **_named(f"list_{kind}s", f"List {kind}s"))(list_all)
    router.get("/{name}", response=out, **_named(f"get_{kind}", f"Read a {kind}"))(get)


def _add_writing(
    router: Router, kind: str, attributes: type[Attributes], out: type[Schema]
) -> None:
    def create(request: ApiRequest, body: Attributes) -> Status[Any]:
        made = definitions.create(kind, body.given, user=request.user)
        return Status(201, found(kind, made.name))

    def change(request: ApiRequest, name: str, body: Attributes) -> dict[str, Any]:
        """Attributes that are left out stay; ``name`` renames."""
        changed = definitions.update(kind, name, body.given, user=request.user)
        return found(kind, changed.name)

    def drop(request: ApiRequest, name: str, force: bool = False) -> Status[None]:  # noqa: FBT001, FBT002
        """Runs in flight finish. ``force``: a missing object is no error."""
        definitions.drop(kind, name, user=request.user, force=force)
        return Status(204, None)

    # Ninja reads a body by its annotation, and that differs from kind to kind.
    for view in (create, change):
        view.__annotations__["body"] = attributes
    created = {201: out}
    named = _named(f"create_{kind}", f"Make a {kind}")
    router.post("", response=created, **named)(create)
    named = _named(f"update_{kind}", f"Change a {kind}")
    router.patch("/{name}", response=out, **named)(change)
    named = _named(f"delete_{kind}", f"Drop a {kind}")
    router.delete("/{name}", response={204: None}, **named)(drop)


def _add_switches(router: Router, kind: str, out: type[Schema]) -> None:
    def enable(request: ApiRequest, name: str) -> dict[str, Any]:
        return as_attributes(
            definitions.set_enabled(kind, name, True, user=request.user)
        )

    def disable(request: ApiRequest, name: str) -> dict[str, Any]:
        """Runs that need it stop with the reason."""
        return as_attributes(
            definitions.set_enabled(kind, name, False, user=request.user)
        )

    for word, view in (("enable", enable), ("disable", disable)):
        named = _named(f"{word}_{kind}", f"{word.capitalize()} a {kind}")
        router.post(f"/{{name}}/{word}", response=out, **named)(view)


def _named(operation_id: str, summary: str) -> dict[str, Any]:
    # An entry without a task has none, neither in REST nor in a bundle.
    left_out = {"exclude_unset": True}
    return {"operation_id": operation_id, "summary": summary, **left_out}
