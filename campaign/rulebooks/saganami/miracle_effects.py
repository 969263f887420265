"""What miracles do (D1.24 to D1.26): three lists of effects as data, and how one is declared.

An effect that a ruleset's engine applies by itself is declared with its choices alone; the ruleset says
which those are. Any other needs the consent of every other side, or the game master's, and a note of
what it does at the table. The lists are suggestions: an improvised miracle always needs consent.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from campaign.engine.dice import Roller, three_d10
from campaign.engine.errors import Problem, ProblemsError, pointer, refuse
from campaign.engine.hexes import true_range
from campaign.engine.vectors import parse_vectors, to_axial
from campaign.rulebooks.saganami.miracles import Miracles, Scale, spend
from campaign.rulebooks.saganami.source import rule

Kind: TypeAlias = Literal["ship", "salvo", "contact", "window", "vectors", "system", "step", "text", "one-of", "cells"]
FOR_THE_COMBAT = None
SIX_HOURS = 60  # tactical turns through nineteen operational ones (B5.11, B5.111)


@dataclass(frozen=True, slots=True)
class Choice:
    """Something to be declared with an effect.

    ``kind`` says what the value names: a ship, a salvo, a contact, an AVID window, vectors (hexes, at
    most ``most`` in all), a system's track, a step of play, free text, one of ``options``, or a list
    of cells of the hit location table.
    """

    name: str
    kind: Kind
    title: str
    options: tuple[str, ...] = ()
    most: int | None = None


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing a miracle can do.

    ``moment`` is when in the turn it is declared; ``turns`` how long it lasts beyond the turn of use
    (0: not at all, None: to the end of the combat).
    """

    key: str
    level: int
    rule: str
    title: str
    summary: str
    scale: Scale
    moment: str
    choices: tuple[Choice, ...] = ()
    turns: int | None = 0


_SHIP = Choice("ship", "ship", "the commander's ship")
_OWN = Choice("ship", "ship", "own ship")
_TARGET = Choice("target", "ship", "enemy ship")
_SALVO = Choice("salvo", "salvo", "missile salvo")

