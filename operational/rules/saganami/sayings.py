"""What the shared pages say in the words of operational/saganami."""

from __future__ import annotations

from collections.abc import Mapping

from campaign.engine.ruleset import Saying

SAYINGS: Mapping[str, Saying] = {
    "no-contacts": Saying(
        "Nothing is known of anybody else. Hyper footprints are seen by themselves; a wedge is found by searching "
        "one window with one ship.",
        ("B5.142",),
    ),
    "no-ledger": Saying("No ship searched."),
    "no-engagement": Saying(
        "None of your forces has met anybody. Forces that come within 5 hexes of each other do.", ("B5.12",)
    ),
    "engagement-set": Saying("it can be fought", ("B5.12", "B5.122", "B5.123")),
    "result-stands": Saying("the result stands", ("D2.232",)),
    "bids": Saying("thrust laid out before the battle", ("B5.123",)),
    "bid": Saying("Bids are secret and simultaneous; a round is shown when every side of it has bid.", ("B5.122",)),
    "table-unit": Saying("tactical hexes", ("B5.12",)),
    "table-frame": Saying("Map's own velocity", ("B5.13",)),
    "time-limit": Saying("Time limit", ("B5.132",)),
    "grades": Saying("Grades", ("D1.11",)),
    "parties": Saying("Damage control parties", ("C6.1",)),
    "tracks": Saying("Tracks", ("A2.67",)),
    "jury-rigs": Saying("Dashed ring: lost, held by a jury rig for now.", ("C6.13",)),
}
