"""The detection phase: task forces are chosen by turns, the initiative's loser first, and their ships scan.

Each side filed its scans and its order of preference beforehand; the engine plays them out one task
force after the other. Every die is the umpire's, and a scan that finds nothing reads the same whatever
the reason: the ECM, a dummy, or that every ship there is detected already.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from campaign.engine.dice import TurnDice
from campaign.engine.hexes import OPPOSITE, distance_in_plane
from campaign.engine.ruleset import Event
from operational.rules.full_thrust.contacts import (
    ALL_DETECTED,
    Tokens,
    dice_tokens,
    map_sensor,
    without_contacts,
)
from operational.rules.full_thrust.dummies import is_false_contact, roll_false_scan
from operational.rules.full_thrust.ecm import DieModifiers, Score, die_modifiers, strongest_ecm
from operational.rules.full_thrust.initiative_phase import initiative_of
from operational.rules.full_thrust.movement import (
    in_order_of_preference,
    is_burning_away,
    operational_order,
)
from operational.rules.full_thrust.orders import Orders, Scan
from operational.rules.full_thrust.preferences import DETECTION_ORDER, EASIEST_SHIP, preference
from operational.rules.full_thrust.sensors import (
    ScanAllowance,
    Scanner,
    Target,
    after_scan,
    check_scan,
    easiest_ships,
    operational_dice,
    reveal,
    roll_scan,
)
from operational.rules.full_thrust.ship_class import SCREENS, area_ecm_grade, ecm_grade, fire_controls, left
from operational.rules.full_thrust.source import rule
from operational.rules.full_thrust.state import Contact, Detected, Force, Ship, State
from operational.rules.full_thrust.switches import SECOND_LOOK, VECTOR_MOVEMENT, ruling
from operational.rules.full_thrust.tables import EcmGrade, Mode

PHASE = "detection"
FOUND, NOTHING, NOT_MADE, DUMMY = "found", "nothing-found", "not-made", "dummy"


@rule("detection-phase", "initiative")
def run(state: State, orders: Mapping[str, Orders], dice: TurnDice) -> tuple[State, tuple[Event, ...]]:
    """Let both sides' task forces detect, by turns; what was learnt stands in the books."""
    phase = _Phase(state, orders, dice)
    for force in order_of_play(state, DETECTION_ORDER):
        phase.choose(force)
    return phase.finished()


def order_of_play(state: State, key: str) -> tuple[str, ...]:
    """Return the ids of all task forces that are not at the table, by turns in both sides' order of preference."""
    forces = {
        side: in_order_of_preference(
            preference(book.preferences, key), [each.id for each in state.forces_of(side) if not each.engaged]
        )
        for side, book in state.books.items()
    }
    return operational_order(initiative_of(state), forces)


@dataclass(frozen=True, slots=True)
class Attempt:
    """A scan as it is made: who, with what, at whom, from how far."""

    side: str
    scanner: Ship
    mode: Mode
    contact: Contact
    target: Force
    range: int
    dice: int
    number: int