EFFECTS: tuple[Effect, ...] = (
    # Level 19: barely possible within the rules, over within the turn (D1.24).
    Effect(
        "ignore-ecm",
        19,
        "D1.241",
        "Through the jamming",
        "One salvo skips the ECM layer of its target's defence.",
        "tactical",
        "before the salvo's ECM layer",
        (_SALVO,),
    ),
    Effect(
        "sure-hits",
        19,
        "D1.241",
        "Some get through",
        "Whatever the defence rolls, at least 3d10hi missiles of one salvo (or all it has) reach the target.",
        "tactical",
        "before the salvo's ECM layer",
        (_SALVO,),
    ),
    Effect(
        "double-ecm",
        19,
        "D1.241",
        "Blind missiles",
        "The ship's own ECM layer kills twice as many missiles of one salvo.",
        "tactical",
        "after an enemy salvo's ECM layer",
        (_OWN, _SALVO),
    ),
    Effect(
        "perfect-wedge",
        19,
        "D1.241",
        "Behind the wedge",
        "An interposed wedge stops all that comes against it this turn.",
        "tactical",
        "before missiles or beams strike",
        (_OWN,),
    ),
    Effect(
        "lasting-decoy",
        19,
        "D1.241",
        "The decoy comes back",
        "A decoy is used and not destroyed.",
        "tactical",
        "when the decoy is used",
        (_OWN,),
    ),
    Effect(
        "sure-detection",
        19,
        "D1.242",
        "I know where they are",
        "One target within the largest range of detection is found without a window or a roll.",
        "operational",
        "at detection",
        (_OWN, Choice("target", "contact", "the target or the force looked for")),
    ),
    Effect(
        "aimed-hits",
        19,
        "D1.243",
        "Aimed missiles",
        "A tenth of the missiles that strike the target (rounded up) hit where they are told to.",
        "tactical",
        "before hit locations are rolled",
        (_SALVO, Choice("locations", "cells", "hit locations, one for each aimed missile")),
    ),
    Effect(
        "sure-si-check",
        19,
        "D1.244",
        "She will hold",
        "One structural integrity check this turn succeeds.",
        "tactical",
        "at the check",
        (_OWN,),
    ),
    # Level 20: against the letter of the rules, yet plausible (D1.25).
    Effect(
        "double-broadside",
        20,
        "D1.251",
        "Double broadside",
        "A ship that rolled four windows or more this turn fires both broadsides at one target in the late salvo.",
        "tactical",
        "at missile launch",
        (_OWN, _TARGET),
    ),
    Effect(
        "dog-leg",
        20,
        "D1.252",
        "Dog leg",
        "A salvo's impact window moves to an adjacent one at launch.",
        "tactical",
        "at missile launch",
        (_SALVO, Choice("window", "window", "the adjacent impact window")),
    ),
    Effect(
        "double-thrust",
        20,
        "D1.253",
        "Everything she has",
        "A ship with damaged impellers doubles its thrust for two turns, up to what it once had.",
        "tactical",
        "before plotting",
        (_OWN,),
        1,
    ),
    Effect(
        "read-plot",
        20,
        "D1.253",
        "I know what they will do",
        "One enemy ship's plotted thrust is shown before the commander plots.",
        "tactical",
        "before plotting",
        (_TARGET,),
    ),
    Effect(
        "drone-picture",
        20,
        "D1.254",
        "The drone's picture",
        "A recon drone is spent: size, vectors and disposition of all enemy units within two hexes of each other.",
        "operational",
        "at detection",
        (_OWN, Choice("target", "contact", "one of the enemy units")),
    ),
    Effect(
        "steer-bids",
        20,
        "D1.254",
        "They dance to our tune",
        "Up to half of the thrust that the enemy uses in the bidding before the battle is laid down for it.",
        "operational",
        "at the passage to the tactical scale",
        (Choice("thrust", "text", "the enemy's thrust, round by round"),),
    ),
    Effect(
        "deep-hits",
        20,
        "D1.255",
        "Right on the core",
        "A tenth of the weapons that hit in one impact step (rounded up) penetrate best and hit where told.",
        "tactical",
        "before penetration is rolled",
        (
            Choice("step", "step", "the impact step"),
            Choice("locations", "cells", "hit locations, one for each such weapon"),
        ),
    ),
    Effect(
        "second-try",
        20,
        "D1.256",
        "Once more with the crowbar",
        "Damage control attempts that failed before are rolled again.",
        "tactical",
        "at damage control",
        (_OWN,),
    ),
    Effect(
        "sure-si-turn",
        20,
        "D1.256",
        "She will hold all turn",
        "Every structural integrity check of one turn succeeds.",
        "tactical",
        "before damage",
        (_OWN,),
    ),
    Effect(
        "half-range-beams",
        20,
        "D1.257",
        "Down the bore",
        "Beams fire at half the range even at an interposed sidewall, which still counts for damage.",
        "tactical",
        "at beam fire",
        (_OWN, _TARGET),
    ),
    # The share of D1.255 cannot be read in the source; we take the tenth of D1.243.
    # Level 21: each once, and able to last to the end of the combat (D1.26).
    Effect(
        "blinded-system",
        21,
        "D1.261",
        "We know their system",
        "One system of an enemy ship is worth less for two turns, as the table agrees.",
        "tactical",
        "before missiles are launched",
        (_TARGET, Choice("system", "system", "the system"), Choice("reduction", "text", "by how much")),
        1,
    ),
    Effect(
        "spoiled-seekers",
        21,
        "D1.261",
        "They cannot see us",
        "Missiles fired at the ship have their quality level worsened by one, and by one more every two turns.",
        "tactical",
        "before missiles are launched",
        (_SHIP,),
        FOR_THE_COMBAT,
    ),
    Effect(
        "throat-or-kilt",
        21,
        "D1.262",
        "Down the throat",
        "A whole salvo hits the throat or the kilt, whatever the geometry or the wedge.",
        "tactical",
        "before penetration is rolled",
        (_SALVO, Choice("end", "one-of", "which end is hit", ("throat", "kilt"))),
    ),
    Effect(
        "somewhere-else",
        21,
        "D1.263",
        "Somewhere else",
        "A ship plots after its target has, and stands up to five hexes from where it would.",
        "tactical",
        "after the target has plotted",
        (_SHIP, Choice("displacement", "vectors", "hexes to be moved", most=5)),
    ),
    Effect(
        "great-leap",
        21,
        "D1.264",
        "One move ahead",
        "All enemy forces are known, and the own ones move up to five hexes in answer.",
        "operational",
        "after movement",
        (Choice("displacement", "vectors", "hexes the own forces are moved", most=5),),
    ),
    Effect(
        "great-feint",
        21,
        "D1.264",
        "Where we are not",
        "All enemy forces are known, and the own ones seem to be up to three hexes from where they are.",
        "operational",
        "after movement",
        (Choice("displacement", "vectors", "hexes the own forces seem to be away", most=3),),
    ),
    Effect(
        "through-the-wall",
        21,
        "D1.265",
        "As if there were no wall",
        "Beams fire at half the range and past the sidewall; shots at the wedge count as shots at the sidewall.",
        "tactical",
        "at beam fire",
        (_OWN, _TARGET),
    ),
    Effect(
        "unbreakable",
        21,
        "D1.266",
        "Unbreakable",
        "Every structural integrity check of the battle succeeds; the star still ends the ship.",
        "tactical",
        "before damage",
        (_SHIP,),
        FOR_THE_COMBAT,
    ),
    Effect(
        "immortal-magazines",
        21,
        "D1.267",
        "Immortal magazines",
        "Firing takes no salvoes from the magazines, for six hours or until the battle is over; damage still does.",
        "tactical",
        "before missiles are launched",
        (_SHIP,),
        SIX_HOURS - 1,
    ),
)
IMPROVISED = "improvised"
"""Any other stunt, at the level of the hand: always by consent, with a description (D1.24, D1.26)."""

