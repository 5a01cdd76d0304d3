"""The steps that an app reports for a job."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MAX_STEPS = 2_000
MAX_TRACE_CHARACTERS = 500_000
"""Maximum characters of all steps. Hone accepts a million and rejects a larger result."""
MAX_TEXT_CHARACTERS = 10_000
MAX_NAME_CHARACTERS = 200
MAX_DEPTH = 40
"""Maximum nesting depth. Hone rejects values nested deeper than 50 levels."""


@dataclass
class TargetStep:
    """A step of a job. Set `output` to its result: text, or any JSON-serializable value."""

    output: Any = None


class Steps:
    """The steps of one job in start order."""

    def __init__(self) -> None:
        self._steps: list[dict[str, Any]] = []
        self._omitted = 0

    @contextlib.contextmanager
    def report(self, name: str, component: str | None, input: Any) -> Iterator[TargetStep]:
        sent: dict[str, Any] = {"name": _cut(_text(name), MAX_NAME_CHARACTERS)}
        if component is not None:
            sent["component"] = _cut(_text(component), MAX_NAME_CHARACTERS)
        if input is not None:
            sent["input"] = _snapshot(input)
        if len(self._steps) < MAX_STEPS:
            self._steps.append(sent)
        else:
            self._omitted += 1
        step = TargetStep()
        try:
            yield step
        except BaseException as error:
            sent["error"] = _cut(f"{type(error).__name__}: {_text(error)}", MAX_TEXT_CHARACTERS)
            raise
        finally:
            if step.output is not None:
                sent["output"] = _snapshot(step.output)

    def trace(self) -> list[dict[str, Any]]:
        """Returns the trace to send. Empty if no step was reported."""
        sent: list[dict[str, Any]] = []
        length = 0
        for step in self._steps:
            length += len(json.dumps(step))
            if length > MAX_TRACE_CHARACTERS:
                break
            # Copies the step, because one still running must not change data that is sent again.
            sent.append({**step})
        omitted = len(self._steps) - len(sent) + self._omitted
        if omitted > 0:
            sent.append({"name": f"… {omitted} more {'step' if omitted == 1 else 'steps'} not sent …"})
        return sent


def _snapshot(value: Any) -> Any:
    """Copies a value, so that later changes do not affect it. Long and deep values become text."""
    if isinstance(value, str):
        return _cut(_storable(value), MAX_TEXT_CHARACTERS)
    try:
        text = _storable(json.dumps(value, default=str, ensure_ascii=False))
        if len(text) > MAX_TEXT_CHARACTERS:
            return _cut(text, MAX_TEXT_CHARACTERS)
        # Converts NaN and infinities to text, because JSON cannot contain them.
        copy = json.loads(text, parse_constant=str)
        return text if _is_deeper(copy, MAX_DEPTH) else copy
    except Exception:
        # Converting a value of the app may raise anything, and a report must not fail the job.
        return "(not JSON-serializable)"


def _is_deeper(value: Any, limit: int) -> bool:
    if not isinstance(value, dict | list):
        return False
    members = value.values() if isinstance(value, dict) else value
    return limit == 0 or any(_is_deeper(member, limit - 1) for member in members)


def _text(value: Any) -> str:
    """Converts any value to text. Never raises: a report must not fail the job or hide an error."""
    try:
        return _storable(str(value))
    except Exception:
        return "(cannot be converted to text)"


def _storable(text: str) -> str:
    """Replaces lone surrogates, which UTF-8 cannot encode."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[:limit]} … (cut)"
