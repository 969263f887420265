"""The embedded default: one machine, an SQLite file and a file-system broker below var/."""

from campaign.settings.base import *  # noqa: F403
from campaign.settings.base import VAR, env

VAR.mkdir(parents=True, exist_ok=True)


def _secret_key() -> str:
    """Return this installation's own key, made once and kept below var/."""
    from django.core.management.utils import get_random_secret_key

    path = VAR / "secret-key"
    if not path.exists():
        path.touch(mode=0o600)
        path.write_text(get_random_secret_key())
    return path.read_text()


SECRET_KEY = env("SECRET_KEY", default="") or _secret_key()
DEBUG = env.bool("DEBUG", default=False)
ALLOWED_HOSTS = env.list("ALLOWED_HOSTS", default=["localhost", "127.0.0.1", "[::1]"])
