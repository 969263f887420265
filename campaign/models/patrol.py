"""Patrol scenarios: the canonical state, the secret links of its seats, and the acts that made it."""

from __future__ import annotations

from django.db import models


class PatrolScenario(models.Model):
    """A patrol scenario of D3, which needs no campaign and no account.

    ``state`` is compressed canonical JSON with its digest, written only by services.patrol; ``version``
    rises with every act. ``library`` holds the stat blocks it plays with, so that a later change of the
    site's library changes nothing here. ``seeds`` are secret (sides and "umpire" to hex) until the reveal,
    ``commitments`` their published SHA-256.
    """

    token = models.CharField(max_length=24, unique=True)
    stage = models.CharField(max_length=12)
    version = models.PositiveIntegerField(default=1)
    state = models.BinaryField()
    state_digest = models.CharField(max_length=64)
    opening = models.BinaryField()
    library = models.BinaryField()
    library_digest = models.CharField(max_length=64)
    seeds = models.JSONField()
    commitments = models.JSONField()
    created_at = models.DateTimeField()
    updated_at = models.DateTimeField()
    revealed_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["created_at"], name="patrols_by_age")]

    def __str__(self) -> str:
        return f"Patrol {self.token}"


class PatrolLink(models.Model):
    """A secret link to a seat. Only the secret's SHA-256 is kept.

    An invitation opens once: whoever takes it gets a new secret, which the one who sent it never saw.
    """

    class Role(models.TextChoices):
        """Whose seat it is."""

        ATTACKER = "attacker"
        DEFENDER = "defender"
        UMPIRE = "umpire"

    scenario = models.ForeignKey(PatrolScenario, on_delete=models.CASCADE, related_name="links")
    role = models.CharField(max_length=12, choices=Role)
    digest = models.CharField(max_length=64, unique=True)
    is_invitation = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    taken_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        constraints = [
            models.UniqueConstraint(
                fields=["scenario", "role", "is_invitation"], name="one_seat_and_one_invitation_a_role"
            )
        ]

    def __str__(self) -> str:
        return f"{self.role} of {self.scenario}"


class PatrolAct(models.Model):
    """One act of a scenario, append-only: played again from the opening they give the state."""

    scenario = models.ForeignKey(PatrolScenario, on_delete=models.CASCADE, related_name="acts")
    number = models.PositiveIntegerField()
    by = models.CharField(max_length=12)
    document = models.TextField()
    at = models.DateTimeField()

    class Meta:
        ordering = ["scenario", "number"]
        constraints = [models.UniqueConstraint(fields=["scenario", "number"], name="one_patrol_act_of_a_number")]

    def __str__(self) -> str:
        return f"{self.scenario} act {self.number}"
