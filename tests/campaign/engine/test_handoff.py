"""The hand-off's documents: an engagement's life and digest, and what a battle report must say."""

from __future__ import annotations

import json
from copy import deepcopy
from typing import Any

import pytest

from campaign.engine.errors import ProblemsError
from campaign.engine.handoff import (
    LIFE,
    Boxes,
    EngagedForce,
    EngagedShip,
    EngagedSide,
    Engagement,
    Place,
    Rig,
    ShipResult,
    SystemName,
    advance,
    blank_report,
    boxes_after,
    check_report,
    engagement_digest,
    issued,
    load_engagement,
    load_report,
    merge_reports,
    report_digest,
    require_report,
    rigs_after,
)


def ship(mark: str, **fields: Any) -> EngagedShip:
    """Return an engaged ship of a class with a hull of ten boxes, of which two are lost, and a magazine."""
    shown = {
        "id": mark,
        "ship": f"roster-{mark}",
        "name": mark.title(),
        "class": "sloop",
        "class_name": "Sloop",
        "cost": 40,
        "grades": {"crew": "average", "helm": "veteran"},
        "boxes": {"hull": Boxes(of=10, lost=2), "mag": Boxes(of=6, lost=3, refills=True)},
        "stores": {"drones": 4},
    }
    return EngagedShip(**{**shown, **fields})


def engagement(*red: EngagedShip, **fields: Any) -> dict[str, Any]:
    """Return an engagement of red's ships against one of blue's, as a document with its digest."""

    def side(name: str, ships: tuple[EngagedShip, ...]) -> EngagedSide:
        force = EngagedForce(
            id=f"{name}-force",
            force=f"roster-{name}",
            name=name,
            flagship=ships[0].id,
            issue=1,
            turn=3,
            position=Place(q=0, r=0),
            place=Place(q=0, r=0),
            velocity={"A": 3},
            ships=list(ships),
        )
        return EngagedSide(name=name.title(), forces=[force])

    shown: dict[str, Any] = {
        "ruleset": "any",
        "id": "token",
        "turn": 3,
        "issued": 3,
        "system": SystemName(key="alpha", name="Alpha"),
        "range": 5,
        "salt": "salt",
        "sides": {"red": side("red", red or (ship("a"), ship("b"))), "blue": side("blue", (ship("c"),))},
    }
    return issued(Engagement(**{**shown, **fields})).as_document()


def codes(document: dict[str, Any], report: Any) -> list[tuple[str, str]]:
    """Return place and code of every problem of a report."""
    return [(problem.place, problem.code) for problem in check_report(document, report)]


# The engagement --------------------------------------------------------------------------------


def test_an_engagement_survives_json_and_back() -> None:
    document = engagement()
    assert load_engagement(json.loads(json.dumps(document))).as_document() == document


def test_the_digest_is_of_what_was_handed_over_and_not_of_its_life() -> None:
    document = engagement()
    later = {**document, "status": "fighting", "numbers": {"red": 9}, "campaign": "c"}
    assert engagement_digest(later) == document["digest"]
    for changed in ("issue", "turn", "salt"):
        assert engagement_digest({**document, changed: 8}) != document["digest"]
    damaged = deepcopy(document)
    damaged["sides"]["red"]["forces"][0]["ships"][0]["boxes"]["hull"]["lost"] = 3
    assert engagement_digest(damaged) != document["digest"]


def test_what_a_side_knows_does_not_change_the_digest() -> None:
    document = engagement()
    known = deepcopy(document)
    known["sides"]["red"]["knows"] = [{"contact": "k", "number": 1, "force": "x", "facts": {}, "learnt": {}, "seen": 2}]
    assert engagement_digest(known) == document["digest"]


def test_an_engagement_that_was_changed_is_refused() -> None:
    document = engagement()
    document["sides"]["red"]["forces"][0]["ships"][0]["cost"] = 1
    with pytest.raises(ProblemsError) as caught:
        load_engagement(document)
    assert [problem.code for problem in caught.value.problems] == ["digest-differs"]


def test_an_engagement_of_a_wrong_shape_is_refused_with_every_place() -> None:
    document = engagement()
    del document["salt"]
    document["turn"] = "three"
    with pytest.raises(ProblemsError) as caught:
        load_engagement(document)
    assert [problem.place for problem in caught.value.problems] == ["/salt", "/turn"]


def test_the_life_of_an_engagement() -> None:
    status = "opened"
    for act in ("bid", "bid", "set", "fight", "report", "withdraw", "report", "sign"):
        status = advance(status, act)  # type: ignore[arg-type]
    assert status == "signed"


