from __future__ import annotations

import json
import re
import uuid
from collections.abc import AsyncIterator, Callable
from types import TracebackType
from typing import Any, Literal, cast

from typing_extensions import Self, Unpack

from .. import types as t
from .._errors import HoneError
from .._options import RESTART_RETRIES, CallOptions, ServerEvent, read_connection
from .._result import ExperimentResult
from ..target import TargetFunction, TargetSettings
from .api import AsyncApi
from .http import AsyncHttp
from .prompts import AsyncPrompts
from .runtime import run_target, sleep

ENDED = ("finished", "failed", "stopped")
RECONNECT_SECONDS = 1


class AsyncHone:
    """A client of Hone. `api` has every operation; the other members cover the most common ones.

    url: Base URL of Hone. Default: `HONE_URL`, otherwise `http://127.0.0.1:3000`.
    token: API token. Default: `HONE_API_TOKEN`. In local mode, requests from the same machine need none.
    timeout: Request timeout in seconds.
    retries: Maximum number of retries of a request that is safe to repeat.
    """

    def __init__(
        self, url: str | None = None, token: str | None = None, *, timeout: float = 300, retries: int = 2
    ) -> None:
        self._connection = read_connection(url, token, timeout, retries)
        self._http = AsyncHttp(self._connection)
        self.api = AsyncApi(self._http)
        self.experiments = AsyncExperiments(self.api)
        self.runs = AsyncRuns(self.api)
        self.lessons = AsyncLessons(self.api)
        self.prompts = AsyncPrompts(self.api)
        self.datasets = AsyncDatasets(self.api)
        self.exports = AsyncExports(self.api)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    async def close(self) -> None:
        await self._http.close()

    async def score(
        self,
        criterion: t.CriterionInput,
        output: str,
        case: t.TryCriterionInputCase,
        *,
        generator: t.ModelReference | None = None,
        options: CallOptions | None = None,
    ) -> t.TriedCriterion:
        """Scores an output by one criterion. Stores nothing.

        generator: The model for judges. Default: the default model of Hone.
        """
        if generator is None:
            generator = (await self.api.get_default_models(options=options))["generator"]
        if generator is None:
            raise HoneError(
                "Hone has no default model.",
                status=0,
                code="invalid",
                field="generator",
                remedy="Choose one in Settings > Models, or send generator.",
            )
        body: t.TryCriterionInput = {
            "generator": {"provider": generator["provider"], "model": generator["model"]},
            "criterion": criterion,
            "output": output,
            "case": case,
        }
        return await self.api.try_criterion(body, options=options)

    async def target(self, name: str, run: TargetFunction, **settings: Unpack[TargetSettings]) -> None:
        """Offers a function to Hone and runs it for each job, until the worker stops.

        Raises if Hone rejects the worker. In the synchronous client, SIGTERM and SIGINT stop the worker.
        In the asynchronous client, set `stop`, or cancel the task: jobs then have 5 seconds to finish.
        """
        await run_target(self._connection, name, run, settings)


class AsyncExperiments:
    def __init__(self, api: AsyncApi) -> None:
        self._api = api

    async def create(self, settings: t.ExperimentInput, *, options: CallOptions | None = None) -> t.Created:
        return await self._api.create_experiment(settings, options=options)

    async def get(self, id: str, *, options: CallOptions | None = None) -> t.Experiment:
        return await self._api.get_experiment(id, options=options)

    async def run(
        self,
        experiment: str | t.ExperimentInput,
        *,
        input: str | None = None,
        reference: str | None = None,
        cases: list[t.NewCase] | None = None,
        dataset_id: str | None = None,
        repetitions: int | None = None,
        on_progress: Callable[[t.Batch], None] | None = None,
        poll: float = 1,
    ) -> ExperimentResult:
        """Starts runs and follows them to the end, including runs that wait for a decision.

        experiment: The id of an experiment, or the settings of one to create.
        input, cases, dataset_id: The cases to run. Set exactly one.
        on_progress: Called with each change of the batch.
        poll: Polling interval in seconds.
        """
        experiment_id = experiment if isinstance(experiment, str) else (await self.create(experiment))["id"]
        sent = {
            "input": input,
            "reference": reference,
            "cases": cases,
            "datasetId": dataset_id,
            "repetitions": repetitions,
        }
        start = cast(t.StartInput, {name: value for name, value in sent.items() if value is not None})
        key = {"Idempotency-Key": str(uuid.uuid4())}
        started = await self._api.start_runs(experiment_id, start, options={"headers": key})
        batch = await self.follow(started["batchId"], on_progress=on_progress, poll=poll)
        return ExperimentResult(experiment_id, started["runIds"], batch)

    async def follow(
        self, batch_id: str, *, on_progress: Callable[[t.Batch], None] | None = None, poll: float = 1
    ) -> t.Batch:
        """Follows a batch to its end.

        Raises a HoneError with the code `held` if the batch waits until somebody resumes it.
        """
        seen = ""
        options: CallOptions = {}
        while True:
            batch = await self._api.get_batch(batch_id, options=options)
            options = {"retries": RESTART_RETRIES}
            state = json.dumps([batch["status"], batch["counts"], batch["report"]])
            if state != seen and on_progress is not None:
                on_progress(batch)
            seen = state
            if batch["status"] == "finished":
                return batch
            held = batch["held"]
            if held is not None:
                remedy = f"{held['remedy']} Then resume batch {batch_id}."
                raise HoneError(held["message"], status=409, code="held", remedy=remedy)
            await sleep(poll)