class _Phase:
    """One detection phase while it is played."""

    def __init__(self, state: State, orders: Mapping[str, Orders], dice: TurnDice) -> None:
        books = {side: replace(book, ledger=()) for side, book in state.books.items()}
        self.state = replace(state, books=books)
        self.orders = orders
        self.dice = dice
        self.turn = state.turn + 1
        self.tokens: Tokens = dice_tokens(dice, PHASE)
        self.events: list[Event] = []
        self.ledgers: dict[str, list[dict[str, Any]]] = {side: [] for side in state.books}
        self.scans: dict[str, list[tuple[str, Scan]]] = {}
        for side, sheet in orders.items():
            for scan in sheet.scans:
                force = state.ships[scan.ship].force if scan.ship in state.ships else ""
                self.scans.setdefault(force, []).append((side, scan))
        self.allowances: dict[str, ScanAllowance] = {}

    def finished(self) -> tuple[State, tuple[Event, ...]]:
        """Return the state with the ledgers, and what happened."""
        for side, ledger in self.ledgers.items():
            self.state = self.state.with_book(replace(self.state.books[side], ledger=tuple(ledger)))
        return self.state, tuple(self.events)

    @rule("active-counters")
    def choose(self, identity: str) -> None:
        """Resolve a chosen task force: its active sensors are declared first, then its ships scan."""
        force = self.state.forces.get(identity)
        if force is None:
            return  # a dummy that was found out before its turn came
        sheet = self.orders.get(force.side)
        order = sheet.forces.get(identity) if sheet else None
        members = {ship.id: ship for ship in self.state.members.get(identity, ())}
        declared = () if order is None else order.active
        active = tuple(ship for ship in members if ship in declared and not members[ship].cloaked)
        if active != force.active:
            self.state = self.state.with_forces(replace(force, active=active))
        for side, scan in self.scans.get(identity, ()):
            if side == force.side and scan.ship in members:
                self._scans(side, identity, members[scan.ship], scan)

    def _scans(self, side: str, force: str, ship: Ship, scan: Scan) -> None:
        for _ in range(scan.scans):
            reason = self._try(side, force, ship, scan)
            if reason:
                self._note(side, ship, scan, NOT_MADE, reason, ())
                return
            if self.allowances[ship.id].has_failed:
                return

    @rule("fire-control-limit", "failed-scan-stops", "detection-phase")
    def _try(self, side: str, force: str, ship: Ship, scan: Scan) -> str:
        """Make one scan; return why it was not made, or nothing."""
        own = self.state.forces[force]
        book = self.state.books[side]
        contact = book.contact_named.get(scan.contact)
        target = self.state.forces.get(contact.force) if contact and not contact.lost else None
        if contact is None or target is None:
            return "the contact is not there any more."
        if target.engaged or target.system != own.system:
            return "the contact cannot be scanned from here."
        grade = map_sensor(self.state, ship)
        range_ = distance_in_plane(target.q - own.q, target.r - own.r)
        dice = 0 if grade is None else operational_dice(grade, scan.mode, range_)
        allowance = self.allowances.get(ship.id) or ScanAllowance(fire_controls(self.state.class_of(ship), ship.damage))
        scanner = Scanner(side, grade or "fighter", allowance, ship.id in own.active, ship.cloaked)
        problems = check_scan(scanner, mode=scan.mode, target_side=target.side, dice=dice)
        if problems:
            return problems[0].message
        attempt = Attempt(side, ship, scan.mode, contact, target, range_, dice, allowance.used + 1)
        hits = self._scan(attempt, scan)
        self.allowances[ship.id] = after_scan(allowance, hits)
        return ""

    def _scan(self, attempt: Attempt, scan: Scan) -> int:
        members = self.state.members.get(attempt.target.id, ())
        visible = [ship for ship in members if not ship.cloaked]
        known = self.state.books[attempt.side].detected_of
        locked = [ship for ship in visible if ship.id in known and known[ship.id].is_locked]
        named = self._named(attempt, scan, locked)
        if named is not None:
            return self._detect(attempt, scan, named, members)
        if is_false_contact(len(visible), len(locked)):
            return self._scan_for_nothing(attempt, scan, members)
        hidden = [ship for ship in visible if ship not in locked]
        return self._detect(attempt, scan, self._easiest(attempt, hidden, members), members)

    def _named(self, attempt: Attempt, scan: Scan, locked: Sequence[Ship]) -> Ship | None:
        """Return the detected ship that a scan names, where the house rule allows it."""
        if not scan.bogey or ruling(self.state.rulings, SECOND_LOOK) != "allowed":
            return None
        known = self.state.books[attempt.side].detected_of
        return next((ship for ship in locked if known[ship.id].id == scan.bogey), None)

    @rule("easiest-ship")
    def _easiest(self, attempt: Attempt, hidden: Sequence[Ship], members: Sequence[Ship]) -> Ship:
        """Return the ship on which the attempt is made: the easiest, of several the one its owner gives up first."""
        targets = [
            Target(
                ship.id,
                self._ecm(ship),
                ship.id in attempt.target.active,
                self._burns_away(attempt),
            )
            for ship in hidden
        ]
        easiest = easiest_ships(
            targets, attempt.mode, area_ecm=self._area_ecm(members), vector_movement=self._uses_vectors
        )
        owner = self.state.books[attempt.target.side]
        first = in_order_of_preference(preference(owner.preferences, EASIEST_SHIP), easiest)[0]
        return self.state.ships[first]

    @rule("die-modifiers", "ecm-packages")
    def _modifiers(self, attempt: Attempt, members: Sequence[Ship], *, is_active: bool) -> DieModifiers:
        return die_modifiers(
            attempt.mode,
            target_active=is_active,
            target_burning_away=self._burns_away(attempt),
            vector_movement=self._uses_vectors,
            area_ecm=self._area_ecm(members),
        )

    @property
    def _uses_vectors(self) -> bool:
        return ruling(self.state.rulings, VECTOR_MOVEMENT) == "on"

    def _ecm(self, ship: Ship) -> EcmGrade:
        return ecm_grade(self.state.class_of(ship), ship.damage)

    def _area_ecm(self, members: Sequence[Ship]) -> EcmGrade:
        return strongest_ecm(area_ecm_grade(self.state.class_of(ship), ship.damage) for ship in members)

    def _burns_away(self, attempt: Attempt) -> bool:
        own = self.state.forces[attempt.scanner.force]
        return is_burning_away(attempt.target.marker or None, attempt.target.hex, own.hex)

    def _detect(self, attempt: Attempt, scan: Scan, ship: Ship, members: Sequence[Ship]) -> int:
        """Roll a scan on a ship, and write what it tells."""
        modifiers = self._modifiers(attempt, members, is_active=ship.id in attempt.target.active)
        found = roll_scan(
            attempt.dice,
            attempt.mode,
            self._ecm(ship),
            self.dice.umpire(PHASE, attempt.scanner.id, "scan"),
            modifiers,
            vector_movement=self._uses_vectors,
        )
        self._umpires(attempt, ship.name, found.score, modifiers, self._ecm(ship))
        if found.is_success:
            self._learn(attempt, ship, reveal(truth_of(self.state, ship), found.facts))
            text = f"{found.score.hits} hits: a ship is detected."
            self._note(attempt.side, attempt.scanner, scan, FOUND, text, tuple(found.facts))
        else:
            self._note(attempt.side, attempt.scanner, scan, NOTHING, "nothing.", ())
        return found.score.hits

    @rule("sharing")
    def _learn(self, attempt: Attempt, ship: Ship, facts: Mapping[str, Any]) -> None:
        """Write what a scan told of a ship into its side's book: the whole fleet knows it at once."""
        book = self.state.books[attempt.side]
        old = book.detected_of.get(ship.id)
        number = book.next_bogey
        if old is None:
            old = Detected(
                id=self.tokens(attempt.side, ship.id),
                number=number,
                ship=ship.id,
                contact="",
                facts={},
                learnt={},
                holders=(),
                seen=self.turn,
            )
            number += 1
        now = replace(
            old,
            contact=attempt.contact.id,
            facts={**old.facts, **facts},
            learnt={**old.learnt, **dict.fromkeys(facts, self.turn)},
            holders=(*(each for each in old.holders if each != attempt.scanner.id), attempt.scanner.id),
            seen=self.turn,
        )
        detected = (*(each for each in book.detected if each.ship != ship.id), now)
        ordered = tuple(sorted(detected, key=lambda each: each.number))
        self.state = self.state.with_book(replace(book, detected=ordered, next_bogey=number))
        self.events.append(
            Event(
                "ship-detected",
                f"Contact {attempt.contact.number}: bogey {now.number} is detected.",
                (attempt.side,),
                ("detection-phase", "sharing"),
                {"contact": attempt.contact.id, "bogey": now.id, "number": now.number, "facts": sorted(facts)},
            )
        )

    @rule("false-contacts", "dummy-taskforces")
    def _scan_for_nothing(self, attempt: Attempt, scan: Scan, members: Sequence[Ship]) -> int:
        """Roll a scan on a dummy, or on a force of which every ship is detected: only a success tells."""
        is_active = bool(attempt.target.active)
        modifiers = self._modifiers(attempt, members, is_active=is_active)
        found = roll_false_scan(
            attempt.dice,
            attempt.mode,
            self.dice.umpire(PHASE, attempt.scanner.id, "scan"),
            modifiers,
            is_dummy=attempt.target.dummy,
        )
        self._umpires(attempt, attempt.target.name, found.score, modifiers, "none")
        if found.announcement is None:
            self._note(attempt.side, attempt.scanner, scan, NOTHING, "nothing.", ())
        elif found.announcement == "dummy":
            self._note(attempt.side, attempt.scanner, scan, DUMMY, "there were never any ships.", ())
            self.state, events = unmasked(self.state, attempt.target.id, "detection-phase")
            self.events += events
        else:
            self._note(attempt.side, attempt.scanner, scan, ALL_DETECTED, "every ship there is detected.", ())
            book = self.state.books[attempt.side]
            told = replace(attempt.contact, told={**attempt.contact.told, ALL_DETECTED: self.turn})
            contacts = tuple(told if each.id == told.id else each for each in book.contacts)
            self.state = self.state.with_book(replace(book, contacts=contacts))
        return found.score.hits

    def _note(self, side: str, ship: Ship, scan: Scan, outcome: str, text: str, facts: tuple[str, ...]) -> None:
        """Write an attempt into its side's ledger. It never has dice in it: they would tell of the ECM."""
        contact = self.state.books[side].contact_named.get(scan.contact)
        name = "a contact" if contact is None else f"contact {contact.number}"
        self.ledgers[side].append(
            {
                "text": f"{ship.name} scans {name} with {scan.mode} sensors: {text}",
                "ship": ship.id,
                "contact": scan.contact,
                "mode": scan.mode,
                "outcome": outcome,
                "rules": ["detection-phase", "false-contacts" if outcome in (DUMMY, ALL_DETECTED) else "easiest-ship"],
                "facts": list(facts),
            }
        )

    def _umpires(self, attempt: Attempt, target: str, score: Score, modifiers: DieModifiers, ecm: EcmGrade) -> None:
        """Tell the umpire alone how a scan was rolled."""
        dice = ", ".join(map(str, score.dice))
        again = f", again {', '.join(map(str, score.rerolls))}" if score.rerolls else ""
        self.events.append(
            Event(
                "scan-rolled",
                f"{attempt.scanner.name} scans {target} at {attempt.range} hexes with {attempt.mode} sensors, "
                f"{attempt.dice} dice against {ecm} ECM, {modifiers.bonus + modifiers.area:+d}: "
                f"{dice}{again}, {score.hits} hits.",
                (),
                ("operational-sensor-table", "ecm-table", "die-modifiers"),
                {
                    "ship": attempt.scanner.id,
                    "target": attempt.target.id,
                    "range": attempt.range,
                    "dice": list(score.dice),
                    "rerolls": list(score.rerolls),
                    "bonus": modifiers.bonus,
                    "area": modifiers.area,
                    "hits": score.hits,
                },
            )
        )


