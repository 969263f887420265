"""The ruleset as a value: its doors, schemas, amendments."""

from __future__ import annotations

import jsonschema
import pytest

from campaign.engine.errors import ProblemsError
from tactical.rules.registry import RULESETS
from tactical.rules.saganami.captain import plan
from tactical.rules.saganami.ruleset import RULESET
from tactical.rules.saganami.sequence import dice_of, sides_to_plot
from tactical.rules.saganami.view import view_of
from tests.tactical.saganami.battles import battle, class_documents, play, ship, to_launch


def test_the_registry_lists_the_ruleset_and_its_phases_in_order() -> None:
    """The registry is written by hand; phases read like the rulebook's page of contents."""
    assert RULESET in RULESETS
    assert (RULESET.level, RULESET.key) == ("tactical", "saganami")
    names = [phase.name for phase in RULESET.phases]
    assert names.index("early-impact") < names.index("middle-impact") < names.index("late-impact")
    assert all(phase.rules and phase.title for phase in RULESET.phases)


def test_a_turn_goes_through_the_doors_of_the_value() -> None:
    """new_battle, step_of, sides_to_plot, view_for, captain, read_plots, step, end_of, report, score, dump and load."""
    state = RULESET.new_battle(
        {"kind": "simple", "battle": "b",
         "sides": {"red": {"name": "Reds", "ships": [{"id": "r1", "name": "R1", "class": "mistral"}]},
                   "green": {"name": "Greens", "corner": 1, "ships": [{"id": "g1", "name": "G1", "class": "adze"}]}}},
        class_documents(),
    )  # fmt: skip
    seen = []
    while state.turn < 1:
        seen.append(RULESET.step_of(state))
        plots = {}
        for side in RULESET.sides_to_plot(state):
            view = RULESET.view_for(state, side)
            sheet = RULESET.captain(view, "balanced")
            jsonschema.validate(sheet, RULESET.plot_schema(view))
            reading = RULESET.read_plots(state, side, sheet)
            assert not [problem for problem in reading.problems if problem.severity == "stop"]
            plots[side] = reading.orders
        dice = dice_of("b", state.turn + 1, RULESET.step_of(state), {"umpire": b"k" * 32})
        state, events = RULESET.step(state, plots, dice)
        assert len(RULESET.log_lines(events)) >= len(events)
        assert RULESET.picture(state, events).startswith("<svg")
    assert seen == ["facing", "movement", "launch"]
    assert RULESET.end_of(state) is None
    assert RULESET.dump_state(RULESET.load_state(RULESET.dump_state(state))) == RULESET.dump_state(state)
    assert set(RULESET.report(state)["ships"]) == {"r1", "g1"}
    assert RULESET.score(state)["margin"] == "draw"
    assert RULESET.view_of_umpire(state)["turn"] == 1
    assert RULESET.check_class is not None
    assert RULESET.check_class(class_documents()["mistral"]) == ()


def test_every_sheet_of_a_captain_fits_the_schema_of_its_step() -> None:
    """Facing, movement, LACs and launch: what may be typed is what captains write."""
    state = battle(ship("r1", "scoria", pods=2), ship("r2", "nettle", (1, 0, 0)), ship("g1", "fastnet", (0, 20, 0)))
    steps = set()
    for _ in range(12):
        for side in sides_to_plot(state):
            jsonschema.validate(plan(view_of(state, side)), RULESET.plot_schema(RULESET.view_for(state, side)))
        steps.add(state.stage)
        sheets = [plan(view_of(state, side))["ships"] for side in sides_to_plot(state)]
        state, _ = play(state, {key: plot for sheet in sheets for key, plot in sheet.items()})
    assert steps == {"movement", "lacs", "launch"}


@pytest.mark.rule("D2.222")
def test_a_game_master_changes_ships_counts_objectives_and_ends_battles() -> None:
    """Amendments are typed; a bad one is refused with every problem, and the state given stays as it was."""
    state = to_launch(battle(ship("r1"), ship("g1", "adze", (0, 20, 0))))
    changed, events = RULESET.amend(
        state, {"act": "ship", "ship": "g1", "boxes": {"ecm": 2}, "place": [0, 9, 1], "vectors": {"A": 1, "D": 3}}
    )
    green = changed.ship("g1")
    assert (green.gone, tuple(green.place), green.vectors) == ({"ecm": 2}, (0, 9, 1), {"D": 2})
    assert state.ship("g1").gone == {}
    assert events[0].kind == "battle-amended"
    met, _ = RULESET.amend(state, {"act": "objective", "side": "red", "points": 7, "text": "held the gate"})
    assert next(side for side in RULESET.score(met)["sides"] if side["side"] == "red")["points"] == 7
    lost, _ = RULESET.amend(state, {"act": "ship", "ship": "g1", "fate": "destroyed"})
    assert RULESET.end_of(lost) == {"why": "one-side-left", "text": "Only Reds is left.", "winner": "red"}
    over, _ = RULESET.amend(state, {"act": "end"})
    assert RULESET.end_of(over) is not None
    for bad, code in (
        ({"act": "tea"}, "union-tag-invalid"),
        ({"act": "ship", "ship": "g9"}, "unknown-ship"),
        ({"act": "ship", "ship": "g1", "boxes": {"ecm": 99, "oven": 1}}, "too-many-boxes"),
        ({"act": "objective", "side": "blue", "points": 1, "text": "x"}, "unknown-side"),
    ):
        with pytest.raises(ProblemsError) as error:
            RULESET.amend(state, bad)
        assert {problem.code for problem in error.value.problems} == {code}


def test_a_state_of_another_schema_is_refused() -> None:
    """load_state says so by code."""
    with pytest.raises(ProblemsError) as error:
        RULESET.load_state({"schema": 99})
    assert error.value.problems[0].code == "unknown-schema"
