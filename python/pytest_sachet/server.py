"""The server of a test run: a running one that the environment names, or one that this process starts."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from .sandbox import SachetError, Server

DEFAULT_COMMAND = "npx --no -- sachet"


def server_from_environment() -> Server | None:
    """The server of SACHET_BASE_URL and SACHET_ADMIN_KEY; None without a URL. Raises SachetError if it is not usable."""
    url, key = os.environ.get("SACHET_BASE_URL"), os.environ.get("SACHET_ADMIN_KEY")
    if not url:
        return None
    if not key:
        raise SachetError(f"SACHET_BASE_URL is {url}, but SACHET_ADMIN_KEY is not set; set it to the admin key of that server")
    if not (key.isascii() and key.isprintable()):
        raise SachetError("SACHET_ADMIN_KEY has characters that no key has; keys are visible ASCII characters without spaces")
    server = Server(url.rstrip("/"), key)
    try:
        server.control("GET", "sandboxes", timeout=5)
    except SachetError as error:
        raise SachetError(f"cannot use the server in SACHET_BASE_URL with the key in SACHET_ADMIN_KEY: {error}") from error
    return server


@contextmanager
def started_server(command: str) -> Iterator[Server]:
    """Starts the command on a free port, and stops its server at the end."""
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise _not_started(command, f"a quote has no end ({error})") from None
    program = shutil.which(words[0])
    if program is None:
        raise _not_started(command, f'the program "{words[0]}" is not installed')
    arguments = [program, *words[1:], "--port", "0", "--json", "--log", "off"]
    with subprocess.Popen(arguments, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True) as process:
        line = process.stdout.readline() if process.stdout else ""
        try:
            ready = json.loads(line)
            server, pid = Server(ready["url"], ready["admin_key"]), int(ready["pid"])
        except (ValueError, KeyError, TypeError):
            process.terminate()
            raise _not_started(command, f"it printed {line!r} instead of its address; see its errors in stderr") from None
        try:
            yield server
        finally:
            # npx does not forward signals, so this ends the server itself. Ctrl-C may have ended it before.
            with suppress(OSError):
                os.kill(pid, signal.SIGTERM)


def _not_started(command: str, reason: str) -> SachetError:
    return SachetError(
        f"cannot start Sachet with `{command}`: {reason}. Install Sachet in this project with npm, or set sachet_command "
        "in pytest's configuration to the command that starts it, or SACHET_BASE_URL and SACHET_ADMIN_KEY to a running server"
    )
