"""One HTTP exchange with urllib, where every status is an answer, and only a lost answer an exception."""

import json
from dataclasses import dataclass
from email.message import Message
from http.client import HTTPException
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

TIMEOUT_SECONDS = 30


@dataclass(frozen=True)
class Answer:
    status: int
    headers: Message
    content: bytes

    def json(self) -> Any:
        return json.loads(self.content)


class AnswerLost(Exception):
    """The call may have had its effect, or not."""


def exchange(method: str, url: str, body: Any = None, token: str | None = None) -> Answer:
    request = Request(url, method=method)
    if body is not None:
        request.data = json.dumps(body).encode()
        request.add_header("Content-Type", "application/json")
    if token is not None:
        request.add_header("Authorization", f"Bearer {token}")
    try:
        with urlopen(request, timeout=TIMEOUT_SECONDS) as response:
            return Answer(response.status, response.headers, response.read())
    except HTTPError as refusal:
        with refusal:
            return Answer(refusal.code, refusal.headers, refusal.read())
    except (OSError, HTTPException) as loss:
        raise AnswerLost(f"{method} {url}: {loss}") from loss