BY_KEY: Mapping[str, Effect] = {effect.key: effect for effect in EFFECTS}


@rule("D1.24", "D1.25", "D1.26")
def effects_for(opened: int, scale: Scale, spent_21: Collection[str] = ()) -> tuple[Effect, ...]:
    """Return what a hand of 19, 20 or 21 may do on a scale: its own list and the lower ones, less what is used up."""
    return tuple(
        effect for effect in EFFECTS if effect.level <= opened and effect.scale == scale and effect.key not in spent_21
    )


@dataclass(frozen=True, slots=True)
class Declaration:
    """A miracle that was declared: what, with which choices, and who puts it into effect ("engine" or "table")."""

    commander: str
    effect: str
    level: int
    rule: str
    turn: int
    choices: Mapping[str, Any]
    applied_by: Literal["engine", "table"]
    note: str

    def as_document(self) -> dict[str, Any]:
        """Return the declaration as it is stored and told."""
        return {
            "commander": self.commander,
            "effect": self.effect,
            "level": self.level,
            "rule": self.rule,
            "turn": self.turn,
            "choices": dict(self.choices),
            "applied_by": self.applied_by,
            "note": self.note,
        }


@rule(
    "D1.235",
    "D1.24",
    "D1.241",
    "D1.242",
    "D1.243",
    "D1.244",
    "D1.25",
    "D1.251",
    "D1.252",
    "D1.253",
    "D1.254",
    "D1.255",
    "D1.256",
    "D1.257",
    "D1.26",
    "D1.261",
    "D1.262",
    "D1.263",
    "D1.264",
    "D1.265",
    "D1.266",
    "D1.267",
)
def declare(
    miracles: Miracles,
    key: str,
    choices: Mapping[str, Any],
    roller: Roller,
    *,
    applied: Collection[str] = (),
    consents: Mapping[str, bool] | None = None,
    is_ruled_by_game_master: bool = False,
    note: str = "",
) -> tuple[Miracles, Declaration]:
    """Use the open miracle and return the cards afterwards and what was declared.

    ``applied`` are the effects that the ruleset's engine carries out; any other, and an improvised one,
    needs a yes from every other side (``consents``) or the game master's ruling, and a note. Raises
    ProblemsError with every problem of the declaration.
    """
    if miracles.opened is None:
        raise refuse("no-miracle", "The hand has opened no miracle.", place="/effect", rule="D1.222")
    effect = BY_KEY.get(key)
    if key != IMPROVISED and effect is None:
        raise refuse("unknown-effect", f"There is no miracle {key!r}.", place="/effect", rule="D1.24")
    problems: list[Problem] = []
    if effect is not None:
        if effect.scale != miracles.scale:
            message = f"This works on the {effect.scale} scale."
            problems.append(Problem("/effect", "wrong-scale", message, effect.rule))
        problems.extend(check_choices(effect, choices))
    is_by_engine = effect is not None and key in applied
    rule_key = effect.rule if effect is not None else f"D1.2{miracles.opened - 15}"
    if not is_by_engine:
        is_agreed = is_ruled_by_game_master or (bool(consents) and all((consents or {}).values()))
        if not is_agreed:
            message = "The table carries this out: it needs the other sides' consent, or the game master's."
            problems.append(Problem("/consents", "consent-needed", message, rule_key))
        if not note.strip():
            message = "Write down what it does: it is carried out at the table."
            problems.append(Problem("/note", "note-needed", message, rule_key))
    if problems:
        raise ProblemsError(problems)
    level = effect.level if effect is not None else miracles.opened
    turns = effect.turns if effect is not None else 0
    used = spend(
        miracles, key if effect is not None else f"{IMPROVISED}: {note.strip()}", level, choices, turns, roller
    )
    declared = Declaration(
        miracles.commander,
        key,
        level,
        rule_key,
        miracles.turn + 1,
        choices,
        "engine" if is_by_engine else "table",
        note,
    )
    return used, declared


