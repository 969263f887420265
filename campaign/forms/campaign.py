"""The form that opens a campaign from a fixture."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any
from zoneinfo import available_timezones

from django import forms

from campaign.models import Campaign

if TYPE_CHECKING:
    from collections.abc import Mapping

    from campaign.engine.ruleset import OperationalRuleset, Switch

ZONES = ["UTC", *sorted(zone for zone in available_timezones() if "/" in zone and not zone.startswith("Etc"))]
LONGEST_TURN = 24 * 60


class CampaignForm(forms.Form):
    """Name, manners, the ruleset's switches, and who plays each side."""

    name = forms.CharField(max_length=80, label="Name of the campaign")
    turn_hours = forms.IntegerField(
        required=False,
        min_value=1,
        max_value=LONGEST_TURN,
        label="Hours for orders",
        help_text="Real hours from a turn's publication to its deadline; empty for none.",
    )
    time_zone = forms.ChoiceField(choices=[(zone, zone) for zone in ZONES], label="Time zone of deadlines")
    late_policy = forms.ChoiceField(choices=Campaign.Late.choices, label="A sheet that does not come")
    auto_publish = forms.BooleanField(required=False, label="Publish each turn by itself, without the GM's review")

    def __init__(self, setup: Mapping[str, Any], ruleset: OperationalRuleset, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._setup = setup
        self._switches = ruleset.switches
        self.fields["name"].initial = setup.get("name", "")
        chosen = setup.get("rulings", {})
        for switch in ruleset.switches:
            self.fields[f"ruling-{switch.key}"] = forms.ChoiceField(
                choices=list(switch.choices.items()),
                label=switch.title,
                widget=forms.RadioSelect,
                initial=chosen.get(switch.key, switch.default),
            )
        doctrines = [(key, f"{key}: {text}") for key, text in ruleset.doctrines.items()]
        for side in setup["sides"]:
            self.fields[f"computer-{side['key']}"] = forms.BooleanField(
                required=False, initial=bool(side.get("computer")), label=f"{side['name']} is played by its captain"
            )
            self.fields[f"doctrine-{side['key']}"] = forms.ChoiceField(
                choices=doctrines,
                initial=side.get("doctrine") or doctrines[0][0],
                label=f"How the captain of {side['name']} plays",
            )

    def manner_fields(self) -> list[forms.BoundField]:
        """Return the fields of the campaign's name and manners."""
        return [self[name] for name in ("name", "turn_hours", "time_zone", "late_policy", "auto_publish")]

    def switch_fields(self) -> list[tuple[Switch, forms.BoundField]]:
        """Return the ruleset's switches, each with its field."""
        return [(switch, self[f"ruling-{switch.key}"]) for switch in self._switches]

    def side_fields(self) -> list[forms.BoundField]:
        """Return the fields of who plays the sides."""
        return [field for field in self if field.name.startswith(("computer-", "doctrine-"))]

    def setup(self) -> dict[str, Any]:
        """Return the setup document with what the form changed; only switches that differ are written down."""
        data = self.cleaned_data
        sides = [
            {**side, "computer": data[f"computer-{side['key']}"], "doctrine": data[f"doctrine-{side['key']}"]}
            for side in self._setup["sides"]
        ]
        rulings = {
            switch.key: data[f"ruling-{switch.key}"]
            for switch in self._switches
            if data[f"ruling-{switch.key}"] != switch.default
        }
        return {**self._setup, "sides": sides, "rulings": rulings}

    def manners(self) -> dict[str, Any]:
        """Return the campaign's own fields."""
        names = ("turn_hours", "time_zone", "late_policy", "auto_publish")
        return {name: self.cleaned_data[name] for name in names}
