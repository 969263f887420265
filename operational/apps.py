"""The operational app."""

from django.apps import AppConfig


class OperationalConfig(AppConfig):
    """The operational level: its models, services and pages."""

    name = "operational"
