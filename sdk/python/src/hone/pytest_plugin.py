"""Cases as tests: `@pytest.mark.hone(...)` calls a test with each case and scores the returned output."""

from __future__ import annotations

import asyncio
import inspect
import json
from collections.abc import Awaitable, Callable, Generator
from dataclasses import dataclass, field
from functools import cache, wraps
from pathlib import Path
from typing import Any, Literal, cast

import pytest
from typing_extensions import TypedDict

from . import Hone
from . import types as t


class Dataset(TypedDict, total=False):
    """A dataset of Hone by name or id, optionally limited to a split or tag."""

    dataset: str
    split: Literal["train", "validation", "held_out"]
    tag: str


@dataclass
class HoneCases:
    """The arguments of the marker.

    cases: A list of cases, the path of a JSON Lines or JSON file, or a dataset of Hone.
    score: Scores an output from 0 to 1, without Hone. May be async.
    criteria: Criteria that Hone scores by. The score of a case is their weighted mean.
    threshold: Minimum score of each case. Default: 0.8 if there is no `mean`.
    mean: Minimum mean score over all cases.
    generator: Model for judges. Default: the default model of Hone.
    """

    cases: list[t.NewCase] | str | Path | Dataset
    score: Callable[[str, t.NewCase], float | Awaitable[float]] | None = None
    criteria: list[t.CriterionInput] = field(default_factory=list)
    threshold: float | None = None
    mean: float | None = None
    generator: t.ModelReference | None = None


MEAN = "mean"
"""Parameter of the test that checks the mean score."""

_scores = pytest.StashKey[dict[object, dict[str, float | None]]]()
_counts = pytest.StashKey[dict[object, int]]()
_outputs = pytest.StashKey[list[object]]()


@cache
def _hone() -> Hone:
    return Hone()


def pytest_configure(config: pytest.Config) -> None:
    config.stash[_scores] = {}
    config.stash[_counts] = {}
    config.addinivalue_line(
        "markers",
        "hone(cases, *, score, criteria, threshold, mean, generator): "
        "calls the test with each `case` and scores the text that it returns.",
    )


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    settings = _settings_of(metafunc.definition)
    if settings is None:
        return
    _check_criteria(metafunc.definition.nodeid, settings)
    cases = _load_cases(settings.cases, metafunc.definition.path.parent)
    if not cases:
        raise pytest.UsageError(f"{metafunc.definition.nodeid} has no cases.")
    metafunc.config.stash[_counts][_name_of(metafunc.definition)] = len(cases)
    tests = [pytest.param(case, id=_title(number, case)) for number, case in enumerate(cases, 1)]
    if settings.mean is not None:
        tests.append(pytest.param(MEAN, id=MEAN))
    metafunc.parametrize("case", tests)


@pytest.hookimpl(tryfirst=True, wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, Any, Any]:
    """Records the return value of the test. pytest or a plugin for async tests still calls it."""
    if _settings_of(item) is None or not isinstance(item, pytest.Function):
        return (yield)
    outputs: list[object] = []
    item.stash[_outputs] = outputs
    test = item.obj
    item.obj = _recorded(test, outputs, is_called=item.funcargs["case"] != MEAN)
    try:
        return (yield)
    finally:
        item.obj = test


@pytest.hookimpl(specname="pytest_runtest_call", trylast=True, wrapper=True)
def pytest_hone_score(item: pytest.Item) -> Generator[None, Any, Any]:
    """Scores the output of the test while pytest still captures output and logs."""
    settings = _settings_of(item)
    if settings is None or not isinstance(item, pytest.Function):
        return (yield)
    case = item.funcargs["case"]
    name = _name_of(item)
    # Compares parameters by identity, because their values may be unhashable.
    others = [id(value) for parameter, value in item.callspec.params.items() if parameter != "case"]
    scores = item.config.stash[_scores].setdefault((name, *others), {})
    if case != MEAN:
        # Discards the score of an earlier attempt, even if this one fails.
        scores[item.nodeid] = None
    result = yield
    if case == MEAN:
        _check_mean([*scores.values()], settings, item.config, item.config.stash[_counts][name])
    else:
        _check_output(item.stash[_outputs][-1], cast(t.NewCase, case), scores, item.nodeid, settings)
    return result


def pytest_pyfunc_call(pyfuncitem: pytest.Function) -> bool | None:
    """Runs an async test if no other plugin does."""
    test = pyfuncitem.obj
    if _settings_of(pyfuncitem) is None or not inspect.iscoroutinefunction(test):
        return None
    names = pyfuncitem._fixtureinfo.argnames
    asyncio.run(test(**{name: pyfuncitem.funcargs[name] for name in names}))
    return True


