"""Lettering on a chart: labels beside their marks, moved so that they do not lie on each other."""

from __future__ import annotations

from dataclasses import dataclass

LETTER = 6.4  # units a letter at 12 px, a little generous
LINE = 14.0
AWAY = 12.0


@dataclass(frozen=True, slots=True)
class Label:
    """Lines of text at a place relative to their mark; ``anchor`` as in SVG."""

    dx: float
    dy: float
    anchor: str
    lines: tuple[str, ...]

    @property
    def rows(self) -> list[tuple[str, float]]:
        """Each line with its height."""
        return [(line, round(self.dy + LINE * number, 1)) for number, line in enumerate(self.lines)]


Box = tuple[float, float, float, float]


class Lettering:
    """The labels of one chart, placed one after the other."""

    def __init__(self, width: float, height: float) -> None:
        self._size = (width, height)
        self._taken: list[Box] = []

    def keep_clear(self, x: float, y: float, around: float = 8.0) -> None:
        """Keep labels off a mark."""
        self._taken.append((x - around, y - around, x + around, y + around))

    def place(self, x: float, y: float, *lines: str) -> Label | None:
        """Return a label for a mark, or None where every place beside it is taken."""
        width = LETTER * max(len(line) for line in lines)
        height = LINE * len(lines)
        middle = 4.0 - (height - LINE) / 2
        for anchor, dx, dy, left, top in (
            ("start", AWAY, middle, AWAY, -height / 2),
            ("end", -AWAY, middle, -AWAY - width, -height / 2),
            ("middle", 0.0, AWAY + 11, -width / 2, AWAY),
            ("middle", 0.0, -AWAY - height + 11, -width / 2, -AWAY - height),
        ):
            box = (x + left, y + top, x + left + width, y + top + height)
            if self._is_inside(box) and not any(_overlap(box, taken) for taken in self._taken):
                self._taken.append(box)
                return Label(dx, round(dy, 1), anchor, lines)
        return None

    def claim(self, x: float, y: float, words: str) -> bool:
        """Take the room for words that stand centred above a point, if it is free."""
        half = LETTER * len(words) / 2
        box = (x - half, y - LINE - 4, x + half, y)
        if not self._is_inside(box) or any(_overlap(box, taken) for taken in self._taken):
            return False
        self._taken.append(box)
        return True

    def _is_inside(self, box: Box) -> bool:
        return box[0] >= 2 and box[1] >= 2 and box[2] <= self._size[0] - 2 and box[3] <= self._size[1] - 2


def _overlap(one: Box, other: Box) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]
