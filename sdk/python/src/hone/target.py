"""The worker that offers a function to Hone. It opens all connections; Hone never connects to the app."""

from __future__ import annotations

import asyncio
import contextlib
import contextvars
import inspect
import logging
import os
import re
import signal
import sys
import threading
import uuid
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeAlias, cast

from typing_extensions import NotRequired, TypedDict

from . import types as t
from ._errors import HoneError
from ._options import CallOptions, Connection, back_off
from ._steps import Steps, TargetStep

TargetCase: TypeAlias = t.TargetJobsJobsItemInputCase
TargetFeedback: TypeAlias = t.TargetJobsJobsItemInputFeedback
TargetRun: TypeAlias = t.TargetJobsJobsItemInputRun
TargetUsage: TypeAlias = t.TargetJobResultUsage
TargetComponent: TypeAlias = t.TargetInputComponentsValue


@dataclass(frozen=True)
class TargetJob:
    """A job of a target: one output for one case.

    components: The texts to use, by name, such as `system_prompt`.
    run: None for a test of the target.
    version: Number of the version within the run. None while tuning.
    purpose: Use of the output: `attempt`, `revision` or `tuning`.
    feedback: None for a first output.
    lessons: Lessons to follow.
    cancelled: Set when Hone no longer waits for the job. An async function is cancelled as well.
    """

    id: str
    attempt: int
    case: TargetCase
    components: dict[str, str]
    run: TargetRun | None
    version: int | None
    purpose: str
    feedback: TargetFeedback | None
    lessons: list[str]
    cancelled: threading.Event = field(default_factory=threading.Event)
    _steps: Steps = field(default_factory=Steps, repr=False, compare=False)

    def step(
        self, name: str, *, component: str | None = None, input: Any = None
    ) -> contextlib.AbstractContextManager[TargetStep]:
        """Reports a step of the trace. Steps are not sent if your function returns a `trace`.

        component: The component whose text the step used. While its text is tuned, the reflection model sees
            these steps first.
        input: The input of the step: text, or any JSON-serializable value.
        """
        return self._steps.report(name, component, input)


class TargetOutput(TypedDict):
    output: str
    usage: NotRequired[TargetUsage]
    trace: NotRequired[Any]
    """Trace of the app: text, or any JSON-serializable value. Default: the reported steps."""
    score: NotRequired[float]
    """A score of the app's own, from 0 to 1."""
    feedback: NotRequired[str]


TargetAnswer = str | TargetOutput
TargetFunction = Callable[[TargetJob], TargetAnswer] | Callable[[TargetJob], Awaitable[TargetAnswer]]


class TargetSettings(TypedDict, total=False):
    components: dict[str, TargetComponent]
    """Texts that Hone may change, by name, with the initial text of the app."""
    concurrency: int
    """Maximum number of concurrent jobs. Default: 4."""
    stop: threading.Event
    """Stops the worker when set."""
    grace: float
    """Seconds that jobs may continue after the stop before they are released. Default: 30."""
    stop_on_signals: bool
    """Stops on SIGTERM and SIGINT, then calls the handlers that the app has set. Default: true.
    Only for `Hone().target` in the main thread."""
    worker: str
    """Name of this process. Default: generated."""
    on_error: Callable[[Exception], None]
    """Called with errors of your function and other errors that do not stop the worker.
    Default: logged to the logger `hone`."""
    quiet: bool
    """Suppresses the message on connect."""


class RetryableError(Exception):
    """Raised by a target function: the job failed, and another attempt may succeed."""


LOG = logging.getLogger("hone")
CLAIM_WAIT_SECONDS = 20
MAX_CLAIM = 50
RESPONSE_SECONDS = 15
SIGN_OFF_SECONDS = 3
CANCELLED_SECONDS = 5
"""Seconds that jobs may continue after the worker was cancelled."""
MAX_MESSAGE_CHARACTERS = 5_000
"""Maximum characters of an error message."""


