from __future__ import annotations

import os
import random
from dataclasses import dataclass
from typing import Any

from typing_extensions import TypedDict


class CallOptions(TypedDict, total=False):
    """Options of one request."""

    headers: dict[str, str]
    timeout: float
    """Request timeout in seconds."""
    retries: int


class FileBody(TypedDict):
    """A body that is not JSON: a file and its content type."""

    type: str
    content: str | bytes


@dataclass(frozen=True)
class ServerEvent:
    """An event of a stream. `data` is parsed JSON."""

    id: str | None
    event: str
    data: Any


@dataclass(frozen=True)
class Connection:
    """Address and credentials of Hone, and the defaults for requests."""

    url: str
    token: str | None
    timeout: float
    retries: int


def read_connection(url: str | None, token: str | None, timeout: float, retries: int) -> Connection:
    address = url or os.environ.get("HONE_URL") or "http://127.0.0.1:3000"
    # A token from a file often ends with a line break, which no header may contain.
    secret = (token or os.environ.get("HONE_API_TOKEN") or "").strip()
    return Connection(address.rstrip("/"), secret or None, timeout, retries)


LONGEST_RETRY_AFTER = 60


def back_off(attempt: int) -> float:
    """Returns the delay before a retry: half a second, doubled each time, up to 30 seconds, with jitter."""
    return min(30.0, 0.5 * 2.0**attempt) * random.uniform(0.75, 1.25)


def is_idempotent(method: str, headers: dict[str, str]) -> bool:
    """True if repeating the request has no further effect."""
    return method in ("GET", "PUT", "DELETE") or any(name.lower() == "idempotency-key" for name in headers)
