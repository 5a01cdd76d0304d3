"""The steps that an app reports of a job."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

MOST_STEPS = 2_000
LONGEST_TRACE = 500_000
"""Characters of all steps. Hone takes a million, and refuses the whole result if there are more."""
LONGEST_TEXT = 10_000
LONGEST_NAME = 200
DEEPEST = 40
"""Hone refuses values that are nested deeper than 50 levels."""


@dataclass
class TargetStep:
    """A step of a job. Set `output` to its result: text, or any JSON-serializable value."""

    output: Any = None


class Steps:
    """The steps of one job, in the order in which they began."""

    def __init__(self) -> None:
        self._steps: list[dict[str, Any]] = []
        self._more = 0

    @contextlib.contextmanager
    def report(self, name: str, component: str | None, input: Any) -> Iterator[TargetStep]:
        sent: dict[str, Any] = {"name": _cut(_text(name), LONGEST_NAME)}
        if component is not None:
            sent["component"] = _cut(_text(component), LONGEST_NAME)
        if input is not None:
            sent["input"] = _snapshot(input)
        if len(self._steps) < MOST_STEPS:
            self._steps.append(sent)
        else:
            self._more += 1
        step = TargetStep()
        try:
            yield step
        except BaseException as error:
            sent["error"] = _cut(f"{type(error).__name__}: {_text(error)}", LONGEST_TEXT)
            raise
        finally:
            if step.output is not None:
                sent["output"] = _snapshot(step.output)

    def trace(self) -> list[dict[str, Any]]:
        """The trace to send. Empty if no step was reported."""
        sent: list[dict[str, Any]] = []
        length = 0
        for step in self._steps:
            length += len(json.dumps(step))
            if length > LONGEST_TRACE:
                break
            # A step that still runs must not change what is sent again.
            sent.append({**step})
        left = len(self._steps) - len(sent) + self._more
        if left > 0:
            sent.append({"name": f"… {left} more {'step' if left == 1 else 'steps'} not sent …"})
        return sent


def _snapshot(value: Any) -> Any:
    """A copy that later changes of the value do not reach. Long and deep values become text."""
    if isinstance(value, str):
        return _cut(_storable(value), LONGEST_TEXT)
    try:
        text = _storable(json.dumps(value, default=str, ensure_ascii=False))
        if len(text) > LONGEST_TEXT:
            return _cut(text, LONGEST_TEXT)
        # NaN and infinities are not JSON.
        copy = json.loads(text, parse_constant=str)
        return text if _is_deeper(copy, DEEPEST) else copy
    except Exception:
        # The app's own value may fail in any way, and a report must not fail the job.
        return "(not JSON-serializable)"


def _is_deeper(value: Any, most: int) -> bool:
    if not isinstance(value, dict | list):
        return False
    members = value.values() if isinstance(value, dict) else value
    return most == 0 or any(_is_deeper(member, most - 1) for member in members)


def _text(value: Any) -> str:
    """Any value as text. Never raises: a report must not fail the job, nor hide an error of the app."""
    try:
        return _storable(str(value))
    except Exception:
        return "(cannot be converted to text)"


def _storable(text: str) -> str:
    """Without lone surrogates, which cannot be sent."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]} … (cut)"
