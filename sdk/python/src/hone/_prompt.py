from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .types import ResponseSchema, ToolDefinition

REST_SECONDS = 10
"""How long Hone is not asked again after it did not answer."""
TIMEOUT_SECONDS = 5


@dataclass(frozen=True)
class Prompt:
    """A text of the prompt library.

    version: None for a fallback.
    tools: Tools that the model may call. Your app runs them.
    response_schema: Name and JSON Schema of the answer. None if the answer is free text.
    source: `stale` is a text from before its ttl ended, because Hone is down.
    """

    name: str
    text: str
    version: int | None = None
    labels: list[str] = field(default_factory=list)
    source: Literal["hone", "stale", "fallback"] = "fallback"
    tools: list[ToolDefinition] = field(default_factory=list)
    response_schema: ResponseSchema | None = None
