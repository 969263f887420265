"""The sheet of a ship class: what it says of a whole ship and of a damaged one."""

import json
from collections import Counter
from fractions import Fraction

import pytest

from campaign.engine.errors import ProblemsError
from campaign.rulebooks.saganami.ship_class import (
    CRAFT,
    PodBay,
    adjusted_cost,
    boxes_left,
    boxes_lost,
    boxes_total,
    damage_control_parties,
    dump_class,
    ecm_rating,
    in_service,
    load_class,
    load_json,
    load_toml,
    officer_cost,
    thrust_needs_check,
    thrust_rating,
    track_names,
    track_value,
)
from campaign.rulebooks.saganami.ship_class_tracks import BoxKind, TokenError, read_tokens
from tests.campaign.rulebooks.saganami.ship_class_fixtures import CLASSES, document, ship_class

SAMPLE = ship_class("sample")


@pytest.mark.rule("A2.61", "A2.64")
def test_the_specimens_hit_location_table_counts_what_the_printed_one_counts():
    """A2.64: the cells of the specimen's table by code, 209 in all."""
    counts = Counter(code for row in SAMPLE.hit_table.cells for code in row)
    assert dict(counts) == {
        "hull": 50,
        ".": 32,
        "mag": 24,
        "SI": 12,
        **dict.fromkeys(("fcon", "M", "PD"), 8),
        **dict.fromkeys(("G", "L", "CM", "fwd", "aft"), 6),
        **dict.fromkeys(("dcy", "sdwl", "ECM", "piv", "rol", "brg"), 4),
        **dict.fromkeys(("ET", "com", "lif", "CIC", "flg"), 2),
        **dict.fromkeys(("2fwd", "2aft", "hyp"), 1),
    }


@pytest.mark.rule("A2.61", "A2.65", "D2.223")
def test_the_specimen_has_625_boxes_and_its_magazines_are_none_of_them():
    """D2.223: boxes are counted from the sheet; magazine dots are ammunition."""
    assert boxes_total(SAMPLE) == 625
    assert boxes_lost(SAMPLE, {"port.mag": 100, "hull": 7, "structural_integrity": 2}) == 9
    assert boxes_lost(SAMPLE, {"hull": 5000}) == 99
    whole = dict.fromkeys(track_names(SAMPLE), 999)
    assert boxes_lost(SAMPLE, whole) == 625


@pytest.mark.rule("A2.6", "A2.62", "A2.66")
def test_the_specimens_head_says_what_the_printed_sheet_says():
    """A2.62, A2.66: name, cost, crew, drones and range bands."""
    assert (SAMPLE.name, SAMPLE.nation, SAMPLE.type) == ("Sample", "generic", "superdreadnought")
    assert (SAMPLE.scale, SAMPLE.core_armor, SAMPLE.cost, SAMPLE.printed_boxes) == (15, 3, 4434, 774)
    assert (SAMPLE.officers, SAMPLE.enlisted, SAMPLE.marines, SAMPLE.recon_drones) == (440, 3963, 500, 24)
    bands = SAMPLE.range_bands
    assert bands.through == (1, 4, 7, 11, 15, 20, 25, 29)
    assert bands.mql == (4, 2, 3, 4, 5, 6, 7, 8)
    assert (bands.early_through, bands.middle_through, bands.late_through) == (7, 20, 29)


@pytest.mark.rule("A2.63", "A2.631", "A2.632", "A2.634")
def test_each_weapon_mount_has_its_own_fire_control_weapons_and_magazine():
    """A2.63: forward and aft hammerheads, port and starboard broadsides."""
    assert [mount.name for mount in SAMPLE.mounts] == ["forward", "aft", "port", "starboard"]
    assert boxes_left(SAMPLE, "forward.fcon") == 4
    assert boxes_left(SAMPLE, "starboard.fcon") == 7
    assert boxes_left(SAMPLE, "port.mag") == 120
    assert boxes_left(SAMPLE, "aft.mag") == 48
    assert boxes_left(SAMPLE, "port.M", {"port.M": 5, "starboard.M": 9}) == 27
    assert SAMPLE.mount("port").weapon("G").damage == (18, 10, 6)
    assert SAMPLE.mount("forward").weapon("ET") is None
    assert SAMPLE.mount("port").grav_lance and not SAMPLE.mount("aft").grav_lance
    assert SAMPLE.mount("port").decoy_shift == 4 and SAMPLE.mount("forward").decoy_shift == 0
    assert SAMPLE.mount("port").arc == ("#####", "#####", "#####")


@pytest.mark.rule("A2.633")
def test_defences_carry_probable_kills_in_their_boxes_down_to_a_third():
    """A2.633: the boxes of countermissiles and point defence hold probable kills."""
    assert track_value(SAMPLE, "port.CM") == 12
    assert track_value(SAMPLE, "port.CM", 25) == Fraction(1, 3)
    assert track_value(SAMPLE, "port.CM", 26) == 0
    assert track_value(SAMPLE, "aft.PD", 9) == Fraction(2, 3)


