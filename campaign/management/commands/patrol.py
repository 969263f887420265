"""Patrol scenarios on the command line: one whole scenario, or the figures of many."""

from __future__ import annotations

import json
import statistics
import time
from collections import Counter
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from campaign.engine.errors import ProblemsError
from campaign.rulebooks.saganami.patrol import DEFAULT_BASE, DEFAULT_YEAR, ROLES
from campaign.rulebooks.saganami.patrol_measure import Figures, generate, seeds_from
from campaign.rulebooks.saganami.patrol_opening import check_opening, load_opening
from campaign.rulebooks.saganami.patrol_scenario import Library, Opening, Scenario
from campaign.rulebooks.saganami.patrol_view import commitments_of, revealed_view
from campaign.rulebooks.saganami.ship_class import STAT_BLOCK, load_class
from campaign.selectors.patrol import library_of_blocks, patrol_blocks
from campaign.services.fixtures import fixtures_root, toml_read
from campaign.services.paper import PAPERS, paper_named, pdf_make
from campaign.services.patrol_papers import side_papers, umpire_papers
from campaign.services.patrol_text import side_text, umpire_text
from tactical.rules.registry import PATROL_BATTLES

SHOWN = (*ROLES, "umpire", "all")
PDF_SAMPLES = 5


class Command(BaseCommand):
    """Make a patrol scenario with automatic sides, and print its papers."""

    help = "Make a whole patrol scenario (D3) from options and a seed, or measure many of them."

    def add_arguments(self, parser: CommandParser) -> None:
        """Declare the arguments."""
        parser.add_argument("--year", type=int, default=DEFAULT_YEAR, help="PD")
        parser.add_argument("--base", type=int, default=DEFAULT_BASE, help="base budget in points")
        parser.add_argument("--attacker", default="kestra", help="faction: a nation of the library")
        parser.add_argument("--defender", default="morvane", help="faction: a nation of the library")
        parser.add_argument("--attacker-name", default="")
        parser.add_argument("--defender-name", default="")
        parser.add_argument("--hulls", type=int, default=12, help="most ships of a force")
        parser.add_argument("--of-a-class", type=int, default=4, help="most ships of one class")
        parser.add_argument("--deck", default="", help="a deck typed in from the top, such as AS,10H,...")
        parser.add_argument("--miracles", action="store_true", help="miracle-grade commanders are turned on (D3.42)")
        parser.add_argument("--seed", default="1", help="the same text gives the same scenario")
        parser.add_argument(
            "--site-library", action="store_true", help="the site's ship classes, not the project's own"
        )
        parser.add_argument("--show", choices=SHOWN, default="all", help="whose papers to print")
        parser.add_argument("--json", action="store_true", help="print the whole scenario as JSON")
        parser.add_argument("--pdf", metavar="FOLDER", help="write the three PDFs there")
        parser.add_argument("--paper", choices=PAPERS, default="a4")
        parser.add_argument("--measure", type=int, metavar="N", help="make N scenarios and print what was measured")
        parser.add_argument(
            "--battles", type=int, default=0, metavar="M", help="with --measure: M battles each of a sample"
        )
        parser.add_argument("--sample", type=int, default=4, help="scenarios of which the battles are fought")

    def handle(self, *args: Any, **options: Any) -> None:
        """Make one scenario, or many."""
        try:
            library = library_of_blocks(patrol_blocks()) if options["site_library"] else _fixtures()
            opening = _opening(options)
            problems = check_opening(opening, library)
            if problems:
                raise ProblemsError(problems)
            if options["measure"] is not None:
                self._measure(opening, library, options)
            else:
                self._one(opening, library, options)
        except ProblemsError as error:
            lines = [f"{one.place or '/'}: {one.message} ({one.code} {one.rule})" for one in error.problems]
            raise CommandError("\n".join(lines)) from error

    def _one(self, opening: Opening, library: Library, options: dict[str, Any]) -> None:
        seeds = seeds_from(options["seed"])
        scenario = generate(options["seed"], opening, library, seeds)
        if options["json"]:
            document = revealed_view(scenario, library) | {"commitments": commitments_of(seeds), "seeds": seeds}
            self.stdout.write(json.dumps(document, ensure_ascii=False, sort_keys=True))
        else:
            texts: dict[str, str] = {role: side_text(side_papers(scenario, role, library)) for role in ROLES}
            umpire = umpire_text(umpire_papers(scenario, library, commitments_of(seeds), seeds))
            shown = [text for name, text in {**texts, "umpire": umpire}.items() if options["show"] in (name, "all")]
            self.stdout.write(("\n\n" + "=" * 78 + "\n\n").join(shown))
        if options["pdf"]:
            self._write(Path(options["pdf"]), scenario, library, seeds, options["paper"])

    def _write(self, folder: Path, scenario: Scenario, library: Library, seeds: dict[str, str], paper: str) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        for name, made in _pdfs(scenario, library, seeds, paper).items():
            (folder / f"{name}.pdf").write_bytes(made)
            self.stderr.write(f"{folder / name}.pdf")

    def _measure(self, opening: Opening, library: Library, options: dict[str, Any]) -> None:
        count = options["measure"]
        if count < 1:
            raise CommandError("--measure takes one scenario or more.")
        figures, took, took_pdfs = Figures(), [], []
        for number in range(count):
            token = f"{options['seed']}-{number}"
            begun = time.perf_counter()
            scenario = generate(token, opening, library, seeds_from(token))
            took.append(time.perf_counter() - begun)
            figures.add(scenario, library)
            if number < PDF_SAMPLES:
                begun = time.perf_counter()
                _pdfs(scenario, library, seeds_from(token), options["paper"])
                took_pdfs.append(time.perf_counter() - begun)
        document = figures.as_document() | {
            "milliseconds_a_scenario_median": round(1000 * statistics.median(took)),
            "milliseconds_for_its_three_pdfs_median": round(1000 * statistics.median(took_pdfs)),
        }
        if options["battles"] > 0:
            document["battles"] = self._battles(opening, library, options)
        if options["json"]:
            self.stdout.write(json.dumps(document, ensure_ascii=False))
            return
        for key, value in document.items():
            self.stdout.write(f"{key.replace('_', ' ')}: {_words(value)}")

    def _battles(self, opening: Opening, library: Library, options: dict[str, Any]) -> dict[str, Any]:
        """Fight a sample's battles; a side's wins in percent, and whether the drawn multipliers differ."""
        rows: dict[str, Any] = {}
        for number in range(min(options["sample"], options["measure"])):
            token = f"{options['seed']}-{number}"
            scenario = generate(token, opening, library, seeds_from(token))
            wins = Counter(
                PATROL_BATTLES.winner(scenario, library, f"{token}-{battle}") for battle in range(options["battles"])
            )
            percents: dict[str, int] = {
                role: scenario.budget(role).final_total * 100 // scenario.opening.base for role in ROLES
            }
            rows[token] = {
                "attacker": f"{100 * wins['attacker'] // options['battles']} percent wins",
                "defender": f"{100 * wins['defender'] // options['battles']} percent wins",
                "draws": wins[""],
                "multipliers": percents,
            }
            self.stderr.write(f"{token}: {_words(rows[token])}")
        return rows


def _words(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{key}: {each}" for key, each in value.items())
    return str(value)


def _fixtures() -> Library:
    folder = fixtures_root() / "ship_classes" / STAT_BLOCK
    classes = [load_class(toml_read(path)) for path in sorted(folder.glob("*.toml"))]
    return {one.key: one for one in classes}


def _opening(options: dict[str, Any]) -> Opening:
    sides = {role: {"faction": options[role], "name": options[f"{role}_name"], "seat": "automatic"} for role in ROLES}
    deck = [card.strip() for card in options["deck"].split(",") if card.strip()]
    document = {key: options[key] for key in ("year", "base", "hulls", "of_a_class", "miracles")}
    return load_opening({**document, **sides, "deck": deck})


def _pdfs(scenario: Scenario, library: Library, seeds: dict[str, str], paper: str) -> dict[str, bytes]:
    cut = paper_named(paper)
    made: dict[str, bytes] = {
        role: pdf_make(template="patrol_side", data=side_papers(scenario, role, library), paper=cut) for role in ROLES
    }
    umpire = umpire_papers(scenario, library, commitments_of(seeds), seeds)
    return {**made, "umpire": pdf_make(template="patrol_umpire", data=umpire, paper=cut)}