def truth_of(state: State, ship: Ship) -> dict[str, Any]:
    """Return what can be learnt of a ship: its facts with their true values, as JSON."""
    its_class, force = state.class_of(ship), state.forces[ship.force]
    return {
        "mass": its_class.mass,
        "velocity": force.speed,
        "course": [force.vq, force.vr],
        "facing": OPPOSITE[force.marker] if force.marker else None,
        "screens": left(its_class, ship.damage, SCREENS),
        "class": its_class.key,
        "layout": its_class.key,
        "condition": dict(ship.damage),
    }


@rule("dummy-taskforces")
def unmasked(state: State, dummy: str, rule_key: str) -> tuple[State, tuple[Event, ...]]:
    """Return the state without a dummy that was found out, and what both sides are told of it."""
    force = state.forces[dummy]
    enemy = state.enemy_of(force.side)
    contact = state.books[enemy].contact_of.get(dummy)
    name = "A marker" if contact is None else f"Contact {contact.number}"
    events = (
        Event(
            "dummy-unmasked",
            f"{name} was a dummy: there were never any ships.",
            (enemy,),
            ("dummy-taskforces", rule_key),
            {} if contact is None else {"contact": contact.id, "number": contact.number},
        ),
        Event(
            "dummy-lost",
            f"{force.name} was found out as a dummy and is gone.",
            (force.side,),
            ("dummy-taskforces", rule_key),
            {"force": dummy},
        ),
    )
    return without_contacts(state, [dummy]).without_forces(dummy), events
