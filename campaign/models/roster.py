"""The library of ship classes, and the roster: a projection of the active branch's head."""

from __future__ import annotations

from django.db import models

from campaign.models.campaign import Campaign


class ShipClass(models.Model):
    """A printed sheet of the library: one stat block for each ruleset key in ``stat_blocks``.

    A campaign copies the blocks it uses into its state at the start, so a later change of the
    library never changes a running game.
    """

    key = models.SlugField(max_length=60, unique=True)
    name = models.CharField(max_length=80)
    nation = models.CharField(max_length=80, blank=True)
    hull = models.CharField(max_length=60, blank=True)
    stat_blocks = models.JSONField()

    class Meta:
        ordering = ["key"]

    def __str__(self) -> str:
        return self.name


class Ship(models.Model):
    """One hull. Written only from a snapshot (services.projection)."""

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="ships")
    token = models.CharField(max_length=24)
    side = models.CharField(max_length=24)
    name = models.CharField(max_length=80)
    ship_class = models.CharField(max_length=60)
    force = models.CharField(max_length=24, blank=True)
    status = models.CharField(max_length=12)
    cost = models.IntegerField()
    grades = models.TextField()
    damage = models.TextField()
    stores = models.TextField()

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["campaign", "token"], name="one_ship_of_a_token")]

    def __str__(self) -> str:
        return self.name
