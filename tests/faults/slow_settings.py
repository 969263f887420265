"""The embedded settings, with a turn that takes SLOW_TURN seconds: time enough to kill its worker."""

from campaign.settings.local import *  # noqa: F403
from campaign.settings.local import INSTALLED_APPS

INSTALLED_APPS = [*INSTALLED_APPS, "tests.faults.slow_app.SlowConfig"]
