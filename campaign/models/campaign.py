"""Campaigns, their lines of history, their sides, and the people who sit at them."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q


class Campaign(models.Model):
    """One game: its rulesets (key and edition), calendar, house rules and manners.

    ``token`` is the outward id. ``epoch`` is the PD instant of turn 0. ``rulings`` are the switches
    of the operational ruleset. ``calendar_seed`` is secret until the reveal.
    """

    class Status(models.TextChoices):
        """Where a campaign stands."""

        RUNNING = "running"
        HELD = "held"
        FINISHED = "finished"

    class Late(models.TextChoices):
        """What stands in for a sheet that did not come."""

        STANDING = "standing", "last standing orders, else coast"
        COAST = "coast", "coast"
        CAPTAIN = "captain", "the automatic captain stands in"

    token = models.CharField(max_length=24, unique=True)
    name = models.CharField(max_length=80)
    ruleset_key = models.CharField(max_length=40)
    ruleset_edition = models.PositiveIntegerField()
    ruleset_schema = models.PositiveIntegerField()
    tactical_key = models.CharField(max_length=40)
    epoch = models.CharField(max_length=16)
    rulings = models.JSONField(default=dict)
    status = models.CharField(max_length=12, choices=Status, default=Status.RUNNING)
    held_because = models.TextField(blank=True)
    auto_publish = models.BooleanField(default=False)
    late_policy = models.CharField(max_length=12, choices=Late, default=Late.STANDING)
    turn_hours = models.PositiveIntegerField(null=True, blank=True)
    time_zone = models.CharField(max_length=64, default="UTC")
    calendar_seed = models.CharField(max_length=64)
    calendar_commitment = models.CharField(max_length=64)
    revealed_at = models.DateTimeField(null=True, blank=True)
    active_branch = models.ForeignKey("Branch", null=True, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["name", "id"]

    def __str__(self) -> str:
        return self.name


class Branch(models.Model):
    """A line of history; a rollback starts a new one from a published turn."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="branches")
    number = models.PositiveIntegerField()
    parent = models.ForeignKey("self", null=True, on_delete=models.PROTECT, related_name="children")
    forked_after = models.PositiveIntegerField(null=True)
    reason = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["campaign", "number"], name="one_branch_of_a_number")]

    def __str__(self) -> str:
        return f"{self.campaign} line {self.number}"


class Side(models.Model):
    """A faction. ``number`` gives its shape and colour; a computer side is played by the captain."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="sides")
    key = models.SlugField(max_length=24)
    name = models.CharField(max_length=60)
    number = models.PositiveSmallIntegerField()
    is_computer = models.BooleanField(default=False)
    doctrine = models.CharField(max_length=24, default="picket")

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["campaign", "key"], name="one_side_of_a_key")]

    def __str__(self) -> str:
        return self.name


class Seat(models.Model):
    """A person's place at a campaign; ``ended_at`` closes it at once."""

    class Role(models.TextChoices):
        """What the person may do."""

        GM = "gm", "game master"
        COMMANDER = "commander"
        OBSERVER = "observer"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="seats")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="seats")
    side = models.ForeignKey(Side, null=True, blank=True, on_delete=models.CASCADE, related_name="seats")
    role = models.CharField(max_length=12, choices=Role)
    created_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["campaign", "user"], condition=Q(ended_at__isnull=True), name="one_open_seat_a_person"
            ),
            models.CheckConstraint(condition=Q(role="gm") | Q(side__isnull=False), name="a_player_sits_on_a_side"),
        ]

    def __str__(self) -> str:
        return f"{self.user} as {self.role} of {self.campaign}"


class Invitation(models.Model):
    """A link that seats whoever opens it first. Only the token's SHA-256 is kept."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="invitations")
    token_digest = models.CharField(max_length=64, unique=True)
    side = models.ForeignKey(Side, null=True, blank=True, on_delete=models.CASCADE, related_name="+")
    role = models.CharField(max_length=12, choices=Seat.Role)
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    created_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    used_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    used_at = models.DateTimeField(null=True)
    withdrawn_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"{self.role} of {self.campaign}"
