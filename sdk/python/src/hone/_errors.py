from __future__ import annotations

from collections.abc import Mapping


class HoneError(Exception):
    """A request that failed or that Hone rejected. The message contains the cause and the suggested fix.

    status: HTTP status. 0 if there was no response.
    code: Error code of the API, such as `invalid` or `not_found`,
        or of the SDK: `unreachable`, `timeout`, `interrupted`, `held` or `malformed`.
    field: The request field that caused the error, such as `criteria.0.name`.
    remedy: The suggested fix, if the message does not contain it.
    retry_after: Seconds after which Hone accepts the request again.
    """

    def __init__(
        self,
        message: str,
        *,
        status: int,
        code: str,
        field: str | None = None,
        remedy: str | None = None,
        retry_after: float | None = None,
    ) -> None:
        super().__init__(message if remedy is None else f"{message} {remedy}")
        self.status = status
        self.code = code
        self.field = field
        self.remedy = remedy
        self.retry_after = retry_after

    @property
    def is_temporary(self) -> bool:
        """True if Hone is down or busy, so that the same request may succeed later."""
        if self.status == 0:
            return self.code != "invalid"
        return self.status in (408, 429) or self.status >= 500


def invalid(message: str) -> HoneError:
    """Returns the error for a request that cannot be sent."""
    return HoneError(message, status=0, code="invalid")


def unreachable(url: str) -> HoneError:
    return HoneError(
        f"Hone does not respond at {url}.",
        status=0,
        code="unreachable",
        remedy="Start Hone, or set HONE_URL to its address.",
    )


def timed_out(url: str, seconds: float) -> HoneError:
    return HoneError(
        f"Hone at {url} did not respond within {seconds:g} s.",
        status=0,
        code="timeout",
        remedy="Try again, or set a longer timeout.",
    )


def interrupted(url: str) -> HoneError:
    return HoneError(
        f"The connection to Hone at {url} ended before the end of the response.",
        status=0,
        code="interrupted",
        remedy="Try again.",
    )


def from_response(status: int, body: object, headers: Mapping[str, str]) -> HoneError:
    """Returns the error for a response. `body`: its JSON, or None if it has none."""
    details = body.get("error") if isinstance(body, dict) else None
    if not isinstance(details, dict) or not isinstance(details.get("message"), str):
        location = headers.get("location")
        returned = f"The server returned {status} without an error of Hone."
        return malformed(status, returned if location is None else f"The server redirects to {location}.")
    return HoneError(
        details["message"],
        status=status,
        code=details.get("code", "malformed"),
        field=details.get("field"),
        remedy="Set HONE_API_TOKEN to a token from Your account in Hone." if status == 401 else None,
        retry_after=_seconds(headers.get("retry-after")),
    )


def malformed(status: int, message: str = "The server did not respond with JSON.") -> HoneError:
    return HoneError(
        message, status=status, code="malformed", remedy="Check that HONE_URL is the address of Hone."
    )


def _seconds(retry_after: str | None) -> float | None:
    try:
        return None if retry_after is None else float(retry_after)
    except ValueError:
        return None
