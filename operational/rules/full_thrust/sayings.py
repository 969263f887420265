"""What the shared pages say in the words of operational/full-thrust."""

from __future__ import annotations

from collections.abc import Mapping

from campaign.engine.ruleset import Saying

SAYINGS: Mapping[str, Saying] = {
    "no-contacts": Saying(
        "No marker of the other side is in sight. What markers stand for is found by scanning them.",
        ("detection-phase",),
    ),
    "no-ledger": Saying("No ship scanned."),
    "no-engagement": Saying(
        "None of your task forces has been to the table. Those that come within the contact distance go there, and "
        "those that a side calls for.",
        ("table-phase",),
    ),
    "engagement-set": Saying("it can be fought", ("table-phase", "velocity-table")),
    "result-stands": Saying("the result stands", ("table-phase",)),
    "bids": Saying("task forces go to the table with the vectors that they have", ("table-phase",)),
    "table-unit": Saying("MU", ("scales",)),
    "tracks": Saying("Tracks"),
}
