"""pytest fixtures: one Sachet for all tests, and a separate sandbox for each test."""

import json
import os
import shlex
import signal
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from http_exchange import exchange
from service_client import ServiceClient
from service_session import ServiceSession, Settings


@dataclass(frozen=True)
class Server:
    url: str
    admin_key: str = field(repr=False)

    def control(self, method: str, path: str, body: Any = None) -> Any:
        response = exchange(method, f"{self.url}/_admin/{path}", body, self.admin_key)
        assert response.status < 400, response.content.decode()
        return response.json() if response.content else None


@dataclass(frozen=True)
class Sandbox:
    name: str
    server: Server = field(repr=False)
    settings: Settings = field(repr=False)

    def control(self, method: str, path: str, body: Any = None) -> Any:
        return self.server.control(method, f"sandboxes/{self.name}/{path}", body)

    def advance(self, seconds: float) -> None:
        self.control("POST", "clock/advance", {"seconds": seconds})

    def received(self, **match: Any) -> int:
        """Returns how many matching requests the sandbox received."""
        return int(self.control("POST", "requests/verify", {"match": match})["count"])


@pytest.fixture(scope="session")
def sachet() -> Iterator[Server]:
    """The server at SACHET_BASE_URL with SACHET_ADMIN_KEY. Without them, starts one with SACHET_COMMAND."""
    if "SACHET_BASE_URL" in os.environ:
        yield Server(os.environ["SACHET_BASE_URL"].rstrip("/"), os.environ["SACHET_ADMIN_KEY"])
        return
    command = shlex.split(os.environ.get("SACHET_COMMAND", "npx --no -- sachet")) + ["--json", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line, f"{shlex.join(command)} did not start"
        ready = json.loads(line)
        try:
            yield Server(ready["url"], ready["admin_key"])
        finally:
            os.kill(ready["pid"], signal.SIGTERM)


@pytest.fixture
def sandbox(sachet: Server) -> Iterator[Sandbox]:
    created = sachet.control("POST", "sandboxes", {})
    login = created["logins"][0]
    yield Sandbox(created["name"], sachet, Settings(created["base_url"], login["username"], login["password"]))
    sachet.control("DELETE", f"sandboxes/{created['name']}")


@pytest.fixture
def slept() -> list[float]:
    """Seconds of each wait, in order."""
    return []


@pytest.fixture
def client(sandbox: Sandbox, slept: list[float]) -> ServiceClient:
    """A client that does not wait in real time: it advances the sandbox's clock instead."""

    def sleep(seconds: float) -> None:
        slept.append(seconds)
        sandbox.advance(seconds)

    return ServiceClient(ServiceSession(sandbox.settings, sleep))
