"""The tactical app."""

from django.apps import AppConfig


class TacticalConfig(AppConfig):
    """The tactical level: its models, services and pages."""

    name = "tactical"
