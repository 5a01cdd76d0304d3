"""The worker that offers a function to Hone: it connects to Hone, never the other way round."""

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
    """What Hone asks for: one output for one case.

    components: The texts to use, by name, such as `system_prompt`.
    run: None for a test of the target.
    version: Number of the version within the run. None while tuning.
    purpose: What the output is for: `attempt`, `revision` or `tuning`.
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
    """What the app did: text, or any JSON-serializable value. Default: the reported steps."""
    score: NotRequired[float]
    """A score of the app's own, from 0 to 1."""
    feedback: NotRequired[str]


TargetAnswer = str | TargetOutput
TargetFunction = Callable[[TargetJob], TargetAnswer] | Callable[[TargetJob], Awaitable[TargetAnswer]]


class TargetSettings(TypedDict, total=False):
    components: dict[str, TargetComponent]
    """Texts that Hone may change, by name, with the text that the app begins with."""
    concurrency: int
    """Jobs at a time. Default: 4."""
    stop: threading.Event
    """Stops the worker when it is set."""
    grace: float
    """How long jobs may go on after the stop, in seconds. Then they are given back. Default: 30."""
    stop_on_signals: bool
    """Stops on SIGTERM and SIGINT, then calls the handlers that the app had set. Default: true.
    Only for `Hone().target` in the main thread."""
    worker: str
    """Name of this process. Default: made up."""
    on_error: Callable[[Exception], None]
    """Called with what your function raises and what else goes wrong while the worker goes on.
    Default: logged by `hone`."""
    quiet: bool
    """Suppresses the message on connect."""


class RetryableError(Exception):
    """Raised by a target function: the job failed, and another attempt may succeed."""


LOG = logging.getLogger("hone")
CLAIM_WAIT_SECONDS = 20
CLAIM_MOST = 50
ANSWER_SECONDS = 15
SIGN_OFF_SECONDS = 3
CANCELLED_SECONDS = 5
"""How long jobs may go on after the worker was cancelled."""
LONGEST_MESSAGE = 5_000
"""Characters of an error that Hone takes."""


async def serve(
    connection: Connection,
    name: str,
    run: TargetFunction,
    settings: TargetSettings,
    signals: Sequence[int] = (),
) -> None:
    """Registers a target, then claims and runs jobs until the worker is stopped or `signals` has one."""
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
    # Only now, because a handler may raise.
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


