"""The tactical app."""

from django.apps import AppConfig


class TacticalConfig(AppConfig):
    """The tactical level: its models, services and pages."""

    name = "tactical"

    def ready(self) -> None:
        """Bind the kinds of jobs of this level to what does them."""
        from campaign.services.jobs import handler_register
        from campaign.services.patrol import FIGHT as PATROL_FIGHT
        from tactical.services.battles import FIGHT, battle_fight
        from tactical.services.patrols import patrol_fight

        handler_register(FIGHT, battle_fight)
        handler_register(PATROL_FIGHT, patrol_fight)
