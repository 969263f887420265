"""Task forces: their thrust, merging and splitting."""

import pytest

from campaign.engine.errors import ProblemsError
from campaign.engine.hexes import Hex
from operational.rules.full_thrust import taskforces
from operational.rules.full_thrust.taskforces import Marker


@pytest.mark.rule("taskforces")
def test_a_task_force_manoeuvres_with_its_slowest_ship() -> None:
    """Without a ship it is no task force."""
    assert taskforces.manoeuvre_rate([6, 2, 4]) == 2
    with pytest.raises(ProblemsError) as caught:
        taskforces.manoeuvre_rate([])
    assert caught.value.problems[0].code == "force-without-ships"


@pytest.mark.rule("merge-split")
def test_task_forces_merge_in_one_hex_with_one_vector() -> None:
    """The same vector may be written in two ways."""
    first = Marker("red", Hex(1, 2), {"A": 2})
    assert taskforces.check_merge([first, Marker("red", Hex(1, 2), {"B": 2, "F": 2})]) == ()
    others = [
        first,
        Marker("red", Hex(1, 2), {"A": 1}),
        Marker("red", Hex(2, 1), {"A": 2}),
        Marker("blue", Hex(1, 2), {"A": 2}),
    ]
    assert [(one.place, one.code) for one in taskforces.check_merge(others)] == [
        ("/forces/1", "merge-other-vector"),
        ("/forces/2", "merge-other-hex"),
        ("/forces/3", "merge-other-side"),
    ]
    assert [one.code for one in taskforces.check_merge([first])] == ["merge-too-few"]


@pytest.mark.rule("merge-split", "taskforces")
def test_a_split_gives_every_ship_one_place() -> None:
    """No ship twice, left out or from elsewhere, and no part without ships."""
    assert taskforces.check_split(["a", "b", "c"], [["a"], ["c", "b"]]) == ()
    problems = taskforces.check_split(["a", "b", "c"], [["a", "x"], ["a"], []])
    assert sorted((one.place, one.code) for one in problems) == [
        ("/parts", "ship-left-out"),
        ("/parts/0/1", "unknown-ship"),
        ("/parts/1/0", "ship-twice"),
        ("/parts/2", "force-without-ships"),
    ]
    assert [one.code for one in taskforces.check_split(["a"], [["a"]])] == ["split-too-few"]
