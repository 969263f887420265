"""The setting's ship classes and star systems: complete, consistent and costed by one formula."""

import re
import tomllib
from collections import Counter
from itertools import pairwise
from math import isqrt

import jsonschema
import pytest

from campaign.rulebooks.saganami.ship_class import (
    MOUNTS,
    POSTS,
    boxes_total,
    check_class,
    class_schema,
    dump_class,
    load_toml,
    read_toml,
)
from campaign.rulebooks.saganami.ship_class_cost import attack, class_cost, guard, officer_costs, worth
from tests.campaign.rulebooks.saganami.ship_class_fixtures import CLASSES, ROOT, SYSTEMS, ship_class

NATIONS = ("kestra", "morvane")
KINDS = {"planet", "gas-giant", "moon", "station", "asteroid"}


@pytest.mark.parametrize("path", CLASSES, ids=lambda path: path.stem)
def test_every_class_of_the_setting_loads_without_a_word(path):
    """No problem and no warning, and the file is named for the class."""
    text = path.read_text("utf-8")
    assert check_class(read_toml(text)) == ()
    assert load_toml(text).key == path.stem
    assert max(map(len, text.splitlines())) <= 120


@pytest.mark.rule("A2.65", "D1.112")
@pytest.mark.parametrize("path", CLASSES, ids=lambda path: path.stem)
def test_every_class_costs_what_the_costing_says(path):
    """The costing of docs/ship-classes.md gives each class's points, and its officers'."""
    its = load_toml(path.read_text("utf-8"))
    assert its.cost == class_cost(its)
    if not its.is_lac:
        assert dict(zip(POSTS, its.officer_cost, strict=True)) == officer_costs(its.cost)


