"""The Celery application; loaded from apps.py, never from an __init__.py."""

from celery import Celery

app = Celery("campaign")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["campaign"])
