"""Commander's options: D4 and C8.1."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.errors import ProblemsError
from campaign.rulebooks.saganami import options
from campaign.rulebooks.saganami.grades import GRADES
from campaign.rulebooks.saganami.options import ShipOptions
from campaign.rulebooks.saganami.ship_class import damage_control_parties, load_toml

FIXTURES = Path(__file__).parents[4] / "fixtures" / "ship_classes" / "saganami"
SAMPLE = load_toml((FIXTURES / "sample.toml").read_text())


@pytest.mark.rule("C8.11", "C8.111")
@pytest.mark.parametrize(
    ("pods", "costs"),
    [
        (0, [0, 0, 0, 0]),
        (1, [10, 14, 19, 24]),
        (2, [20, 31, 31, 31]),
        (4, [44, 66, 66, 66]),
        (12, [146, 220, 220, 220]),
    ],
)
def test_pods_cost_by_their_number_and_the_tactical_officer(pods: int, costs: list[int]) -> None:
    """C8.111: four pods under an average officer cost 66."""
    assert [options.pod_cost(pods, grade) for grade in GRADES] == costs


@pytest.mark.rule("C8.111")
def test_the_card_is_the_printed_one() -> None:
    """C8.111: all twelve boxes; two thirds of the price under a poor officer."""
    average = [options.pod_cost(pods, "average") for pods in range(1, 13)]
    assert average == [14, 31, 48, 66, 84, 103, 122, 141, 161, 180, 200, 220]
    poor = [options.pod_cost(pods, "poor") for pods in range(1, 13)]
    assert poor == [10, 20, 32, 44, 56, 68, 81, 94, 107, 120, 133, 146]


@pytest.mark.rule("C8.11")
@pytest.mark.parametrize("pods", [-1, 13])
def test_a_card_has_twelve_boxes(pods: int) -> None:
    """C8.11."""
    with pytest.raises(ProblemsError):
        options.pod_cost(pods, "average")


@pytest.mark.rule("C8.112", "C8.11")
@pytest.mark.parametrize(
    ("distance", "mql", "salvoes"),
    [
        (0, 8, ("early", "middle", "late")),
        (2, 6, ("early", "middle", "late")),
        (7, 7, ("early", "middle", "late")),
        (8, 8, ("middle", "late")),
        (20, 10, ("middle", "late")),
        (21, 11, ("late",)),
        (31, 12, ("late",)),
        (32, None, ()),
    ],
)
def test_pods_have_their_own_range_bands(distance: int, mql: int | None, salvoes: tuple[str, ...]) -> None:
    """C8.112: the card, not the ship's sheet."""
    assert options.pod_quality(distance) == (mql, salvoes)


@pytest.mark.rule("C8.112")
def test_a_negative_range_is_refused() -> None:
    """C8.112."""
    with pytest.raises(ProblemsError):
        options.pod_quality(-1)


@pytest.mark.rule("D4.11", "D4.112")
def test_a_tenth_of_the_book_value_may_be_pods() -> None:
    """D4.11: before grades; a historical scenario may exceed it."""
    assert options.check_pod_share(60, 600) == ()
    assert options.check_pod_share(60, 609) == ()
    found = options.check_pod_share(61, 609)
    assert [(one.code, one.place) for one in found] == [("too-many-pods", "/pods")]
    assert options.check_pod_share(61, 609, is_historical=True) == ()


@pytest.mark.rule("D4.11", "D4.111")
def test_pods_are_dated() -> None:
    """D4.111: the date stands on the card."""
    assert [options.are_pods_available(year) for year in (1904, 1905, 1906)] == [False, True, True]


@pytest.mark.rule("D4.12", "C4.15")
@pytest.mark.parametrize(
    ("damage", "canisters"), [(1, 1), (4, 1), (5, 2), (8, 2), (9, 3), (12, 3), (13, 4), (16, 4), (17, 5)]
)
def test_a_larger_missile_holds_more_canisters(damage: int, canisters: int) -> None:
    """C4.15."""
    assert options.canisters_in(damage) == canisters


@pytest.mark.rule("D4.12", "C4.152")
def test_canister_halves_in_price_in_1902() -> None:
    """D4.12: it exists in every year; points are rounded up."""
    assert [options.canister_price(year) for year in (1850, 1901, 1902, 1920)] == [1, 1, Fraction(1, 2), Fraction(1, 2)]
    assert [options.canister_cost(5, year) for year in (1901, 1902)] == [5, 3]
    with pytest.raises(ProblemsError):
        options.canister_cost(-1, 1906)
    with pytest.raises(ProblemsError):
        options.canisters_in(0)


@pytest.mark.rule("D4.13")
@pytest.mark.parametrize(("standard", "most"), [(13, 20), (24, 36), (1, 2), (0, 0)])
def test_drones_are_limited_to_half_again(standard: int, most: int) -> None:
    """D4.13: rounded up; two points each."""
    assert options.drones_most(standard) == most
    assert options.drones_cost(7) == 14


