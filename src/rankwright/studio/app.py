"""Start the studio: a server on this machine, one session for each tab."""

import asyncio
import os
import secrets
import socket
import sys
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread

from rankwright.studio.folders import Folder, remove_abandoned
from rankwright.studio.jobs import Jobs
from rankwright.studio.security import Guard, Rules, is_loopback

__all__ = ["Settings", "serve"]

PORT = 8520  # tried first
MEGABYTE = 1024 * 1024
FORM = 64 * 1024  # what a form adds to the file in it
RECONNECT = 8.0  # seconds in which a tab may come back before it ends: busy machines stall


@dataclass(frozen=True)
class Settings:
    """How the studio runs."""

    file: Path | None = None
    port: int | None = None
    host: str = "127.0.0.1"
    open_browser: bool = True
    most_jobs: int = 2
    largest_upload: int = 50  # megabytes


def serve(settings: Settings) -> None:
    """Serve the studio until it is interrupted.

    Parameters
    ----------
    settings : Settings
    """
    remove_abandoned()
    # NiceGUI would keep its storage in the folder that the studio is started from; a folder of its
    # own, which nobody else can have made before, and which goes with it.
    storage = Folder()
    try:
        os.environ.setdefault("NICEGUI_STORAGE_PATH", str(storage.path))
        with suppress(KeyboardInterrupt):  # the usual way to end it
            _run(settings)
    finally:
        storage.remove()


def _run(settings: Settings) -> None:
    try:
        from nicegui import app, ui
    except ImportError as error:
        raise ImportError("the studio needs NiceGUI: pip install 'rankwright[studio]'") from error
    from rankwright.studio.page import Studio

    token = None if is_loopback(settings.host) else secrets.token_urlsafe(24)
    port = settings.port or _free_port(settings.host)
    studio = Studio(Jobs(settings.most_jobs), settings.file, settings.largest_upload * MEGABYTE)
    app.config.socket_io_js_transports = ["websocket"]  # they carry an Origin; polling need not
    app.add_middleware(Guard, rules=Rules(token, settings.largest_upload * MEGABYTE + FORM))
    app.on_startup(lambda: _announce(settings, port, token))
    app.on_shutdown(studio.close)
    ui.run(
        studio.page,
        host=settings.host,
        port=port,
        title="rankwright studio",
        dark=None,
        language="en-US",
        reload=False,
        show=False,
        show_welcome_message=False,
        reconnect_timeout=RECONNECT,
        tailwind=False,
        gzip_middleware_factory=None,  # between two programs of one machine it only takes time
        favicon="📈",
    )


async def _announce(settings: Settings, port: int, token: str | None) -> None:
    """Print the address, and open it, once somebody answers there."""
    from nicegui.server import Server

    while not Server.instance.started:
        await asyncio.sleep(0.005)
    shown = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host  # noqa: S104
    address = f"http://{f'[{shown}]' if ':' in shown else shown}:{port}/"
    address += "" if token is None else f"?token={token}"
    print(f"The studio is at {address}", flush=True)
    if token is not None:
        print("Others need the token in this address; give it to nobody else.", flush=True)
    print("Ctrl-C ends it.", file=sys.stderr, flush=True)
    if settings.open_browser:
        import webbrowser

        Thread(target=webbrowser.open, args=(address,), daemon=True).start()


def _free_port(host: str) -> int:
    """Return the usual port, or another one if somebody has it."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    for port in (PORT, 0):
        with socket.socket(family) as tried:
            tried.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                tried.bind((host, port))
            except OSError:
                continue
            return int(tried.getsockname()[1])
    raise OSError(f"no port of {host} is free; choose another --host")
