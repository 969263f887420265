"""The library that comes with the project: ship classes, star systems, scenarios and campaigns as TOML.

A fixture is checked whole before anything of it is written; a broken one names its file, the place
and the rule, and the rest of the library still loads.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db import transaction

from campaign.engine.errors import Problem, ProblemsError, pointer, stops
from campaign.models import ShipClass
from campaign.selectors.rulesets import class_checks

if TYPE_CHECKING:
    from collections.abc import Mapping


def fixtures_root() -> Path:
    """Return the folder of the fixtures."""
    return Path(settings.ROOT) / "fixtures"


def toml_read(path: Path) -> dict[str, Any]:
    """Read a TOML fixture; ProblemsError names the file when it is no TOML."""
    try:
        return tomllib.loads(path.read_text())
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise ProblemsError([Problem("", "not-toml", f"{path.name} is no TOML: {error}")]) from error


def ship_class_import(*, ruleset: str, document: Mapping[str, Any], source: str = "") -> ShipClass:
    """Check a class's stat block for a ruleset and put it into the library, in place of an older one.

    Raises ProblemsError with every problem, each with its place; nothing is written then.
    """
    check = class_checks().get(ruleset)
    if check is None:
        raise ProblemsError([Problem("/ruleset", "unknown-ruleset", f"No ruleset {ruleset} reads ship classes.")])
    problems = stops(check(document))
    if problems:
        where = f"{source}: " if source else ""
        raise ProblemsError(Problem(one.place, one.code, where + one.message, one.rule) for one in problems)
    with transaction.atomic():
        known = ShipClass.objects.select_for_update().filter(key=document["key"]).first()
        blocks = {**(known.stat_blocks if known else {}), ruleset: dict(document)}
        row, _ = ShipClass.objects.update_or_create(
            key=document["key"],
            defaults={
                "name": document["name"],
                "nation": document.get("nation", ""),
                "hull": document.get("type", ""),
                "stat_blocks": blocks,
            },
        )
    return row


def library_load() -> tuple[int, list[Problem]]:
    """Load every ship class of the fixtures; return how many, and the problems of those left out."""
    loaded = 0
    problems: list[Problem] = []
    for folder in sorted((fixtures_root() / "ship_classes").iterdir()):
        for path in sorted(folder.glob("*.toml")):
            try:
                ship_class_import(ruleset=folder.name, document=toml_read(path), source=path.name)
                loaded += 1
            except ProblemsError as error:
                problems += error.problems
    return loaded, problems


def system_setup(key: str) -> dict[str, Any]:
    """Return a star system of the fixtures as a setup names it, its bodies with ids."""
    path = fixtures_root() / "systems" / f"{key}.toml"
    if not path.is_file():
        raise ProblemsError([Problem("/systems", "unknown-system", f"There is no star system {key}.")])
    document = toml_read(path)
    star = document["spectral_class"]
    bodies = [
        {"id": f"{key[:3]}{number}", **{name: body[name] for name in ("name", "kind", "q", "r", "z")}}
        for number, body in enumerate(document.get("bodies", []), start=1)
    ]
    return {"key": key, "name": document["name"], "star": star, "bodies": bodies}


def campaign_setup(name: str, folder: str = "campaigns") -> dict[str, Any]:
    """Return a campaign (or scenario) of the fixtures as a setup document, its systems filled in."""
    path = fixtures_root() / folder / f"{name}.toml"
    if not path.is_file():
        raise ProblemsError([Problem("", "unknown-fixture", f"There is no {folder[:-1]} {name}.")])
    setup = toml_read(path)
    for number, system in enumerate(setup.get("systems", [])):
        if set(system) <= {"key", "defender"}:
            try:
                setup["systems"][number] = {**system_setup(system["key"]), **system}
            except ProblemsError as error:
                raise ProblemsError(
                    Problem(pointer("systems", number), one.code, one.message) for one in error.problems
                ) from error
    return setup


def fixtures_listed(folder: str = "campaigns") -> list[dict[str, str]]:
    """Return the campaigns (or scenarios) of the fixtures: key, name and story."""
    listed = []
    for path in sorted((fixtures_root() / folder).glob("*.toml")):
        document = toml_read(path)
        listed.append({"key": path.stem, "name": document.get("name", path.stem), "story": document.get("story", "")})
    return listed
