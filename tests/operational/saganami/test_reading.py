"""A sheet at the door: what is refused, where, and by which rule; the rest of the sheet stands (B3.2, B5, C6.16)."""

from __future__ import annotations

from typing import Any

import pytest

from operational.rules.saganami.orders import Orders
from operational.rules.saganami.reading import read_orders
from operational.rules.saganami.state import State
from operational.rules.saganami.view import view_for
from tests.operational.saganami.meeting_worlds import force, world

Found = list[tuple[str, str, str]]


def read(state: State, side: str = "red", **sheet: Any) -> tuple[Orders, Found]:
    """Read a sheet; return the orders and each problem's place, code and rule."""
    reading = read_orders(view_for(state, side), sheet)
    return reading.orders, [(problem.place, problem.code, problem.rule) for problem in reading.problems]


def fleet(rulings: dict[str, str] | None = None, **fields: Any) -> State:
    """Return a world with the reds' Lantern (cruiser, destroyer) and Wick beside it, and the blues' Verdict."""
    return world(
        force("lantern", "red", {"A": 9}, {"B": 2}, classes=("mistral", "petrel"), **fields),
        force("wick", "red", {"A": 9}, {"B": 2}),
        force("verdict", "blue", {"C": 60}),
        rulings=rulings,
    )


def lantern(state: State, **order: Any) -> Found:
    """Return what is wrong with an order for Lantern."""
    return read(state, forces={"lantern": order})[1]


# Thrust and course ------------------------------------------------------------------------------


@pytest.mark.rule("B3.22", "B3.24", "B5.122")
def test_thrust_over_the_slowest_ships_rating_is_refused_at_its_place() -> None:
    """Thrust or a step of a course; a course's other steps are read all the same."""
    assert lantern(fleet(), thrust={"A": 3}) == []
    assert lantern(fleet(), thrust={"A": 4}) == [("/forces/lantern/thrust", "thrust-over-rating", "B3.24")]
    assert lantern(fleet(), course=[{"A": 3}, {"B": 3, "+": 3}, {"A": 9}]) == [
        ("/forces/lantern/course/1", "thrust-over-rating", "B3.24"),
        ("/forces/lantern/course/2", "thrust-over-rating", "B3.24"),
    ]
    orders, problems = read(fleet(), forces={"lantern": {"thrust": {"A": 9}}, "wick": {"thrust": {"A": 1}}})
    assert len(problems) == 1
    assert list(orders.forces) == ["wick"], "the rest of the sheet stands"


@pytest.mark.rule("B3.231", "B3.221", "B3.22")
def test_red_lining_lifts_the_limit_of_this_turn_for_those_who_may() -> None:
    """All ships that hold the force back must do it; an elite engineer takes its place, a dead drive has none."""
    both = ["lantern-1", "lantern-2"]
    assert lantern(fleet(), thrust={"A": 4}, red_line=both) == []
    assert lantern(fleet(), thrust={"A": 4}, red_line=both[:1])[0][1] == "thrust-over-rating"
    assert lantern(fleet(), course=[{"A": 4}, {"A": 4}], red_line=both) == [
        ("/forces/lantern/course/1", "thrust-over-rating", "B3.24")
    ]
    elite = fleet(ships={"grades": {"engineer": "elite"}})
    assert ("/forces/lantern/red_line/0", "elite-engineer", "B3.221") in lantern(
        elite, thrust={"A": 4}, red_line=both[:1]
    )
    assert lantern(fleet(), thrust={"A": 1}, red_line=["verdict-1"]) == [
        ("/forces/lantern/red_line/0", "ship-not-in-force", "B3.231")
    ]
    dead = fleet(ships={"damage": {"max_thrust": 8}})
    assert ("/forces/lantern/red_line/1", "no-drive", "B3.22") in lantern(dead, red_line=both)


@pytest.mark.rule("B5.123")
def test_no_order_takes_a_force_over_the_highest_speed() -> None:
    """Nor does a step of its course."""
    state = world(force("lantern", "red", {}, {"A": 118}))
    assert lantern(state, course=[{"A": 2}, {"A": 1}]) == [("/forces/lantern/course/1", "too-fast", "B5.123")]
    assert lantern(state, course=[{"A": 2}, {"D": 1}, {"A": 1}]) == []


