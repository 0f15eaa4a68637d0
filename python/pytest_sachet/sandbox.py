"""A server and its sandboxes, with their control API."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple
from urllib.parse import quote, urlencode

import requests


class SachetError(Exception):
    """The server cannot be used, or it refused a call of the control API. The message has the reason."""

    def __init__(self, message: str, status: int | None = None) -> None:
        super().__init__(message)
        self.status = status


class Login(NamedTuple):
    """A username and password for the client."""

    username: str
    password: str


@dataclass(frozen=True)
class Server:
    """A running server."""

    url: str
    admin_key: str = field(repr=False)

    def control(self, method: str, path: str, json: Any = None, timeout: float = 30) -> Any:
        """Calls the control API. The path continues `/_admin/`. Returns the response's JSON; None without a body."""
        headers = {"Authorization": f"Bearer {self.admin_key}"}
        try:
            response = requests.request(
                method, f"{self.url}/_admin/{path}", json=json, headers=headers, timeout=timeout, allow_redirects=False
            )
            if response.ok:
                return response.json() if response.content else None
        except requests.RequestException as error:
            raise SachetError(f"{method} {self.url}/_admin/{path} failed: {error}") from error
        status = response.status_code
        raise SachetError(f"{method} /_admin/{path} was answered {status}: {_message_of(response)[:2000]}", status)

    def create_sandbox(self, **options: Any) -> Sandbox:
        """Creates a sandbox with options of `POST /_admin/sandboxes`, such as `scenario="maintenance"`."""
        created = self.control("POST", "sandboxes", options)
        logins = [Login(**login) for login in created["logins"]] or [Login("", "")]
        return Sandbox(created["name"], created["base_url"], logins[0], created["key"] or self.admin_key, self)


def _message_of(response: requests.Response) -> str:
    """The message and further details of a refusal; the whole text of an answer that is not from Sachet."""
    try:
        body = response.json()
        # The message has the first detail already.
        more = [f"  {detail['field']}: {detail['message']}" for detail in body.get("details", [])[1:]]
        return "\n".join([body["message"], *more])
    except (ValueError, KeyError, TypeError, AttributeError):
        return response.text


@dataclass(frozen=True)
class Sandbox:
    """A sandbox: the base URL and login for the client, and the control API for the test."""

    name: str
    base_url: str
    login: Login
    """The first active user. Both fields are empty if the fixtures have no users."""
    key: str = field(repr=False)
    """The key for the control API: the sandbox's own if the option `own_key` asked for one, else the admin key."""
    server: Server = field(repr=False)

    def control(self, method: str, path: str, json: Any = None, timeout: float = 30) -> Any:
        """Calls the control API of this sandbox, such as `control("POST", "snapshots", {"name": "empty"})`."""
        return self.server.control(method, f"sandboxes/{self.name}/{path.lstrip('/')}".rstrip("/"), json, timeout)

    def switches(self, **settings: Any) -> Any:
        """Sets switches, such as `rate_limit={"burst": 1}`; None turns one off. Returns all switches."""
        return self.control("PATCH", "switches", settings)

    def advance(self, by: float | str) -> None:
        """Advances the clock by seconds, or by a duration such as "P1D"."""
        self.control("POST", "clock/advance", {"by": by} if isinstance(by, str) else {"seconds": by})

    def scenario(self, name: str) -> None:
        """Applies a scenario."""
        self.control("POST", f"scenarios/{quote(name, safe='')}")

    def requests(self, **filters: Any) -> list[dict[str, Any]]:
        """Returns the calls that the sandbox received, oldest first, such as those with `status=422`."""
        query = f"?{urlencode(filters)}" if filters else ""
        return list(self.control("GET", f"requests{query}")["requests"])

    def received(self, **match: Any) -> int:
        """Counts the completed calls that match, such as `operation="orders.create", status=201`."""
        found = self.control("POST", "requests/verify", {"match": match})
        if found["dropped"] > 0:
            raise SachetError(
                f'the journal of "{self.name}" has dropped its oldest calls ({found["dropped"]}); '
                'call control("DELETE", "requests") before the part of the test that counts'
            )
        return int(found["count"])

    def delete(self) -> None:
        """Deletes the sandbox."""
        self.control("DELETE", "")