async def serve(
    connection: Connection,
    name: str,
    run: TargetFunction,
    settings: TargetSettings,
    signals: Sequence[int] = (),
) -> None:
    """Registers a target, then claims and runs jobs until the worker is stopped or a signal was received."""
    await _Worker(connection, name, run, settings, signals).work()


def serve_until_signal(
    connection: Connection, name: str, run: TargetFunction, settings: TargetSettings
) -> None:
    """Serves in a new event loop. In the main thread, SIGTERM and SIGINT stop the worker."""
    if _is_loop_running():
        raise HoneError(
            "The synchronous client cannot offer a target inside a running event loop.",
            status=0,
            code="invalid",
            remedy="Await AsyncHone().target(...) instead, or call Hone().target(...) in a thread.",
        )
    received: list[int] = []
    before: dict[int, Any] = {}
    if settings.get("stop_on_signals", True) and threading.current_thread() is threading.main_thread():
        for one in (signal.SIGTERM, signal.SIGINT):
            before[one] = signal.signal(one, lambda number, _: received.append(number))
    try:
        asyncio.run(serve(connection, name, run, settings, received))
    finally:
        for number, handler in before.items():
            signal.signal(number, handler or signal.SIG_DFL)
    # Called last, because a handler may raise.
    for number in dict.fromkeys(received):
        handler = before[number]
        if callable(handler) and handler is not signal.default_int_handler:
            handler(number, None)


def _is_loop_running() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


class _ClaimedJob:
    def __init__(self, job: TargetJob, lease: float) -> None:
        self.job = job
        self.lease = lease
        self.task: asyncio.Task[None] | None = None


class _Stopped(Exception):
    pass


