"""The least code that does a job with no rules in it: floors to hold our own times against.

Same data, same database, same run. A bare turn reads N units, adds vectors, finds which enemies each
of four sides sees with four classes of sensors, writes the units, a contact a side and target, and an
event a unit, in one transaction.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from django.db import connection, transaction
from numpy.typing import NDArray

from campaign.engine.proximity import seen_by_any

SENSOR_RANGES = (300, 120, 60, 20)
FIELDS = ("q", "r", "z", "vq", "vr", "vz", "fuel", "turn")
SIDES = 4
Integers = NDArray[np.int64]


def scattered(count: int, seed: int = 5) -> Integers:
    """Return count rows of q, r, z, vq, vr, vz: a loose formation, so that no two come within range 5.

    Forces stand about 20 hexes apart in a plane 40 hexes thick and move as one, each off its place by
    a hex or two; sides are mixed, so each force has some hundred enemies within 120 hexes.
    """
    chance = np.random.default_rng(seed)
    width = int(np.ceil(np.sqrt(count)))
    column, row = np.divmod(np.arange(count), width)
    place = np.column_stack([column * 20, row * 20 - column * 10, np.zeros(count, dtype=np.int64)])
    place += chance.integers(-1, 2, (count, 3)) + np.array([0, 0, 1]) * chance.integers(-20, 21, (count, 1))
    return np.column_stack([place, np.tile([2, 1, 0], (count, 1))]).astype(np.int64)


def bare_tables_make(count: int) -> None:
    """Make the bare tables, with ``count`` units in them."""
    columns = ", ".join(f"{name} integer" for name in FIELDS)
    rows = [(number, number % SIDES, *row, 1000, 0) for number, row in enumerate(scattered(count).tolist(), start=1)]
    with transaction.atomic(), connection.cursor() as cursor:
        for table in ("bare_game", "bare_unit", "bare_contact", "bare_event"):
            cursor.execute(f"DROP TABLE IF EXISTS {table}")
        cursor.execute("CREATE TABLE bare_game (id integer PRIMARY KEY, turn integer)")
        cursor.execute("INSERT INTO bare_game VALUES (1, 0)")
        cursor.execute(f"CREATE TABLE bare_unit (id integer PRIMARY KEY, side integer, {columns})")
        cursor.execute("CREATE TABLE bare_contact (turn integer, side integer, target bigint)")
        cursor.execute("CREATE TABLE bare_event (turn integer, unit bigint, kind integer, body text)")
        marks = ", ".join(["%s"] * (2 + len(FIELDS)))
        cursor.executemany(f"INSERT INTO bare_unit VALUES ({marks})", rows)


def bare_turn(number: int) -> int:
    """Play one bare turn; return how many contacts it wrote."""
    with transaction.atomic(), connection.cursor() as cursor:
        lock = " FOR UPDATE" if connection.vendor == "postgresql" else ""
        cursor.execute(f"SELECT turn FROM bare_game WHERE id = 1{lock}")
        cursor.fetchone()
        cursor.execute(f"SELECT id, side, {', '.join(FIELDS)} FROM bare_unit ORDER BY id")
        table = np.array(cursor.fetchall(), dtype=np.int64)
        ids, side, place = table[:, 0], table[:, 1], table[:, 2:5] + table[:, 5:8]
        contacts = [(number, *pair) for pair in bare_detection(ids, side, place)]
        new = np.column_stack([place, table[:, 5:8], table[:, 8] - 1, np.full(len(ids), number)]).tolist()
        events = [(number, unit, 1, f"{x[0]},{x[1]},{x[2]}") for unit, x in zip(ids.tolist(), new, strict=True)]
        _write(cursor, ids.tolist(), new, contacts, events)
        cursor.execute("UPDATE bare_game SET turn = %s WHERE id = 1", [number])
    return len(contacts)


def bare_detection(ids: Integers, side: Integers, place: Integers) -> list[tuple[int, int]]:
    """Return (side, unit seen), each enemy tried with the longest sensors first."""
    found: list[tuple[int, int]] = []
    for own in range(SIDES):
        theirs = np.nonzero(side != own)[0]
        seen = np.zeros(len(theirs), dtype=bool)
        for kind, reach in enumerate(SENSOR_RANGES):
            sensors = np.nonzero((side == own) & (ids // SIDES % SIDES == kind))[0]
            left = np.nonzero(~seen)[0]
            if len(sensors) and len(left):
                seen[left] = seen_by_any(place[theirs[left]], place[sensors], reach)
        found += [(own, unit) for unit in ids[theirs[seen]].tolist()]
    return found


def _write(cursor: Any, ids: list[int], new: list[list[int]], contacts: list[Any], events: list[Any]) -> None:
    if connection.vendor == "postgresql":
        columns = ", ".join(f"{name} integer" for name in FIELDS)
        cursor.execute(f"CREATE TEMP TABLE bare_stage (id bigint, {columns}) ON COMMIT DROP")
        staged = [[unit, *row] for unit, row in zip(ids, new, strict=True)]
        for table, rows in (("bare_stage", staged), ("bare_contact", contacts), ("bare_event", events)):
            with cursor.copy(f"COPY {table} FROM STDIN") as copy:
                for row in rows:
                    copy.write_row(row)
        changes = ", ".join(f"{name} = bare_stage.{name}" for name in FIELDS)
        cursor.execute(f"UPDATE bare_unit SET {changes} FROM bare_stage WHERE bare_stage.id = bare_unit.id")
        return
    changes = ", ".join(f"{name} = %s" for name in FIELDS)
    cursor.executemany(
        f"UPDATE bare_unit SET {changes} WHERE id = %s",
        [[*row, unit] for unit, row in zip(ids, new, strict=True)],
    )
    cursor.executemany("INSERT INTO bare_contact VALUES (%s, %s, %s)", contacts)
    cursor.executemany("INSERT INTO bare_event VALUES (%s, %s, %s, %s)", events)
