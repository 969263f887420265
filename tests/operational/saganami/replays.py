"""Whole games kept as files: how they are recorded, and how they are played again.

A replay holds the set-up, and for each turn the envelope's part that people wrote (sheets, results, changes,
amendments) with the seeds, and the digests of what came of it. ``python -m tests.operational.saganami.replays``
records the games again, for an edition that means to change them.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from campaign.engine.dice import canonical
from campaign.engine.handoff import blank_report
from campaign.engine.turn import Answer, resolve
from operational.rules.saganami.ruleset import RULESET

ROOT = Path(__file__).resolve().parents[3]
FOLDER = ROOT / "fixtures" / "replays" / "saganami"
FIXTURE = ROOT / "fixtures" / "campaigns" / "ambush-at-lantern-gate.toml"
SYSTEMS = ROOT / "fixtures" / "systems"
CLASSES = ROOT / "fixtures" / "ship_classes" / "saganami"
Document = dict[str, Any]


def digest(value: Any) -> str:
    """Return the SHA-256 of canonical JSON."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def class_blocks(ships: list[Document]) -> Document:
    """Return the documents of the classes that some ships are of."""
    keys = sorted({ship["class"] for ship in ships})
    return {key: tomllib.loads((CLASSES / f"{key}.toml").read_text()) for key in keys}


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


def replayed(document: Document) -> list[Answer]:
    """Play a recorded game again; return the answer of each turn."""
    state = RULESET.dump_state(RULESET.new_state(document["setup"]))
    found = []
    for number, turn in enumerate(document["turns"], start=1):
        answer = resolve(RULESET, envelope(state, number, turn["input"]))
        found.append(answer)
        state = answer.state
    return found


Sheets = Callable[[int, str, Document], Document]
"""(turn, side, the side's report) to a sheet's orders."""


def record(name: str, count: int, setup: Document, sheets: Sheets, extra: Mapping[int, Document]) -> Document:
    """Play a game and return it as a replay; ``extra`` adds changes and amendments to some turns."""
    state = RULESET.dump_state(RULESET.new_state(setup))
    turns: list[Document] = []
    due: list[Document] = []
    for number in range(1, count + 1):
        loaded = RULESET.load_state(state)
        written = {
            side["key"]: {
                "orders": sheets(number, side["key"], RULESET.view_for(loaded, side["key"])),
                "nonce": f"nonce-of-{side['key']}-{number}",
                "status": "sealed",
            }
            for side in setup["sides"]
        }
        seeds = {owner: digest([name, owner, number]) for owner in (*written, "umpire")}
        added = extra.get(number, {})
        turn = {
            "sheets": written,
            "seeds": seeds,
            "reports": due,
            "changes": added.get("changes", []),
            "amendments": added.get("amendments", []),
        }
        answer = resolve(RULESET, envelope(state, number, turn))
        turns.append({"input": turn, "outcome": outcome(answer), "told": [event.text for event in answer.events]})
        state = answer.state
        due = [_fought(RULESET.set_engagement(each, [])) for each in answer.engagements]
    return {"name": name, "setup": setup, "turns": turns, "last_state": state}


