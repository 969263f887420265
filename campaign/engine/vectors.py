"""Vectors: a velocity or a change of velocity as whole numbers along A to F, + and -.

A vector map holds only positive whole numbers (hexes per turn). Six directions describe a plane
twice over, so one velocity has many maps; its consolidated form is the only one with no two
directions more than 60 degrees apart, and at most one of + and -.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from campaign.engine.errors import Problem, ProblemsError, pointer, refuse
from campaign.engine.hexes import DIRECTIONS, LETTERS, OPPOSITE, STEP, Hex, distance_in_plane, true_range

Vectors = Mapping[str, int]

_TERM = re.compile(r"([0-9]{1,9})\s*([A-Fa-f+-])")


def parse_vectors(
    value: Any, place: str, rule: str = "B3.15", most: int | None = None
) -> tuple[dict[str, int], tuple[Problem, ...]]:
    """Return the vectors in a document and every problem found in it.

    ``place`` is the JSON Pointer to ``value``; ``most`` the largest number allowed in a direction
    (hexes per turn). Zeros are left out. What is wrong is left out too, so the vectors are usable
    only where there is no problem.
    """
    if not isinstance(value, Mapping):
        message = 'Vectors are an object of directions and whole numbers, such as {"A": 3, "-": 1}.'
        return {}, (Problem(place, "not-vectors", message, rule),)
    found: dict[str, int] = {}
    problems = []
    for key, number in value.items():
        here = place + pointer(str(key))
        if key not in LETTERS:
            message = f"{key!r} is no direction: the directions are A to F, + and -."
            problems.append(Problem(here, "unknown-direction", message, rule))
        elif isinstance(number, bool) or not isinstance(number, int):
            problems.append(Problem(here, "not-whole-number", "A vector is a whole number of hexes.", rule))
        elif number < 0:
            message = f"A vector is never negative: {-number} the other way is {-number}{OPPOSITE[key]}."
            problems.append(Problem(here, "negative-vector", message, rule))
        elif most is not None and number > most:
            problems.append(Problem(here, "vector-too-large", f"At most {most} is allowed here.", rule))
        elif number:
            found[key] = number
    return ordered(found), tuple(sorted(problems))


def require_vectors(value: Any, place: str, rule: str = "B3.15", most: int | None = None) -> dict[str, int]:
    """Return the vectors in a document, or raise ``ProblemsError`` with every problem of it."""
    found, problems = parse_vectors(value, place, rule, most)
    if problems:
        raise ProblemsError(problems)
    return found


def ordered(vectors: Vectors) -> dict[str, int]:
    """Return the vectors with their letters in the order A to F, +, -, and without zeros."""
    return {letter: vectors[letter] for letter in LETTERS if vectors.get(letter)}


def to_axial(vectors: Vectors) -> Hex:
    """Return the step that a turn of these vectors makes, in axial hexes and levels of altitude."""
    q = r = z = 0
    for letter, number in vectors.items():
        dq, dr, dz = STEP[letter]
        q += dq * number
        r += dr * number
        z += dz * number
    return Hex(q, r, z)


def from_axial(q: int, r: int, z: int = 0) -> dict[str, int]:
    """Return the consolidated vectors of a step: at most two neighbouring directions, and + or -."""
    found: dict[str, int] = {}
    if q >= 0 and r >= 0:
        found["A"], found["B"] = r, q
    elif q <= 0 and r <= 0:
        found["D"], found["E"] = -r, -q
    elif q > 0:
        # r < 0: every C covers one of both, what is left over is B or D.
        common = min(q, -r)
        found["C"], found["B"], found["D"] = common, q - common, -r - common
    else:
        common = min(-q, r)
        found["F"], found["E"], found["A"] = common, -q - common, r - common
    found["+" if z > 0 else "-"] = abs(z)
    return ordered(found)


def consolidate(vectors: Vectors) -> dict[str, int]:
    """Return the consolidated vectors, found by the two steps a player makes, until neither applies.

    First opposite directions are taken off each other; then of two directions 120 degrees apart the
    smaller is moved onto the direction between them. The second can open a pair for the first
    again, which is why one pass is not enough. The answer equals ``from_axial(*to_axial(vectors))``.
    """
    held = {letter: vectors.get(letter, 0) for letter in LETTERS}
    changed = True
    while changed:
        changed = take_off_opposites(held)
        changed = merge_wide_pairs(held) or changed
    return ordered(held)


def take_off_opposites(held: dict[str, int]) -> bool:
    """Take opposite directions off each other; return whether any were."""
    changed = False
    for letter in ("A", "B", "C", "+"):
        smaller = min(held[letter], held[OPPOSITE[letter]])
        if smaller:
            held[letter] -= smaller
            held[OPPOSITE[letter]] -= smaller
            changed = True
    return changed


def merge_wide_pairs(held: dict[str, int]) -> bool:
    """Merge directions 120 degrees apart into the one between; return whether any were."""
    changed = False
    for index, letter in enumerate(DIRECTIONS):
        between, other = DIRECTIONS[(index + 1) % 6], DIRECTIONS[(index + 2) % 6]
        smaller = min(held[letter], held[other])
        if smaller:
            held[letter] -= smaller
            held[other] -= smaller
            held[between] += smaller
            changed = True
    return changed


def is_consolidated(vectors: Vectors) -> bool:
    """Return whether no direction can be taken off or merged with another."""
    return ordered(vectors) == from_axial(*to_axial(vectors))


def add(*vectors: Vectors) -> dict[str, int]:
    """Return the sums for each direction, not consolidated."""
    return ordered({letter: sum(each.get(letter, 0) for each in vectors) for letter in LETTERS})


def subtract(vectors: Vectors, less: Vectors) -> dict[str, int]:
    """Return the differences for each direction, not consolidated; what falls below 0 points the other way."""
    left = dict.fromkeys(LETTERS, 0)
    for letter in LETTERS:
        difference = vectors.get(letter, 0) - less.get(letter, 0)
        left[letter if difference > 0 else OPPOSITE[letter]] += abs(difference)
    return ordered(left)


def opposite(vectors: Vectors) -> dict[str, int]:
    """Return the vectors turned round."""
    return ordered({OPPOSITE[letter]: number for letter, number in vectors.items()})


def multiply(vectors: Vectors, factor: int) -> dict[str, int]:
    """Return every direction's number times ``factor`` (0 or more)."""
    return ordered({letter: number * factor for letter, number in vectors.items()})