@pytest.mark.rule("A2.65")
def test_the_costing_of_a_destroyer_worked_by_hand():
    """The figures of the worked example in docs/ship-classes.md."""
    petrel = ship_class("petrel")
    fire = 12 * 6**2 * 16 + 2 * 7**2 * 10 + 6 * 6**2 * 10
    assert attack(petrel) == fire == 10_052
    assert guard(petrel) == 10 + 2 * 3 + 2 + 2 + 1
    assert boxes_total(petrel) == 132
    assert worth(petrel) == fire * 132 * 4**2 * 21 * 9
    root = isqrt(4 * 4434**2 * worth(petrel) // worth(ship_class("sample")))
    assert class_cost(petrel) == (root + 1) // 2 == 36


@pytest.mark.rule("D1.112")
def test_a_cruisers_veteran_officer_costs_two_points():
    """D1.112: on a heavy cruiser of about 124 points the veteran EWO of the example costs 2."""
    assert officer_costs(124)["EWO"] == (-2, 0, 2, 3)
    assert officer_costs(4434)["TAC"] == (-122, 0, 122, 245)


def test_the_classes_stand_to_each_other_as_the_rulebooks_own_do():
    """Destroyer about 36 points, light cruiser 60 to 70, heavy cruiser about 124, superdreadnought about 4434."""
    for key, least, most in (
        ("petrel", 34, 38),
        ("bramble", 34, 38),
        ("mistral", 60, 70),
        ("adze", 60, 70),
        ("sirocco", 118, 130),
        ("mattock", 118, 130),
        ("pharos", 4200, 4600),
        ("ustrel", 4200, 4600),
    ):
        assert least <= ship_class(key).cost <= most


def test_both_nations_have_a_fleet_and_somebody_to_protect():
    """Two nations with every size of ship between them, a pod-layer and LACs each, and merchants."""
    fleets = {nation: Counter() for nation in (*NATIONS, "free-traders", "generic")}
    for path in CLASSES:
        its = load_toml(path.read_text("utf-8"))
        fleets[its.nation][its.type] += 1
    common = {"destroyer", "light-cruiser", "heavy-cruiser", "battlecruiser", "superdreadnought", "pod-layer"}
    for nation in NATIONS:
        assert common | {"lac-squadron"} <= set(fleets[nation])
        assert {"battleship", "dreadnought"} & set(fleets[nation])
    assert {"freighter", "transport"} <= set(fleets["free-traders"])
    assert sum(fleets[nation].total() for nation in NATIONS) >= 14


def test_warships_are_armed_on_every_side_and_grow_with_their_class():
    """Each warship has weapons in all mounts; tons, crew and boxes rise with scale."""
    ranks = (
        "destroyer",
        "light-cruiser",
        "heavy-cruiser",
        "battlecruiser",
        "battleship",
        "dreadnought",
        "superdreadnought",
    )
    for nation in NATIONS:
        fleet = [its for its in (load_toml(path.read_text("utf-8")) for path in CLASSES) if its.nation == nation]
        line = sorted((its for its in fleet if its.type in ranks), key=lambda its: ranks.index(its.type))
        for its in line:
            assert all(its.mount(mount).weapons for mount in MOUNTS), its.key
        for smaller, larger in pairwise(line):
            for measure in (lambda s: s.tons, lambda s: s.scale, lambda s: s.cost, lambda s: s.officers, boxes_total):
                assert measure(smaller) < measure(larger), (smaller.key, larger.key)


def test_lacs_weigh_what_the_rulebook_says():
    """C7.12: 10,000 to 30,000 tons a craft."""
    for key in ("gannet", "nettle"):
        its = ship_class(key)
        assert 10_000 <= its.tons // its.lac.craft <= 30_000


@pytest.mark.parametrize("path", SYSTEMS, ids=lambda path: path.stem)
def test_every_star_system_has_bodies_at_their_light_minutes(path):
    """B5.11: 7.5 operational hexes to the light-minute, to the nearest hex."""
    system = tomllib.loads(path.read_text("utf-8"))
    assert system["key"] == path.stem
    assert set(system) == {"key", "name", "spectral_class", "note", "bodies"}
    assert re.fullmatch(r"[OBA]|[FGKM][0-9]|RedGiant", system["spectral_class"])
    names = [body["name"] for body in system["bodies"]]
    assert len(set(names)) == len(names) >= 4
    places = {body["name"]: (body["q"], body["r"], body["z"]) for body in system["bodies"]}
    for body in system["bodies"]:
        assert set(body) == {"name", "kind", "q", "r", "z", "note"}
        assert body["kind"] in KINDS
        q, r, z = places[body["name"]]
        out = re.search(r"; (\d+)\.(\d) light-minutes out\.$", body["note"])
        if out:
            tenths = int(out[1]) * 10 + int(out[2])
            assert abs(isqrt(16 * (q * q + q * r + r * r + z * z)) - 3 * tenths) <= 3, body["name"]
        else:
            parent = re.search(r", at (.+)\.$", body["note"])[1]
            assert max(abs(a - b) for a, b in zip(places[body["name"]], places[parent], strict=True)) <= 2


def test_the_four_systems_have_four_different_stars():
    """Different hyper limits make different campaigns."""
    stars = [tomllib.loads(path.read_text("utf-8"))["spectral_class"] for path in SYSTEMS]
    assert len(SYSTEMS) == 4 == len(set(stars))


def test_the_schema_for_machines_takes_every_class_and_refuses_a_stranger():
    """The JSON Schema and the reader agree on the form of a document."""
    validator = jsonschema.Draft202012Validator(class_schema())
    for path in CLASSES:
        its = load_toml(path.read_text("utf-8"))
        assert list(validator.iter_errors(dump_class(its))) == [], its.key
        assert list(validator.iter_errors(read_toml(path.read_text("utf-8")))) == [], its.key
    assert not validator.is_valid(dump_class(ship_class("petrel")) | {"shields": 3})
    assert not validator.is_valid(dump_class(ship_class("petrel")) | {"cost": -1})


def test_the_document_lists_every_class_with_its_points():
    """docs/ship-classes.md shows the fleet lists with the points that the fixtures hold."""
    text = (ROOT / "docs" / "ship-classes.md").read_text("utf-8")
    for path in CLASSES:
        its = load_toml(path.read_text("utf-8"))
        row = rf"\| {its.name} \| {its.type} \| {its.scale} \| {its.tons:,} \| {boxes_total(its)} \| {its.cost:,} \|"
        assert re.search(row, text), its.key
    sample = worth(ship_class("sample"))
    assert f"{worth(ship_class('petrel')):,}" in text and f"{sample:,}" in text