@pytest.mark.parametrize("status", ["signed", "void"])
def test_signed_and_void_are_final(status: str) -> None:
    for act in ("bid", "set", "fight", "report", "withdraw", "sign", "reissue", "void"):
        with pytest.raises(ProblemsError) as caught:
            advance(status, act)  # type: ignore[arg-type]
        assert caught.value.problems[0].code == "not-allowed-now"


def test_nobody_bids_for_what_is_set_or_signs_what_nobody_reported() -> None:
    for status, act in (("set", "bid"), ("opened", "fight"), ("fighting", "sign"), ("set", "withdraw")):
        assert act not in LIFE[status]  # type: ignore[index]


def test_a_new_issue_takes_a_reported_engagement_back_to_the_fight() -> None:
    assert advance("reported", "reissue") == "fighting"


# The report ------------------------------------------------------------------------------------


def test_the_blank_report_says_that_nothing_happened_and_is_in_order() -> None:
    document = engagement()
    report = blank_report(document)
    assert check_report(document, report) == ()
    assert {mark: result["fate"] for mark, result in report["ships"].items()} == dict.fromkeys("abc", "active")
    assert report["ships"]["a"]["boxes"] == {"hull": 2, "mag": 3}
    assert require_report(document, json.loads(json.dumps(report))).engagement == "token"


def test_silence_about_a_ship_is_a_problem_and_never_its_loss() -> None:
    document = engagement()
    report = blank_report(document)
    del report["ships"]["b"]
    assert codes(document, report) == [("/ships/b", "ship-missing")]
    with pytest.raises(ProblemsError):
        require_report(document, report)


def test_a_stranger_is_a_problem() -> None:
    document = engagement()
    report = blank_report(document)
    report["ships"]["z"] = {"fate": "destroyed"}
    assert codes(document, report) == [("/ships/z", "stranger")]


@pytest.mark.parametrize(
    ("field", "value"), [("engagement", "other"), ("issue", 2), ("digest", "0" * 64)], ids=["id", "issue", "digest"]
)
def test_a_report_of_another_engagement_issue_or_digest_is_refused(field: str, value: Any) -> None:
    document = engagement()
    report = {**blank_report(document), field: value}
    assert codes(document, report) == [(f"/{field}", f"other-{field}")]


def test_damage_never_heals_and_never_exceeds_the_track() -> None:
    document = engagement()
    report = blank_report(document)
    report["ships"]["a"]["boxes"] = {"hull": 1, "mag": 0}
    report["ships"]["b"]["boxes"] = {"hull": 11, "keel": 1}
    assert codes(document, report) == [
        ("/ships/a/boxes/hull", "damage-healed"),
        ("/ships/b/boxes/hull", "too-many-boxes"),
        ("/ships/b/boxes/keel", "unknown-track"),
    ]


def test_stores_never_grow() -> None:
    document = engagement()
    report = blank_report(document)
    report["ships"]["a"]["stores"] = {"drones": 5, "torches": 1}
    assert codes(document, report) == [
        ("/ships/a/stores/drones", "stores-grew"),
        ("/ships/a/stores/torches", "unknown-store"),
    ]


def test_nobody_comes_back_from_the_dead() -> None:
    document = engagement(ship("a", fate="destroyed"), ship("b"))
    report = blank_report(document)
    assert codes(document, report) == [("/ships/a/fate", "ship-revived")]
    report["ships"]["a"]["fate"] = "destroyed"
    assert codes(document, report) == []


def test_a_rig_holds_only_boxes_that_are_lost() -> None:
    document = engagement()
    report = blank_report(document)
    report["ships"]["a"]["rigs"] = [
        {"track": "hull", "boxes": 2, "left": 4},
        {"track": "hull", "boxes": 1, "left": 4},
        {"track": "keel", "boxes": 1, "left": 4},
    ]
    assert codes(document, report) == [
        ("/ships/a/rigs/1/boxes", "rig-of-nothing"),
        ("/ships/a/rigs/2/track", "unknown-track"),
    ]


def test_unknown_posts_sides_and_fates_are_told() -> None:
    document = engagement()
    report = blank_report(document)
    report["ships"]["a"]["grades"] = {"cook": "elite"}
    report["objectives"] = [{"side": "green", "points": 3, "text": "held the station"}]
    assert codes(document, report) == [("/objectives/0/side", "unknown-side"), ("/ships/a/grades/cook", "unknown-post")]
    report["ships"]["a"]["fate"] = "vanished"
    assert codes(document, report) == [("/ships/a/fate", "literal-error")]


