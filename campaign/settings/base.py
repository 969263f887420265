"""Settings shared by every environment."""

from __future__ import annotations

from pathlib import Path

import environ

ROOT = Path(__file__).resolve().parent.parent.parent
env = environ.Env()
VAR = Path(env("FLAGBRIDGE_VAR", default=str(ROOT / "var")))

INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "rest_framework",
    "rest_framework.authtoken",
    "drf_spectacular",
    "django_htmx",
    "campaign.apps.CampaignConfig",
    "operational.apps.OperationalConfig",
    "tactical.apps.TacticalConfig",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "campaign.views.plain_text.PlainTextMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "campaign.views.problems.ProblemsMiddleware",
    "campaign.views.security.ContentSecurityPolicyMiddleware",
]

ROOT_URLCONF = "campaign.urls"
ASGI_APPLICATION = "campaign.asgi.application"
WSGI_APPLICATION = "campaign.wsgi.application"
AUTH_USER_MODEL = "auth.User"
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "campaign-list"
LOGOUT_REDIRECT_URL = "login"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [ROOT / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
            ],
        },
    },
]

DATABASES = {"default": env.db("DATABASE_URL", default=f"sqlite:///{VAR / 'flagbridge.sqlite3'}")}
DATABASES["default"]["ATOMIC_REQUESTS"] = False
DATABASES["default"]["CONN_MAX_AGE"] = 0  # persistent connections run out under ASGI
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    # IMMEDIATE: a read-then-write in a deferred transaction fails at once whatever the timeout.
    DATABASES["default"]["OPTIONS"] = {
        "transaction_mode": "IMMEDIATE",
        "timeout": 20,
        "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=NORMAL;",
    }
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {"NAME": "django.contrib.auth.password_validation.MinimumLengthValidator", "OPTIONS": {"min_length": 10}},
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
]

LANGUAGE_CODE = "en"
TIME_ZONE = "UTC"
USE_TZ = True
USE_I18N = False

STATIC_URL = "static/"
STATIC_ROOT = VAR / "static"

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "rest_framework.authentication.TokenAuthentication",
        "rest_framework.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["rest_framework.parsers.JSONParser"],
    "DEFAULT_RENDERER_CLASSES": ["rest_framework.renderers.JSONRenderer"],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "campaign.api.problems.exception_handler",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Flag Bridge",
    "VERSION": "1",
    "OAS_VERSION": "3.1.0",
    "SERVE_INCLUDE_SCHEMA": False,
    "PATH_CONVERTER_OVERRIDES": {
        "number": {"type": "integer", "minimum": 0, "maximum": 999_999_999},
        "name": {"type": "string", "pattern": "^[A-Za-z0-9_.-]{1,80}$"},
        "username": {"type": "string", "pattern": r"^[A-Za-z0-9_.@+-]{1,150}$"},
        "digest": {"type": "string", "pattern": "^[0-9a-f]{64}$"},
        "digest-start": {"type": "string", "pattern": "^[0-9a-f]{16}$"},
    },
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "campaign.api.schema.bodies_are_required",
    ],
}

QUEUE = VAR / "queue"
CELERY_BROKER_URL = env("BROKER_URL", default="filesystem://localhost//")
if CELERY_BROKER_URL.startswith("filesystem:"):
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(QUEUE / "messages"),
        "data_folder_out": str(QUEUE / "messages"),
        "control_folder": str(QUEUE / "control"),
        "processed_folder": str(QUEUE / "processed"),
        "store_processed": True,  # on the same disk, so that taking a message is a rename
        "polling_interval": 0.2,
    }
CELERY_TASK_IGNORE_RESULT = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BEAT_SCHEDULE = {"tick": {"task": "campaign.tick", "schedule": 2.0, "options": {"expires": 10}}}