@pytest.mark.rule("B3.15", "B3.26")
@pytest.mark.parametrize(
    ("thrust", "code"),
    [
        ({"G": 1}, "unknown-direction"),
        ({"A": -1}, "negative-vector"),
        ({"A": 1.5}, "not-whole-number"),
        ({"A": True}, "not-whole-number"),
        ([1], "not-vectors"),
    ],
)
def test_a_vector_with_bad_numbers_is_refused(thrust: Any, code: str) -> None:
    """Eight directions, whole numbers, none negative."""
    ((place, found, rule),) = lantern(fleet(), thrust=thrust)
    assert place.startswith("/forces/lantern/thrust")
    assert (found, rule) == (code, "B3.15")


@pytest.mark.rule("B5.145")
def test_a_wedge_that_is_down_gives_no_thrust() -> None:
    """It may be ordered up; one that goes down flies no further step."""
    down = fleet(wedge="down")
    assert lantern(down, thrust={"A": 1}) == [("/forces/lantern/thrust", "wedge-down", "B5.145")]
    assert lantern(down, wedge="up", course=[{}, {"A": 1}]) == []
    assert lantern(fleet(), wedge="down", course=[{"A": 1}, {"A": 1}]) == [
        ("/forces/lantern/wedge", "wedge-down", "B5.145")
    ]


# Hyperspace -------------------------------------------------------------------------------------


@pytest.mark.rule("B5.16", "B5.161", "C5.463")
@pytest.mark.parametrize(
    ("at", "velocity", "damage", "codes"),
    [
        ({"A": 150}, {"A": 8}, {}, []),
        ({"A": 150}, {"A": 7}, {}, ["inside-limit"]),
        ({"A": 150}, {"A": 46}, {}, ["too-fast-to-translate"]),
        ({"A": 150}, {"A": 20, "+": 41}, {}, []),  # 45.6, fraction dropped
        ({"A": 150}, {"A": 20, "+": 42}, {}, ["too-fast-to-translate"]),
        ({"A": 150}, {"A": 8}, {"hyper_generator": 1}, ["no-hyper-generator"]),
        ({}, {"A": 60}, {"hyper_generator": 1}, ["inside-limit", "no-hyper-generator", "too-fast-to-translate"]),
    ],
)
def test_a_translation_is_checked_where_the_turn_will_end(
    at: dict[str, int], velocity: dict[str, int], damage: dict[str, int], codes: list[str]
) -> None:
    """All reasons at once: inside the limit, too fast, no generator."""
    state = world(force("lantern", "red", at, velocity, ships={"damage": damage}))
    found = lantern(state, translate_out=True)
    assert sorted(code for _, code, _ in found) == codes
    assert {place for place, _, _ in found} <= {"/forces/lantern/translate_out"}


@pytest.mark.rule("B5.162", "B5.16")
def test_an_arrival_names_a_hex_outside_and_whole_groups() -> None:
    """Each ship in one group; nobody comes out who is not in hyperspace."""
    state = world(force("lantern", "red", {}, place="hyperspace", classes=("mistral", "petrel")))
    outside, inside = {"q": 0, "r": 158}, {"q": 0, "r": 157}

    def emerge(**fields: Any) -> Found:
        return lantern(state, emerge={"system": "alpha", "at": outside, **fields})

    assert emerge() == []
    assert emerge(groups=[["lantern-1"], ["lantern-2"]]) == []
    assert emerge(at=inside) == [("/forces/lantern/emerge/at", "inside-limit", "B5.16")]
    assert emerge(system="nowhere") == [("/forces/lantern/emerge/system", "unknown-system", "B5.162")]
    for groups in ([["lantern-1"]], [["lantern-1", "lantern-2"], []], [["lantern-1", "lantern-1"], ["lantern-2"]]):
        assert emerge(groups=groups) == [("/forces/lantern/emerge/groups", "groups-not-whole", "B5.162")]
    here = lantern(fleet(), emerge={"system": "alpha", "at": outside})
    assert here == [("/forces/lantern/emerge", "not-in-hyperspace", "B5.162")]


# Splits and merges ------------------------------------------------------------------------------