def _fought(document: Document) -> Document:
    """Return a result: each side's first ship loses a third of its hull, and one side's last ship is destroyed."""
    report = blank_report(document)
    report["tactical_turns"] = 9
    for number, side in enumerate(document["sides"].values()):
        ships = [ship for force in side["forces"] for ship in force["ships"]]
        hull = ships[0]["boxes"]["hull"]
        report["ships"][ships[0]["id"]]["boxes"] = {"hull": max(hull["lost"], hull["of"] // 3)}
        if number == 0 and len(ships) > 1:
            report["ships"][ships[-1]["id"]].update({"fate": "destroyed"})
    return {"engagement": document, "report": report}


# The games -------------------------------------------------------------------------------------


def lantern_gate() -> Document:
    """Return the demo campaign, commanded by captains: an ambush out of hyperspace, a battle, the way back."""
    document = tomllib.loads(FIXTURE.read_text())
    doctrines = {side["key"]: side.pop("doctrine") for side in document["sides"]}
    systems = []
    for system in document["systems"]:
        stored = tomllib.loads((SYSTEMS / f"{system['key']}.toml").read_text())
        systems.append({"key": system["key"], **stored, **system})
    written = {(each["turn"], each["side"]): each for each in document.pop("demo")["sheets"]}
    setup = {key: document[key] for key in ("epoch", "rulings", "sides", "ships", "forces")}
    setup |= {"systems": [_system(each) for each in systems], "classes": class_blocks(document["ships"])}

    def sheets(turn: int, side: str, report: Document) -> Document:
        stated = written.get((turn, side))
        if stated is not None:
            return {name: section for name, section in stated.items() if name not in ("turn", "side")}
        return RULESET.captain(report, doctrines[side])

    return record("lantern-gate", 8, setup, sheets, {})


def _system(document: Document) -> Document:
    """Return a star system as the set-up takes it, whatever else its file tells."""
    bodies = [
        {"id": body["name"].lower().replace(" ", "-"), **{key: body[key] for key in ("name", "kind", "q", "r", "z")}}
        for body in document["bodies"]
    ]
    kept = {key: document[key] for key in ("key", "name", "defender") if key in document}
    return {**kept, "star": document["spectral_class"], "bodies": bodies}


def manoeuvres() -> Document:
    """Return two weeks' worth of map orders in eleven turns, with no battle: every order of the sheet is in it."""
    ships = [
        _ship("r1", "red", "Whinchat", "petrel", engineer="average"),
        _ship("r2", "red", "Wheatear", "petrel", engineer="elite"),
        _ship("r3", "red", "Stonechat", "mistral", damage={"max_thrust": 8, "hull": 5, "life_support": 1}),
        _ship("r4", "red", "Redpoll", "cordouan", engineer="poor", ewo="elite", crew="veteran"),
        _ship("r5", "red", "Linnet", "petrel", engineer="veteran"),
        _ship("r6", "red", "Siskin", "bramble"),
        _ship("b1", "blue", "Larch", "adze", crew="veteran"),
        _ship("b2", "blue", "Rowan", "bramble", ewo="veteran"),
        _ship("b3", "blue", "Alder", "bramble", damage={"hull": 4}),
        _ship("b4", "blue", "Sallow", "drover"),
    ]
    forces = [
        _force("rvan", "red", "Van", {"A": 40}, {"A": 2}, ["r1", "r2", "r3"]),
        _force("rrear", "red", "Rear", {"A": 40}, {"A": 2}, ["r4"]),
        _force("rhidden", "red", "Hidden", {}, {"D": 40, "-": 12}, ["r5", "r6"], place="hyperspace"),
        _force("rfalse", "red", "False", {"C": 90}, {"B": 1}, [], dummy=True, thrust=4, guise=["petrel"]),
        _force("bmain", "blue", "Main", {"D": 80, "+": 6}, {"D": 20}, ["b1", "b2"]),
        _force("bpicket", "blue", "Picket", {"E": 60}, {}, ["b3"], wedge="down"),
        _force("bconvoy", "blue", "Convoy", {"D": 150}, {"D": 30}, ["b4"]),
    ]
    setup = {
        "epoch": "1907-11-30T23:00",
        "rulings": {"dummies": "launched", "engaged-forces": "hold"},
        "sides": [{"key": "blue", "name": "Blue Banner"}, {"key": "red", "name": "Red Ensign"}],
        "systems": [
            {
                "key": "garth",
                "name": "Garth",
                "star": "K4",
                "defender": "blue",
                "bodies": [{"id": "holm", "name": "Holm", "kind": "planet", "q": 12, "r": -50}],
            },
            {"key": "skerry", "name": "Skerry", "star": "M9"},
        ],
        "classes": class_blocks(ships),
        "ships": ships,
        "forces": forces,
    }

    def sheets(turn: int, side: str, report: Document) -> Document:
        return _MANOEUVRES.get((turn, side), lambda report: {})(report)

    extra = {
        5: {"changes": [{"act": "set-velocity", "force": "bpicket", "velocity": {"B": 3}}]},
        8: {"amendments": [{"act": "add-note", "text": "The relay at Holm is silent.", "sides": ["blue"]}]},
        9: {"changes": [{"act": "set-damage", "ship": "b3", "damage": {"hull": 6, "life_support": 2}}]},
    }
    return record("manoeuvres", 11, setup, sheets, extra)


def _ship(identity: str, side: str, name: str, key: str, damage: Document | None = None, **grades: str) -> Document:
    return {"id": identity, "side": side, "name": name, "class": key, "grades": grades, "damage": damage or {}}


def _force(
    identity: str, side: str, name: str, at: Document, velocity: Document, ships: list[str], **fields: Any
) -> Document:
    return {
        "id": identity,
        "side": side,
        "name": name,
        "system": "garth",
        "at": at,
        "velocity": velocity,
        "ships": ships,
        **fields,
    }


def _named(report: Document, name: str) -> str:
    """Return the id of an own force by its name: forces made in play have random ones."""
    return next(str(force["id"]) for force in report["forces"] if force["name"] == name)


_MANOEUVRES: dict[tuple[int, str], Callable[[Document], Document]] = {
    (1, "red"): lambda report: {
        "forces": {
            "rvan": {"course": [{"A": 1}, {"A": 1, "F": 1}, {}, {"B": 2}, {"C": 1, "-": 1}]},
            "rfalse": {"thrust": {"A": 2, "+": 1}},
            "rrear": {"thrust": {"D": 1}},
        },
        "split": [
            {"force": "rvan", "ships": ["r2"], "name": "Scout", "thrust": {"B": 3, "+": 2}},
            {"force": "rvan", "ships": ["r3"], "into": "rrear"},
        ],
        "search": [{"ship": "r4", "window": "D yellow", "drones": 1}, {"ship": "r1", "window": "D blue+"}],
        "preferences": {"direction_away": "nearest-own-force", "spare_point": "F"},
    },
    (1, "blue"): lambda report: {
        "forces": {"bpicket": {"wedge": "up"}, "bconvoy": {"translate_out": True}, "bmain": {"thrust": {"E": 3}}},
        "search": [{"ship": "b3", "window": "A/B yellow"}],
        "preferences": {"direction_away": "body:holm"},
    },
    (2, "red"): lambda report: {
        "forces": {"rrear": {"wedge": "down"}, _named(report, "Scout"): {"thrust": {"B": 3, "+": 2}}},
        "split": [{"force": "rvan", "dummy": True, "name": "Echo", "course": [{"E": 1}, {"E": 1}]}],
        "repair": [{"ship": "r3", "track": "max_thrust", "boxes": 2, "parties": 1}, {"ship": "r3", "track": "hull"}],
    },
    (2, "blue"): lambda report: {
        "forces": {"bmain": {"course": [{"E": 2}, {"E": 2}, {"D": 2}]}, "bpicket": {"thrust": {"B": 2}}},
        "search": [{"ship": "b1", "window": "A yellow"}, {"ship": "b2", "window": "A/B yellow", "drones": 2}],
    },
    (3, "red"): lambda report: {
        "forces": {
            "rhidden": {
                "emerge": {"system": "garth", "at": {"q": 20, "r": -150, "z": 4}, "groups": [["r5"], ["r6"]]},
                "thrust": {"A": 1},
            },
            _named(report, "Scout"): {"red_line": [], "thrust": {"C": 4}, "name": "Far scout"},
        },
        "repair": [{"ship": "r3", "track": "life_support", "parties": 2}],
    },
    (4, "red"): lambda report: {
        "forces": {"rrear": {"wedge": "up"}, "rvan": {"red_line": ["r1"], "thrust": {"B": 4}}},
        "search": [{"ship": "r5", "window": "A yellow"}, {"ship": "r6", "window": "A blue+", "drones": 1}],
    },
    (4, "blue"): lambda report: {
        "forces": {"bconvoy": {"emerge": {"system": "skerry", "at": {"q": -80, "r": 10}}}},
        "search": [{"ship": "b1", "window": "D yellow", "drones": 1}, {"ship": "b2", "window": "C/D yellow"}],
    },
    (5, "red"): lambda report: {
        "forces": {"rhidden": {"course": [{"D": 1}] * 4}},
        # two orders that cannot be carried out, among good ones
        "split": [{"force": "bmain", "ships": ["b1"]}, {"force": "rvan", "ships": []}],
    },
    (6, "red"): lambda report: {
        "merge": [{"into": "rvan", "forces": ["rrear"]}],
        "forces": {"rhidden": {"translate_out": True}},
    },
    (6, "blue"): lambda report: {"forces": {"bpicket": {"thrust": {"A": 2, "-": 1}}}},
    (7, "red"): lambda report: {
        "forces": {"rrear": {"flagship": "r3", "thrust": {"A": 1}}},
        "split": [{"force": "rrear", "ships": ["r4"], "name": "Tail", "thrust": {"A": 1}}],
    },
    (8, "red"): lambda report: {"merge": [{"into": _named(report, "Tail"), "forces": ["rrear"]}]},
    (9, "blue"): lambda report: {"forces": {"bmain": {"wedge": "down"}}},
    (10, "blue"): lambda report: {"repair": [{"ship": "b3", "track": "hull", "boxes": 2}]},
}

GAMES: dict[str, Callable[[], Document]] = {"manoeuvres": manoeuvres, "lantern-gate": lantern_gate}


if __name__ == "__main__":
    for each, how in GAMES.items():
        text = json.dumps(how(), indent=1, sort_keys=True, ensure_ascii=False)
        (FOLDER / f"{each}.json").write_text(text + "\n")
