"""A session with the service: gets and refreshes its token, waits for rate limits, and retries failures."""

import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from http_exchange import Response, ResponseLost, exchange

MAX_RATE_LIMIT_RETRIES = 5
# Seconds before each retry of a failed request.
RETRY_DELAYS = (0.2, 0.4, 0.8)


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
    """An error response of the service."""

    def __init__(self, response: Response) -> None:
        self.status = response.status
        super().__init__(f"{response.status}: {response.content.decode(errors='replace')}")

    @property
    def is_client_error(self) -> bool:
        """A 4xx: the request had no effect, and fails again if you repeat it unchanged."""
        return self.status < 500


class ServiceSession:
    def __init__(self, settings: Settings, sleep: Callable[[float], object] = time.sleep) -> None:
        self._settings = settings
        self.sleep = sleep
        self._lock = threading.Lock()
        self._access_token: str | None = None
        self._refresh_token: str | None = None

    def call(self, method: str, path: str, body: Any = None, delays: Sequence[float] = RETRY_DELAYS) -> Any:
        """Sends a request with a valid token. Pass no delays if it must not be retried after a failure."""
        access = self._access_token or self._token_after(None)
        response = self._send(method, path, body, access, delays)
        if response.status == 401:
            response = self._send(method, path, body, self._token_after(access), delays)
        return _content(response)

    def _token_after(self, rejected: str | None) -> str:
        """Returns another token than the rejected one. Concurrent threads share one refresh."""
        with self._lock:
            if self._access_token is None or self._access_token == rejected:
                self._access_token = self._refresh() or self._log_in()
            return self._access_token

    def _refresh(self) -> str | None:
        if self._refresh_token is None:
            return None
        response = self._send("POST", "/v2/authentication/refresh-token", {"refresh_token": self._refresh_token})
        return None if response.status in (400, 401) else str(_content(response)["access_token"])

    def _log_in(self) -> str:
        login = {"username": self._settings.username, "password": self._settings.password}
        tokens = _content(self._send("POST", "/v2/authentication/token", login))
        self._refresh_token = tokens["refresh_token"]
        return str(tokens["access_token"])

    def _send(
        self, method: str, path: str, body: Any = None, access: str | None = None, delays: Sequence[float] = RETRY_DELAYS
    ) -> Response:
        """Waits for rate limits. A rate-limited request had no effect, so even an order is safe to send again."""
        call = (method, self._settings.base_url.rstrip("/") + path, body, access)
        for _ in range(MAX_RATE_LIMIT_RETRIES):
            response = self._retry(delays, *call)
            if response.status != 429:
                return response
            self.sleep(float(response.headers.get("Retry-After", "60")))
        return self._retry(delays, *call)

    def _retry(self, delays: Sequence[float], *call: Any) -> Response:
        """Retries a failed request after each delay."""
        for delay in delays:
            try:
                response = exchange(*call)
                if response.status < 500:
                    return response
            except ResponseLost:
                pass
            self.sleep(delay)
        return exchange(*call)


def _content(response: Response) -> Any:
    if response.status >= 400:
        raise ServiceError(response)
    return response.json()
