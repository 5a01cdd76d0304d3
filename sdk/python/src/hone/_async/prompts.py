from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from .._errors import HoneError
from .._prompt import RETRY_SECONDS, TIMEOUT_SECONDS, Prompt
from .api import AsyncApi
from .runtime import Lock


class _Entry:
    def __init__(self) -> None:
        self.prompt: Prompt | None = None
        self.fresh_until = float("-inf")
        self.lock = Lock()


class AsyncPrompts:
    """Prompts of the library, cached in memory so that an app works while Hone is down."""

    def __init__(self, api: AsyncApi, now: Callable[[], float] = time.monotonic) -> None:
        self._api = api
        self._now = now
        self._entries: dict[tuple[str, str | None, int | None], _Entry] = {}

    async def get(
        self,
        name: str,
        *,
        label: str | None = None,
        version: int | None = None,
        ttl: float = 60,
        fallback: str | None = None,
    ) -> Prompt:
        """Returns the text of a prompt. Without label and version: the newest.

        Raises if Hone rejects the request, or if it is down and there is no cached text and no fallback.

        ttl: Cache duration of a text in seconds.
        fallback: The text to use if Hone is down and no text is cached.
        """
        entry = self._entries.setdefault((name, label, version), _Entry())
        async with entry.lock:
            is_fresh = self._now() < entry.fresh_until
            if is_fresh and entry.prompt is not None:
                return entry.prompt
            if is_fresh and fallback is not None:
                return Prompt(name, fallback)
            try:
                read = await self._api.get_prompt_text(
                    name, label=label, version=version, options={"timeout": TIMEOUT_SECONDS, "retries": 0}
                )
            except HoneError as error:
                if not error.is_temporary:
                    raise
                entry.fresh_until = self._now() + min(ttl, RETRY_SECONDS)
                if entry.prompt is not None:
                    entry.prompt = replace(entry.prompt, source="stale")
                    return entry.prompt
                if fallback is None:
                    raise
                return Prompt(name, fallback)
            entry.prompt = Prompt(
                read["name"],
                read["text"],
                read["version"],
                read["labels"],
                "hone",
                read.get("tools", []),
                read.get("responseSchema"),
            )
            entry.fresh_until = self._now() + ttl
            return entry.prompt