def _recorded(test: Callable[..., Any], outputs: list[object], *, is_called: bool) -> Callable[..., Any]:
    """Wraps the test in a function that appends the output to `outputs` instead of returning it."""

    @wraps(test)
    async def async_test(**given: object) -> None:
        if is_called:
            outputs.append(await test(**given))

    @wraps(test)
    def sync_test(**given: object) -> None:
        output = test(**given) if is_called else None
        outputs.append(asyncio.run(output) if inspect.iscoroutine(output) else output)

    return async_test if inspect.iscoroutinefunction(test) else sync_test


def _check_output(
    output: object, case: t.NewCase, scores: dict[str, float | None], test: str, settings: HoneCases
) -> None:
    if not isinstance(output, str):
        pytest.fail("The test must return the output as a str.", pytrace=False)
    score, reasons = _score(output, case, settings)
    scores[test] = score
    threshold = 0.8 if settings.threshold is None and settings.mean is None else settings.threshold
    if threshold is not None and score < threshold:
        pytest.fail(f"Score {score:.2f}, expected {threshold:g}.\nOutput: {output}\n{reasons}", pytrace=False)


def _name_of(function: pytest.Function) -> tuple[str, str]:
    """Returns the ID of the test's file or class and the test's name without parameters."""
    return function.parent.nodeid if function.parent else "", function.originalname


def _settings_of(node: pytest.Item | pytest.Collector) -> HoneCases | None:
    marker = node.get_closest_marker("hone")
    return None if marker is None else HoneCases(*marker.args, **marker.kwargs)


def _check_criteria(test: str, settings: HoneCases) -> None:
    if settings.score is not None:
        return
    if not settings.criteria:
        raise pytest.UsageError(f"{test}: Set score or criteria.")
    if all(criterion.get("weight", 1) == 0 for criterion in settings.criteria):
        raise pytest.UsageError(f"{test}: All criteria have weight 0. Give at least one a weight above 0.")


def _load_cases(cases: list[t.NewCase] | str | Path | Dataset, folder: Path) -> list[t.NewCase]:
    if isinstance(cases, list):
        return cases
    if isinstance(cases, dict):
        loaded = _hone().datasets.cases(cases["dataset"], split=cases.get("split"), tag=cases.get("tag"))
        return [cast(t.NewCase, case) for case in loaded]
    text = (folder / cases).read_text(encoding="utf-8-sig")
    if str(cases).endswith(".json"):
        return cast("list[t.NewCase]", json.loads(text))
    # `splitlines` would also split at U+2028, which JSON may contain.
    return [json.loads(line) for line in text.split("\n") if line.strip()]


def _text_of(value: object) -> str:
    """Returns the input as text: messages and other values as JSON."""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _title(number: int, case: t.NewCase) -> str:
    line = _text_of(case["input"]).strip().split("\n")[0]
    return f"{number}. {line[:60]}…" if len(line) > 60 else f"{number}. {line}"


def _score(output: str, case: t.NewCase, settings: HoneCases) -> tuple[float, str]:
    if settings.score is not None:
        score = settings.score(output, case)
        return asyncio.run(_awaited(score)) if isinstance(score, Awaitable) else score, ""
    given: t.TryCriterionInputCase = {
        "input": _text_of(case["input"]),
        "reference": case.get("reference"),
        "metadata": case.get("metadata", {}),
    }
    total, weights, reasons = 0.0, 0.0, []
    for criterion in settings.criteria:
        tried = _hone().score(criterion, output, given, generator=settings.generator)
        if tried["score"] is None:
            pytest.fail(f"{criterion['name']} has no score: {tried['reason']}", pytrace=False)
        weight = criterion.get("weight", 1)
        total, weights = total + tried["score"] * weight, weights + weight
        reasons.append(f"{criterion['name']}: {tried['score']:g} {tried['reason']}")
    return total / weights, "\n".join(reasons)


async def _awaited(score: Awaitable[float]) -> float:
    return await score


def _check_mean(tried: list[float | None], settings: HoneCases, config: pytest.Config, count: int) -> None:
    scores = [score for score in tried if score is not None]
    if not scores:
        pytest.skip("No case was scored in this process.")
    # With pytest-xdist, the remaining cases run in other processes.
    if len(tried) < count and hasattr(config, "workerinput"):
        pytest.skip(f"Only {len(tried)} of {count} cases ran in this process. Run with --dist loadscope.")
    mean = sum(scores) / len(scores)
    assert settings.mean is not None
    if mean < settings.mean:
        pytest.fail(
            f"Mean score {mean:.2f} of {len(scores)} cases, expected {settings.mean:g}.", pytrace=False
        )