@pytest.mark.rule("B5.12", "B5.122")
@pytest.mark.parametrize(
    ("split", "place", "code"),
    [
        ({"force": "lantern", "ships": []}, "/split/0/ships", "split-into-nothing"),
        ({"force": "lantern", "ships": ["lantern-1", "lantern-2"]}, "/split/0/ships", "split-of-everything"),
        ({"force": "lantern", "ships": ["wick-1"]}, "/split/0/ships/0", "ship-not-in-force"),
        ({"force": "lantern", "ships": ["lantern-1", "lantern-1"]}, "/split/0/ships/1", "ship-split-twice"),
        ({"force": "verdict", "ships": ["verdict-1"]}, "/split/0/force", "unknown-force"),
        ({"force": "lantern", "ships": ["lantern-1"], "into": "lantern"}, "/split/0/into", "same-force"),
        ({"force": "lantern", "ships": ["lantern-1"], "thrust": {"A": 4}}, "/split/0/thrust", "thrust-over-rating"),
        ({"force": "lantern", "dummy": True}, "/split/0/dummy", "no-dummies"),
    ],
)
def test_a_split_that_cannot_be_is_refused(split: dict[str, Any], place: str, code: str) -> None:
    """Into nothing, of everything, of strangers, twice, beyond its thrust."""
    orders, problems = read(fleet(), split=[split])
    assert (place, code) in [found[:2] for found in problems]
    assert orders.splits == ()


@pytest.mark.rule("B5.12", "B5.122")
def test_a_split_that_can_be_is_taken_and_counts_for_the_orders_below_it() -> None:
    """What has left is no longer there to thrust, or to leave again."""
    state = fleet()
    orders, problems = read(
        state,
        split=[{"force": "lantern", "ships": ["lantern-2"], "name": "Taper", "thrust": {"A": 3}}],
        forces={"lantern": {"thrust": {"A": 3}, "flagship": "lantern-2"}},
    )
    assert [found[:2] for found in problems] == [("/forces/lantern/flagship", "ship-not-in-force")]
    (split,) = orders.splits
    assert (split.force, split.ships, split.name, split.course) == ("lantern", ("lantern-2",), "Taper", ({"A": 3},))
    twice = [{"force": "lantern", "ships": ["lantern-2"]}, {"force": "lantern", "ships": ["lantern-2"]}]
    assert [found[:2] for found in read(state, split=twice)[1]] == [("/split/1/ships/0", "ship-split-twice")]


@pytest.mark.rule("B5.12")
def test_forces_merge_in_one_hex_with_one_velocity_only() -> None:
    """Across hexes, with other velocities, with strangers, with themselves: refused."""
    state = world(
        force("lantern", "red", {"A": 9}, {"B": 2}),
        force("wick", "red", {"A": 9}, {"B": 2}),
        force("taper", "red", {"A": 8}, {"B": 2}),
        force("candle", "red", {"A": 9}, {"B": 3}),
        force("verdict", "blue", {"A": 40}),
    )

    def merge(*forces: str, state: State = state) -> Found:
        return read(state, merge=[{"into": "lantern", "forces": list(forces)}])[1]

    assert merge("wick") == []
    assert merge("taper") == [("/merge/0/forces/0", "not-same-hex", "B5.12")]
    assert merge("candle") == [("/merge/0/forces/0", "not-same-velocity", "B5.12")]
    assert merge("verdict") == [("/merge/0/forces/0", "unknown-force", "")]
    assert merge("lantern") == [("/merge/0/forces/0", "same-force", "B5.12")]
    assert merge("wick", "wick") == [("/merge/0/forces/1", "merged-twice", "B5.12")]
    assert merge() == [("/merge/0/forces", "merge-of-nothing", "B5.12")]
    loose = world(
        force("lantern", "red", {"A": 9}, {"B": 2}),
        force("candle", "red", {"A": 9}, {"B": 3}),
        rulings={"merging": "same-hex"},
    )
    assert merge("candle", state=loose) == []


@pytest.mark.rule("B5.12", "B5.145")
def test_a_force_with_its_wedge_down_joins_none_with_its_wedge_up() -> None:
    """One force has one wedge."""
    state = world(force("lantern", "red", {}), force("wick", "red", {}, wedge="down"))
    _, problems = read(state, merge=[{"into": "lantern", "forces": ["wick"]}])
    assert problems == [("/merge/0/forces/0", "wedges-differ", "B5.145")]


@pytest.mark.rule("B5.12")
def test_a_force_that_joins_another_takes_no_orders_of_its_own() -> None:
    """The force it joins does."""
    _, problems = read(fleet(), merge=[{"into": "lantern", "forces": ["wick"]}], forces={"wick": {"thrust": {"A": 1}}})
    assert problems == [("/forces/wick", "merged-away", "B5.12")]


