"""Engagements handed to the tactical level, their bids and their reports."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from campaign.models.campaign import Branch, Campaign, Side


class Engagement(models.Model):
    """The hand-off record and its own life (engine.handoff). ``token`` is the id inside the state.

    ``document`` is the engagement as issued, ``settled`` the same with starting places; ``digest``
    is that of the issue, which a report must name.
    """

    class Status(models.TextChoices):
        """The life of an engagement."""

        OPENED = "opened"
        BIDDING = "bidding"
        SET = "set"
        FIGHTING = "fighting"
        REPORTED = "reported"
        SIGNED = "signed"
        VOID = "void"

    class Way(models.TextChoices):
        """How it is fought."""

        TABLE = "table", "at the table"
        AUTO = "auto", "by captains"
        WEB = "web", "in the browser"
        BOT = "bot", "through the API"

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="engagements")
    branch = models.ForeignKey(Branch, on_delete=models.CASCADE, related_name="engagements")
    token = models.CharField(max_length=24)
    issue = models.PositiveIntegerField(default=1)
    turn = models.PositiveIntegerField()
    status = models.CharField(max_length=12, choices=Status, default=Status.OPENED)
    way = models.CharField(max_length=8, choices=Way, default=Way.TABLE)
    document = models.BinaryField()
    digest = models.CharField(max_length=64)
    settled = models.BinaryField(null=True)
    score = models.JSONField(null=True)
    opened_at = models.DateTimeField()
    signed_at = models.DateTimeField(null=True)
    enters_turn = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["turn", "id"]
        constraints = [models.UniqueConstraint(fields=["branch", "token"], name="one_engagement_of_a_token")]

    def __str__(self) -> str:
        return f"{self.campaign} engagement of turn {self.turn}"


class Briefing(models.Model):
    """What one side may read of an engagement, stored at each step; players' pages read nothing else."""

    engagement = models.ForeignKey(Engagement, on_delete=models.CASCADE, related_name="briefings")
    side = models.ForeignKey(Side, on_delete=models.CASCADE, related_name="briefings")
    number = models.PositiveIntegerField()
    body = models.BinaryField()
    updated_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["engagement", "side"], name="one_briefing_a_side"),
        ]

    def __str__(self) -> str:
        return f"{self.side} on engagement {self.number}"


class Bid(models.Model):
    """One side's secret bid of one round; revealed when every side of the round has bid."""

    engagement = models.ForeignKey(Engagement, on_delete=models.CASCADE, related_name="bids")
    issue = models.PositiveIntegerField()
    round = models.PositiveIntegerField()
    side = models.ForeignKey(Side, on_delete=models.CASCADE, related_name="+")
    bid = models.JSONField()
    filed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    filed_at = models.DateTimeField()

    class Meta:
        ordering = ["round", "id"]
        constraints = [
            models.UniqueConstraint(fields=["engagement", "issue", "round", "side"], name="one_bid_a_round_and_side"),
        ]

    def __str__(self) -> str:
        return f"{self.side} round {self.round}"


class BattleReport(models.Model):
    """A result as filed: by the GM, or by a side. Two equal reports of both sides sign each other."""

    class Status(models.TextChoices):
        """What became of it."""

        FILED = "filed"
        SIGNED = "signed"
        REFUSED = "refused"

    engagement = models.ForeignKey(Engagement, on_delete=models.CASCADE, related_name="reports")
    issue = models.PositiveIntegerField()
    side = models.ForeignKey(Side, null=True, on_delete=models.CASCADE, related_name="+")
    document = models.JSONField()
    digest = models.CharField(max_length=64)
    status = models.CharField(max_length=12, choices=Status, default=Status.FILED)
    signatures = models.JSONField(default=list)
    filed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    filed_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(fields=["engagement", "issue", "side", "digest"], name="one_report_of_a_digest"),
        ]

    def __str__(self) -> str:
        return f"report on {self.engagement}"
