"""Many searches against many targets give what each search alone would give (B5.141 to B5.145)."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from campaign.engine.hexes import true_range
from campaign.rulebooks.saganami.bearings import WINDOWS, windows_of_bearing
from operational.rules.saganami import detection_ranges as ranges
from operational.rules.saganami.detection_ranges import Target
from operational.rules.saganami.detection_search import Searches, find
from operational.rules.saganami.detection_targets import Targets


def columns(generator: np.random.Generator, count: int, span: int) -> dict[str, np.ndarray]:
    """Return places of two sides in two systems, many of them shared."""
    return {
        "side": generator.integers(0, 3, count),
        "system": generator.integers(0, 2, count),
        "q": generator.integers(-span, span + 1, count),
        "r": generator.integers(-span, span + 1, count),
        "z": generator.integers(-span // 2, span // 2 + 1, count),
        "ecm": generator.integers(0, 6, count),
    }


@pytest.mark.rule("B5.141", "B5.142", "B5.144", "B5.145")
@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.sampled_from([3, 12, 60, 130]))
def test_whole_columns_find_what_single_searches_find(seed: int, span: int) -> None:
    """B5.14: window, range, drones, ECM, kind of target and die, pair by pair."""
    generator = np.random.default_rng(seed)
    searches = Searches(
        **columns(generator, 50, span),
        window=generator.integers(0, len(WINDOWS), 50),
        drones=generator.integers(0, 4, 50),
        number=generator.integers(1, 12, 50),
        die=generator.integers(1, 11, 50),
    )
    targets = Targets(
        **columns(generator, 60, span), force=np.arange(60), kind=generator.choice([0, 0, 0, 1, 2, 3], 60)
    )
    hostile = ~np.eye(3, dtype=np.bool_)
    hostile[0, 2] = hostile[2, 0] = False
    found = find(searches, targets, hostile)
    got = list(zip(found.search.tolist(), found.target.tolist(), found.rows.tolist(), strict=True))
    assert got == expected(searches, targets, hostile)


def expected(searches: Searches, targets: Targets, hostile: np.ndarray) -> list[tuple[int, int, int]]:
    """Return what the single rules say, pair by pair."""
    found = []
    for one in range(len(searches)):
        for other in range(len(targets)):
            if searches.system[one] != targets.system[other] or not hostile[searches.side[one], targets.side[other]]:
                continue
            step = tuple(int(getattr(targets, axis)[other] - getattr(searches, axis)[one]) for axis in "qrz")
            window = WINDOWS[int(searches.window[one])]
            if step != (0, 0, 0) and window not in windows_of_bearing(*step):
                continue
            kind, drones = Target(int(targets.kind[other])), int(searches.drones[one])
            hexes = true_range(*step)
            check = ranges.search_check(
                int(searches.number[one]),
                int(searches.die[one]),
                hexes,
                drones=drones,
                disadvantage=ranges.ecm_disadvantage(int(searches.ecm[one]), int(targets.ecm[other])),
                target=kind,
            )
            rows = ranges.rows_in_range(hexes, kind, drones)
            if check.success and rows:
                found.append((one, other, len(rows)))
    return found


@pytest.mark.rule("B5.142")
def test_a_target_in_the_searchers_own_hex_fills_every_window() -> None:
    """B5.142: nothing can be beside the one window that is searched."""
    zero = np.zeros(len(WINDOWS), dtype=np.int64)
    searches = Searches(
        side=zero,
        system=zero,
        q=zero,
        r=zero,
        z=zero,
        window=np.arange(50),
        drones=zero,
        number=zero + 5,
        die=zero + 5,
        ecm=zero,
    )
    one = np.zeros(1, dtype=np.int64)
    targets = Targets(force=one, side=one + 1, system=one, q=one, r=one, z=one, kind=one, ecm=one)
    assert len(find(searches, targets, ~np.eye(2, dtype=np.bool_)).search) == len(WINDOWS)
