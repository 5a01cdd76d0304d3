from __future__ import annotations


class HoneError(Exception):
    """A request that Hone refused or did not answer. The message says what happened and what to do.

    status: HTTP status. 0 if there was no response.
    code: Code of the API, such as `invalid` or `not_found`.
        The SDK itself uses `unreachable`, `timeout`, `interrupted`, `held` and `malformed`.
    field: The field of the request that caused it, such as `criteria.0.name`.
    remedy: What to do about it, where the message of Hone does not say so itself.
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
        return self.status in (0, 408, 429) or self.status >= 500


def unreachable(url: str) -> HoneError:
    return HoneError(
        f"Hone does not answer at {url}.",
        status=0,
        code="unreachable",
        remedy="Start Hone, or set HONE_URL to its address.",
    )


def timed_out(url: str, seconds: float) -> HoneError:
    return HoneError(
        f"Hone at {url} did not answer within {seconds:g} s.",
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


def refused(status: int, error: object, retry_after: str | None) -> HoneError:
    """The error of a response. `error`: its JSON, None where it has none."""
    details = error.get("error") if isinstance(error, dict) else None
    if not isinstance(details, dict) or not isinstance(details.get("message"), str):
        return malformed(status, f"The server answered {status} without an error of Hone.")
    return HoneError(
        details["message"],
        status=status,
        code=details.get("code", "malformed"),
        field=details.get("field"),
        remedy="Set HONE_API_TOKEN to a token from Your account in Hone." if status == 401 else None,
        retry_after=_seconds(retry_after),
    )


def malformed(status: int, message: str = "The server did not answer with JSON.") -> HoneError:
    return HoneError(
        message, status=status, code="malformed", remedy="Check that HONE_URL is the address of Hone."
    )


def _seconds(retry_after: str | None) -> float | None:
    try:
        return None if retry_after is None else float(retry_after)
    except ValueError:
        return None
