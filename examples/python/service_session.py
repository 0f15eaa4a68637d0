"""A session with the service: gets and renews its token, waits where the rate limit says so, and outlasts failures."""

import os
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Self

from http_exchange import Answer, AnswerLost, exchange

MOST_WAITS = 5
# In seconds: what goes before each further try of a call that failed.
PAUSES = (0.2, 0.4, 0.8)


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
    """The service refused the call, or failed."""

    def __init__(self, answer: Answer) -> None:
        self.status = answer.status
        super().__init__(f"{answer.status}: {answer.content.decode(errors='replace')}")

    @property
    def is_refusal(self) -> bool:
        """The service has judged the call: it had no effect, and has none when it comes again."""
        return self.status < 500


class ServiceSession:
    def __init__(self, settings: Settings, sleep: Callable[[float], object] = time.sleep) -> None:
        self._settings = settings
        self.sleep = sleep
        self._renewing = threading.Lock()
        self._access: str | None = None
        self._refresh: str | None = None

    def call(self, method: str, path: str, body: Any = None, pauses: Sequence[float] = PAUSES) -> Any:
        """Without pauses it is not made again where it may have had its effect."""
        access = self._access or self._renewed(None)
        answer = self._send(method, path, body, access, pauses)
        if answer.status == 401:
            answer = self._send(method, path, body, self._renewed(access), pauses)
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

    def _send(
        self, method: str, path: str, body: Any = None, access: str | None = None, pauses: Sequence[float] = PAUSES
    ) -> Answer:
        """A call that met the rate limit had no effect, so any call may be sent again."""
        call = (method, self._settings.base_url.rstrip("/") + path, body, access)
        for _ in range(MOST_WAITS):
            answer = self._outlasting(pauses, *call)
            if answer.status != 429:
                return answer
            self.sleep(float(answer.headers.get("Retry-After", "60")))
        return self._outlasting(pauses, *call)

    def _outlasting(self, pauses: Sequence[float], *call: Any) -> Answer:
        """A call that failed is made again after each pause."""
        for pause in pauses:
            try:
                answer = exchange(*call)
                if answer.status < 500:
                    return answer
            except AnswerLost:
                pass
            self.sleep(pause)
        return exchange(*call)


def _content(answer: Answer) -> Any:
    if answer.status >= 400:
        raise ServiceError(answer)
    return answer.json()
