"""Battles as they were fought here: first state, seed, every step, the log, and what came of it."""

from __future__ import annotations

from django.db import models

from campaign.models import BattleReport, Campaign, Engagement


class Battle(models.Model):
    """One battle of an engagement, by a tactical ruleset.

    ``start`` is the state it began from, ``steps`` each plot step with sheets, events and rolls, ``end`` the
    last state, ``log`` the lines a person reads; all packed (campaign.selectors.archive). With ``seed`` and
    the sheets the same bytes come out again. They hold every side's secrets and are the game master's.
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="battles")
    engagement = models.ForeignKey(Engagement, on_delete=models.CASCADE, related_name="battles")
    issue = models.PositiveIntegerField()
    ruleset_key = models.CharField(max_length=40)
    ruleset_edition = models.PositiveIntegerField()
    seed = models.CharField(max_length=80)
    doctrines = models.JSONField(default=dict)
    start = models.BinaryField()
    steps = models.BinaryField()
    end = models.BinaryField()
    end_digest = models.CharField(max_length=64)
    log = models.BinaryField()
    turns = models.PositiveIntegerField()
    ended_because = models.CharField(max_length=40)
    score = models.JSONField(default=dict)
    report = models.ForeignKey(BattleReport, null=True, on_delete=models.SET_NULL, related_name="+")
    fought_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"battle of {self.engagement}, {self.turns} turns"
