"""One HTTP request with urllib. Every status is a response; only a lost response raises an exception."""

import json
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

TIMEOUT_SECONDS = 30


@dataclass(frozen=True)
class Response:
    status: int
    headers: Message
    content: bytes

    def json(self) -> Any:
        return json.loads(self.content)


class ResponseLost(Exception):
    """The response is missing. The request may have had an effect."""


def exchange(method: str, url: str, body: Any = None, token: str | None = None) -> Response:
    request = Request(url, method=method)
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    if token is not None:
        request.add_header("Authorization", f"Bearer {token}")
    try:
        with urlopen(request, timeout=TIMEOUT_SECONDS) as response:
            return Response(response.status, response.headers, response.read())
    except HTTPError as error:
        with error:
            return Response(error.code, error.headers, error.read())
    except (OSError, HTTPException) as error:
        raise ResponseLost(f"{method} {url}: {error}") from error
