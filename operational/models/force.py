"""Forces on the map: a projection of the active branch's head."""

from __future__ import annotations

from django.db import models

from campaign.models import Campaign


class Force(models.Model):
    """What moves as one. Written only from a snapshot (campaign.services.projection).

    ``q, r, z`` in operational hexes of ``system``; ``velocity`` as text ("3A 1+").
    """

    campaign = models.ForeignKey(Campaign, on_delete=models.CASCADE, related_name="forces")
    token = models.CharField(max_length=24)
    side = models.CharField(max_length=24)
    name = models.CharField(max_length=80)
    system = models.CharField(max_length=24)
    place = models.CharField(max_length=12)
    q = models.IntegerField()
    r = models.IntegerField()
    z = models.IntegerField()
    velocity = models.CharField(max_length=60)
    dummy = models.BooleanField()
    engaged = models.CharField(max_length=24, blank=True)

    class Meta:
        ordering = ["id"]
        constraints = [models.UniqueConstraint(fields=["campaign", "token"], name="one_force_of_a_token")]

    def __str__(self) -> str:
        return self.name
