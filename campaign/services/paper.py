"""Paper: a typst template and plain data made into a PDF, the same bytes for the same data.

Fonts are those that come with matplotlib and no others, so that a sheet breaks alike on every machine.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args

import matplotlib
import typst
from django.conf import settings

from campaign.engine.dice import canonical
from campaign.engine.errors import Problem, ProblemsError

if TYPE_CHECKING:
    from collections.abc import Mapping

Paper = Literal["a4", "letter"]
PAPERS: tuple[Paper, ...] = get_args(Paper)
TYPST_NAMES = {"a4": "a4", "letter": "us-letter"}


@cache
def fonts_folder() -> str:
    """Return the folder of the fonts."""
    return str(Path(matplotlib.get_data_path()) / "fonts" / "ttf")


def templates_folder() -> Path:
    """Return the folder of the typst templates."""
    return Path(settings.ROOT) / "templates" / "typst"


def paper_named(name: str) -> Paper:
    """Return the paper of that name, or refuse one that is not cut here."""
    found = next((paper for paper in PAPERS if paper == name), None)
    if found is None:
        message = f"Paper is one of {', '.join(PAPERS)}."
        raise ProblemsError([Problem("/paper", "unknown-paper", message)])
    return found


def pdf_make(*, template: str, data: Mapping[str, Any], paper: Paper) -> bytes:
    """Return the PDF of a template of ``templates/typst`` filled with data."""
    folder = templates_folder()
    made: bytes = typst.compile(
        str(folder / f"{template}.typ"),
        root=str(folder),
        font_paths=[fonts_folder()],
        ignore_system_fonts=True,
        format="pdf",
        sys_inputs={"data": canonical(data), "paper": TYPST_NAMES[paper]},
        timestamp=0,
        pdf_tags=False,  # tags make a sheet of boxes five times as large
    )
    return made