class _Worker:
    def __init__(
        self,
        connection: Connection,
        name: str,
        run: TargetFunction,
        settings: TargetSettings,
        signals: Sequence[int],
    ) -> None:
        # The asynchronous client imports this module.
        from ._async.api import AsyncApi
        from ._async.http import AsyncHttp

        self.stop = asyncio.Event()
        # Removes the user name and password.
        self._url = re.sub("//[^/]*@", "//", connection.url)
        self._http = AsyncHttp(connection)
        self._api = AsyncApi(self._http)
        self._name = name
        self._run = run
        self._settings = settings
        self._signals = signals
        self._concurrency = settings.get("concurrency", 4)
        self._id = settings.get("worker") or f"{os.getpid()}-{uuid.uuid4()}"
        self._claimed: dict[str, _ClaimedJob] = {}
        self._threads = ThreadPoolExecutor(self._concurrency, thread_name_prefix="hone-target")

    async def work(self) -> None:
        helpers = [asyncio.create_task(self._send_heartbeats()), asyncio.create_task(self._watch_stop())]
        is_connected = False
        grace = self._settings.get("grace", 30)
        try:
            await self._until_stopped(self._retry(self._register))
            is_connected = True
            if not self._settings.get("quiet", False):
                print(f"hone: connected to Hone at {self._url} as {self._name}", file=sys.stderr, flush=True)
            while True:
                await self._until_stopped(self._claim_and_start())
        except _Stopped:
            pass
        except asyncio.CancelledError:
            grace = min(grace, CANCELLED_SECONDS)
            raise
        finally:
            try:
                tasks = [claimed.task for claimed in self._claimed.values() if claimed.task is not None]
                if tasks:
                    await asyncio.wait(tasks, timeout=grace)
            finally:
                await self._shut_down(is_connected)
                for helper in helpers:
                    helper.cancel()

    async def _shut_down(self, is_connected: bool) -> None:
        """Releases the jobs in progress and signs off."""
        remaining = list(self._claimed.values())
        for claimed in remaining:
            self._cancel(claimed)
        released = [self._send_result(claimed.job.id, _released()) for claimed in remaining]
        await asyncio.gather(*released, return_exceptions=True)
        # If Hone is unreachable or has no sign-off route, the worker times out there after a minute.
        if is_connected:
            with contextlib.suppress(HoneError):
                await self._sign_off()
        self._threads.shutdown(wait=False, cancel_futures=True)
        await self._http.close()

    async def _until_stopped(self, work: Any) -> None:
        """Awaits the work. Cancels it and raises when the worker is stopped."""
        working = asyncio.ensure_future(work)
        stopped = asyncio.ensure_future(self.stop.wait())
        try:
            await asyncio.wait([working, stopped], return_when=asyncio.FIRST_COMPLETED)
            if self.stop.is_set():
                raise _Stopped
            await working
        finally:
            working.cancel()
            stopped.cancel()

    async def _watch_stop(self) -> None:
        stop = self._settings.get("stop")
        while not self._signals and not (stop is not None and stop.is_set()):
            await asyncio.sleep(0.1)
        self.stop.set()

    async def _register(self) -> None:
        body: t.TargetInput = {"kind": "sdk", "components": self._settings.get("components", {})}
        await self._api.save_target(self._name, body, options=_options())

    async def _sign_off(self) -> None:
        options: CallOptions = {"timeout": SIGN_OFF_SECONDS, "retries": 0}
        await self._api.sign_off_target_worker(self._name, {"worker": self._id}, options=options)

    async def _claim_and_start(self) -> None:
        """Claims as many jobs as the concurrency allows and starts them."""
        room = self._concurrency - len(self._claimed)
        if room <= 0:
            tasks = [claimed.task for claimed in self._claimed.values() if claimed.task is not None]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            return
        for job in await self._retry(lambda: self._claim(min(room, MAX_CLAIM))):
            self._start(job)

    async def _claim(self, limit: int) -> list[t.TargetJobsJobsItem]:
        try:
            body: t.TargetJobClaim = {"worker": self._id, "max": limit, "waitSeconds": CLAIM_WAIT_SECONDS}
            claimed = await self._api.claim_target_jobs(
                self._name, body, options=_options(CLAIM_WAIT_SECONDS)
            )
            return claimed["jobs"]
        except HoneError as error:
            if error.status != 404:
                raise
            # The target was deleted in Hone.
            await self._register()
            return []

    def _start(self, item: t.TargetJobsJobsItem) -> None:
        before = self._claimed.get(item["id"])
        if before is not None:
            self._cancel(before)
        given = item["input"]
        # Components that the experiment does not set keep the text of the app.
        defaults = {name: one["text"] for name, one in self._settings.get("components", {}).items()}
        job = TargetJob(
            id=item["id"],
            attempt=item["attempt"],
            case=given["case"],
            components={**defaults, **given["components"]},
            run=given["run"],
            version=given["version"],
            purpose=given["purpose"],
            feedback=given["feedback"],
            lessons=given["lessons"],
        )
        claimed = _ClaimedJob(job, item["leaseSeconds"])
        self._claimed[job.id] = claimed
        claimed.task = asyncio.create_task(self._finish(claimed))

    def _cancel(self, claimed: _ClaimedJob) -> None:
        claimed.job.cancelled.set()
        if claimed.task is not None:
            claimed.task.cancel()

    async def _finish(self, claimed: _ClaimedJob) -> None:
        job = claimed.job
        failure: Exception | None = None
        try:
            try:
                result = await self._perform(job)
            except Exception as error:
                failure = error
                retry = isinstance(error, RetryableError)
                result = {"error": {"message": _describe(error), "retry": retry}}
            await self._deliver(job.id, result)
        except asyncio.CancelledError:
            # Not cancelled by `_cancel`, so the event loop is closing.
            if not job.cancelled.is_set():
                with contextlib.suppress(HoneError):
                    await self._send_result(job.id, _released())
            raise
        except Exception as error:
            self._report(error)
        finally:
            if failure is not None and not job.cancelled.is_set():
                self._report(failure, is_of_function=True)
            if self._claimed.get(job.id) is claimed:
                del self._claimed[job.id]

    async def _deliver(self, id: str, result: t.TargetJobResult) -> None:
        """Sends a result until Hone accepts it. A rejected result ends the job: a retry would fail too."""
        try:
            await self._retry(lambda: self._send_result(id, result))
        except Exception as error:
            is_deleted = isinstance(error, HoneError) and error.status == 404
            if is_deleted or "error" in result:
                raise
            self._report(error)
            failed: t.TargetJobResult = {"error": {"message": _message_of(error), "retry": False}}
            await self._retry(lambda: self._send_result(id, failed))

    async def _send_result(self, id: str, result: t.TargetJobResult) -> None:
        result["worker"] = self._id
        await self._api.answer_target_job(self._name, id, result, options=_options())

    async def _perform(self, job: TargetJob) -> t.TargetJobResult:
        if inspect.iscoroutinefunction(self._run):
            output = await self._run(job)
        else:
            try:
                call = contextvars.copy_context().run
                running = asyncio.get_running_loop().run_in_executor(self._threads, call, self._run, job)
            except RuntimeError:
                # The interpreter is exiting and starts no more threads.
                self.stop.set()
                return _released()
            output = await running
            if inspect.isawaitable(output):
                output = await output
        result = {"output": output} if isinstance(output, str) else {**output}
        steps = job._steps.trace()
        if steps and result.get("trace") is None:
            result["trace"] = steps
        return cast(t.TargetJobResult, result)

    async def _send_heartbeats(self) -> None:
        """Sends heartbeats for the jobs in progress, at a third of their lease."""
        while True:
            await asyncio.sleep(min((claimed.lease for claimed in self._claimed.values()), default=3) / 3)
            if not self._claimed:
                continue
            try:
                body: t.TargetHeartbeat = {"worker": self._id, "jobs": list(self._claimed)}
                beat = await self._api.renew_target_jobs(self._name, body, options=_options())
            except HoneError as error:
                self._report(error)
                continue
            for id in beat["lost"]:
                if id in self._claimed:
                    self._cancel(self._claimed[id])

    async def _retry(self, send: Callable[[], Awaitable[Any]]) -> Any:
        """Retries a request while Hone is unavailable or busy."""
        attempt = 0
        while True:
            try:
                return await send()
            except HoneError as error:
                if not error.is_temporary:
                    raise
                self._report(error)
                await asyncio.sleep(back_off(attempt) if error.retry_after is None else error.retry_after)
            attempt += 1

    def _report(self, error: Exception, is_of_function: bool = False) -> None:
        """Logs errors of the function of the app with their stack trace."""
        on_error = self._settings.get("on_error")
        if on_error is not None:
            try:
                on_error(error)
            except Exception:
                LOG.exception("target %s: on_error failed", self._name)
        elif is_of_function and not isinstance(error, RetryableError):
            LOG.error("target %s: your function failed", self._name, exc_info=error)
        else:
            LOG.warning("target %s: %s", self._name, error)


def _released() -> t.TargetJobResult:
    return {"error": {"message": "The worker was stopped.", "retry": True}}


def _describe(error: Exception) -> str:
    """Returns the error message with its type, because the message of a KeyError is only the key."""
    name = type(error).__name__
    has_type = str(error) and not isinstance(error, RetryableError) and type(error) is not Exception
    return f"{name}: {error}"[:MAX_MESSAGE_CHARACTERS] if has_type else _message_of(error)


def _message_of(error: Exception) -> str:
    return (str(error) or type(error).__name__)[:MAX_MESSAGE_CHARACTERS]


def _options(wait: float = 0) -> CallOptions:
    """Returns the options of a request that the worker retries itself."""
    return {"timeout": wait + RESPONSE_SECONDS, "retries": 0}
