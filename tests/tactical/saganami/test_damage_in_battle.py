"""Hits on ships and squadrons, box by box, with dice that are known (C5.2, C5.4, C7.3)."""

from __future__ import annotations

import pytest

from campaign.engine.dice import TypedDice
from campaign.rulebooks.saganami.grades import ShipGrades
from tactical.rules.saganami.arcs import Aspect
from tactical.rules.saganami.hits import Damage
from tactical.rules.saganami.state import Rig, Ship
from tests.tactical.saganami.battles import battle, ship


def sample(**fields: object) -> Ship:
    """Return a ship of the specimen class."""
    return battle(ship("r1", "sample", **fields), ship("g1")).ship("r1")


def damage(target: Ship, *faces: int) -> Damage:
    """Return the damage of a ship with these dice."""
    return Damage(target, TypedDice(list(faces)), 3)


@pytest.mark.rule("C5.23", "C5.33", "C5.411", "C5.433", "C5.41")
def test_a_hit_marks_the_cells_it_goes_through() -> None:
    """C5.23: 5 and 5 on the starboard edge is column 10: M, CM, then 2d10- salvo dots of the magazine."""
    red = sample()
    found = damage(red, 5, 5, 9, 2).hit(Aspect("starboard", "sidewall"), 3, 1)
    assert found["cells"] == [["M", "CM", "mag"]]
    assert red.gone == {"starboard.M": 1, "starboard.CM": 1, "starboard.mag": 7}


@pytest.mark.rule("C5.413")
def test_a_system_that_is_all_gone_is_passed_over() -> None:
    """C5.413: with no missile launcher left the hit goes on to the next cells."""
    red = sample(lost={"starboard.M": 32})
    damage(red, 5, 5, 9, 2, 4, 1).hit(Aspect("starboard", "sidewall"), 3, 1)
    assert red.gone == {"starboard.M": 32, "starboard.CM": 1, "starboard.mag": 7, "hull": 3}


@pytest.mark.rule("C5.411", "C5.422", "C5.421", "C5.4214")
def test_hull_hits_that_the_hull_cannot_take_go_to_the_structure() -> None:
    """C5.422: one SI box for each hull hit that overflows; without hull every hit."""
    red = sample(lost={"hull": 95})
    size = red.sheet.size["hull"]
    red.gone["hull"] = size - 2
    damage(red, 9, 3).mark_system("hull")
    assert (red.left("hull"), red.gone["structural_integrity"]) == (0, 1)
    damage(red).mark_system("hull")
    assert red.gone["structural_integrity"] == 2


@pytest.mark.rule("C5.421", "C5.4212", "C5.4213", "C5.4214")
def test_structural_hits_cascade_explode_and_end_the_ship() -> None:
    """C5.4212: the seventh box cascades in the rolled column; C5.4213: an octagon of 4 on a 3 ends the ship."""
    red = sample(lost={"structural_integrity": 6})
    one = damage(red, 5, 5)
    one.structural()
    assert one.notes == ["A Core cascade in column 10: flg."]
    assert not one.is_over
    assert red.gone == {"structural_integrity": 7, "flag_bridge": 1}
    for die, fate in ((4, "active"), (3, "destroyed")):
        red = sample(lost={"structural_integrity": 11})
        assert red.sheet.integrity[11].number == 4
        damage(red, die).structural()
        assert red.fate == fate
    red = sample(lost={"structural_integrity": len(red.sheet.integrity) - 1})
    damage(red).structural()
    assert (red.fate, red.left_turn) == ("destroyed", 3)


@pytest.mark.rule("C5.461", "C5.462")
def test_impeller_hits_take_thrust_with_them_and_double_ones_the_sail() -> None:
    """C5.461, C5.462: each box costs one of Maximum Thrust; a double hit's second is the sail, while it is there."""
    red = sample()
    one = damage(red)
    one.mark_system("fwd")
    assert (red.gone["forward_impeller"], red.gone["max_thrust"], red.sails) == (1, 1, ())
    one.mark_system("2fwd")
    assert (red.gone["forward_impeller"], red.gone["max_thrust"]) == (3, 3)
    assert red.sails == ("forward_impeller",)
    one.mark_system("2fwd")
    assert red.gone["forward_impeller"] == 5
    assert red.sails == ("forward_impeller",)
    for _ in range(4):
        one.mark_system("fwd")
    assert red.left("forward_impeller") == 0
    assert one.mark_system("fwd") is False


@pytest.mark.rule("C5.4321", "C5.443")
def test_a_cic_hit_marks_fire_control_in_all_mounts() -> None:
    """C5.443: one hit on each track."""
    red = sample(lost={"forward.fcon": 4})
    damage(red).mark_system("CIC")
    assert {track: red.gone[track] for track in red.gone if track.endswith("fcon")} == {
        "forward.fcon": 4,
        "aft.fcon": 1,
        "port.fcon": 1,
        "starboard.fcon": 1,
    }


