"""The installed pytest plugin, with a started server: its fixtures, its report of a failed test, and its errors."""

import importlib.metadata
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from pytest_sachet import SachetError, Sandbox, Server

ROOT = Path(__file__).parents[2]
COMMAND = os.environ["SACHET_COMMAND"]
Run = Callable[..., pytest.RunResult]

# A client for the inner tests: each function sends one call and returns the status.
CLIENT = """
from urllib.parse import urljoin
import pytest, requests

def log_in(base_url, login):
    return requests.post(base_url + "/v2/authentication/token", json=login._asdict()).json()["access_token"]

def order(sandbox, body):
    headers = {"Authorization": f"Bearer {log_in(sandbox.base_url, sandbox.login)}"}
    return requests.post(sandbox.base_url + "/v2/orders", json=body, headers=headers).status_code
"""


@pytest.fixture
def run(pytester: pytest.Pytester, sachet: Server, monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs a test file with the server of the outer run."""
    monkeypatch.setenv("SACHET_BASE_URL", sachet.url)
    monkeypatch.setenv("SACHET_ADMIN_KEY", sachet.admin_key)

    def run(code: str, *arguments: str) -> pytest.RunResult:
        pytester.makepyfile(CLIENT + code)
        return pytester.runpytest(*arguments)

    return run


def test_has_the_version_of_the_npm_package_and_one_dependency() -> None:
    assert importlib.metadata.version("pytest-sachet") == json.loads((ROOT / "package.json").read_text())["version"]
    [dependency] = importlib.metadata.requires("pytest-sachet") or []
    assert dependency.startswith("requests")


def test_gives_each_test_its_own_sandbox_and_deletes_it(run: Run, sachet: Server, pytester: pytest.Pytester) -> None:
    result = run("""
names = []

@pytest.mark.parametrize("way", ["a b", "Ä/../"])
def test_calls(sandbox, way):
    assert sandbox.received() == 0
    log_in(sandbox.base_url, sandbox.login)
    assert sandbox.received() == 1 and sandbox.name not in names
    names.append(sandbox.name)

def test_deletes_its_own(sandbox):
    sandbox.delete()
    open("names", "w").write(" ".join([*names, sandbox.name]))
""")
    result.assert_outcomes(passed=3)
    names = (pytester.path / "names").read_text().split()
    assert [name[:-9] for name in names] == ["test-calls-a-b", "test-calls-xc4", "test-deletes-its-own"]
    assert not {one["name"] for one in sachet.control("GET", "sandboxes")["sandboxes"]} & set(names)


def test_takes_options_of_the_fixture_and_of_the_closest_marker(run: Run) -> None:
    run("""
pytestmark = pytest.mark.sandbox(scenario="maintenance", own_key=True)

@pytest.fixture
def sandbox_options():
    return {"clock": "2030-01-01T00:00:00Z", "scenario": "slow-service"}

def test_module(sandbox):
    assert sandbox.control("GET", "/clock")["now"].startswith("2030-01-01T00:00:00")
    assert requests.get(sandbox.base_url + "/v2/products").status_code == 500
    assert sandbox.key != sandbox.server.admin_key

@pytest.mark.sandbox(scenario="token-expiry", assumptions={"bad_credentials": "403"})
def test_own(sandbox):
    assert requests.get(sandbox.base_url + "/v2/products").status_code == 401
    assert sandbox.control("GET", "assumptions")["bad_credentials"] == "403"
""").assert_outcomes(passed=2)


def test_controls_the_sandbox(sandbox: Sandbox) -> None:
    assert sandbox.switches(rate_limit={"burst": 1})["rate_limit"]["burst"] == 1
    assert sandbox.switches(rate_limit=None)["rate_limit"] is None
    clock = sandbox.control("PATCH", "clock", {"now": "2030-01-01T00:00:00Z", "frozen": True})
    sandbox.advance(60)
    sandbox.advance("P1D")
    assert clock != sandbox.control("GET", "clock") and "2030-01-02T00:01" in str(sandbox.control("GET", "clock"))
    sandbox.scenario("maintenance")
    with pytest.raises(SachetError, match='answered 404: There is no scenario "no-such"; available: '):
        sandbox.scenario("no-such")
    with pytest.raises(SachetError, match=r'answered 422: rate_limit.burst: found 0, .*\n  : found the unknown key "token_expirey"'):
        sandbox.switches(token_expirey={}, rate_limit={"burst": 0})
    assert sandbox.requests(status=500) == [] and sandbox.received(operation="orders.create") == 0


def test_reports_the_calls_of_a_failed_test_with_the_reasons(run: Run, pytester: pytest.Pytester) -> None:
    result = run("""
@pytest.fixture
def stored(sandbox):
    assert order(sandbox, {"consumer": "Ada", "shipping_address": {}}) == 201

def test_passes(sandbox):
    assert order(sandbox, {}) == 422

def test_fails(sandbox):
    for attempt in range(20):
        order(sandbox, {"order_lines": ["x" * 2000]})
    assert order(sandbox, {"order_lines": []}) == 201

def test_cannot_begin(stored):
    pass
""", "--junit-xml=results.xml")
    result.assert_outcomes(passed=1, failed=1, errors=1)
    result.stdout.fnmatch_lines([
        "*ERROR at setup of test_cannot_begin*",
        "*- sachet -*",
        "The sandbox test-cannot-begin-* received 2 calls:",
        "  POST /v2/authentication/token 200",
        "  POST /v2/orders 422 OPEN-3,ORD-14,ORD-3 Rejected by *",
        "Bodies of the last refused calls:",
        "  POST /v2/orders 422 *",
        '    sent: {"consumer": "Ada", "shipping_address": {}}',
        '    response: {"statusCode": 422, *',
        "*_ test_fails _*",
        "The sandbox test-fails-* received 42 calls; the last 20:",
        "    sent: *xxx… (2021 characters)",
        '    sent: {"order_lines": [[]]}',
    ])
    assert result.stdout.str().count("\n  POST /v2/orders 422") == 1 + 1 + 10 + 3
    result.stdout.no_fnmatch_line("*test-passes-*")
    assert "The sandbox test-fails-" in (pytester.path / "results.xml").read_text()


def test_counts_calls_without_a_token_that_reached_stage_instead(run: Run) -> None:
    result = run("""
def call_stage(sandbox):
    requests.get(urljoin(sandbox.base_url, "/v2/products"))

def test_before(sandbox):
    call_stage(sandbox)

def test_drops_the_path(sandbox):
    call_stage(sandbox)
    call_stage(sandbox)
    token = log_in(sandbox.base_url.split("/sandboxes")[0], sandbox.login._replace(username="demo"))
    assert requests.get(urljoin(sandbox.base_url, "/v2/products"), headers={"Authorization": f"Bearer {token}"}).ok
    assert sandbox.received() == 3

def test_logs_in(sandbox):
    log_in(sandbox.base_url, sandbox.login)
    call_stage(sandbox)
    assert False

def test_sends_nothing(sandbox):
    assert False
""")
    result.assert_outcomes(passed=1, failed=3)
    result.stdout.fnmatch_lines([
        "The sandbox test-drops-the-path-* received no calls.",
        "3 calls reached stage meanwhile: does your client drop /sandboxes/test-drops-the-path-*[?]",
        "The sandbox test-logs-in-* received 1 call:",
        "1 call reached stage meanwhile: does your client drop /sandboxes/test-logs-in-*[?]",
        "The sandbox test-sends-nothing-* received no calls.",
    ])
    assert result.stdout.str().count("reached stage") == 2


def test_starts_a_server_and_stops_it(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SACHET_COMMAND")
    pytester.makeini(f"[pytest]\nsachet_command = {COMMAND}")
    pytester.makepyfile("""
        def test_one(sandbox):
            open("url", "w").write(sandbox.server.url)
    """)
    pytester.runpytest().assert_outcomes(passed=1)
    with pytest.raises(SachetError, match="failed"):
        Server((pytester.path / "url").read_text(), "").control("GET", "sandboxes")


@pytest.mark.parametrize(
    ("environment", "message"),
    [
        ({"SACHET_COMMAND": "no-such-program"}, '*cannot start Sachet with `no-such-program`: the program "no-such-program" is *'),
        ({"SACHET_COMMAND": "echo ready"}, "*cannot start Sachet with `echo ready`: it printed 'ready *Install Sachet*"),
        ({"SACHET_COMMAND": "node 'cli.js"}, "*cannot start Sachet with `node 'cli.js`: a quote has no end*"),
        ({"SACHET_BASE_URL": "http://localhost:1", "SACHET_ADMIN_KEY": "ключ"}, "*SACHET_ADMIN_KEY has characters that no key *"),
        ({"SACHET_BASE_URL": "http://localhost:1"}, "*SACHET_BASE_URL is http://localhost:1, but SACHET_ADMIN_KEY is not set*"),
        ({"SACHET_BASE_URL": "http://localhost:1", "SACHET_ADMIN_KEY": "k"}, "*cannot use the server in SACHET_BASE_URL*:1/*"),
        ({"SACHET_BASE_URL": "{url}", "SACHET_ADMIN_KEY": "wrong"}, "*cannot use the server in SACHET_BASE_URL*401*"),
    ],
)
def test_explains_why_no_server_can_be_used(
    environment: dict[str, str], message: str, pytester: pytest.Pytester, sachet: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value.format(url=sachet.url))
    pytester.makepyfile("def test_one(sandbox): pass")
    result = pytester.runpytest()
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([message])
    result.stdout.no_fnmatch_line("*Traceback*")
    result.stdout.no_fnmatch_line("*another exception*")


@pytest.mark.parametrize(
    ("marker", "message"),
    [
        ('"maintenance"', "*the marker sandbox takes keyword arguments only*"),
        ('scenari="maintenance"', "*cannot create the test's sandbox: *422*scenari*"),
    ],
)
def test_explains_an_invalid_marker(run: Run, marker: str, message: str) -> None:
    result = run(f"@pytest.mark.sandbox({marker})\ndef test_one(sandbox): pass", "--strict-markers")
    result.assert_outcomes(errors=1)
    result.stdout.fnmatch_lines([message])
    result.stdout.no_fnmatch_line("*another exception*")