@pytest.mark.parametrize(
    ("field", "value", "code"),
    [
        ("velocity", {"A": -1}, "negative-vector"),
        ("velocity", {"Q": 1}, "unknown-direction"),
        ("velocity", {"A": 1.5}, "not-whole-number"),
        ("position", {"q": 1}, "missing"),
        ("pods_used", -1, "greater-than-equal"),
    ],
)
def test_bad_numbers_and_vectors_are_problems_at_their_place(field: str, value: Any, code: str) -> None:
    document = engagement()
    report = blank_report(document)
    report["ships"]["a"][field] = value
    found = codes(document, report)
    assert len(found) == 1
    assert found[0][0].startswith(f"/ships/a/{field}") and found[0][1] == code


def test_every_problem_is_told_at_once() -> None:
    document = engagement()
    report = blank_report(document)
    report["issue"] = 7
    del report["ships"]["c"]
    report["ships"]["a"]["boxes"] = {"hull": 0}
    assert [code for _, code in codes(document, report)] == ["other-issue", "damage-healed", "ship-missing"]


@pytest.mark.parametrize("junk", [None, [], "report", 7, {}, {"ships": []}])
def test_junk_is_no_report(junk: Any) -> None:
    assert check_report(engagement(), junk)


def test_the_same_result_is_the_same_digest_however_it_was_written_down() -> None:
    report = blank_report(engagement())
    short = {key: report[key] for key in ("engagement", "issue", "digest", "tactical_turns")}
    short["ships"] = {
        mark: {"boxes": result["boxes"], "stores": result["stores"], "fate": "active"}
        for mark, result in reversed(report["ships"].items())
    }
    assert report_digest(short) == report_digest(report)
    short["tactical_turns"] = 1
    assert report_digest(short) != report_digest(report)


def test_rigs_that_still_have_time_go_on_without_a_word() -> None:
    rigged = ship("a", rigs=[Rig(track="hull", boxes=1, left=4), Rig(track="mag", boxes=1, left=9)])
    quiet = ShipResult(fate="active")
    assert rigs_after(rigged, quiet, 3) == (Rig(track="hull", boxes=1, left=1), Rig(track="mag", boxes=1, left=6))
    assert rigs_after(rigged, quiet, 4) == (Rig(track="mag", boxes=1, left=5),)
    assert rigs_after(rigged, ShipResult(fate="active", rigs=[]), 0) == ()


def test_boxes_that_are_not_mentioned_are_as_they_were() -> None:
    assert boxes_after(ship("a"), ShipResult(fate="active", boxes={"hull": 7})) == {"hull": 7, "mag": 3}


def test_a_report_reads_with_its_fates_alone() -> None:
    typed = load_report(
        {"engagement": "t", "issue": 1, "digest": "d", "tactical_turns": 0, "ships": {"a": {"fate": "departed"}}}
    )
    assert typed.ships["a"].velocity is None and typed.frame is None


# Two sides' reports ----------------------------------------------------------------------------


def test_each_side_reports_its_own_ships_and_both_agree_on_the_fates() -> None:
    document = engagement()
    red, blue = blank_report(document), blank_report(document)
    for report in (red, blue):
        report["ships"]["b"]["fate"] = "destroyed"
    red["ships"]["a"]["boxes"]["hull"] = 5
    blue["ships"]["c"]["boxes"]["hull"] = 9
    red["objectives"] = blue["objectives"] = [{"side": "red", "points": 2, "text": "held"}]
    red["notes"] = "A hard day."
    red["frame"], blue["frame"] = None, {}
    merged, problems = merge_reports(document, {"red": red, "blue": blue})
    assert problems == () and merged is not None
    assert check_report(document, merged) == ()
    assert (merged["ships"]["a"]["boxes"]["hull"], merged["ships"]["c"]["boxes"]["hull"]) == (5, 9)
    assert merged["ships"]["b"]["fate"] == "destroyed"
    assert (len(merged["objectives"]), merged["notes"]) == (1, "A hard day.")


def test_reports_that_differ_are_not_merged() -> None:
    document = engagement()
    red, blue = blank_report(document), blank_report(document)
    red["ships"]["c"]["fate"] = "destroyed"
    red["tactical_turns"] = 4
    del blue["ships"]["a"]
    merged, problems = merge_reports(document, {"red": red, "blue": blue})
    assert merged is None
    assert [(each.place, each.code) for each in problems] == [
        ("/ships/a/fate", "reports-differ"),
        ("/ships/c/fate", "reports-differ"),
        ("/tactical_turns", "reports-differ"),
    ]
    assert [each.code for each in merge_reports(document, {"red": red})[1]] == ["report-missing"]
