"""A session with the service: gets and renews its token, and waits where the rate limit says so."""

import os
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Self

from http_exchange import Answer, exchange

MOST_WAITS = 5


@dataclass(frozen=True)
class Settings:
    base_url: str
    username: str
    password: str = field(repr=False)

    @classmethod
    def from_environment(cls) -> Self:
        names = ("SERVICE_BASE_URL", "SERVICE_USERNAME", "SERVICE_PASSWORD")
        return cls(*(os.environ[name] for name in names))


class ServiceError(Exception):
    """A refusal that repeating the call does not mend."""

    def __init__(self, answer: Answer) -> None:
        self.status = answer.status
        super().__init__(f"{answer.status}: {answer.content.decode(errors='replace')}")


class ServiceSession:
    def __init__(self, settings: Settings, sleep: Callable[[float], object] = time.sleep) -> None:
        self._settings = settings
        self._sleep = sleep
        self._renewing = threading.Lock()
        self._access: str | None = None
        self._refresh: str | None = None

    def call(self, method: str, path: str, body: Any = None) -> Any:
        access = self._access or self._renewed(None)
        answer = self._send(method, path, body, access)
        if answer.status == 401:
            answer = self._send(method, path, body, self._renewed(access))
        return _content(answer)

    def _renewed(self, refused: str | None) -> str:
        """A token in place of the refused one. Threads that come together share one refresh."""
        with self._renewing:
            if self._access is None or self._access == refused:
                self._access = self._refreshed() or self._logged_in()
            return self._access

    def _refreshed(self) -> str | None:
        if self._refresh is None:
            return None
        answer = self._send("POST", "/v2/authentication/refresh-token", {"refresh_token": self._refresh})
        return None if answer.status in (400, 401) else str(_content(answer)["access_token"])

    def _logged_in(self) -> str:
        login = {"username": self._settings.username, "password": self._settings.password}
        tokens = _content(self._send("POST", "/v2/authentication/token", login))
        self._refresh = tokens["refresh_token"]
        return str(tokens["access_token"])

    def _send(self, method: str, path: str, body: Any = None, access: str | None = None) -> Answer:
        """A call that met the rate limit had no effect, so any call may be sent again."""
        url = self._settings.base_url.rstrip("/") + path
        for _ in range(MOST_WAITS):
            answer = exchange(method, url, body, access)
            if answer.status != 429:
                return answer
            self._sleep(float(answer.headers.get("Retry-After", "60")))
        return exchange(method, url, body, access)


def _content(answer: Answer) -> Any:
    if answer.status >= 400:
        raise ServiceError(answer)
    return answer.json()