class _Held:
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
        # Without a user name and a password.
        self._url = re.sub("//[^/]*@", "//", connection.url)
        self._http = AsyncHttp(connection)
        self._api = AsyncApi(self._http)
        self._name = name
        self._run = run
        self._settings = settings
        self._signals = signals
        self._concurrency = settings.get("concurrency", 4)
        self._id = settings.get("worker") or f"{os.getpid()}-{uuid.uuid4()}"
        self._held: dict[str, _Held] = {}
        self._threads = ThreadPoolExecutor(self._concurrency, thread_name_prefix="hone-target")

    async def work(self) -> None:
        helpers = [asyncio.create_task(self._beat()), asyncio.create_task(self._watch_stop())]
        is_connected = False
        grace = self._settings.get("grace", 30)
        try:
            await self._until_stopped(self._persist(self._register))
            is_connected = True
            if not self._settings.get("quiet", False):
                print(f"hone: connected to Hone at {self._url} as {self._name}", file=sys.stderr, flush=True)
            while True:
                await self._until_stopped(self._fill())
        except _Stopped:
            pass
        except asyncio.CancelledError:
            grace = min(grace, CANCELLED_SECONDS)
            raise
        finally:
            try:
                tasks = [held.task for held in self._held.values() if held.task is not None]
                if tasks:
                    await asyncio.wait(tasks, timeout=grace)
            finally:
                await self._end(is_connected)
                for helper in helpers:
                    helper.cancel()

    async def _end(self, is_connected: bool) -> None:
        """Gives back the jobs that are still held, and signs off."""
        left = list(self._held.values())
        for held in left:
            self._leave(held)
        back = [self._answer(held.job.id, _given_back()) for held in left]
        await asyncio.gather(*back, return_exceptions=True)
        # If Hone is unreachable or has no sign-off route, the worker times out there after a minute.
        if is_connected:
            with contextlib.suppress(HoneError):
                await self._sign_off()
        self._threads.shutdown(wait=False, cancel_futures=True)
        await self._http.close()

    async def _until_stopped(self, work: Any) -> None:
        """Does the work, and leaves it when the worker is stopped."""
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
        await self._api.save_target(self._name, body, options=_once())

    async def _sign_off(self) -> None:
        options: CallOptions = {"timeout": SIGN_OFF_SECONDS, "retries": 0}
        await self._api.sign_off_target_worker(self._name, {"worker": self._id}, options=options)

    async def _fill(self) -> None:
        """Claims as many jobs as there is room for, and starts them."""
        room = self._concurrency - len(self._held)
        if room <= 0:
            tasks = [held.task for held in self._held.values() if held.task is not None]
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
            return
        for job in await self._persist(lambda: self._claim(min(room, CLAIM_MOST))):
            self._start(job)

    async def _claim(self, most: int) -> list[t.TargetJobsJobsItem]:
        try:
            body: t.TargetJobClaim = {"worker": self._id, "max": most, "waitSeconds": CLAIM_WAIT_SECONDS}
            claimed = await self._api.claim_target_jobs(self._name, body, options=_once(CLAIM_WAIT_SECONDS))
            return claimed["jobs"]
        except HoneError as error:
            if error.status != 404:
                raise
            # The target was deleted in Hone.
            await self._register()
            return []

    def _start(self, claimed: t.TargetJobsJobsItem) -> None:
        before = self._held.get(claimed["id"])
        if before is not None:
            self._leave(before)
        given = claimed["input"]
        # Texts that the experiment does not name are the app's own.
        own = {name: one["text"] for name, one in self._settings.get("components", {}).items()}
        job = TargetJob(
            id=claimed["id"],
            attempt=claimed["attempt"],
            case=given["case"],
            components={**own, **given["components"]},
            run=given["run"],
            version=given["version"],
            purpose=given["purpose"],
            feedback=given["feedback"],
            lessons=given["lessons"],
        )
        held = _Held(job, claimed["leaseSeconds"])
        self._held[held.job.id] = held
        held.task = asyncio.create_task(self._finish(held))

    def _leave(self, held: _Held) -> None:
        held.job.cancelled.set()
        if held.task is not None:
            held.task.cancel()

    async def _finish(self, held: _Held) -> None:
        job = held.job
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
            # Not by `_leave`: the event loop ends.
            if not job.cancelled.is_set():
                with contextlib.suppress(HoneError):
                    await self._answer(job.id, _given_back())
            raise
        except Exception as error:
            self._report(error)
        finally:
            if failure is not None and not job.cancelled.is_set():
                self._report(failure, is_of_function=True)
            if self._held.get(job.id) is held:
                del self._held[job.id]

    async def _deliver(self, id: str, result: t.TargetJobResult) -> None:
        """Sends a result. One that Hone refuses ends the job: it would be refused again."""
        try:
            await self._persist(lambda: self._answer(id, result))
        except Exception as error:
            is_gone = isinstance(error, HoneError) and error.status == 404
            if is_gone or "error" in result:
                raise
            self._report(error)
            failed: t.TargetJobResult = {"error": {"message": _message_of(error), "retry": False}}
            await self._persist(lambda: self._answer(id, failed))

    async def _answer(self, id: str, result: t.TargetJobResult) -> None:
        result["worker"] = self._id
        await self._api.answer_target_job(self._name, id, result, options=_once())

    async def _perform(self, job: TargetJob) -> t.TargetJobResult:
        if inspect.iscoroutinefunction(self._run):
            output = await self._run(job)
        else:
            try:
                call = contextvars.copy_context().run
                running = asyncio.get_running_loop().run_in_executor(self._threads, call, self._run, job)
            except RuntimeError:
                # The interpreter exits, and starts no more threads.
                self.stop.set()
                return _given_back()
            output = await running
            if inspect.isawaitable(output):
                output = await output
        result = {"output": output} if isinstance(output, str) else {**output}
        steps = job._steps.trace()
        if steps and result.get("trace") is None:
            result["trace"] = steps
        return cast(t.TargetJobResult, result)

    async def _beat(self) -> None:
        """Tells Hone which jobs are still worked on, at a third of their lease."""
        while True:
            await asyncio.sleep(min((held.lease for held in self._held.values()), default=3) / 3)
            if not self._held:
                continue
            try:
                body: t.TargetHeartbeat = {"worker": self._id, "jobs": list(self._held)}
                beat = await self._api.renew_target_jobs(self._name, body, options=_once())
            except HoneError as error:
                self._report(error)
                continue
            for id in beat["lost"]:
                if id in self._held:
                    self._leave(self._held[id])

    async def _persist(self, send: Callable[[], Awaitable[Any]]) -> Any:
        """Repeats a request while Hone is away or busy."""
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
        """An error of the app's own function is logged with its stack trace."""
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


def _given_back() -> t.TargetJobResult:
    return {"error": {"message": "The worker was stopped.", "retry": True}}


def _describe(error: Exception) -> str:
    """The message of an error of the app's function, with its type: that of a KeyError is just the key."""
    name = type(error).__name__
    has_type = str(error) and not isinstance(error, RetryableError) and type(error) is not Exception
    return f"{name}: {error}"[:LONGEST_MESSAGE] if has_type else _message_of(error)


def _message_of(error: Exception) -> str:
    return (str(error) or type(error).__name__)[:LONGEST_MESSAGE]


def _once(wait: float = 0) -> CallOptions:
    """Options of a request that the worker itself repeats."""
    return {"timeout": wait + ANSWER_SECONDS, "retries": 0}
