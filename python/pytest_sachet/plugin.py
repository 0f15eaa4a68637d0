"""The pytest plugin: a server for the run, a sandbox for each test, and its calls in the report of a failed test."""

from __future__ import annotations

import os
import re
import secrets
from collections.abc import Generator, Iterator
from typing import Any

import pytest

from .report import StageJournal, describe_calls, describe_strays
from .sandbox import SachetError, Sandbox, Server
from .server import DEFAULT_COMMAND, server_from_environment, started_server

# If a run is killed, its sandboxes on a running server expire after this time without use.
TTL_SECONDS = 3600

_sandbox_key = pytest.StashKey[Sandbox]()
_stage_key = pytest.StashKey[StageJournal]()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addini("sachet_command", f"command that starts Sachet; default: {DEFAULT_COMMAND}", default="")


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", "sandbox(**options): options of the test's sandbox, such as scenario='maintenance'")


@pytest.fixture(scope="session")
def sachet(pytestconfig: pytest.Config) -> Iterator[Server]:
    """The server of SACHET_BASE_URL and SACHET_ADMIN_KEY. Without them, one that the run (or xdist worker) starts."""
    command = os.environ.get("SACHET_COMMAND") or pytestconfig.getini("sachet_command") or DEFAULT_COMMAND
    try:
        running = server_from_environment()
        if running:
            yield running
            return
        with started_server(command) as started:
            yield started
    except SachetError as error:
        raise _failure(str(error)) from None


@pytest.fixture
def sandbox_options() -> dict[str, Any]:
    """Options of all sandboxes. Override this fixture; the marker `sandbox` sets those of one test, class or module."""
    return {}


@pytest.fixture
def sandbox(request: pytest.FixtureRequest, sachet: Server, sandbox_options: dict[str, Any]) -> Iterator[Sandbox]:
    """The test's own sandbox: `base_url` and `login` for the client, and its control. Deleted after the test."""
    options = {"name": _unique_name(request.node.name), "ttl_seconds": TTL_SECONDS, **sandbox_options}
    for marker in reversed(list(request.node.iter_markers("sandbox"))):
        if marker.args:
            raise _failure("the marker sandbox takes keyword arguments only, such as scenario='maintenance'")
        options.update(marker.kwargs)
    stage = request.session.stash.setdefault(_stage_key, StageJournal(sachet))
    try:
        stage.read_new()
        created = sachet.create_sandbox(**options)
    except SachetError as error:
        raise _failure(f"cannot create the test's sandbox: {error}") from None
    request.node.stash[_sandbox_key] = created
    yield created
    try:
        created.delete()
    except SachetError as error:
        # The test may have deleted it.
        if error.status != 404:
            raise


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, Any, None]:
    """Adds the section `sachet` to the report of a failed test."""
    outcome = yield
    report = outcome.get_result()
    sandbox = item.stash.get(_sandbox_key, None)
    # In the teardown, the sandbox is already deleted.
    if sandbox and report.failed and report.when != "teardown":
        text = _describe(sandbox, item.session.stash[_stage_key])
        # A section of the failure itself is also in JUnit XML; one of the report is on the terminal only.
        if hasattr(report.longrepr, "addsection"):
            report.longrepr.addsection("sachet", text)
        else:
            report.sections.append(("sachet", text))


def _failure(message: str) -> pytest.fail.Exception:
    """Raised `from None`, because `pytest.fail` would also show the exception that is handled."""
    return pytest.fail.Exception(message, pytrace=False)


def _describe(sandbox: Sandbox, stage: StageJournal) -> str:
    """A problem of the server must not hide the failure of the test."""
    try:
        journal = sandbox.control("GET", "requests")
        calls = describe_calls(sandbox, journal["requests"], journal["dropped"])
        return "\n".join([calls, *describe_strays(sandbox, stage.read_new())])
    except SachetError as error:
        return f"The calls of the sandbox {sandbox.name} are missing: {error}"


def _unique_name(test_name: str) -> str:
    """A valid name of a sandbox: `test-places-an-order-3f9c02d1`."""
    words = re.sub("[^a-z0-9]+", "-", test_name.lower())[:48].strip("-")
    return f"{words}-{secrets.token_hex(4)}".lstrip("-")