@pytest.mark.rule("C5.441", "C5.4412")
def test_a_bridge_hit_may_cost_an_officer_a_grade() -> None:
    """C5.4412: six and more, then a die: 9 and 10 are the engineer."""
    red = sample(grades={"engineer": "veteran"})
    one = damage(red, 9, 2, 10)
    one.mark_system("bridge")
    assert red.gone["bridge"] == 1
    assert red.grades == ShipGrades(engineer="average")
    assert one.notes == ["Engineering officer hit on the bridge: veteran to average."]


@pytest.mark.rule("C5.434")
def test_a_decoy_hit_from_ahead_is_the_defenders_choice_and_falls_where_it_has_more() -> None:
    """C5.434: cells of either side, from ahead or astern, take a decoy of the side that has more."""
    from tactical.rules.saganami.damage import Cell

    red = sample(lost={"port.dcy": 2})
    damage(red).strike(Cell(9, 6, "dcy"), "forward")
    assert red.gone == {"port.dcy": 2, "starboard.dcy": 1}
    damage(red).strike(Cell(9, 6, "dcy"), "port")
    assert red.gone == {"port.dcy": 3, "starboard.dcy": 1}


@pytest.mark.rule("C5.213", "C5.214")
def test_natural_zeros_cost_the_wall_at_the_end_or_the_structure_without_one() -> None:
    """C5.213: boxes of the facing wall; where there is none left, SI hits."""
    red = sample(lost={"port.sidewall": 16})
    damage(red).natural_zeros("port", 2, 1)
    assert red.gone["port.sidewall"] == 17
    assert red.gone["structural_integrity"] == 1
    damage(red).natural_zeros("forward", 1, 0)
    assert red.gone["structural_integrity"] == 2


@pytest.mark.rule("C5.423")
def test_the_last_life_support_box_starts_the_clock() -> None:
    """C5.423: the turn in which it fell is kept."""
    red = sample(lost={"life_support": 4})
    one = damage(red)
    one.mark_system("life_support")
    assert red.life_support_failed == 3
    assert one.notes == ["Life support has failed."]


@pytest.mark.rule("C6.13", "A2.67")
def test_a_hit_on_a_rigged_track_tears_the_rig_first() -> None:
    """The box that a rig holds is the next one marked: what was lost stays lost, and the rig is gone."""
    red = sample(lost={"ecm": 2})
    red.gone["ecm"] = 1
    red.rigs = [Rig("ecm", 1, 9)]
    assert red.lost() == {"ecm": 2}
    red.mark("ecm")
    assert (red.gone["ecm"], red.rigs, red.lost()) == (2, [], {"ecm": 2})
    red.mark("ecm")
    assert red.lost() == {"ecm": 3}


@pytest.mark.rule("C7.31", "C7.32", "C7.321", "C7.322", "C7.323", "C7.324")
def test_hits_on_a_squadron_fall_on_single_lacs() -> None:
    """C7.31, C7.32: a die for the craft, a skip, then boxes, weapons and octagons; the star ends the LAC."""
    red = battle(ship("r1", "nettle"), ship("g1")).ship("r1")
    # Craft B; skip 4 (9-5); padding, M, L: two points after the padding box five.
    found = damage(red, 2, 9, 5).squadron_hits("port", 1, 3, 1)
    assert found[0]["craft"] == "B"
    assert red.marked["B"] == (4, 5, 6)
    assert red.gone["B.port.M"] == 1
    assert red.gone["B.port.L"] == 1
    assert red.gone["B.body"] == 3
    # Craft B again: skip 9 is the octagon of 10 and the star.
    damage(red, 2, 10, 1, 10).squadron_hits("port", 1, 2, 1)
    assert "B" not in red.live_craft()
    assert red.fate == "active"
    again = damage(red, 2).squadron_hits("port", 1, 2, 1)
    assert again == [{"craft": "B", "notes": ["Lost already."]}]


@pytest.mark.rule("C7.11", "C7.31")
def test_a_squadron_without_lacs_is_lost() -> None:
    """C7.11: it is one unit as long as one LAC is left."""
    red = battle(ship("r1", "nettle"), ship("g1")).ship("r1")
    for craft in "ABCDEFGHJ":
        red.marked[craft] = tuple(range(red.sheet.size[f"{craft}.body"]))
    one = damage(red, 10, 10, 1, 10)
    one.squadron_hits("port", 1, 9, 1)
    assert red.live_craft() == ()
    assert red.fate == "destroyed"


@pytest.mark.rule("C7.323")
def test_a_weapon_is_taken_from_the_facing_mount_first() -> None:
    """C7.323: then from wherever the defender has most."""
    red = battle(ship("r1", "nettle"), ship("g1")).ship("r1")
    red.gone["C.port.M"] = 2
    damage(red, 3, 10, 5).squadron_hits("port", 1, 1, 1)
    assert red.gone.get("C.starboard.M") == 1
