"""Work in the background, and the record of who did what."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from campaign.models.campaign import Campaign


class Job(models.Model):
    """A piece of work. The broker is a bell; this row is the truth.

    ``runs`` is the fencing token: whoever claims the job raises it, and writes only while it still
    holds. ``lease`` is when a silent worker counts as dead.
    """

    class State(models.TextChoices):
        """The life of a job."""

        QUEUED = "queued"
        RUNNING = "running"
        DONE = "done"
        FAILED = "failed"
        CANCELLED = "cancelled"

    campaign = models.ForeignKey(Campaign, null=True, on_delete=models.CASCADE, related_name="jobs")
    token = models.CharField(max_length=24, unique=True)
    kind = models.CharField(max_length=40)
    subject = models.CharField(max_length=80)
    state = models.CharField(max_length=12, choices=State, default=State.QUEUED)
    arguments = models.JSONField(default=dict)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    what = models.CharField(max_length=120, blank=True)
    runs = models.PositiveIntegerField(default=0)
    lease = models.DateTimeField(null=True)
    sent_at = models.DateTimeField(null=True)
    failure = models.TextField(blank=True)
    created_at = models.DateTimeField()
    finished_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["id"]
        indexes = [models.Index(fields=["state", "lease"], name="jobs_to_send")]

    def __str__(self) -> str:
        return f"{self.kind} {self.subject}"


class Beat(models.Model):
    """The heartbeat of the beat process: one row a name."""

    name = models.CharField(max_length=40, primary_key=True)
    at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name


class IdempotencyKey(models.Model):
    """A POST that came with a key: its first answer, to be given again."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    key = models.CharField(max_length=120)
    request_digest = models.CharField(max_length=64)
    status = models.PositiveIntegerField(default=0)
    body = models.TextField(blank=True)
    created_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "key"], name="one_answer_a_key")]

    def __str__(self) -> str:
        return self.key


class Audit(models.Model):
    """Append-only: who did what, in which role, why, and the digests before and after."""

    campaign = models.ForeignKey(Campaign, null=True, on_delete=models.CASCADE, related_name="audit")
    at = models.DateTimeField()
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    role = models.CharField(max_length=12)
    act = models.CharField(max_length=60)
    subject = models.CharField(max_length=120, blank=True)
    reason = models.CharField(max_length=200, blank=True)
    before = models.CharField(max_length=64, blank=True)
    after = models.CharField(max_length=64, blank=True)

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.act} {self.subject}"