def divide(vectors: Vectors, divisor: int) -> tuple[dict[str, int], dict[str, int]]:
    """Return the whole quotients and the remainders, each direction on its own."""
    quotients = {letter: number // divisor for letter, number in vectors.items()}
    remainders = {letter: number % divisor for letter, number in vectors.items()}
    return ordered(quotients), ordered(remainders)


def halves(vectors: Vectors) -> tuple[dict[str, int], tuple[str, ...]]:
    """Return the whole halves of each direction, and the directions in which a half is left over."""
    whole, left = divide(vectors, 2)
    return whole, tuple(left)


def halves_up(vectors: Vectors) -> dict[str, int]:
    """Return the halves of each direction, rounded up."""
    return ordered({letter: (number + 1) // 2 for letter, number in vectors.items()})


def speed_in_plane(vectors: Vectors) -> int:
    """Return the hexes per turn on the map: the sum of the consolidated directions A to F."""
    q, r, _ = to_axial(vectors)
    return distance_in_plane(q, r)


def speed(vectors: Vectors) -> int:
    """Return the hexes per turn in space, as a range is measured: hexes on the map, altitude, fraction dropped.

    24A 20B is 44. Speed limits are compared with this number, so that a climb counts neither fully
    nor not at all.
    """
    return true_range(*to_axial(vectors))


def is_faster_than(vectors: Vectors, limit: int) -> bool:
    """Return whether the speed, its fraction dropped, is over ``limit`` hexes per turn."""
    return speed(vectors) > limit


def total(vectors: Vectors) -> int:
    """Return the sum of all numbers as they are recorded, not consolidated."""
    return sum(vectors.values())


def format_vectors(vectors: Vectors) -> str:
    """Return the vectors as players write them: "3A 1-", and "0" for none."""
    return " ".join(f"{number}{letter}" for letter, number in ordered(vectors).items()) or "0"


def parse_text(text: str, place: str = "", rule: str = "") -> dict[str, int]:
    """Return the vectors that a player wrote, as "3A 1-" (commas are allowed, "0" or nothing is none).

    A direction written twice is summed. Raises ``ProblemsError`` with code "not-vectors".
    """
    rest = text.replace(",", " ").strip()
    if rest in ("", "0"):
        return {}
    found: list[dict[str, int]] = []
    position = 0
    while position < len(rest):
        term = _TERM.match(rest, position)
        if term is None:
            message = f"Write numbers and directions, such as 3A 1-; {rest[position:]!r} cannot be read."
            raise refuse("not-vectors", message, place=place, rule=rule)
        found.append({term[2].upper(): int(term[1])})
        position = term.end()
        while position < len(rest) and rest[position].isspace():
            position += 1
    return add(*found)


def sum_axial(vectors: Iterable[Vectors]) -> Hex:
    """Return the step that several vectors make together."""
    q = r = z = 0
    for each in vectors:
        dq, dr, dz = to_axial(each)
        q, r, z = q + dq, r + dr, z + dz
    return Hex(q, r, z)
