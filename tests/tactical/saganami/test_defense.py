"""ECM, countermissiles, point defence, canister and lending."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.dice import SeedDice, TypedDice
from campaign.engine.errors import ProblemsError
from tactical.rules.saganami.defense import (
    Battery,
    Defender,
    active_column,
    battery_kills,
    canister_kills,
    canisters_per_tube,
    check_canister,
    defend,
    ecm_column,
    ecm_kills,
    kill_rows,
    kills_scored,
    layers_lent,
    linked_ecm_kills,
    linked_quality,
    missile_rows,
    table_kills,
)

thirds = st.integers(0, 200).map(lambda number: Fraction(number, 3))


@pytest.mark.rule("C4.12", "C4.121", "C4.122", "C4.123", "C4.111", "C4.112", "A1.23", "A2.41", "A2.411", "A2.412")
def test_the_ecm_column_is_quality_ecm_or_wedge_and_the_roll() -> None:
    """C4.12: the example's 8 + 3 + 5; the wedge's 12 stands in for ECM; the last column is 25."""
    assert ecm_column(8, 3, 5) == 16
    assert ecm_column(2, 3, 5, is_wedge_hit=True) == 19
    assert ecm_column(8, 3, 5, decoy=4) == 20
    assert ecm_column(20, 4, 0, decoy=4) == 25
    assert ecm_column(-2, 0, 0) == 1


@pytest.mark.rule("C4.123")
def test_the_roll_needs_a_box_on_the_ecm_track_be_it_a_zero() -> None:
    """C4.123: the last box has the value 0 and still rolls; none does not."""
    assert ecm_column(8, 0, 5) == 13
    assert ecm_column(8, 0, 5, has_boxes=False) == 8


@pytest.mark.rule("C4.125", "C4.113")
@pytest.mark.parametrize(
    ("missiles", "rows"),
    [(23, (20, 3)), (63, (60, 3)), (115, (100, 10, 5)), (10, (10,)), (7, (7,)), (0, ()), (240, (100, 100, 40))],
)
def test_a_number_without_a_row_is_split_by_digit(missiles: int, rows: tuple[int, ...]) -> None:
    """C4.125: and above a hundred, row 100 is repeated."""
    assert missile_rows(missiles) == rows


@pytest.mark.rule("C4.12", "C4.124", "C4.125")
def test_the_example_s_decoy_takes_three_missiles_more() -> None:
    """C4.125: 23 missiles lose 13 in column 16 and 16 in column 20."""
    assert ecm_kills(23, 16) == 13
    assert ecm_kills(23, 16, decoy=4) == 16
    assert ecm_kills(23, 20) == 16


@pytest.mark.rule("C4.124")
@given(st.integers(0, 250), st.integers(-5, 40), st.integers(1, 8))
def test_a_decoy_always_takes_one_missile_more_if_there_is_one(missiles: int, quality: int, shift: int) -> None:
    """C4.124: a floor, not a bonus, and never more than there are."""
    plain, decoyed = ecm_kills(missiles, quality), ecm_kills(missiles, quality, shift)
    assert 0 <= plain <= decoyed <= missiles
    assert decoyed > plain or decoyed == missiles
    assert decoyed == max(min(plain + 1, missiles), ecm_kills(missiles, quality + shift))


@pytest.mark.rule("C4.126", "C2.17", "C4.114")
def test_linked_salvoes_are_one_to_the_ecm_layer() -> None:
    """C2.17, C4.126: those alike are counted together, one decoy works on all."""
    assert linked_ecm_kills([(20, 8), (3, 8)], 8) == (13, 0)
    assert sum(linked_ecm_kills([(12, 8), (11, 8)], 8)) == ecm_kills(23, 16)
    assert linked_ecm_kills([(20, 8), (3, 4)], 8) == (ecm_kills(20, 16), ecm_kills(3, 12))
    assert sum(linked_ecm_kills([(12, 8), (11, 8)], 8, decoy=4)) == 16


@pytest.mark.rule("C4.124", "C4.126")
@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(1, 12)), min_size=1, max_size=4),
    st.integers(0, 20),
    st.integers(1, 6),
)
def test_a_decoy_takes_one_more_of_all_linked_missiles_together(
    volleys: list[tuple[int, int]], shift: int, decoy: int
) -> None:
    """C4.124: the least it does is counted once over the linked salvoes."""
    plain, decoyed = linked_ecm_kills(volleys, shift), linked_ecm_kills(volleys, shift, decoy)
    total = sum(missiles for missiles, _ in volleys)
    assert all(0 <= kills <= missiles for kills, (missiles, _) in zip(decoyed, volleys, strict=True))
    assert sum(decoyed) >= min(sum(plain) + 1, total)


@pytest.mark.rule("C4.13", "C4.132", "C4.133", "A1.23")
@pytest.mark.parametrize(
    ("mql", "roll", "fire_control", "column"), [(8, 3, 0, 11), (8, 1, 0, 9), (8, 3, 3, 8), (2, 0, 3, 1), (12, 9, 0, 19)]
)
def test_the_active_column_is_quality_and_roll_less_fire_control(
    mql: int, roll: int, fire_control: int, column: int
) -> None:
    """C4.133: fire-control damage shifts to the left."""
    assert active_column(mql, roll, fire_control) == column


@pytest.mark.rule("C4.131", "C4.13")
def test_probable_kills_are_split_into_rows() -> None:
    """C4.131: 14 2/3 and 45 1/3."""
    assert kill_rows(Fraction(44, 3)) == (10, 4, Fraction(2, 3))
    assert kill_rows(Fraction(136, 3)) == (30, 10, 5, Fraction(1, 3))
    assert kill_rows(Fraction(0)) == ()
    assert table_kills(Fraction(4), 11) == 3
    assert table_kills(Fraction(4), 9) == 3


@given(thirds)
@pytest.mark.rule("C4.131")
def test_the_rows_of_probable_kills_add_up(kills: Fraction) -> None:
    """C4.131: nothing is lost in the split."""
    assert sum(kill_rows(kills), Fraction(0)) == kills


@pytest.mark.parametrize("kills", [Fraction(1, 2), Fraction(-1)])
def test_probable_kills_that_are_no_thirds_are_refused(kills: Fraction) -> None:
    """C4.131: the table has rows for thirds."""
    with pytest.raises(ProblemsError) as refused:
        kill_rows(kills)
    assert refused.value.problems[0].code == "not-thirds"


@pytest.mark.rule("C4.141", "C4.142")
@pytest.mark.parametrize(
    ("layer", "wedge", "warhead", "scored"),
    [
        ("point defense", False, "laser head", 5),
        ("point defense", True, "laser head", 2),
        ("point defense", False, "contact nuke", 10),
        ("point defense", True, "contact nuke", 5),
        ("countermissiles", True, "laser head", 0),
        ("countermissiles", False, "contact nuke", 5),
    ],
)
def test_wedge_and_contact_nukes_change_what_is_stopped(layer: str, wedge: bool, warhead: str, scored: int) -> None:
    """C4.141, C4.142: of five kills; doubled, then halved, rounded for the attacker."""
    assert kills_scored(5, layer, is_wedge_hit=wedge, warhead=warhead) == scored  # type: ignore[arg-type]
    assert kills_scored(5, layer, is_wedge_hit=wedge, warhead=warhead, missiles=1) == min(scored, 1)  # type: ignore[arg-type]


@pytest.mark.rule("C4.13", "C4.133", "C5.432")
def test_mounts_with_unlike_fire_control_are_looked_up_apart() -> None:
    """C4.133: each in its own column, those alike added up first."""
    whole, hurt = Battery(Fraction(4)), Battery(Fraction(6), 2)
    assert battery_kills([whole, hurt], 8, 3) == table_kills(Fraction(4), 11) + table_kills(Fraction(6), 9)
    assert battery_kills([whole, whole], 8, 3) == table_kills(Fraction(8), 11)


@pytest.mark.rule("C4.144", "A1.25")
def test_linked_salvoes_meet_the_active_defences_at_their_best_quality() -> None:
    """C4.144: once for the set; A1.25 leaves the doubt to the attacker."""
    assert linked_quality([(20, 8), (12, 6), (0, 2)]) == 6


@pytest.mark.rule("C4.15")
@pytest.mark.parametrize(
    ("size", "canisters"), [(1, 1), (4, 1), (5, 2), (8, 2), (9, 3), (12, 3), (13, 4), (16, 4), (17, 5), (40, 5)]
)
def test_bigger_missiles_hold_more_canisters(size: int, canisters: int) -> None:
    """C4.15: a third of a probable kill each."""
    assert canisters_per_tube(size) == canisters
    assert canister_kills(size, 3) == Fraction(canisters)


@pytest.mark.rule("C4.151", "C4.152", "C4.153", "C4.154")
def test_canister_is_limited_by_tubes_boxes_and_rounds() -> None:
    """C4.151 to C4.154: each limit with its code."""
    assert check_canister(3, 3, 3, 3) == ()
    codes = [problem.code for problem in check_canister(4, 3, 2, 1)]
    assert codes == ["not-held-back", "beyond-fire-control", "no-canister"]
    assert [problem.rule for problem in check_canister(4, 4, 3, 9)] == ["C4.153"]


@pytest.mark.rule("C4.143", "C5.444")
@pytest.mark.parametrize(
    ("distance", "beside", "talks", "layers"),
    [
        (1, False, True, ("countermissiles", "point defense")),
        (2, True, True, ("countermissiles",)),
        (2, False, True, ()),
        (3, True, True, ()),
        (1, True, False, ()),
    ],
)
def test_escorts_lend_by_range(distance: int, beside: bool, talks: bool, layers: tuple[str, ...]) -> None:
    """C4.143: at one hex both layers, at two countermissiles if seen beside the impact window."""
    assert layers_lent(distance, is_seen_beside=beside, has_communications=talks) == layers


CRUISER = Defender(ecm=3, ecm_boxes=4, countermissiles=(Battery(Fraction(4)),), point_defense=(Battery(Fraction(4)),))


@pytest.mark.rule("C4.1", "C4.11", "C4.12", "C4.13", "A2.414", "A2.415", "A3.21")
def test_the_printed_defence_leaves_one_missile() -> None:
    """C4.12, C4.13: 23 missiles, rolls 5, 3 and 1, the decoy spent; without it three more hit."""
    faces = [7, 2, 4, 1, 5, 6]
    spent = defend(23, 8, "laser head", Defender(**{**_fields(CRUISER), "decoy": 4}), TypedDice(list(faces)))
    assert (spent.ecm_column, spent.is_decoy_spent, spent.ecm_kills) == (20, True, 16)
    assert (spent.countermissile_kills, spent.point_defense_kills, spent.hits) == (3, 3, 1)
    kept = defend(23, 8, "laser head", CRUISER, TypedDice(list(faces)))
    assert (kept.ecm_column, kept.is_decoy_spent, kept.hits) == (16, False, 4)


def _fields(defender: Defender) -> dict[str, object]:
    return {name: getattr(defender, name) for name in Defender.__slots__}


@pytest.mark.rule("C4.124")
def test_a_decoy_is_kept_where_it_is_not_worth_it() -> None:
    """C4.124: it is spent after the roll, when its worth is known."""
    careful = Defender(**{**_fields(CRUISER), "decoy": 4, "decoy_worth": 4})
    assert not defend(23, 8, "laser head", careful, TypedDice([7, 2, 4, 1, 5, 6])).is_decoy_spent


@pytest.mark.rule("C4.122", "C4.141")
def test_behind_the_wedge_no_countermissile_is_rolled() -> None:
    """C4.141: ECM at 12, no countermissiles, half of point defence."""
    wedge = Defender(**{**_fields(CRUISER), "is_wedge_hit": True})
    found = defend(40, 2, "laser head", wedge, TypedDice([5, 5, 8, 2]))
    assert (found.ecm_column, found.ecm_kills) == (14, ecm_kills(40, 14))
    assert found.countermissile_roll is None
    assert found.point_defense_kills == table_kills(Fraction(4), 8) // 2


@pytest.mark.rule("C4.123")
def test_without_ecm_boxes_and_defences_nothing_is_rolled() -> None:
    """C4.123: nor is a decoy's place taken."""
    found = defend(10, 8, "laser head", Defender(ecm=0, ecm_boxes=0), TypedDice([]))
    assert (found.ecm_roll, found.ecm_column, found.hits) == (None, 8, 10 - ecm_kills(10, 8))


@given(st.integers(0, 120), st.integers(-2, 14), thirds, thirds, st.integers(0, 5), st.booleans(), st.text(max_size=5))
@pytest.mark.rule("C4.1")
def test_a_defence_never_stops_more_than_there_are(
    missiles: int, mql: int, cm: Fraction, pd: Fraction, decoy: int, wedge: bool, seed: str
) -> None:
    """C4.13: kills and hits add up to the salvo."""
    defender = Defender(3, 2, (Battery(cm),), (Battery(pd, 1),), decoy=decoy, is_wedge_hit=wedge)
    found = defend(missiles, mql, "contact nuke", defender, SeedDice(seed))
    parts = (found.ecm_kills, found.countermissile_kills, found.point_defense_kills, found.hits)
    assert sum(parts) == missiles
    assert min(parts) >= 0