ROWS = ((False,) * 4 + (True,), (False,) * 4 + (True,), (False, False, False))


@pytest.mark.rule("D4.21")
@pytest.mark.parametrize(
    ("places", "codes"),
    [
        ([(0, 1), (1, 2)], []),
        ([(0, 2)], []),
        ([(0, 3)], ["next-to-a-party"]),
        ([(1, 0)], ["next-to-a-party"]),  # the last box of the row above holds a party
        ([(0, 4)], ["box-taken"]),
        ([(0, 0), (0, 2)], ["row-taken"]),
        ([(0, 0), (0, 1)], ["next-to-a-party", "row-taken"]),
        ([(2, 0)], ["next-to-a-party"]),
        ([(2, 1)], []),
        ([(3, 0)], ["no-such-box"]),
        ([(0, -1)], ["no-such-box"]),
        ([(0, 1), (1, 1), (2, 1), (2, 2)], ["too-many-parties", "next-to-a-party", "row-taken"]),
    ],
)
def test_extra_parties_have_their_placing_rule(places: list[tuple[int, int]], codes: list[str]) -> None:
    """D4.21: three at most, one to a row, never side by side along the track."""
    assert [one.code for one in options.check_parties(ROWS, places)] == codes


@pytest.mark.rule("D4.21")
@given(st.lists(st.lists(st.booleans(), min_size=1, max_size=10), max_size=8), st.integers(0, 5))
def test_suggested_places_are_legal(rows: list[list[bool]], count: int) -> None:
    """D4.21: whatever the hull."""
    places = options.places_for_parties(rows, count)
    assert len(places) <= min(count, 3)
    assert options.check_parties(rows, places) == ()


@pytest.mark.rule("D4.21")
def test_extra_parties_are_pencilled_into_the_sheet() -> None:
    """D4.21: the ship then has that many more."""
    places = options.places_for_parties(options.hull_rows_of(SAMPLE), 3)
    assert len(places) == 3
    changed = options.with_parties(SAMPLE, places)
    assert damage_control_parties(changed, {}) == damage_control_parties(SAMPLE, {}) + 3
    assert options.with_parties(SAMPLE, ()) is SAMPLE
    with pytest.raises(ProblemsError):
        options.with_parties(SAMPLE, [(0, 4)])


@pytest.mark.rule("D4.0", "D4.13", "D4.21", "D4.22", "C8.111", "D4.12")
def test_the_bill_lists_every_purchase() -> None:
    """D4: two points a drone and a party, five for the marines, pods by the card, canister by the year."""
    bought = ShipOptions(pods=2, canister={"port": 4}, drones=3, parties=((0, 1),), marines_ready=True)
    assert options.check_options(SAMPLE, bought, year=1906) == ()
    bill = options.options_cost(SAMPLE, bought, tactical_officer="poor", year=1906)
    assert (bill.pods, bill.canister, bill.drones, bill.parties, bill.marines) == (20, 8, 6, 2, 5)
    assert (bill.total, bill.others) == (41, 21)
    early = options.options_cost(SAMPLE, bought, tactical_officer="poor", year=1901)
    assert early.canister == 16


@pytest.mark.rule("D4.0", "D4.111", "D4.12", "D4.13", "D4.21", "D4.22", "C8.211")
def test_every_problem_of_a_purchase_is_named_at_once() -> None:
    """D4: each at its place."""
    bad = ShipOptions(
        pods=1,
        canister={"port": 3841, "starboard": 3840, "forward": -1, "keel": 1, "aft": 384},
        drones=13,
        parties=((0, 4),),
        marines_ready=True,
    )
    found = options.check_options(SAMPLE, bad, year=1904, place="/ships/0")
    assert [(one.place, one.code) for one in found] == [
        ("/ships/0/pods", "not-in-service"),
        ("/ships/0/canister/port", "more-than-all"),
        ("/ships/0/canister/forward", "more-than-all"),
        ("/ships/0/canister/keel", "no-launchers"),
        ("/ships/0/drones", "too-many-drones"),
        ("/ships/0/parties/0", "box-taken"),
    ]
    codes = [one.code for one in options.check_options(SAMPLE, ShipOptions(pods=13, drones=-1), year=1906)]
    assert codes == ["too-many-pods", "too-many-drones"]
    unknown = options.check_options(SAMPLE, ShipOptions(pod_card="mark-1"), year=1906)
    assert [one.code for one in unknown] == ["unknown-pod"]


@pytest.mark.rule("D4.22", "C8.211")
def test_what_a_ship_has_not_it_cannot_make_ready_or_tow() -> None:
    """D4.22: no marines; C8.211: no pods behind light attack craft."""
    empty = replace(SAMPLE, marines=0)
    assert [one.code for one in options.check_options(empty, ShipOptions(marines_ready=True), year=1906)] == [
        "no-marines"
    ]
    craft = replace(SAMPLE, kind="lac-squadron")
    assert [one.code for one in options.check_options(craft, ShipOptions(pods=1), year=1906)] == ["lacs-tow-nothing"]
