"""From the map to the table and back."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campaign.engine.errors import ProblemsError
from operational.rules.full_thrust import scales
from operational.rules.full_thrust.tables import (
    OPERATIONAL_BANDS_HEXES,
    OPERATIONAL_BANDS_MU,
    OPERATIONAL_TURN_MINUTES,
    OPERATIONAL_TURN_TABLETOP_TURNS,
    PRINTED_VELOCITIES,
    TABLETOP_TURN_MINUTES,
)


@pytest.mark.rule("velocity-table")
def test_every_printed_velocity_is_five_and_a_half_a_hex_with_halves_up() -> None:
    """The formula gives all twenty rows, rest, and the row after the last."""
    assert tuple(scales.tabletop_velocity(one) for one in range(1, 21)) == PRINTED_VELOCITIES
    assert (scales.tabletop_velocity(0), scales.tabletop_velocity(21)) == (0, 116)


@pytest.mark.rule("velocity-table")
@given(st.integers(0, 10**6))
def test_a_velocity_survives_the_table_unchanged(operational: int) -> None:
    """Velocities come back from the table as the nearest hexes."""
    tabletop = scales.tabletop_velocity(operational)
    assert scales.operational_velocity(tabletop) == operational
    assert abs(Fraction(tabletop) - Fraction(11, 2) * operational) <= Fraction(1, 2)


@pytest.mark.rule("velocity-table")
def test_a_velocity_between_two_hexes_goes_to_the_nearer() -> None:
    """8 MU is nearer to 5.5 than to 11, 9 MU nearer to 11."""
    assert [scales.operational_velocity(one) for one in (0, 2, 3, 8, 9, 13, 14)] == [0, 0, 1, 1, 2, 2, 3]


@pytest.mark.rule("scales")
def test_a_hex_is_55_mu_and_an_operational_turn_ten_tabletop_turns() -> None:
    """One hex is 55,000 km; 150 minutes are ten turns of fifteen."""
    assert scales.hexes_to_mu(3) == 165
    assert scales.hexes_to_kilometres(1) == 55_000
    assert scales.operational_turns_to_tabletop(4) == 40
    assert scales.operational_turns_to_minutes(4) == 600
    assert OPERATIONAL_TURN_TABLETOP_TURNS * TABLETOP_TURN_MINUTES == OPERATIONAL_TURN_MINUTES


@pytest.mark.rule("operational-sensor-table", "scales")
def test_the_sensor_ranges_in_hexes_are_those_in_mu_with_fractions_dropped() -> None:
    """150 MU are 2 hexes, 2400 MU are 43."""
    for mode, bands in OPERATIONAL_BANDS_MU.items():
        assert tuple(scales.mu_to_hexes(mu) for mu in bands) == OPERATIONAL_BANDS_HEXES[mode]
    assert scales.mu_to_hexes(Fraction(219, 2)) == 1
    assert scales.mu_to_hexes(110) == 2


@pytest.mark.rule("facing-deviation")
@pytest.mark.parametrize(
    ("used", "total", "expected"),
    [
        (0, 4, (0, 1, 2, 3, 4, 5)),
        (0, 0, (0, 1, 2, 3, 4, 5)),
        (1, 4, (0, 1, 2, 4, 5)),
        (2, 4, (0, 1, 5)),
        (3, 4, (0, 1, 5)),
        (4, 4, (0,)),
        (1, 1, (0,)),
        (2, 5, (0, 1, 2, 4, 5)),
        (3, 5, (0, 1, 5)),
        (1, 3, (0, 1, 2, 4, 5)),
        (4, 7, (0, 1, 5)),
    ],
)
def test_the_leeway_shrinks_with_the_share_of_thrust_spent(used: int, total: int, expected: tuple[int, ...]) -> None:
    """None: any side; less than half: all but the marker's; half or more: one either way; all: the base alone."""
    assert scales.facings(0, used, total) == expected


@pytest.mark.rule("facing-deviation")
@given(st.integers(0, 5), st.integers(0, 12), st.integers(0, 12))
def test_the_leeway_turns_with_the_base_facing(base: int, used: int, total: int) -> None:
    """Turning the base facing turns every choice; the side of the thrust marker is open only without thrust."""
    if used > total:
        with pytest.raises(ProblemsError) as caught:
            scales.facings(base, used, total)
        assert caught.value.problems[0].code == "thrust-beyond-rating"
        return
    found = scales.facings(base, used, total)
    assert found == tuple(sorted((one + base) % 6 for one in scales.facings(0, used, total)))
    assert base in found
    assert ((base + 3) % 6 in found) == (used == 0)


@pytest.mark.rule("facing-deviation")
def test_a_task_force_without_base_facing_may_face_any_way() -> None:
    """Thrust that cancelled out leaves no marker to face away from."""
    assert scales.facings(None, 2, 4) == (0, 1, 2, 3, 4, 5)
