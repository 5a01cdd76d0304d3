from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

import httpx

from .. import _errors
from .._errors import HoneError
from .._options import (
    LONGEST_RETRY_AFTER,
    LONGEST_TIMEOUT,
    CallOptions,
    Connection,
    ServerEvent,
    back_off,
    check_path,
    is_idempotent,
)
from .runtime import sleep

CONNECT_SECONDS = 10
# Statuses without a result: no response, Hone is busy, or a proxy cannot reach it.
UNANSWERED = (0, 502, 503, 504)


class AsyncHttp:
    """Sends requests to Hone. Raises a HoneError for any unsuccessful response."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        self._client = httpx.AsyncClient(base_url=f"{connection.url}/api/v1")

    async def close(self) -> None:
        await self._client.aclose()

    async def json(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: dict[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> Any:
        response = await self._send(method, path, body, query, options, "application/json", reads_body=True)
        try:
            return response.json()
        except ValueError as error:
            raise _errors.malformed(response.status_code) from error

    async def lines(
        self,
        method: str,
        path: str,
        *,
        body: Any = None,
        query: dict[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> AsyncIterator[Any]:
        response = await self._send(method, path, body, query, options, "application/x-ndjson")
        try:
            async for line in self._split_lines(response):
                if line:
                    yield json.loads(line)
        finally:
            await response.aclose()

    async def events(
        self,
        method: str,
        path: str,
        *,
        query: dict[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> AsyncIterator[ServerEvent]:
        """Yields server-sent events until the stream ends."""
        response = await self._send(method, path, None, query, options, "text/event-stream")
        fields: dict[str, str] = {}
        try:
            async for line in self._split_lines(response):
                if line:
                    name, _, value = line.partition(":")
                    value = value.removeprefix(" ")
                    fields[name] = f"{fields[name]}\n{value}" if name == "data" and name in fields else value
                    continue
                if "data" in fields:
                    data = json.loads(fields["data"])
                    yield ServerEvent(fields.get("id"), fields.get("event", "message"), data)
                fields = {}
        finally:
            await response.aclose()

    async def file(
        self,
        method: str,
        path: str,
        *,
        query: dict[str, Any] | None = None,
        options: CallOptions | None = None,
    ) -> httpx.Response:
        """Returns a response with an unread body. Reading the body to its end closes the response."""
        return await self._send(method, path, None, query, options, "*/*")

    async def _split_lines(self, response: httpx.Response) -> AsyncIterator[str]:
        """Splits at LF and CRLF only. `iter_lines` of httpx also splits at U+2028, which JSON may contain."""
        rest = ""
        try:
            async for text in response.aiter_text():
                *lines, rest = (rest + text).split("\n")
                for line in lines:
                    yield line.removesuffix("\r")
        except httpx.TransportError as error:
            raise self._incomplete(response, error) from error
        if rest:
            yield rest

    def _incomplete(self, response: httpx.Response, error: httpx.TransportError) -> HoneError:
        """Returns the error for a response that timed out or was cut off."""
        if isinstance(error, httpx.TimeoutException):
            return _errors.timed_out(self.connection.url, response.request.extensions["timeout"]["read"])
        return _errors.interrupted(self.connection.url)

    async def _send(
        self,
        method: str,
        path: str,
        body: Any,
        query: dict[str, Any] | None,
        options: CallOptions | None,
        accept: str,
        *,
        reads_body: bool = False,
    ) -> httpx.Response:
        """Retries after 429, 502, 503, 504 and connection failures.

        A request that may already have changed data is retried only after 429, or if it has an
        Idempotency-Key.
        """
        chosen = options or {}
        headers = {"accept": accept, **chosen.get("headers", {})}
        retries = chosen.get("retries", self.connection.retries)
        timeout = chosen.get("timeout", self.connection.timeout)
        request = self._request(method, path, body, query, headers, timeout)
        attempt = 0
        while True:
            try:
                return await self._send_once(request, timeout, reads_body)
            except HoneError as error:
                is_retried = error.status == 429 or (
                    error.status in UNANSWERED and is_idempotent(method, headers)
                )
                # Hone sends a short Retry-After for as long as it starts.
                seconds = max(error.retry_after or 0, back_off(attempt))
                if attempt >= retries or not is_retried or seconds > LONGEST_RETRY_AFTER:
                    raise
            await sleep(seconds)
            attempt += 1

    def _request(
        self,
        method: str,
        path: str,
        body: Any,
        query: dict[str, Any] | None,
        headers: dict[str, str],
        timeout: float,
    ) -> httpx.Request:
        check_path(path)
        if self.connection.token is not None:
            headers = {"authorization": f"Bearer {self.connection.token}", **headers}
        content: str | bytes | None = None
        if isinstance(body, dict) and body.keys() == {"type", "content"}:
            content, headers = body["content"], {"content-type": body["type"], **headers}
        elif body is not None:
            content, headers = json.dumps(body), {"content-type": "application/json", **headers}
        params = {name: value for name, value in (query or {}).items() if value is not None}
        times = httpx.Timeout(min(timeout, LONGEST_TIMEOUT), connect=min(timeout, CONNECT_SECONDS))
        return self._client.build_request(
            method, path, params=params, content=content, headers=headers, timeout=times
        )

    async def _send_once(self, request: httpx.Request, timeout: float, reads_body: bool) -> httpx.Response:
        response = None
        try:
            response = await self._client.send(request, stream=True)
            if response.is_success and not reads_body:
                return response
            await response.aread()
        except httpx.ConnectTimeout as error:
            raise _errors.unreachable(self.connection.url) from error
        except httpx.TimeoutException as error:
            raise _errors.timed_out(self.connection.url, timeout) from error
        except httpx.TransportError as error:
            url = self.connection.url
            raise (_errors.interrupted if response is not None else _errors.unreachable)(url) from error
        if response.is_success:
            return response
        try:
            details = response.json()
        except ValueError:
            details = None
        raise _errors.from_response(response.status_code, details, response.headers)