# Searches and repairs ---------------------------------------------------------------------------


@pytest.mark.rule("B5.142")
def test_a_ship_searches_one_window_with_the_drones_it_has() -> None:
    """No second search, no more drones than stores, no window that there is not, no ship of others."""

    def search(*items: dict[str, Any], state: State | None = None) -> list[tuple[str, str]]:
        return [found[:2] for found in read(state or fleet(), search=list(items))[1]]

    one = {"ship": "lantern-1", "window": "A blue+"}
    assert search({**one, "drones": 8}) == []
    assert search({**one, "drones": 9}) == [("/search/0/drones", "too-few-drones")]
    assert search(one, {**one, "window": "B yellow"}) == [("/search/1/ship", "second-search")]
    assert search({**one, "window": "A/B green+"}) == [("/search/0/window", "unknown-window")]
    assert search({**one, "ship": "verdict-1"}) == [("/search/0/ship", "unknown-ship")]
    away = world(force("lantern", "red", {}, place="hyperspace"))
    assert search(one, state=away) == [("/search/0/ship", "ship-not-on-map")]


@pytest.mark.rule("C6.16")
def test_repairs_are_of_what_is_lost_by_the_parties_there_are() -> None:
    """The frame waits for a shipyard; boxes, parties and tracks are counted over the whole sheet."""
    damage = {"hull": 2, "structural_integrity": 1}
    state = world(force("lantern", "red", {}, ships={"damage": damage}))

    def repair(*items: dict[str, Any]) -> list[tuple[str, str]]:
        return [found[:2] for found in read(state, repair=[{"ship": "lantern-1", **item} for item in items])[1]]

    assert repair({"track": "hull", "boxes": 2}) == []
    assert repair({"track": "hull", "boxes": 3}) == [("/repair/0/boxes", "too-many-boxes")]
    assert repair({"track": "hull"}, {"track": "hull", "boxes": 2}) == [("/repair/1/boxes", "too-many-boxes")]
    assert repair({"track": "structural_integrity"}) == [("/repair/0/track", "cannot-repair")]
    assert repair({"track": "nothing"}) == [("/repair/0/track", "unknown-track")]
    assert repair({"track": "ecm"}) == [("/repair/0/boxes", "too-many-boxes")]
    assert ("/repair/0/parties", "too-few-parties") in repair({"track": "hull", "boxes": 3, "parties": 2})


# The sheet --------------------------------------------------------------------------------------


@pytest.mark.rule("B5.121", "B5.162")
def test_standing_choices_are_directions_bodies_and_nothing_else() -> None:
    """Every side files them with every sheet."""
    good = {"direction_away": "toward-star", "spare_point": "-"}
    orders, problems = read(fleet(), preferences=good)
    assert (dict(orders.preferences), problems) == (good, [])
    bad = {"direction_away": "body:nothing", "spare_point": "up", "luck": "much"}
    orders, problems = read(fleet(), preferences=bad)
    assert orders.preferences == {}
    assert [(place, code) for place, code, _ in problems] == [
        ("/preferences/direction_away", "unknown-direction"),
        ("/preferences/luck", "unknown-preference"),
        ("/preferences/spare_point", "unknown-direction"),
    ]


@pytest.mark.rule("B5.14")
def test_a_force_of_another_side_and_one_that_is_not_are_the_same_to_a_sheet() -> None:
    """A refusal tells nothing of what exists."""
    real = read(fleet(), forces={"verdict": {"thrust": {"A": 1}}})[1]
    unreal = read(fleet(), forces={"nothing": {"thrust": {"A": 1}}})[1]
    assert real == [("/forces/verdict", "unknown-force", "")]
    assert unreal == [("/forces/nothing", "unknown-force", "")]


def test_a_sheet_of_the_wrong_shape_is_refused_section_by_section() -> None:
    """Never by an exception."""
    _, problems = read(fleet(), forces=[], split={}, luck=1, preferences=7, search=[7])
    assert [(place, code) for place, code, _ in problems] == [
        ("/forces", "not-an-object"),
        ("/luck", "unknown-section"),
        ("/preferences", "not-an-object"),
        ("/search/0", "model-type"),
        ("/split", "not-a-list"),
    ]
    assert read_orders(view_for(fleet(), "red"), []).problems[0].code == "not-an-object"  # type: ignore[arg-type]
