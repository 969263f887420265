"""Turns: order sheets in, snapshots and side reports out."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q

from campaign.models.campaign import Branch, Campaign, Side


class Turn(models.Model):
    """One operational turn of a branch. Its status moves by compare-and-set only (services.turns).

    ``seeds`` are secret (side and "umpire" to hex), ``commitments`` their published SHA-256.
    ``envelope`` is the frozen input, compressed canonical JSON with its digest.
    """

    class Status(models.TextChoices):
        """The life of a turn."""

        OPEN = "open"
        LOCKED = "locked"
        RESOLVING = "resolving"
        STAGED = "staged"
        PUBLISHED = "published"
        FAILED = "failed"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="turns")
    branch = models.ForeignKey(Branch, on_delete=models.CASCADE, related_name="turns")
    number = models.PositiveIntegerField()
    status = models.CharField(max_length=12, choices=Status, default=Status.OPEN)
    deadline = models.DateTimeField(null=True)
    seeds = models.JSONField()
    commitments = models.JSONField()
    envelope = models.BinaryField(null=True)
    envelope_digest = models.CharField(max_length=64, blank=True)
    attempts = models.PositiveIntegerField(default=0)
    failure = models.TextField(blank=True)
    opened_at = models.DateTimeField()
    locked_at = models.DateTimeField(null=True)
    staged_at = models.DateTimeField(null=True)
    published_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["branch", "number"]
        constraints = [
            models.UniqueConstraint(fields=["campaign", "branch", "number"], name="one_turn_of_a_number"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign} turn {self.number}"


class OrderSheet(models.Model):
    """One side's orders for one turn. ``version`` rises with every write (lost updates are refused)."""

    class Status(models.TextChoices):
        """The life of a sheet."""

        DRAFT = "draft"
        SEALED = "sealed"
        FROZEN = "frozen"
        RESOLVED = "resolved"

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="sheets")
    side = models.ForeignKey(Side, on_delete=models.CASCADE, related_name="sheets")
    status = models.CharField(max_length=12, choices=Status, default=Status.DRAFT)
    document = models.JSONField(default=dict)
    problems = models.JSONField(default=list)
    nonce = models.CharField(max_length=128, blank=True)
    version = models.PositiveIntegerField(default=1)
    stood_in = models.CharField(max_length=12, blank=True)
    sealed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    sealed_at = models.DateTimeField(null=True)
    updated_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["turn", "side"], name="one_sheet_a_side_and_turn")]

    def __str__(self) -> str:
        return f"{self.side} for {self.turn}"


class Snapshot(models.Model):
    """The truth after a turn of a branch: state, rolls, engagements opened; compressed, with digests.

    ``turn`` 0 of a campaign's first branch is the start. ``answer_digest`` covers everything the
    turn answered, so that verify can say same or differs.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="snapshots")
    branch = models.ForeignKey(Branch, on_delete=models.CASCADE, related_name="snapshots")
    turn = models.PositiveIntegerField()
    state = models.BinaryField()
    state_digest = models.CharField(max_length=64)
    rolls = models.BinaryField()
    engagements = models.BinaryField()
    answer_digest = models.CharField(max_length=64)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "branch", "turn"], name="one_snapshot_a_turn"),
        ]

    def __str__(self) -> str:
        return f"{self.campaign} after turn {self.turn}"


class SideReport(models.Model):
    """What one side knows after a turn; a player's pages read nothing else.

    ``published_at`` is empty while the turn is only staged.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="reports")
    branch = models.ForeignKey(Branch, on_delete=models.CASCADE, related_name="reports")
    turn = models.PositiveIntegerField()
    side = models.ForeignKey(Side, on_delete=models.CASCADE, related_name="reports")
    body = models.BinaryField()
    digest = models.CharField(max_length=64)
    published_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["branch", "turn", "side"], name="one_report_a_side_and_turn"),
        ]

    def __str__(self) -> str:
        return f"{self.side} after turn {self.turn}"


class Event(models.Model):
    """What happened, for the GM: every event of a turn with its audience. Numbered within the turn."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="events")
    branch = models.ForeignKey(Branch, on_delete=models.CASCADE, related_name="events")
    turn = models.PositiveIntegerField()
    number = models.PositiveIntegerField()
    phase = models.CharField(max_length=40)
    kind = models.CharField(max_length=60)
    text = models.TextField()
    audience = models.TextField()
    rules = models.TextField()
    data = models.TextField()

    class Meta:
        ordering = ["turn", "number"]
        constraints = [
            models.UniqueConstraint(fields=["branch", "turn", "number"], name="one_event_of_a_number"),
        ]

    def __str__(self) -> str:
        return self.text


class Feed(models.Model):
    """What a side may read of the events, numbered for that side alone; the number is the stream's id.

    Rows appear when the turn is published.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="feeds")
    branch = models.ForeignKey(Branch, on_delete=models.CASCADE, related_name="feeds")
    side = models.ForeignKey(Side, on_delete=models.CASCADE, related_name="feed")
    number = models.PositiveIntegerField()
    turn = models.PositiveIntegerField()
    kind = models.CharField(max_length=60)
    text = models.TextField()
    rules = models.TextField()
    data = models.TextField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["side", "number"], name="one_feed_row_of_a_number")]

    def __str__(self) -> str:
        return self.text


class RosterChange(models.Model):
    """A GM's typed change: input of a turn, before it ("changes") or after its phases ("amendments").

    ``document`` is the ruleset's amendment; ``before`` and ``after`` are what it changed, as shown.
    """

    class Stage(models.TextChoices):
        """When the change works."""

        CHANGE = "change", "before the turn"
        AMENDMENT = "amendment", "after its phases"

    turn = models.ForeignKey(Turn, on_delete=models.CASCADE, related_name="changes")
    stage = models.CharField(max_length=12, choices=Stage)
    number = models.PositiveIntegerField()
    document = models.JSONField()
    reason = models.CharField(max_length=200)
    before = models.TextField(blank=True)
    after = models.TextField(blank=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    created_at = models.DateTimeField()

    class Meta:
        ordering = ["turn", "stage", "number"]
        constraints = [
            models.UniqueConstraint(fields=["turn", "stage", "number"], name="one_change_of_a_number"),
            models.CheckConstraint(condition=~Q(reason=""), name="a_change_has_a_reason"),
        ]

    def __str__(self) -> str:
        return f"{self.document.get('act')} in {self.turn}"
