"""A patrol scenario as plain text for the terminal: a side's briefing, the umpire's sheet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

WIDTH = 78


def _wrapped(text: str, indent: str = "") -> list[str]:
    lines: list[str] = []
    line = indent
    for word in text.split():
        if len(line) + len(word) + 1 > WIDTH and line.strip():
            lines.append(line.rstrip())
            line = indent
        line += word + " "
    return [*lines, line.rstrip()]


def _force(rows: list[Mapping[str, Any]]) -> list[str]:
    lines = []
    for ship in rows:
        extra = "; ".join(one for one in (ship["grades"], *ship["options"]) if one)
        lemon = " (chosen by the enemy)" if ship["is_lemon"] else ""
        lines.append(f"  {ship['total']:>5}  {ship['name']}, {ship['class_name']}{lemon}")
        lines.append(f"         starts {ship['start']}")
        if extra:
            lines += _wrapped(extra, "         ")
    return lines


def _orders(papers: Mapping[str, Any]) -> list[str]:
    lines = [f"Time limit: {papers['time_limit']} turns, then begin to disengage (D3.14)."]
    for mission in papers["missions"]:
        lines += ["", f"{mission['title']} ({mission['rule']})", *_wrapped(mission["orders"], "  ")]
        if mission["named"]:
            lines.append(f"  Named: {', '.join(mission['named'])}")
    if papers["arm_text"]:
        lines += ["", *_wrapped(papers["arm_text"])]
    lines += ["", *(f"  {one['use']}: {one['title']}" for one in papers["cards"])]
    return lines


def side_text(papers: Mapping[str, Any]) -> str:
    """Return a side's briefing from its papers' data."""
    budget = papers["budget"]
    lines = [
        f"{papers['name'].upper()}, {papers['role']} of patrol {papers['token']}",
        "",
        *_wrapped(
            f"{papers['year']} PD, base budget {papers['base']} points. You are of {papers['faction']}; the enemy is "
            f"{papers['enemy_name']}, of {papers['enemy_faction']}. {papers['corner_text']} {papers['miracle_text']}"
        ),
        "",
        f"Your force: {budget['spent']} points of {budget['whole']} ({budget['percent']} percent of the base)",
        *_force(papers["force"]),
        "",
        "The enemy, as far as seen",
        *(f"         {one['name']}, {one['class_name']}, starts {one['start']}" for one in papers["enemy"]),
        "",
        "Secret orders",
        *_orders(papers),
    ]
    return "\n".join(lines)


def umpire_text(papers: Mapping[str, Any]) -> str:
    """Return the umpire's sheet from its papers' data."""
    lines = [f"UMPIRE of patrol {papers['token']}", "", *_wrapped(f"{papers['height_text']} {papers['manners']}")]
    for side in papers["sides"]:
        title = f"{side['name']} ({side['role']}): {side['budget']['spent']} of {side['budget']['whole']} points"
        lines += ["", title, *_orders(side)]
    lines += ["", "Commitments", *(f"  {one['owner']}: {one['commitment']}" for one in papers["commitments"])]
    if papers["seeds"]:
        lines += ["Seeds", *(f"  {one['owner']}: {one['seed']}" for one in papers["seeds"])]
    lines += ["", "Record"]
    for entry in papers["log"]:
        mark = " [typed in]" if entry["is_typed"] else ""
        shown = f": {entry['shown']}" if entry["shown"] else ""
        lines += _wrapped(f"{entry['number']}. {entry['by']}: {entry['text']}{mark}{shown}", "  ")
    return "\n".join(lines)
