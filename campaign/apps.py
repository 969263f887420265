"""The campaign app."""

from django.apps import AppConfig


class CampaignConfig(AppConfig):
    """Users, campaigns, turns, sheets, jobs."""

    name = "campaign"

    def ready(self) -> None:
        """Load the Celery application, so that tasks are bound to it."""
        from campaign import celery  # noqa: F401
