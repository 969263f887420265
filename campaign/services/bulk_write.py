"""Many rows at once: the only place that writes in bulk.

SQLite takes ``executemany``; PostgreSQL takes COPY, and for updates COPY into a temporary table and
UPDATE ... FROM. Django's bulk_update builds a CASE for every row and column and is slower than
saving row by row, so it has no place on a turn's path.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import connection, models


def insert_objects(objects: Sequence[models.Model]) -> None:
    """Insert a handful of model objects of one model in one statement."""
    if objects:
        type(objects[0])._default_manager.bulk_create(objects)


def insert_rows(model: type[models.Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Insert rows, ``columns`` being database column names of the model's table."""
    rows = list(rows)
    if not rows:
        return
    quote = connection.ops.quote_name
    table = quote(model._meta.db_table)
    names = ", ".join(quote(column) for column in columns)
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            with cursor.copy(f"COPY {table} ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        else:
            marks = ", ".join(["%s"] * len(columns))
            cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({marks})", rows)


def update_rows(model: type[models.Model], columns: Sequence[str], rows: Iterable[Sequence[Any]]) -> None:
    """Update rows by primary key: each row is the key followed by the values of ``columns``."""
    rows = list(rows)
    if not rows:
        return
    quote = connection.ops.quote_name
    table, key = quote(model._meta.db_table), quote(str(model._meta.pk.column))
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            names = ", ".join([key, *(quote(column) for column in columns)])
            cursor.execute(f"CREATE TEMP TABLE bulk_stage ON COMMIT DROP AS SELECT {names} FROM {table} WITH NO DATA")
            with cursor.copy(f"COPY bulk_stage ({names}) FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
            changes = ", ".join(f"{quote(column)} = bulk_stage.{quote(column)}" for column in columns)
            cursor.execute(f"UPDATE {table} SET {changes} FROM bulk_stage WHERE {table}.{key} = bulk_stage.{key}")
            cursor.execute("DROP TABLE bulk_stage")
        else:
            changes = ", ".join(f"{quote(column)} = %s" for column in columns)
            cursor.executemany(f"UPDATE {table} SET {changes} WHERE {key} = %s", [[*row[1:], row[0]] for row in rows])