@pytest.mark.rule("A2.67", "A2.671", "A2.672", "C5.41", "C5.45", "C5.464")
def test_a_tracks_first_unmarked_box_counts_and_a_gone_track_has_its_last_word():
    """A2.672: boxes are marked from left to right."""
    assert [track_value(SAMPLE, "port.fcon", lost) for lost in (0, 2, 4, 6, 7, 9)] == [0, 1, 2, 3, 3, 3]
    assert [track_value(SAMPLE, "forward.fcon", lost) for lost in (0, 3, 4)] == [0, 3, 4]
    assert [track_value(SAMPLE, "port.sidewall", {"port.sidewall": lost}) for lost in (0, 2, 16, 17)] == [-4, -3, 3, 3]
    assert [track_value(SAMPLE, "pivot", lost) for lost in (0, 1, 2, 5, 6)] == [3, 3, 2, 1, 0]
    assert [track_value(SAMPLE, "roll", lost) for lost in (0, 1, 5, 6)] == [4, 3, 1, 0]
    assert [track_value(SAMPLE, "life_support", lost) for lost in (0, 4, 5)] == [5, 1, 0]
    with pytest.raises(ValueError, match="-1 boxes lost"):
        track_value(SAMPLE, "pivot", -1)


@pytest.mark.rule("C5.4411")
def test_bridge_circles_carry_the_penalty():
    """C5.4411: four squares without penalty, circles at 0 and -1, then -2."""
    assert [track_value(SAMPLE, "bridge", lost) for lost in range(7)] == [0, 0, 0, 0, 0, -1, -2]
    assert [box.kind for box in SAMPLE.track("bridge").boxes][3:5] == [BoxKind.SQUARE, BoxKind.CIRCLE]


@pytest.mark.rule("A2.673")
def test_every_system_of_the_hit_location_table_marks_a_track_by_its_code():
    """A2.673: each track names the hit location code that marks it."""
    codes = {track.code for track in SAMPLE.tracks}
    special = {".", "CIC", "2fwd", "2aft"}
    assert {code for row in SAMPLE.hit_table.cells for code in row} - special <= codes


def test_a_track_the_class_does_not_have_is_refused_by_name():
    """A question about an unknown track is an error of the asker."""
    with pytest.raises(ProblemsError) as refused:
        track_value(ship_class("petrel"), "flag_bridge", 0)
    assert refused.value.problems[0].code == "unknown-track"
    assert boxes_left(ship_class("petrel"), "flag_bridge") == 0


@pytest.mark.rule("A2.671", "C5.465")
def test_thrust_falls_along_its_track_and_the_circles_ask_for_a_check():
    """C5.465: fifteen squares, then three circles; a lost impeller track asks for a check too."""
    assert [thrust_rating(SAMPLE, {"max_thrust": lost}) for lost in (0, 8, 9, 17, 18)] == [2, 2, 1, 1, 0]
    assert not thrust_needs_check(SAMPLE, {"max_thrust": 14})
    assert thrust_needs_check(SAMPLE, {"max_thrust": 15})
    assert not thrust_needs_check(SAMPLE, {"forward_impeller": 8})
    assert thrust_needs_check(SAMPLE, {"forward_impeller": 9})
    assert thrust_rating(ship_class("breakwater"), {}) == 0
    assert not thrust_needs_check(ship_class("breakwater"), {})


@pytest.mark.rule("C5.45")
def test_ecm_falls_along_its_track_and_is_nothing_once_it_is_gone():
    """C5.45: the leftmost unchecked box is the rating."""
    assert [ecm_rating(SAMPLE, {"ecm": lost}) for lost in (0, 1, 3, 8, 9)] == [5, 4, 3, 0, 0]


@pytest.mark.rule("C5.422", "C6.11")
def test_a_damage_control_party_is_lost_with_its_wrench():
    """C6.11: each wrench of the hull is a party."""
    assert damage_control_parties(SAMPLE, {}) == 21
    assert damage_control_parties(SAMPLE, {"hull": 4}) == 21
    assert damage_control_parties(SAMPLE, {"hull": 5}) == 20
    assert damage_control_parties(SAMPLE, {"hull": 99}) == 0


@pytest.mark.rule("A2.674", "A2.675")
def test_the_specimens_integrity_track_has_its_cascades_octagons_and_star_in_place():
    """A2.675: octagons carry the number to roll; the star ends the track."""
    boxes = SAMPLE.track("structural_integrity").boxes
    assert [index for index, box in enumerate(boxes) if box.kind is BoxKind.CASCADE] == [6, 9]
    assert [box.number for box in boxes if box.kind is BoxKind.OCTAGON] == [4, 5, 6, 7, 8, 9, 10]
    assert boxes[-1].kind is BoxKind.STAR
    assert (len(boxes), boxes[0].value, boxes[-1].value) == (27, 27, 1)


def test_track_text_refuses_unknown_tokens_and_wild_repeats():
    """A track's text takes the tokens of its track and no more than 200 of one in a row."""
    kinds = (BoxKind.SQUARE, BoxKind.OCTAGON)
    assert len(read_tokens("s*3 o4", kinds)) == 4
    for text in ("q", "s*0", "s*201", "s*x", "s*", "w", "o0", "o11", "s*-1", "c0", "s*²"):
        with pytest.raises(TokenError):
            read_tokens(text, kinds)


