"""Settings, read from the environment (the names are listed in the README)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from csp.constants import NONE, SELF
from django.utils.translation import gettext_lazy as _

from supervisor_site.database import database
from supervisor_site.env import (
    bad,
    env_bool,
    env_choice,
    env_email,
    env_fernet_keys,
    env_hosts,
    env_int,
    env_key,
    env_list,
    env_text,
    env_url,
)
from supervisor_site.secrets_file import development_secrets

BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = BASE_DIR / "var"

DEBUG = env_bool("DEBUG", default=True)

SECRET_KEY = env_text("SECRET_KEY")
FIELD_ENCRYPTION_KEYS = env_fernet_keys("FIELD_ENCRYPTION_KEYS")
DEMO_PASSWORD = env_text("DEMO_PASSWORD")
if DEBUG:
    _secrets = development_secrets(VAR_DIR / "secrets.json")
    SECRET_KEY = SECRET_KEY or _secrets["secret_key"]
    FIELD_ENCRYPTION_KEYS = FIELD_ENCRYPTION_KEYS or [_secrets["encryption_key"]]
    DEMO_PASSWORD = DEMO_PASSWORD or _secrets["demo_password"]
elif not SECRET_KEY:
    raise bad("SECRET_KEY", "is missing: set it, or DEBUG=true to develop.")
elif len(SECRET_KEY) < 32:
    raise bad("SECRET_KEY", "is too short: take 50 random characters.")
elif not FIELD_ENCRYPTION_KEYS:
    raise bad(
        "FIELD_ENCRYPTION_KEYS",
        "is missing: set it to one or more Fernet keys, newest first.",
    )

ALLOWED_HOSTS = env_hosts(
    "ALLOWED_HOSTS", ["127.0.0.1", "localhost", "[::1]"], ports=False
)
BASE_URL = env_url("BASE_URL", "http://127.0.0.1:8000", ["http", "https"])
CSRF_TRUSTED_ORIGINS = [BASE_URL] if BASE_URL.startswith("https://") else []
# How many server processes share the work. Servers read WEB_CONCURRENCY
# themselves; SERVER_PROCESSES says it where several are started by other means.
SERVER_PROCESSES = env_int("SERVER_PROCESSES", env_int("WEB_CONCURRENCY", 1))

INSTALLED_APPS = [
    "supervisor_site.apps.SupervisorAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django_htmx",
    "channels",
    "csp",
    "axes",
    "ninja",
    "supervisor_site.apps.SupervisorSiteConfig",
    "teams.apps.TeamsConfig",
    "teams.demo.apps.DemoConfig",
    "conversations.apps.ConversationsConfig",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "supervisor_site.static_files.StaticFilesMiddleware",
    "csp.middleware.CSPMiddleware",
    "supervisor_site.api_errors.ProblemMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "axes.middleware.AxesMiddleware",
]

AUTHENTICATION_BACKENDS = [
    "axes.backends.AxesStandaloneBackend",
    "django.contrib.auth.backends.ModelBackend",
]
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
LOGIN_URL = "login"
LOGIN_REDIRECT_URL = "/"
LOGOUT_REDIRECT_URL = "login"

# Log-in is throttled by user name and address together, so that nobody can
# lock a colleague out from elsewhere.
AXES_FAILURE_LIMIT = 10
AXES_COOLOFF_TIME = 0.25  # hours
AXES_LOCKOUT_PARAMETERS = [["username", "ip_address"]]
AXES_RESET_ON_SUCCESS = True
AXES_LOCKOUT_TEMPLATE = "registration/locked.html"

ROOT_URLCONF = "supervisor_site.urls"
ASGI_APPLICATION = "supervisor_site.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
            ],
        },
    }
]

# --- Database ---------------------------------------------------------------

DATABASE_URL = env_text("DATABASE_URL", f"sqlite:///{VAR_DIR / 'db.sqlite3'}")

DATABASES = {"default": database(DATABASE_URL)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# --- Runs -------------------------------------------------------------------

RUN_DISPATCHER = env_choice("RUN_DISPATCHER", "thread", ["thread", "celery"])
RUN_THREADS = env_int("RUN_THREADS", 64, at_most=1000)
RUN_LEASE_SECONDS = env_int("RUN_LEASE_SECONDS", 15, at_least=3)
RUN_HEARTBEAT_SECONDS = RUN_LEASE_SECONDS / 3
RUN_SWEEP_SECONDS = env_int("RUN_SWEEP_SECONDS", 5)
# How long a worker that is to stop lets its runs go on before it hands them back.
RUN_GRACE_SECONDS = env_int("RUN_GRACE_SECONDS", 10, at_least=0)
# Conversations untouched for so many days are deleted; 0 keeps them.
RETENTION_DAYS = env_int("RETENTION_DAYS", 0, at_least=0)
RUN_MAX_ROUNDS = env_int("RUN_MAX_ROUNDS", 25)
RUN_MAX_DELEGATIONS = env_int("RUN_MAX_DELEGATIONS", 20)
RUN_MAX_HANDOFFS = env_int("RUN_MAX_HANDOFFS", 30)
RUN_MAX_FAILED_TOOLS = env_int("RUN_MAX_FAILED_TOOLS", 10)
HUMAN_REQUEST_HOURS = env_int("HUMAN_REQUEST_HOURS", 72)
PROMPT_MAX_CHARACTERS = 100_000
TOOL_RESULT_MAX_CHARACTERS = 16_000

# --- Live push --------------------------------------------------------------

REDIS_URL = env_url("REDIS_URL", "", ["redis", "rediss", "unix"])
CELERY_BROKER_URL = env_url(
    "CELERY_BROKER_URL",
    REDIS_URL,
    ["redis", "rediss", "amqp", "amqps", "sqs", "memory", "unix"],
)
CELERY_TASK_IGNORE_RESULT = True
# A run mostly waits for its model: threads, and as many as runs at once.
CELERY_WORKER_POOL = "threads"
CELERY_WORKER_CONCURRENCY = RUN_THREADS
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
# A person's click waits for this: a broker that is away is noticed soon, and the run
# is taken up later. A message not acknowledged for an hour is delivered again, which
# the lease makes harmless.
CELERY_BROKER_CONNECTION_TIMEOUT = 2
CELERY_TASK_PUBLISH_RETRY = False
if CELERY_BROKER_URL.startswith(("redis", "unix")):
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "visibility_timeout": 3600,
        "socket_connect_timeout": 2,
        "socket_timeout": 10,
    }
# What beat queues while no worker listens is not worth doing twice.
CELERY_BEAT_SCHEDULE: dict[str, dict[str, Any]] = {
    "take-up-runs": {
        "task": "conversations.tasks.take_up_runs",
        "schedule": RUN_SWEEP_SECONDS,
        "options": {"expires": RUN_SWEEP_SECONDS},
    },
    "remove-old-conversations": {
        "task": "conversations.tasks.remove_old_conversations",
        "schedule": 3600,
        "options": {"expires": 3600},
    },
}
CHANNEL_LAYERS: dict[str, Any] = {
    "default": {
        "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
        "CONFIG": {"hosts": [{"address": REDIS_URL, "max_connections": 1000}]},
    }
    if REDIS_URL
    else {
        "BACKEND": "channels.layers.InMemoryChannelLayer",
        "CONFIG": {"capacity": 5000},
    }
}

# --- Models and tools ---------------------------------------------------------

OPENAI_API_KEY = env_key("OPENAI_API_KEY")
OPENAI_BASE_URL = env_url("OPENAI_BASE_URL", "", ["http", "https"])
OPENAI_MODEL = env_text("OPENAI_MODEL", "gpt-4o-mini")
# Hosts that tools and profiles may reach beside the one of OPENAI_BASE_URL;
# "*.example.com" names the subdomains, "host:port" one port. A private address
# is reachable only if it is listed itself.
TOOL_ALLOWED_HOSTS = env_hosts("TOOL_ALLOWED_HOSTS", ports=True)
# Whom tools may write to beside the person a run works for: addresses, or
# "@example.com" for everyone at a domain.
EMAIL_ALLOWED_RECIPIENTS = env_list("EMAIL_ALLOWED_RECIPIENTS")

vars().update(env_email("EMAIL_URL", "console:"))
DEFAULT_FROM_EMAIL = env_text("DEFAULT_FROM_EMAIL", "supervisor@localhost")

# --- Pages ------------------------------------------------------------------

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English"))]
LOCALE_PATHS = [BASE_DIR / "locale"]
USE_I18N = True
USE_TZ = True
TIME_ZONE = "UTC"

STATIC_URL = "/static/"
STATIC_ROOT = BASE_DIR / "staticfiles"
STATICFILES_DIRS = [BASE_DIR / "static"]
WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = DEBUG
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "whitenoise.storage.CompressedManifestStaticFilesStorage"
    },
}

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "connect-src": [SELF],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = BASE_URL.startswith("https://")
CSRF_COOKIE_SECURE = BASE_URL.startswith("https://")
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_500_000

# --- Metrics ----------------------------------------------------------------

# Who asks for /metrics from elsewhere must send it as a bearer token.
METRICS_TOKEN = env_key("METRICS_TOKEN")

# --- Logs -------------------------------------------------------------------

LOG_FORMAT = env_choice("LOG_FORMAT", "text", ["text", "json"])
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {"()": "supervisor_site.logs.text_formatter"},
        "json": {"()": "supervisor_site.logs.json_formatter"},
    },
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "supervisor": {"level": "INFO"},
        "axes": {"level": "ERROR"},
        "celery": {"level": "INFO"},
        # Two lines a task, and beat's tasks come every few seconds.
        "celery.app.trace": {"level": "WARNING"},
        "celery.worker.strategy": {"level": "WARNING"},
        "celery.beat": {"level": "WARNING"},
        # Handlers of their own would write each line twice, or in another form.
        "django": {"handlers": [], "level": "WARNING", "propagate": True},
        "django.server": {"handlers": [], "level": "INFO", "propagate": True},
        "uvicorn": {"handlers": [], "level": "INFO", "propagate": True},
        "uvicorn.access": {"handlers": [], "level": "INFO", "propagate": True},
    },
}
