"""The papers of a patrol scenario: pages, words, no secret of the other side, the same bytes twice."""

from __future__ import annotations

import io
from typing import Any, cast

import pytest
from pypdf import PdfReader

from campaign.engine.errors import ProblemsError
from campaign.rulebooks.saganami.patrol import Role
from campaign.rulebooks.saganami.patrol_declaring import ready_ships
from campaign.selectors.patrol import patrol_library, patrol_state
from campaign.services.box_drawing import Box, boxes_drawing
from campaign.services.paper import paper_named
from campaign.services.patrol_papers import side_papers, side_pdf, umpire_pdf
from campaign.services.record_sheet import record_sheet
from campaign.services.refusals import StaleError
from tests.campaign.services.patrols import Game, game_open, library_patrol, solo

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def library(db: None) -> None:
    """The classes of two nations."""
    library_patrol()


@pytest.fixture
def game(library: None) -> Game:
    """Two people's scenario, small, before its battle."""
    return game_open(base=300).play("attacker", "defender")


def pages(pdf: bytes) -> list[str]:
    """Return the text of each page."""
    return [page.extract_text() for page in PdfReader(io.BytesIO(pdf)).pages]


@pytest.mark.rule("D3.13")
def test_a_side_s_pdf_has_the_mission_on_a_page_of_its_own_and_a_sheet_for_each_ship(game: Game) -> None:
    """And order sheets, salvo cards and tokens; on A4 and on letter."""
    for paper, size in (("a4", (595, 842)), ("letter", (612, 792))):
        pdf = side_pdf(row=game.row, role="attacker", paper=paper_named(paper))
        first = PdfReader(io.BytesIO(pdf)).pages[0].mediabox
        assert (round(first.width), round(first.height)) == size
        text = pages(pdf)
        view = game.view("attacker")
        secret = [number for number, page in enumerate(text) if "Secret orders" in page]
        assert secret == [1]
        for mission in view["missions"]:
            assert [number for number, page in enumerate(text) if mission["title"] in page] == [1]
        for ship in view["force"]:
            sheets = [page for page in text if page.startswith(ship["name"]) and "Mounts" in page]
            assert len(sheets) == 1
        for title in ("Force list", "Order sheets", "Salvo cards", "Tokens"):
            assert any(page.startswith(title) for page in text)


@pytest.mark.rule("D3.13")
def test_a_side_s_pdf_holds_nothing_of_the_other_side_s_secrets(game: Game) -> None:
    """Two worlds: whatever the enemy's mission, grades and options are, the pages are the same."""
    text = "\n".join(pages(side_pdf(row=game.row, role="attacker", paper="a4")))
    state = patrol_state(game.row)
    mine = {mission["title"] for mission in game.view("attacker")["missions"]}
    for mission in game.view("defender")["missions"]:
        if mission["title"] not in mine:
            assert mission["title"] not in text
    own = {(hull.bought.cost, hull.name) for hull in state.attacker.ships}
    for hull in state.defender.ships:
        assert hull.name in text
        assert (hull.bought.cost, hull.name) not in own
    from dataclasses import replace

    changed = state.with_side(
        "defender",
        missions=state.attacker.missions,
        hand=state.attacker.hand,
        followers=(),
        declared=None,
        ships=tuple(
            replace(hull, bought=replace(hull.bought, grades=hull.bought.grades.with_grade("crew", "elite"), cost=1))
            for hull in state.defender.ships
        ),
    )
    library = patrol_library(game.row)
    assert side_papers(changed, "attacker", library) == side_papers(state, "attacker", library)


def test_the_umpire_s_pdf_tells_all_and_the_seeds_only_after_the_reveal(game: Game) -> None:
    """Both missions, all cards, every roll."""
    before = "\n".join(pages(umpire_pdf(row=game.row, paper="letter")))
    for role in ("attacker", "defender"):
        for mission in game.view(role)["missions"]:
            assert mission["title"] in before
    assert "The deck is shuffled" in before
    assert game.row.seeds["umpire"] not in before
    assert game.row.commitments["umpire"] in before.replace("\n", "")
    game.act("attacker", "report", facts=game.facts("attacker"))
    game.act("defender", "sign", digest=game.view("defender")["report"]["digest"])
    after = "".join(pages(umpire_pdf(row=game.row, paper="letter")))
    assert game.row.seeds["umpire"] in after.replace("\n", "")
    assert "ratio" in after


def test_the_same_scenario_gives_the_same_bytes(game: Game) -> None:
    """Nothing of the hour or of the machine is in a paper."""
    assert side_pdf(row=game.row, role="defender", paper="a4") == side_pdf(row=game.row, role="defender", paper="a4")
    assert umpire_pdf(row=game.row, paper="a4") == umpire_pdf(row=game.row, paper="a4")


def test_papers_wait_for_the_battle_and_for_known_paper() -> None:
    """409 before, 422 for a paper that nobody has."""
    game = solo()
    with pytest.raises(StaleError):
        side_pdf(row=game.row, role="attacker", paper="a4")
    with pytest.raises(StaleError):
        umpire_pdf(row=game.row, paper="a4")
    with pytest.raises(ProblemsError):
        paper_named("b5")


@pytest.mark.rule("D4.21", "D3.3/3")
def test_a_record_sheet_shows_present_damage_grades_and_options(game: Game) -> None:
    """Marked boxes are crossed; bought parties are in the hull; changed grades stand there."""
    state = patrol_state(game.row)
    library = patrol_library(game.row)
    for role in ("attacker", "defender"):
        for ready in ready_ships(state, cast("Role", role), library):
            sheet = record_sheet(ready)
            assert sheet["cost"] == ready.hull.cost
            if ready.ship_class.officer_cost:
                assert [one["grade"] for one in sheet["grades"]] == list(ready.grades.as_document().values())
            crosses = sum(one["svg"].count("<path") for one in _drawings(sheet))
            assert crosses == sum(ready.damage.values()) + sum(ready.spent.values())
            wrenches = sum(one["svg"].count(">w<") for one in sheet["hull"])
            hull = ready.ship_class.track("hull")
            assert wrenches == (sum(box.kind == "wrench" for box in hull.boxes) if hull is not None else 0)


def _drawings(sheet: dict[str, Any]) -> list[dict[str, Any]]:
    mounts = [track for mount in sheet["mounts"] for track in mount["tracks"]]
    craft = [track for one in sheet["craft"] for track in one["tracks"]]
    return [*sheet["tracks"], *sheet["hull"], *mounts, *craft]


def test_boxes_are_drawn_with_their_kind_and_crossed_when_they_are_lost() -> None:
    """Five boxes, three to a row."""
    drawn = boxes_drawing([Box("square", "", True), Box("octagon", "7", False), Box("star", "", False),
                           Box("circle", "-2", False), Box("weapon", "L", True)], 3)  # fmt: skip
    assert drawn["svg"].count("<path") == 2
    assert ">7<" in drawn["svg"] and "<polygon" in drawn["svg"] and "★" in drawn["svg"]
    assert drawn["height"] > drawn["width"] / 2
