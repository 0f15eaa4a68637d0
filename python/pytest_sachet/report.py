"""The report section of a failed test: the calls that its sandbox received, and the reasons of refused ones."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from .sandbox import SachetError, Sandbox, Server

MAX_CALLS = 20
MAX_REFUSED_WITH_BODIES = 3
MAX_BODY_CHARACTERS = 1000

Call = dict[str, Any]


def describe_calls(sandbox: Sandbox, calls: Sequence[Call], dropped: int = 0) -> str:
    """One line for each of the last calls, then the bodies of the last refused ones."""
    shown = calls[-MAX_CALLS:]
    total = dropped + len(calls)
    if total == 0:
        return f"The sandbox {sandbox.name} received no calls."
    some = f"; the last {len(shown)}" if total > len(shown) else ""
    lines = [f"The sandbox {sandbox.name} received {_count(total)}{some}:"]
    lines += [f"  {_head(call)}{_reason(call)}" for call in shown]
    refused = [call for call in calls if _is_refused(call)][-MAX_REFUSED_WITH_BODIES:]
    if refused:
        lines.append("Bodies of the last refused calls:")
    for call in refused:
        response = call["response"] or {"body": None}
        lines += [f"  {_head(call)}", f"    sent: {_body(call['request'])}", f"    response: {_body(response)}"]
    return "\n".join(lines)


def describe_strays(sandbox: Sandbox, stage_calls: Sequence[Call]) -> list[str]:
    """How many calls without a token reached stage instead of the sandbox; empty if none did."""
    strays = [call for call in stage_calls if "authorization" not in call["request"]["headers"]]
    path = f"/sandboxes/{sandbox.name}"
    return [f"{_count(len(strays))} reached stage meanwhile: does your client drop {path}?"] if strays else []


class StageJournal:
    """Reads the calls that reached the sandbox `stage` since the last reading."""

    def __init__(self, server: Server) -> None:
        self._server = server
        self._last_id = ""

    def read_new(self) -> list[Call]:
        """Returns the new calls. If the journal was cleared or dropped the last one read, all its calls are new."""
        try:
            calls = self._read(f"?since={self._last_id}" if self._last_id else "")
        except SachetError as error:
            if error.status != 409:
                raise
            calls = self._read("")
        if calls:
            self._last_id = str(calls[-1]["id"])
        return calls

    def _read(self, query: str) -> list[Call]:
        return list(self._server.control("GET", f"sandboxes/stage/requests{query}")["requests"])


def _count(calls: int) -> str:
    return "1 call" if calls == 1 else f"{calls} calls"


def _is_refused(call: Call) -> bool:
    return call["status"] is None or call["status"] >= 400


def _head(call: Call) -> str:
    words = [call["method"], call["path"], str(call["status"] or "-"), ",".join(dict.fromkeys(call["rules"]))]
    return _printable(" ".join(filter(None, words)))


def _reason(call: Call) -> str:
    """The explanation, if the call was refused or affected by a fault."""
    decision = call["decision"]
    return _printable(f" {decision['sentence']}") if decision and (_is_refused(call) or decision["faults"]) else ""


def _body(message: Call) -> str:
    text = "(empty)" if message["body"] is None else json.dumps(message["body"])
    return text if len(text) <= MAX_BODY_CHARACTERS else f"{text[:MAX_BODY_CHARACTERS]}… ({len(text)} characters)"


def _printable(text: str) -> str:
    """Escapes control characters, which could move the cursor of the terminal."""
    return "".join(character if character.isprintable() else ascii(character)[1:-1] for character in text)
