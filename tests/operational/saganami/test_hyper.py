"""Hyperspace: who may go in, where a group comes out, and with what velocity (B5.16)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.hexes import ORIGIN, Hex, squared_range, true_range
from campaign.engine.vectors import to_axial
from operational.rules.saganami import hyper, preferences
from operational.rules.saganami.hyper import arrive, depart, emerged_velocity, is_outside, scattered
from operational.rules.saganami.orders import Emergence, Orders
from operational.rules.saganami.state import IN_HYPERSPACE, ON_MAP, State
from tests.operational.saganami.meeting_worlds import force, place_of, velocity_of, world
from tests.operational.saganami.phase_worlds import does, kinds, orders, play

LIMIT = 158  # of Alpha, a G2 star
ENTRY = Hex(0, 170, 0)


def coming(velocity: Mapping[str, int] | None = None, **fields: Any) -> dict[str, Any]:
    """Return a force of the reds that waits in hyperspace."""
    return force("lantern", "red", {}, velocity, place="hyperspace", **fields)


def emerging(entry: Hex = ENTRY, groups: tuple[tuple[str, ...], ...] = ()) -> dict[str, Orders]:
    """Return the reds' orders to come out at a hex of Alpha."""
    return does("lantern", emerge=Emergence("alpha", entry, groups))


def scatter(faces: Sequence[int], name: str = "lantern") -> dict[tuple[str, str, str], Sequence[int]]:
    """Return two typed dice of a group's scatter."""
    return {(hyper.ARRIVALS, name, "scatter"): faces}


def out_at(state: State, **choices: str) -> tuple[int, int, int]:
    """Return where the force comes out, rolling 4, with the blues' standing choices."""
    state, _ = play(preferences.run, state, orders("blue", preferences=choices)) if choices else (state, ())
    after, _ = play(arrive, state, emerging(), scatter([7, 3]))
    return place_of(after, "lantern")


# Coming out -------------------------------------------------------------------------------------


@pytest.mark.rule("B5.162")
@pytest.mark.parametrize(("faces", "distance"), [([7, 3], 4), ([1, 10], 9), ([5, 5], 0)])
def test_a_group_comes_out_as_far_from_its_entry_hex_as_two_dice_differ(faces: list[int], distance: int) -> None:
    """2d10-, in the stream of its own side."""
    after, events = play(arrive, world(coming(), force("verdict", "blue", {})), emerging(), scatter(faces))
    at = Hex(*place_of(after, "lantern"))
    assert true_range(*at.less(ENTRY)) == distance
    assert int(after.forces.place[0]) == ON_MAP
    assert events[0].data["distance"] == distance
    assert after.arrivals == ("lantern",)


@pytest.mark.rule("B5.161", "B5.162")
def test_a_twelfth_of_each_direction_is_left_on_coming_out() -> None:
    """24A 20B leave 2A 1B; there is no greatest speed on the way out."""
    assert emerged_velocity({"A": 24, "B": 20}) == {"A": 2, "B": 1}
    assert emerged_velocity({"A": 120}) == {"A": 10}
    after, _ = play(
        arrive, world(coming({"A": 24, "B": 20}), force("verdict", "blue", {})), emerging(), scatter([5, 5])
    )
    assert velocity_of(after, "lantern") == (1, 2, 0)


@pytest.mark.rule("B5.162")
@pytest.mark.parametrize(
    ("choice", "place"),
    [
        ({}, (0, 174, 0)),
        ({"direction_away": "away-from-star"}, (0, 174, 0)),
        ({"direction_away": "toward-star"}, (0, 166, 0)),
        ({"direction_away": "C"}, (4, 166, 0)),
        ({"direction_away": "+"}, (0, 170, 4)),
        ({"direction_away": "nearest-own-force"}, (0, 166, 0)),
        ({"direction_away": "body:rest"}, (-4, 170, 0)),
    ],
)
def test_the_defender_chose_the_direction_beforehand(choice: dict[str, str], place: tuple[int, int, int]) -> None:
    """From the standing preference that every side files with every sheet; without one, away from the star."""
    systems = [
        {
            "key": "alpha",
            "name": "Alpha",
            "star": "G2",
            "bodies": [{"id": "rest", "name": "Rest", "kind": "planet", "q": 60, "r": 170}],
        }
    ]
    state = world(coming(), force("verdict", "blue", {"A": 180}), systems=systems)
    assert out_at(state, **choice) == place