@pytest.mark.rule("D1.11", "D1.112")
def test_grades_change_the_cost_by_the_sheets_table():
    """D1.112: all Poor takes 293 off the specimen, all Elite adds 560."""
    posts = ("TAC", "EWO", "ATO", "HELM", "ENG", "CREW")
    assert adjusted_cost(SAMPLE, {}) == 4434
    assert adjusted_cost(SAMPLE, dict.fromkeys(posts, "poor")) == 4141
    assert adjusted_cost(SAMPLE, dict.fromkeys(posts, "elite")) == 4434 + 245 + 90 + 61 + 8 + 23 + 133
    assert officer_cost(SAMPLE, "ENG", "veteran") == 8
    assert officer_cost(ship_class("gannet"), "TAC", "elite") == 0
    for post, grade, code in (("COOK", "elite", "unknown-post"), ("TAC", "superb", "unknown-grade")):
        with pytest.raises(ProblemsError) as refused:
            officer_cost(SAMPLE, post, grade)
        assert refused.value.problems[0].code == code


@pytest.mark.rule("D4.111")
def test_a_class_serves_from_its_first_year_to_its_last():
    """D4.111: a card carries the year it comes into service."""
    assert [in_service(ship_class("tamrin"), year) for year in (1909, 1910, 9999)] == [False, True, True]
    ending = load_class(document("petrel") | {"service": {"from": 1868, "to": 1903}})
    assert [in_service(ending, year) for year in (1867, 1868, 1903, 1904)] == [False, True, True, False]


@pytest.mark.rule("C7.22", "C7.211", "C7.32", "C7.33", "C7.123", "C7.132")
def test_a_squadron_of_lacs_has_the_tracks_of_each_craft():
    """C7.32: each craft has its own body; thrust and squadron ECM do not fall with damage."""
    gannet = ship_class("gannet")
    assert gannet.is_lac and CRAFT == "ABCDEFGHJK"
    assert [box.kind.value for box in gannet.track("C.body").boxes] == [
        *["padding"] * 4,
        *["weapon"] * 2,
        "octagon",
        "weapon",
        "octagon",
        "star",
    ]
    assert [box.weapon for box in gannet.track("C.body").boxes if box.weapon] == ["M", "L", "P"]
    assert gannet.mount("port").launchers == (6, 6)
    assert gannet.mount("port").weapon("M").damage == (3,)
    assert boxes_left(gannet, "K.port.M") == 2 and gannet.track("L.body") is None
    assert gannet.mount("aft") is None
    assert track_value(gannet, "A.forward.PD", 1) == Fraction(1, 3)
    ruin = {"A.body": 10, "B.body": 10}
    assert (thrust_rating(gannet, ruin), ecm_rating(gannet, ruin)) == (5, 4)
    assert damage_control_parties(gannet, {}) == 10
    assert damage_control_parties(gannet, {"B.damage_control": 1}) == 9


@pytest.mark.rule("D2.223")
def test_firing_a_box_launcher_gives_the_enemy_no_boxes():
    """D2.223, C7.212: a fired launcher is marked off, but nobody destroyed it."""
    gannet = ship_class("gannet")
    assert boxes_total(gannet) == 10 * (10 + 1 + 3 + 6)
    assert boxes_lost(gannet, {"A.port.M": 2, "A.port.L": 1}) == 1


def test_a_pod_layer_states_its_bay_and_different_ends():
    """C8.231: pods laid in a turn and carried are on the sheet; fore and aft may differ."""
    cordouan = ship_class("cordouan")
    assert cordouan.pods == PodBay(per_turn=4, carried=160, missiles=10, damage=16)
    assert cordouan.mount("forward").weapon("M").count == 4
    assert cordouan.mount("aft").weapon("M") is None


def test_a_merchant_without_a_wall_keeps_the_number_at_the_end_of_the_track():
    """C5.214: a ship without a sidewall uses the number at the end of the track."""
    assert track_value(ship_class("carrick"), "port.sidewall") == 2


@pytest.mark.parametrize("path", CLASSES, ids=lambda path: path.stem)
def test_every_class_survives_the_way_to_json_and_back(path):
    """JSON for machines and TOML for hands carry the same class."""
    first = load_toml(path.read_text("utf-8"))
    text = json.dumps(dump_class(first), sort_keys=True)
    second = load_json(text)
    assert second == first
    assert json.dumps(dump_class(second), sort_keys=True) == text
    assert second.tracks == first.tracks and hash(second) == hash(first)


def test_text_that_is_no_toml_or_json_is_refused_with_its_own_code():
    """A broken file is a problem, not a crash."""
    for load, text, code in (
        (load_toml, "key = ", "toml-broken"),
        (load_json, "{", "json-broken"),
        (load_json, "[" * 100_000, "json-broken"),
        (load_json, "[]", "not-an-object"),
        (load_toml, "", "unknown-kind"),
    ):
        with pytest.raises(ProblemsError) as refused:
            load(text)
        assert [problem.code for problem in refused.value.problems] == [code]
