from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .types import ResponseSchema, ToolDefinition

RETRY_SECONDS = 10
"""Seconds without further requests after Hone did not respond."""
TIMEOUT_SECONDS = 5


@dataclass(frozen=True)
class Prompt:
    """A prompt of the library.

    version: None for a fallback.
    tools: Tools that the model may call. Your app runs them.
    response_schema: Name and JSON Schema of the response. None: free text.
    source: `stale`: cached longer ago than `ttl`, because Hone is down.
    """

    name: str
    text: str
    version: int | None = None
    labels: list[str] = field(default_factory=list)
    source: Literal["hone", "stale", "fallback"] = "fallback"
    tools: list[ToolDefinition] = field(default_factory=list)
    response_schema: ResponseSchema | None = None