@pytest.mark.rule("B5.162")
def test_toward_and_away_are_straight_in_every_direction() -> None:
    """Many hexes lie equally far from the star; it is the one on the line that is meant."""
    for letter in "ABCDEF":
        entry, straight = Hex(*to_axial({letter: 170})), to_axial({letter: 5})
        assert scattered(entry, 5, LIMIT, ("from", ORIGIN)) == entry.moved(*straight)
        assert scattered(entry, 5, LIMIT, ("to", ORIGIN)) == entry.less(straight)


@pytest.mark.rule("B5.162")
def test_nobody_is_pushed_inside_the_hyper_limit() -> None:
    """Of the hexes at that distance outside it, the one that suits the defender best."""
    entry = Hex(0, LIMIT, 0)
    state = world(coming(), force("verdict", "blue", {}))
    state, _ = play(preferences.run, state, orders("blue", preferences={"direction_away": "toward-star"}))
    after, _ = play(arrive, state, emerging(entry), scatter([7, 3]))
    at = Hex(*place_of(after, "lantern"))
    assert is_outside(at, LIMIT)
    assert true_range(*at.less(entry)) == 4


HEXES = st.builds(Hex, st.integers(-300, 300), st.integers(-300, 300), st.integers(-50, 50))


@pytest.mark.rule("B5.162")
@given(HEXES.filter(lambda entry: is_outside(entry, LIMIT)), st.integers(0, 9), st.sampled_from(["to", "from"]), HEXES)
def test_a_scattered_group_is_at_its_distance_and_outside(entry: Hex, distance: int, kind: str, other: Hex) -> None:
    """Whatever the defender wishes."""
    at = scattered(entry, distance, LIMIT, (kind, other))
    assert true_range(*at.less(entry)) == distance
    assert is_outside(at, LIMIT)


@pytest.mark.rule("B5.162")
def test_the_side_at_home_answers_and_else_the_one_that_is_nearest() -> None:
    """A third side's wish counts where it stands nearer; a dummy answers for nobody."""
    blue, green = force("verdict", "blue", {"A": 100}), force("heron", "green", {"A": 150})
    wishes = {
        **orders("blue", preferences={"direction_away": "B"}),
        **orders("green", preferences={"direction_away": "C"}),
    }

    def comes_out(*others: dict[str, Any], home: str | None = None) -> tuple[int, int, int]:
        systems = [{"key": "alpha", "name": "Alpha", "star": "G2", "defender": home}]
        state, _ = play(preferences.run, world(coming(), *others, systems=systems), wishes)
        return place_of(play(arrive, state, emerging(), scatter([7, 3]))[0], "lantern")

    along_b, along_c = (4, 170, 0), (4, 166, 0)
    assert comes_out(blue, green) == along_c
    assert comes_out(blue, green, home="blue") == along_b
    decoy = force("heron", "green", {"A": 150}, dummy=True)
    assert comes_out(blue, decoy) == along_b
    assert comes_out() == along_b, "the first side of the campaign that opposes"


