"""Changing the columns of the forces: new rows, and single values of some rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from operational.rules.saganami.documents import FORCE_NUMBERS
from operational.rules.saganami.state import Forces


@dataclass(frozen=True, slots=True)
class NewForce:
    """A force that is to be added: like the force in row ``of``, under an id, name and flagship of its own."""

    id: str
    of: int
    name: str
    flagship: str
    is_dummy: bool = False


def with_new(forces: Forces, new: Sequence[NewForce]) -> Forces:
    """Return the forces with new ones after the rest, each in the place and with the vectors of the one it left.

    Carried half hexes go with it, a standing course does not.
    """
    if not new:
        return forces
    rows = [each.of for each in new]
    numbers: dict[str, Any] = {
        name: np.concatenate((getattr(forces, name), getattr(forces, name)[rows])) for name in FORCE_NUMBERS
    }
    parents = {each.id: forces.id[each.of] for each in new}
    return replace(
        forces,
        **numbers,
        id=(*forces.id, *(each.id for each in new)),
        side=(*forces.side, *(forces.side[row] for row in rows)),
        name=(*forces.name, *(each.name for each in new)),
        flagship=(*forces.flagship, *(each.flagship for each in new)),
        engaged=(*forces.engaged, *("" for _ in new)),
        dummy=np.concatenate((forces.dummy, np.array([each.is_dummy for each in new], dtype=np.bool_))),
        carry={
            **forces.carry,
            **{child: forces.carry[parent] for child, parent in parents.items() if parent in forces.carry},
        },
    )


def with_values(forces: Forces, values: Mapping[str, Mapping[int, Any]]) -> Forces:
    """Return the forces with single values changed: column name to row to value."""
    changed: dict[str, Any] = {}
    for name, rows in values.items():
        if not rows:
            continue
        column = getattr(forces, name)
        if isinstance(column, tuple):
            listed = list(column)
            for row, value in rows.items():
                listed[row] = value
            changed[name] = tuple(listed)
        else:
            copied = column.copy()
            copied[list(rows)] = list(rows.values())
            changed[name] = copied
    return replace(forces, **changed) if changed else forces
