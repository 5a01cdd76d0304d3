from __future__ import annotations

import os
import random
import re
from dataclasses import dataclass
from typing import Any

import httpx
from typing_extensions import TypedDict

from ._errors import invalid


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
    address = (url or os.environ.get("HONE_URL") or "http://127.0.0.1:3000").strip()
    if not is_url(address):
        raise invalid(f"The URL of Hone is {address!r}, but must begin with http:// or https://.")
    # A token from a file often ends with a line break, which no header may contain.
    secret = (token or os.environ.get("HONE_API_TOKEN") or "").strip()
    if not re.fullmatch(r"[\x21-\x7e]*", secret):
        raise invalid("HONE_API_TOKEN has characters that no API token has. Copy the whole token again.")
    return Connection(address.rstrip("/"), secret or None, timeout, retries)


def is_url(address: str) -> bool:
    try:
        return address.startswith(("http://", "https://")) and httpx.URL(address).host != ""
    except httpx.InvalidURL:
        return False


def check_path(path: str) -> None:
    """Raises for a path with an empty ID, which would be the path of another operation."""
    if re.search(r"/\.{0,2}(/|$)", path):
        raise invalid(f'An ID or a name in {path} is empty, "." or "..".')


RESTART_RETRIES = 10
"""Retries while Hone restarts. They take about two minutes."""

LONGEST_RETRY_AFTER = 60
LONGEST_TIMEOUT = 2_000_000
"""Longest timeout in seconds that every platform supports."""


def back_off(attempt: int) -> float:
    """Returns the delay before a retry: half a second, doubled each time, up to 30 seconds, with jitter."""
    return min(30.0, 0.5 * 2.0**attempt) * random.uniform(0.75, 1.25)


def is_idempotent(method: str, headers: dict[str, str]) -> bool:
    """True if repeating the request has no further effect."""
    return method in ("GET", "PUT", "DELETE") or any(name.lower() == "idempotency-key" for name in headers)