@pytest.mark.rule("B5.162")
def test_each_command_group_scatters_for_itself_and_becomes_a_force() -> None:
    """The first group keeps the force; the second has its own ships, flagship, dice and course."""
    state = world(coming({"A": 24}, classes=("mistral", "petrel", "bramble")), force("verdict", "blue", {}))
    groups = (("lantern-2",), ("lantern-1", "lantern-3"))
    given = does("lantern", emerge=Emergence("alpha", ENTRY, groups), course=({"A": 1}, {"A": 1}))
    after, events = play(arrive, state, given, scatter([9, 3]))
    assert kinds(events) == ["force-emerged", "force-emerged"]
    first, second = after.arrivals
    assert first == "lantern"
    assert true_range(*Hex(*place_of(after, first)).less(ENTRY)) == 6
    assert true_range(*Hex(*place_of(after, second)).less(ENTRY)) == events[1].data["distance"]
    members = {key: [after.ships.id[row] for row in rows] for key, rows in after.ships.of_force.items()}
    assert members[first] == ["lantern-2"]
    assert members[second] == ["lantern-1", "lantern-3"]
    flagships = dict(zip(after.forces.id, after.forces.flagship, strict=True))
    assert (flagships[first], flagships[second]) == ("lantern-2", "lantern-1")
    assert after.forces.course[second] == ({"A": 1}, {"A": 1})
    assert velocity_of(after, second) == (0, 2, 0)


# Going in ---------------------------------------------------------------------------------------


@pytest.mark.rule("B5.16")
def test_the_limit_is_reached_at_its_distance() -> None:
    """158 hexes are outside, 157 not; altitude counts."""
    assert is_outside(Hex(0, 158, 0), LIMIT)
    assert not is_outside(Hex(0, 157, 0), LIMIT)
    assert is_outside(Hex(0, 150, 50), LIMIT)
    assert squared_range(0, 150, 50) >= LIMIT**2
    assert not is_outside(Hex(0, 150, 49), LIMIT)


@pytest.mark.rule("B5.16", "B5.161")
def test_a_force_outside_the_limit_and_slow_enough_goes_in_with_a_twelfth() -> None:
    """45 hexes a turn leave 3."""
    state = world(force("lantern", "red", {"A": 160}, {"A": 45}))
    after, events = play(depart, state, does("lantern", translate_out=True))
    assert int(after.forces.place[0]) == IN_HYPERSPACE
    assert velocity_of(after, "lantern") == (0, 3, 0)
    assert place_of(after, "lantern") == (0, 0, 0)
    assert [(event.kind, event.audience) for event in events] == [("force-translated", ("red",))]


@pytest.mark.rule("B5.16", "B5.161", "C5.463")
@pytest.mark.parametrize(
    ("at", "velocity", "ships", "broken"),
    [
        ({"A": 157}, {"A": 10}, {}, "B5.16"),
        ({"A": 160}, {"A": 46}, {}, "B5.161"),
        ({"A": 160}, {"A": 30, "B": 16}, {}, "B5.161"),
        ({"A": 160}, {"A": 10}, {"damage": {"hyper_generator": 1}}, "C5.463"),
    ],
)
def test_who_may_not_go_in_stays_and_is_told_why(
    at: dict[str, int], velocity: dict[str, int], ships: dict[str, Any], broken: str
) -> None:
    """Inside the limit, too fast, without a hyper generator."""
    state = world(force("lantern", "red", at, velocity, ships=ships))
    after, events = play(depart, state, does("lantern", translate_out=True))
    assert after.forces.place.tolist() == [ON_MAP]
    assert velocity_of(after, "lantern") == velocity_of(state, "lantern")
    assert [(event.kind, event.rules, event.audience) for event in events] == [
        ("translation-failed", (broken,), ("red",))
    ]


@pytest.mark.rule("C5.463")
def test_one_ship_without_a_generator_keeps_its_whole_force_here() -> None:
    """A force goes as one."""
    lame = force("lantern", "red", {"A": 160}, classes=("mistral", "petrel"))
    lame["ships"][1]["damage"] = {"hyper_generator": 1}
    after, events = play(depart, world(lame), does("lantern", translate_out=True))
    assert kinds(events) == ["translation-failed"]
    assert after.forces.place.tolist() == [ON_MAP]


@pytest.mark.rule("B5.161")
def test_a_dummy_does_not_go_into_hyperspace() -> None:
    """It has nothing to do it with."""
    state = world(force("lantern", "red", {"A": 160}, dummy=True))
    _, events = play(depart, state, does("lantern", translate_out=True))
    assert kinds(events) == ["translation-failed"]
