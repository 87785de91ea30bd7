"""The demo in one command: database, demo rows, model, log-ins, server."""

from __future__ import annotations

import os
import socket
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.utils.module_loading import import_string

HOST = "127.0.0.1"
# What is still open when Ctrl-C comes has this long to end; handing back the runs at
# work comes after it, and all together must stay within five seconds.
SHUTDOWN_SECONDS = 2
USERS = (
    ("admin", "may do everything"),
    ("agent", "staff, may answer everything"),
    ("alice", "a plain user"),
)


class Command(BaseCommand):
    help = "Migrate, load the demo, and serve it at http://127.0.0.1:8000/."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument(
            "--no-serve", action="store_true", help="Prepare all, then end."
        )

    def handle(self, *, port: int, no_serve: bool, **options: Any) -> None:
        if not settings.DEMO_PASSWORD:
            raise CommandError("DEMO_PASSWORD is missing: the demo's users need one.")
        listener = None if no_serve else listen(port)
        call_command("migrate", verbosity=0, interactive=False)
        call_command("seed_demo", verbosity=0)
        self.stdout.write(f"\n{model_in_words()}\n{log_ins()}\n")
        if listener is None:
            return
        address = f"http://{HOST}:{listener.getsockname()[1]}"
        # Links in e-mails name this server, unless the environment names another.
        if "BASE_URL" not in os.environ:
            settings.BASE_URL = address
        self.stdout.write(
            self.style.SUCCESS(f"Serving {address}/   (Ctrl-C ends it)\n")
        )
        serve(listener)


def listen(port: int) -> socket.socket:
    """The socket to serve on, taken before anything else is done."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen(128)
    except (OSError, OverflowError) as error:
        listener.close()
        raise CommandError(
            f"Port {port} cannot be used ({error}). "
            f"Take another one: make demo PORT={port + 1}, or manage.py demo --port."
        ) from None
    return listener


def serve(listener: socket.socket) -> None:
    import uvicorn

    # Loaded before the log levels are set: loading sets Django's own.
    application = import_string(settings.ASGI_APPLICATION)
    config = uvicorn.Config(
        application,
        lifespan="on",
        log_config=None,
        log_level="warning",
        timeout_graceful_shutdown=SHUTDOWN_SECONDS,
    )
    try:
        uvicorn.Server(config).run(sockets=[listener])
    except KeyboardInterrupt:
        # The server has ended as it should and passes the signal on.
        return


def model_in_words() -> str:
    if not settings.OPENAI_BASE_URL and not settings.OPENAI_API_KEY:
        return (
            "Model:   rehearsal (offline and rule-based; set OPENAI_BASE_URL or\n"
            "         OPENAI_API_KEY to use a real one)"
        )
    server = settings.OPENAI_BASE_URL or "the OpenAI API"
    key = "with a key" if settings.OPENAI_API_KEY else "without a key"
    return f"Model:   {settings.OPENAI_MODEL} at {server}, {key}"


def log_ins() -> str:
    lines = [f"         {name:<7} {what}" for name, what in USERS]
    lines[0] = f"Log in:  {lines[0].strip()}"
    return "\n".join([*lines, f"         password for each: {settings.DEMO_PASSWORD}"])