class AsyncRuns:
    def __init__(self, api: AsyncApi) -> None:
        self._api = api

    async def get(self, id: str, *, options: CallOptions | None = None) -> t.Run:
        return await self._api.get_run(id, options=options)

    async def list(
        self,
        *,
        experiment_id: str | None = None,
        batch_id: str | None = None,
        status: Literal["queued", "running", "waiting", "finished", "failed", "stopped"] | None = None,
    ) -> AsyncIterator[t.RunListItem]:
        """Iterates over all matching runs, newest first. Loads further pages on demand."""
        cursor: str | None = None
        while True:
            page = await self._api.list_runs(
                experiment_id=experiment_id, batch_id=batch_id, status=status, cursor=cursor
            )
            for item in page["items"]:
                yield item
            cursor = page["nextCursor"]
            if cursor is None:
                return

    async def decide(
        self, id: str, decision: t.DecisionInput, *, options: CallOptions | None = None
    ) -> t.Decided:
        """Decides on a waiting run, gives a score, or overrides one."""
        return await self._api.decide_run(id, decision, options=options)

    async def events(self, id: str, *, options: CallOptions | None = None) -> AsyncIterator[ServerEvent]:
        """Streams the events of a run from its first until its end.

        Continues after a lost connection or a restart of Hone.
        """
        call: CallOptions = options or {}
        last: str | None = None
        has_ended = False
        while True:
            try:
                async for event in self._api.stream_run_events(id, last_event_id=last, options=call):
                    last = event.id or last
                    yield event
            except HoneError as error:
                if error.code != "interrupted":
                    raise
                has_ended = False
            # The stream also ends when Hone stops. After the end of the run, it is read once more for
            # events in between.
            if has_ended:
                return
            call = {"retries": RESTART_RETRIES, **(options or {})}
            has_ended = (await self._api.get_run(id, options=call))["status"] in ENDED
            if not has_ended:
                await sleep(RECONNECT_SECONDS)


class AsyncLessons:
    def __init__(self, api: AsyncApi) -> None:
        self._api = api

    async def recall(
        self,
        input: str,
        *,
        top_k: int = 3,
        token_budget: int = 1_500,
        scope: t.TryRecallInputScope | None = None,
        options: CallOptions | None = None,
    ) -> t.TriedRecall:
        """Returns the promoted lessons that match an input, and the prompt text that contains them."""
        body: t.TryRecallInput = {
            "input": input,
            "topK": top_k,
            "tokenBudget": token_budget,
            "scope": scope or {},
        }
        return await self._api.try_recall(body, options=options)


class AsyncDatasets:
    def __init__(self, api: AsyncApi) -> None:
        self._api = api

    async def list(self, *, search: str | None = None) -> AsyncIterator[t.DatasetListItem]:
        """Iterates over all datasets, newest first."""
        cursor: str | None = None
        while True:
            page = await self._api.list_datasets(search=search, cursor=cursor)
            for item in page["items"]:
                yield item
            cursor = page["nextCursor"]
            if cursor is None:
                return

    async def create(
        self, name: str, cases: t.CasesInput, *, options: CallOptions | None = None
    ) -> t.CreatedDataset:
        return await self._api.create_dataset({"name": name, "cases": cases}, options=options)

    async def add_cases(
        self, id: str, cases: t.CasesInput, *, options: CallOptions | None = None
    ) -> t.CreatedDataset:
        return await self._api.add_cases(id, cases, options=options)

    async def cases(
        self,
        id_or_name: str,
        *,
        split: Literal["train", "validation", "held_out", "undivided"] | None = None,
        tag: str | None = None,
        version: int | None = None,
    ) -> AsyncIterator[t.CasesItemsItem]:
        """Iterates over all cases of a dataset, given by id or name."""
        id = await self._id_of(id_or_name)
        cursor: str | None = None
        while True:
            page = await self._api.list_cases(id, split=split, tag=tag, version=version, cursor=cursor)
            for item in page["items"]:
                yield item
            cursor = page["nextCursor"]
            if cursor is None:
                return

    async def _id_of(self, id_or_name: str) -> str:
        if re.fullmatch(r"[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}", id_or_name):
            return id_or_name
        async for dataset in self.list(search=id_or_name):
            if dataset["name"] == id_or_name:
                return dataset["id"]
        raise HoneError(f"There is no dataset named {id_or_name}.", status=404, code="not_found")


class AsyncExports:
    def __init__(self, api: AsyncApi) -> None:
        self._api = api

    async def runs(self, experiment_id: str, format: Literal["jsonl", "runs", "versions"] = "jsonl") -> str:
        """Exports the ended runs of an experiment: full histories as JSON Lines, or tables as CSV."""
        return await self._text(await self._api.export_runs(experiment_id=experiment_id, format=format))

    async def dataset(self, id: str, format: Literal["jsonl", "csv"] = "jsonl") -> str:
        return await self._text(await self._api.export_dataset(id, format=format))

    async def lessons(self) -> str:
        """Exports the lesson library as JSON Lines."""
        return await self._text(await self._api.export_lessons(format="jsonl"))

    async def report(self, experiment_id: str) -> str:
        """Exports a report of the ended runs as one HTML file."""
        return await self._text(await self._api.export_report(experiment_id))

    async def _text(self, response: Any) -> str:
        await response.aread()
        return str(response.text)
