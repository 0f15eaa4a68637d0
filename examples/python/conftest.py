"""The client under test, with the sandbox's base URL and login. The pytest plugin of Sachet has the fixture `sandbox`."""

import pytest
from pytest_sachet import Sandbox

from service_client import ServiceClient
from service_session import ServiceSession, Settings


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

    return ServiceClient(ServiceSession(Settings(sandbox.base_url, *sandbox.login), sleep))
