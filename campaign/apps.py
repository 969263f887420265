"""The campaign app."""

from django.apps import AppConfig


class CampaignConfig(AppConfig):
    """Users, campaigns, turns, sheets, jobs."""

    name = "campaign"

    def ready(self) -> None:
        """Load the Celery application, and bind the kinds of jobs to what does them."""
        from campaign import celery, tasks  # noqa: F401
        from campaign.services.jobs import handler_register
        from campaign.services.resolution import turn_given_up, turn_resolve
        from campaign.services.turns import RESOLVE

        handler_register(RESOLVE, turn_resolve, turn_given_up)
