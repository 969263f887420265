"""The printed pursuit, figure for figure: a destroyer with an average crew after a cruiser with a poor one (B5.12).

The start velocities are taken as given tactical figures: tripled whole velocities they cannot be.
"""

from __future__ import annotations

import pytest

from campaign.engine.hexes import Hex, true_range
from campaign.engine.procedure import answer
from campaign.engine.vectors import format_vectors, parse_text
from campaign.rulebooks.saganami.scales import tactical_turns, to_operational, turns_to_cover
from operational.rules.saganami.bidding import Bidder, play, rounds_of
from operational.rules.saganami.desk import DESK
from operational.rules.saganami.start_places import Unit, start_places

BIDDERS = {
    "destroyer": Bidder(parse_text("12A 4F 2-"), 3, rounds_of("average")),
    "cruiser": Bidder(parse_text("7A 7B 1-"), 3, rounds_of("poor")),
}
BIDS = [
    {"destroyer": parse_text("3B")},
    {"destroyer": parse_text("3B"), "cruiser": parse_text("3A")},
    {"destroyer": parse_text("2A 1B"), "cruiser": parse_text("3A")},
    {"destroyer": parse_text("3B")},
    {"destroyer": parse_text("2A 1B")},
]
TABLE = [
    ("start", "12A 4F 2-", "7A 7B 1-", "0"),
    ("frame", "5A 4F 2-", "7B 1-", "7A"),
    ("bid", "5A 3B 4F 2-", "7B 1-", "7A"),
    ("bid", "5A 6B 4F 2-", "3A 7B 1-", "7A"),
    ("bid", "7A 7B 4F 2-", "6A 7B 1-", "7A"),
    ("merge", "11A 3B 2-", "6A 7B 1-", "7A"),
    ("frame", "5A 1-", "4B", "13A 3B 1-"),
    ("bid", "5A 3B 1-", "4B", "13A 3B 1-"),
    ("bid", "7A 4B 1-", "4B", "13A 3B 1-"),
    ("frame", "7A 1-", "0", "13A 7B 1-"),
]


@pytest.mark.rule("B5.12", "B5.122", "B5.123", "B5.13")
def test_every_line_of_the_printed_pursuit() -> None:
    course = play(BIDDERS, BIDS)
    assert course.problems == ()
    assert [
        (
            step.kind,
            format_vectors(step.velocities["destroyer"]),
            format_vectors(step.velocities["cruiser"]),
            format_vectors(step.frame),
        )
        for step in course.steps
    ] == TABLE


@pytest.mark.rule("B5.13")
def test_the_players_shifts_of_the_frame_come_to_the_same() -> None:
    shifts = {0: parse_text("7A"), 3: parse_text("6A 3B 1-"), 5: parse_text("4B")}
    assert play(BIDDERS, BIDS, shifts) == play(BIDDERS, BIDS)


@pytest.mark.rule("B5.12", "B5.121", "B5.132")
def test_the_map_in_operational_terms_and_the_time_limit() -> None:
    """23 hexes at 6 a turn: in the fourth turn, so twelve tactical turns."""
    frame = to_operational(play(BIDDERS, BIDS).frame, "-")
    assert format_vectors(frame.vectors) == "4A 2B 1-"
    assert frame.whole_points_assigned == 1
    turns = turns_to_cover(23, frame.vectors)
    assert turns == 4
    assert tactical_turns(turns) == 12


@pytest.mark.rule("B5.12")
def test_the_destroyer_begins_twenty_above_the_map_at_range_50() -> None:
    """Two hexes of altitude are twenty, the cruiser lies in A and below: 46 hexes on the map."""
    places = start_places(
        {"destroyer": Unit("ours", Hex(0, 0, 20), Hex(0, 0)), "cruiser": Unit("theirs", Hex(0, 45, 0), Hex(0, 0))},
        lambda one, other: one != other,
    )
    assert places == {"destroyer": Hex(0, 0, 20), "cruiser": Hex(0, 46, 0)}
    assert true_range(0, 46, 20) == 50


@pytest.mark.rule("B5.12", "B5.122", "B5.123", "B5.13", "B5.132")
def test_the_rules_desk_answers_the_pursuit() -> None:
    procedure = DESK.procedure("handoff.set-up")
    assert procedure is not None and procedure.example is not None
    result = answer(procedure, procedure.example)["result"]
    assert result["vectors"] == {"destroyer": {"A": 7, "-": 1}, "cruiser": {}}
    assert result["frame"] == {"A": 13, "B": 7, "-": 1}
    assert result["operational_frame"] == {"A": 4, "B": 2, "-": 1}
    assert (result["operational_turns"], result["time_limit"]) == (4, 12)
