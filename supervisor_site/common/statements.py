"""Inserts and updates of single rows without building a query each time.

The ORM compiles a query object into SQL at every call, which costs several times
what the database needs to run it. Here the text of a statement is made once for a
model and its fields; values go through the model's own fields, so that each
database gets what it gets from the ORM.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, TypeAlias

from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.backends.base.base import BaseDatabaseWrapper

# SQLite allows 32,766 values in a statement; PostgreSQL 65,535.
VALUES_AT_MOST = 30_000

AnyField: TypeAlias = "models.Field[Any, Any]"

# Fields whose texts reach each database as they are.
TEXTS = (models.CharField, models.TextField)


def insert_rows(rows: Sequence[models.Model]) -> None:
    """Insert new rows of one model. A key that the database makes is not read back."""
    if not rows:
        return
    # Not the proxy, which finds the thread's connection anew at each use.
    database = connections[DEFAULT_DB_ALIAS]
    head, one, fields = _insert(type(rows[0]), database.vendor)
    size = max(1, VALUES_AT_MOST // len(fields))
    with database.cursor() as cursor:
        for start in range(0, len(rows), size):
            batch = rows[start : start + size]
            values = [
                _prepared(field, field.pre_save(row, add=True), database)
                for row in batch
                for field in fields
            ]
            cursor.execute(head + ", ".join([one] * len(batch)), values)
    for row in rows:
        row._state.adding = False
        row._state.db = database.alias


def update_row(row: models.Model, names: Iterable[str]) -> None:
    """Write these fields of a row as they stand in it."""
    values = {name: getattr(row, name) for name in names}
    update_where(type(row), values, {"pk": row.pk})


def update_where(
    model: type[models.Model], values: Mapping[str, Any], where: Mapping[str, Any]
) -> int:
    """Write these fields of the rows whose other fields equal ``where``; how many."""
    database = connections[DEFAULT_DB_ALIAS]
    text, fields = _update(model, tuple(values), tuple(where), database.vendor)
    wanted = [*values.values(), *where.values()]
    prepared = [
        _prepared(
            field, value.pk if isinstance(value, models.Model) else value, database
        )
        for field, value in zip(fields, wanted, strict=True)
    ]
    with database.cursor() as cursor:
        cursor.execute(text, prepared)
        return int(cursor.rowcount)


def _prepared(field: AnyField, value: Any, database: BaseDatabaseWrapper) -> Any:
    if type(value) is str and type(field) in TEXTS:
        return value
    return field.get_db_prep_save(value, database)


@lru_cache(maxsize=64)
def _insert(model: type[models.Model], _vendor: str) -> tuple[str, str, list[AnyField]]:
    fields = [
        field
        for field in model._meta.concrete_fields
        if not isinstance(field, models.AutoField)
    ]
    columns = ", ".join(map(_column, fields))
    # All names in these statements are the models' own.
    head = f"INSERT INTO {_table(model)} ({columns}) VALUES "  # noqa: S608
    return head, f"({', '.join(['%s'] * len(fields))})", fields


@lru_cache(maxsize=1024)
def _update(
    model: type[models.Model],
    names: tuple[str, ...],
    where: tuple[str, ...],
    _vendor: str,
) -> tuple[str, list[AnyField]]:
    changed = [_field(model, name) for name in names]
    fixed = [_field(model, name) for name in where]
    changes = ", ".join(f"{_column(field)} = %s" for field in changed)
    tests = " AND ".join(f"{_column(field)} = %s" for field in fixed)
    text = f"UPDATE {_table(model)} SET {changes} WHERE {tests}"  # noqa: S608
    return text, [*changed, *fixed]


def _field(model: type[models.Model], name: str) -> AnyField:
    field = model._meta.pk if name == "pk" else model._meta.get_field(name)
    if not isinstance(field, models.Field):
        raise TypeError(f"{name} is no column of {model.__name__}")
    return field


def _column(field: AnyField) -> str:
    return connection.ops.quote_name(str(field.column))


def _table(model: type[models.Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)
