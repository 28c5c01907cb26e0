"""Wine: runs Windows programs on Linux, in a prefix of its own in the cache, made once and without a screen.

What runs under wine is timed under wine: its console, its files and its pipes are not those of Windows. Each
row says so.
"""

from __future__ import annotations

import os
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from threading import Lock

from headrace.base import places
from headrace.processes import launch

NOTE = "under wine, not Windows"
GET = "apt install wine wine64"
GET_32 = (
    "wine lacks its 32-bit part: dpkg --add-architecture i386 && apt update && apt install wine32:i386; or "
    "unpack libwine:i386 (apt-get download, dpkg-deb -x) and name its folder that holds i386-windows in "
    "HEADRACE_WINE32"
)
MAKING = 300.0  # seconds that the making of a prefix may take
STAYS = 600  # seconds that wine's server waits for a next program: a start without it takes seconds
MADE = ".made-by-headrace"

# Folders that distributions keep i386-windows in.
FOLDERS_32 = ("/usr/lib/i386-linux-gnu/wine", "/usr/lib32/wine", "/usr/lib/wine", "/opt/wine-stable/lib/wine")

_lock = Lock()


def program() -> str:
    """Return the path of wine, or "" where there is none."""
    return shutil.which("wine") or shutil.which("wine64") or ""


def environment() -> dict[str, str]:
    """Return the variables of every run: the prefix, no debugger's words, no offer to install a browser."""
    variables = {
        "WINEPREFIX": str(_prefix()),
        "WINEARCH": "win64",
        "WINEDEBUG": "-all",
        "WINEDLLOVERRIDES": "mscoree,mshtml=;winemenubuilder.exe=d",
        "DISPLAY": "",
    }
    folder = folder_32()
    return {**variables, "WINEDLLPATH": str(folder)} if folder else variables


def folder_32() -> Path | None:
    """Return the folder whose i386-windows holds wine's own 32-bit files, or None."""
    named = os.environ.get("HEADRACE_WINE32")
    folders = [named] if named else FOLDERS_32
    usable = (Path(name) for name in folders)
    return next((path for path in usable if (path / "i386-windows" / "ntdll.dll").is_file()), None)


def prepare(watch: Callable[[str], None] = lambda what: None) -> str:
    """Make the prefix if it is not there yet. Returns "" or why Windows programs cannot run."""
    wine = program()
    if not wine:
        return f"wine is not installed: {GET}"
    with _lock:
        if not (_prefix() / MADE).exists():
            watch("wine: making a prefix for it (once)")
            made = [wine, "wineboot", "-i"]
            done = launch.call(made, timeout=MAKING, environment=environment(), discard=True)
            if not _appears(_prefix() / "system.reg"):
                return f"wine cannot make its prefix in {_prefix()}: it ended with status {done.code}"
            (_prefix() / MADE).touch()
        _add_32_bit_part()
        _keep_server()
    return ""


def _appears(file: Path, seconds: float = 30.0) -> bool:
    """Wait for a file: wine's server writes the registry some seconds after wineboot has ended."""
    until = time.monotonic() + seconds
    while not file.exists() and time.monotonic() < until:
        time.sleep(0.2)
    return file.exists()


def _prefix() -> Path:
    return places.cache_folder("wine")


def _add_32_bit_part() -> None:
    """Link the 32-bit files where wine looks for them, unless wine has put them there itself."""
    folder, into = folder_32(), _prefix() / "drive_c" / "windows" / "syswow64"
    if folder is None or (into / "kernel32.dll").exists():
        return
    into.mkdir(parents=True, exist_ok=True)
    for file in (folder / "i386-windows").iterdir():
        link = into / file.name
        if link.is_symlink():  # to a folder that has gone
            link.unlink()
        if not link.exists():
            link.symlink_to(file.resolve())


def _keep_server() -> None:
    """Let wine's server and services outlive the programs between two runs."""
    server = shutil.which("wineserver") or next(
        (path for path in ("/usr/lib/wine/wineserver", "/usr/lib/wine/wineserver64") if os.path.exists(path)),
        "",
    )
    if server:
        launch.call([server, f"-p{STAYS}"], timeout=30, environment=environment(), discard=True)
    # The first program starts wine's services, which would keep its output open as long as they live.
    launch.call([program(), "wineboot"], timeout=MAKING, environment=environment(), discard=True)
