"""Whole games kept as files: how they are recorded, and how they are played again.

A replay holds the set-up, and for each turn the envelope's part that people wrote (sheets, results, changes)
with the seeds, and the digests of what came of it. ``python -m tests.operational.full_thrust.replays`` records
the games again, for an edition that means to change them.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from pathlib import Path
from typing import Any

from campaign.engine.dice import canonical
from campaign.engine.handoff import blank_report
from campaign.engine.turn import Answer, resolve
from operational.rules.full_thrust.ruleset import RULESET

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "fixtures" / "replays" / "full-thrust"
FIXTURE = ROOT / "fixtures" / "campaigns" / "the-moons-of-tansy.toml"
CLASSES = ROOT / "fixtures" / "ship_classes" / "full-thrust"
NOT_THE_RULESETS = ("name", "story", "ruleset", "tactical")
Document = dict[str, Any]


def digest(value: Any) -> str:
    """Return the SHA-256 of canonical JSON."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def campaign_document(**fields: Any) -> tuple[Document, dict[str, str]]:
    """Return the demo campaign as the ruleset's set-up, and each side's doctrine."""
    document = tomllib.loads(FIXTURE.read_text())
    doctrines = {side["key"]: side.pop("doctrine") for side in document["sides"]}
    blocks = {path.stem: tomllib.loads(path.read_text()) for path in sorted(CLASSES.glob("*.toml"))}
    setup = {name: value for name, value in document.items() if name not in NOT_THE_RULESETS}
    setup["classes"] = {ship["class"]: blocks[ship["class"]] for ship in document["ships"]}
    return {**setup, **fields}, doctrines


def outcome(answer: Answer) -> Document:
    """Return the digests of an answer: state, events, rolls, engagements, and each side's report."""
    return {
        "state": digest(answer.state),
        "events": digest([event.as_document() for event in answer.events]),
        "rolls": digest(list(answer.rolls)),
        "engagements": digest(list(answer.engagements)),
        "reports": {side: digest(report) for side, report in sorted(answer.reports.items())},
    }


def envelope(state: Document, number: int, turn: Document) -> Document:
    """Return a turn's envelope from its recorded part."""
    return {"campaign": "replay", "branch": 1, "turn": number, "sides": sorted(turn["sheets"]), "state": state, **turn}


def replayed(document: Document) -> list[Document]:
    """Play a recorded game again; return the outcome of each turn."""
    state = RULESET.dump_state(RULESET.new_state(document["setup"]))
    found = []
    for number, turn in enumerate(document["turns"], start=1):
        answer = resolve(RULESET, envelope(state, number, turn["input"]))
        found.append(outcome(answer))
        state = answer.state
    return found


def record(name: str, count: int, seed: str, **fields: Any) -> Document:
    """Play a game by captains, every battle a draw that costs each side a ship's boxes, and return it as a replay."""
    setup, doctrines = campaign_document(**fields)
    state = RULESET.dump_state(RULESET.new_state(setup))
    turns: list[Document] = []
    due: list[Document] = []
    for number in range(1, count + 1):
        loaded = RULESET.load_state(state)
        # captains look at the map as it is before the battles' results come in, as players do
        sheets = {
            side: {
                "orders": RULESET.captain(RULESET.view_for(loaded, side), doctrine),
                "nonce": f"nonce-of-{side}-{number}",
                "status": "sealed",
            }
            for side, doctrine in doctrines.items()
        }
        seeds = {
            owner: hashlib.sha256(f"{seed} {owner} {number}".encode()).hexdigest() for owner in (*sheets, "umpire")
        }
        turn = {"sheets": sheets, "seeds": seeds, "reports": due, "changes": [], "amendments": []}
        answer = resolve(RULESET, envelope(state, number, turn))
        turns.append({"input": turn, "outcome": outcome(answer), "told": [event.text for event in answer.events]})
        state = answer.state
        due = [{"engagement": each, "report": _fought(each)} for each in map(_set, answer.engagements)]
    return {"name": name, "setup": setup, "turns": turns, "last_state": state}


def _set(document: Document) -> Document:
    return RULESET.set_engagement(document, [])


def _fought(document: Document) -> Document:
    """Return a result: the first ship of each side loses half of its hull, and the last of blue's is destroyed."""
    report = blank_report(document)
    report["tactical_turns"] = 8
    for side in document["sides"].values():
        ship = side["forces"][0]["ships"][0]
        report["ships"][ship["id"]]["boxes"] = {"hull": ship["boxes"]["hull"]["of"] // 2}
        last = side["forces"][-1]["ships"][-1]
        if last["id"] != ship["id"]:
            report["ships"][last["id"]].update({"fate": "destroyed"})
    return report


GAMES: dict[str, Document] = {
    "tansy-open": {"count": 12, "seed": "tansy"},
    "tansy-in-reach": {"count": 9, "seed": "ragwort", "rulings": {"markers": "in-reach", "vector-movement": "on"}},
}


if __name__ == "__main__":
    for each, how in GAMES.items():
        text = json.dumps(record(each, **how), indent=1, sort_keys=True, ensure_ascii=False)
        (FOLDER / f"{each}.json").write_text(text + "\n")