def check_choices(effect: Effect, choices: Mapping[str, Any]) -> tuple[Problem, ...]:
    """Return what is wrong with the choices declared for an effect: missing, unknown, or not of their kind."""
    problems: list[Problem] = []
    for choice in effect.choices:
        place = pointer("choices", choice.name)
        value = choices.get(choice.name)
        if value is None:
            problems.append(Problem(place, "missing", f"Say {choice.title}.", effect.rule))
        elif choice.kind == "vectors":
            vectors, found = parse_vectors(value, place, effect.rule)
            problems.extend(found)
            if not found and choice.most is not None and true_range(*to_axial(vectors)) > choice.most:
                message = f"At most {choice.most} hexes."
                problems.append(Problem(place, "too-far", message, effect.rule))
        elif choice.kind == "one-of":
            if value not in choice.options:
                message = f"One of {', '.join(choice.options)}."
                problems.append(Problem(place, "not-an-option", message, effect.rule))
        elif choice.kind == "cells":
            if not isinstance(value, (list, tuple)) or not value:
                problems.append(Problem(place, "not-a-list", "A list with one place or more.", effect.rule))
        elif not isinstance(value, str) or not value.strip():
            problems.append(Problem(place, "not-text", "A text that is not empty.", effect.rule))
    known = [choice.name for choice in effect.choices]
    for name in choices:
        if name not in known:
            place = pointer("choices", name)
            problems.append(Problem(place, "unknown-choice", f"{effect.title} asks for no {name}.", effect.rule))
    return tuple(problems)


# The arithmetic of single effects -----------------------------------------------------------------


@rule("D1.241")
def roll_sure_hits(roller: Roller, salvo: int) -> int:
    """Roll how many missiles of a salvo reach the target at least: 3d10hi, no more than there are."""
    return min(three_d10(roller, "hi"), salvo)


@rule("D1.241")
def doubled_kills(kills: int, missiles: int) -> int:
    """Return what a doubled ECM layer kills of so many missiles."""
    return min(2 * kills, missiles)


@rule("D1.243", "D1.255")
def aimed_weapons(hits: int) -> int:
    """Return how many of the weapons that hit go where they are told to: a tenth, rounded up."""
    return -(-hits // 10)


@rule("D1.251")
def may_fire_double_broadside(windows_rolled: int) -> bool:
    """Say whether a ship turned far enough about its axis this turn to bring both broadsides to bear."""
    return windows_rolled >= 4


@rule("D1.253")
def doubled_thrust(current: int, original: int, *, is_impeller_damaged: bool) -> int:
    """Return a ship's thrust under the miracle; refuse it for a ship whose impellers are whole."""
    if not is_impeller_damaged:
        message = "Only a ship with damaged impellers can do this."
        raise refuse("impellers-whole", message, place="/choices/ship", rule="D1.253")
    return min(2 * current, original)


@rule("D1.254")
def steerable_thrust(thrusts: Sequence[int]) -> int:
    """Return how many of the enemy's points of bidding thrust may be laid down: half, rounded down."""
    return sum(thrusts) // 2


@rule("D1.257", "D1.265")
def halved_range(hexes: int) -> int:
    """Return half the range of a beam shot, rounded down in the attacker's favour (A1.25)."""
    return hexes // 2


@rule("D1.261")
def spoiled_seekers_modifier(turns_since: int) -> int:
    """Return what is added to the quality level of enemy missiles, so many turns after the miracle began."""
    return 1 + turns_since // 2
