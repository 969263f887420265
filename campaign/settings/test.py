"""Settings for the tests: fast hashing, jobs run on the spot."""

import tempfile

from campaign.settings.base import *  # noqa: F403

SECRET_KEY = "only-for-tests"
DEBUG = False
ALLOWED_HOSTS = ["*"]
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
CELERY_TASK_ALWAYS_EAGER = True
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
_scratch = tempfile.mkdtemp(prefix="flagbridge-")
CELERY_BROKER_URL = "memory://localhost//"
CELERY_BROKER_TRANSPORT_OPTIONS = {}
WHITENOISE_AUTOREFRESH = True
