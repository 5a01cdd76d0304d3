from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

REST_SECONDS = 10
"""How long Hone is not asked again after it did not answer."""
TIMEOUT_SECONDS = 5


@dataclass(frozen=True)
class Prompt:
    """A text of the prompt library.

    version: None for a fallback.
    source: `stale` is a text from before its ttl ended, because Hone is down.
    """

    name: str
    text: str
    version: int | None = None
    labels: list[str] = field(default_factory=list)
    source: Literal["hone", "stale", "fallback"] = "fallback"
