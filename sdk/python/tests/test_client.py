from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest
from conftest import Answer, ScriptedHone, refuse

from hone import AsyncHone, Hone, HoneError
from hone._async.prompts import AsyncPrompts
from hone._sync.prompts import Prompts

FINISHED: dict[str, object] = {"id": "b", "status": "finished", "held": None, "counts": {}, "report": {}}


def text(version: int) -> Answer:
    return Answer(200, {"name": "greet", "version": version, "labels": ["production"], "text": f"v{version}"})


def test_error_has_message_code_and_field_of_hone(server: ScriptedHone) -> None:
    server.answers = [refuse(400)]
    with pytest.raises(HoneError, match=r"^Refused\.$") as raised:
        Hone(server.url).api.get_health()
    error = raised.value
    assert (error.status, error.code, error.field, error.remedy) == (400, "code", "name", None)


@pytest.mark.parametrize(
    ("answer", "code", "message"),
    [
        (refuse(401), "code", "Set HONE_API_TOKEN"),
        (Answer(404, "<html>"), "malformed", "Check that HONE_URL"),
        (Answer(200, "<html>"), "malformed", "did not respond with JSON"),
    ],
)
def test_error_contains_the_remedy(server: ScriptedHone, answer: Answer, code: str, message: str) -> None:
    server.answers = [answer]
    with pytest.raises(HoneError, match=message) as raised:
        Hone(server.url).api.get_health()
    assert raised.value.code == code


def test_error_if_hone_does_not_respond() -> None:
    with pytest.raises(HoneError, match="does not respond") as raised:
        Hone("http://127.0.0.1:1", retries=0).api.get_health()
    assert (raised.value.code, raised.value.is_temporary) == ("unreachable", True)


@pytest.mark.parametrize(
    ("url", "token", "id", "message"),
    [
        ("localhost:3000", None, "r", "'localhost:3000', but must begin"),
        ("http://hone:port", None, "r", "must begin with http"),
        ("http://127.0.0.1:1", "hone_…", "r", "HONE_API_TOKEN has characters"),
        ("http://127.0.0.1:1", None, "", "An ID or a name in /runs/ is empty"),
    ],
)
def test_request_that_cannot_be_sent_is_an_error(url: str, token: str | None, id: str, message: str) -> None:
    with pytest.raises(HoneError) as raised:
        Hone(url, token, retries=0).runs.get(id)
    assert message in str(raised.value)
    assert (raised.value.code, raised.value.is_temporary) == ("invalid", False)


def test_redirect_is_an_error_with_its_address(server: ScriptedHone) -> None:
    server.answers = [Answer(301, "", {"location": "https://hone.example.com/"})]
    with pytest.raises(HoneError, match="redirects to https://hone.example.com/"):
        Hone(server.url).api.get_health()


def test_timeout_may_be_infinite(server: ScriptedHone) -> None:
    server.answers = [Answer(200, {})]
    health: Any = Hone(server.url, timeout=float("inf")).api.get_health()
    assert health == {}


def test_restart_of_hone_does_not_end_the_wait_for_a_batch(server: ScriptedHone) -> None:
    running = Answer(200, {**FINISHED, "status": "running"})
    server.answers = [running, refuse(503, "0"), refuse(503, "0"), Answer(200, FINISHED)]
    assert Hone(server.url, retries=1).experiments.follow("b", poll=0)["status"] == "finished"


def test_restart_of_hone_does_not_end_the_events_of_a_run(server: ScriptedHone) -> None:
    server.answers = [
        Answer(200, "id: 1\ndata: {}\n\n"),
        Answer(200, {"status": "running"}),
        refuse(503, "0"),
        Answer(200, "id: 2\ndata: {}\n\n"),
        Answer(200, {"status": "finished"}),
        Answer(200, ""),
    ]
    assert [event.id for event in Hone(server.url, retries=0).runs.events("r")] == ["1", "2"]
    assert [path for _, path in server.requests if "lastEventId" in path] == [
        *["/api/v1/runs/r/events?lastEventId=1"] * 2,
        "/api/v1/runs/r/events?lastEventId=2",
    ]


@pytest.mark.parametrize(
    ("kind", "answer", "times"),
    [
        ("read", refuse(503, "0"), 2),
        ("read", refuse(502, "0"), 2),
        ("read", Answer(200, '{"status"', {"content-length": "90"}), 2),
        ("read", refuse(500, "0"), 1),
        ("read", refuse(503, "900"), 1),
        ("change", refuse(429, "0"), 2),
        ("change", refuse(503, "0"), 1),
        ("change", refuse(504, "0"), 1),
        ("start", refuse(503, "0"), 2),
    ],
)
def test_request_is_retried(server: ScriptedHone, kind: str, answer: Answer, times: int) -> None:
    server.answers = [answer, Answer(200, {"batchId": "b", "runIds": [], **FINISHED})]
    hone = Hone(server.url, retries=1)
    try:
        if kind == "read":
            hone.api.get_health()
        elif kind == "change":
            hone.api.stop_run("r")
        else:
            hone.experiments.run("e", input="Say it.", poll=0)
    except HoneError as error:
        assert times == 1, error
    assert server.requests.count(server.requests[0]) == times


def test_response_that_is_cut_off_is_a_temporary_error(server: ScriptedHone) -> None:
    server.answers = [Answer(200, '{"status"', {"content-length": "90"})]
    with pytest.raises(HoneError, match="Try again") as raised:
        Hone(server.url, retries=0).api.get_health()
    assert (raised.value.code, raised.value.is_temporary) == ("interrupted", True)


def test_stalled_response_is_a_timeout(server: ScriptedHone) -> None:
    server.answers = [Answer(200, '{"status"', {"content-length": "90"}, pause=0.5)]
    hone = Hone(server.url, timeout=0.1, retries=0)
    with pytest.raises(HoneError, match=r"within 0\.1 s") as raised:
        hone.api.get_health()
    assert raised.value.code == "timeout"
    body: Any = {"models": []}
    with pytest.raises(HoneError, match=r"within 0\.1 s") as raised:
        list(hone.api.run_playground(body))
    assert raised.value.code == "timeout"


def test_line_separators_of_unicode_do_not_end_a_line(server: ScriptedHone) -> None:
    text = "a\u2028b\u2029c\x85d"
    line = json.dumps({"output": text}, ensure_ascii=False)
    server.answers = [Answer(200, f"{line}\r\n\n{line}")]
    hone = Hone(server.url)
    body: Any = {"models": []}
    assert [one["output"] for one in hone.api.run_playground(body)] == [text, text]  # type: ignore[typeddict-item]
    server.answers = [Answer(200, f": hello\n\nid: 1\ndata: {line}\n\n")]
    assert [(event.id, event.data) for event in hone.api.stream_run_events("r")] == [("1", {"output": text})]


def test_token_may_end_with_a_line_break(server: ScriptedHone) -> None:
    server.answers = [Answer(200, FINISHED)]
    Hone(server.url, "hone_x\n").api.get_health()
    assert server.tokens == ["Bearer hone_x"]


def test_environment_sets_url_and_token(server: ScriptedHone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HONE_URL", f"{server.url}/")
    server.answers = [Answer(200, {"items": [], "nextCursor": None})]
    with Hone() as hone:
        assert list(hone.runs.list(status="failed")) == []
    assert server.requests == [("GET", "/api/v1/runs?status=failed")]


def test_list_reads_all_pages(server: ScriptedHone) -> None:
    server.answers = [
        Answer(200, {"items": [{"id": "a"}], "nextCursor": "7"}),
        Answer(200, {"items": [{"id": "b"}], "nextCursor": None}),
    ]
    assert [run["id"] for run in Hone(server.url).runs.list()] == ["a", "b"]
    assert server.requests[1] == ("GET", "/api/v1/runs?cursor=7")


def test_held_batch_is_an_error_with_its_remedy(server: ScriptedHone) -> None:
    held = {"message": "The provider is down.", "remedy": "Check it."}
    server.answers = [Answer(200, {**FINISHED, "status": "held", "held": held})]
    with pytest.raises(HoneError, match="Check it") as raised:
        Hone(server.url).experiments.follow("b")
    assert raised.value.code == "held"


def test_cached_prompt_is_used_while_hone_is_down(server: ScriptedHone) -> None:
    time = 0.0
    prompts = Prompts(Hone(server.url).api, lambda: time)

    def get(**options: Any) -> tuple[str, str]:
        prompt = prompts.get("greet", label="production", **options)
        return prompt.text, prompt.source

    server.answers = [refuse(503)]
    assert get(fallback="Hello.") == ("Hello.", "fallback")
    time = 11
    server.answers = [text(1), refuse(503), text(2)]
    assert [get(), get()] == [("v1", "hone"), ("v1", "hone")]
    time = 72
    assert [get(), get()] == [("v1", "stale"), ("v1", "stale")]
    time = 83
    assert get() == ("v2", "hone")
    assert len(server.requests) == 4


def test_missing_prompt_is_an_error_despite_a_fallback(server: ScriptedHone) -> None:
    server.answers = [refuse(404)]
    with pytest.raises(HoneError):
        Hone(server.url).prompts.get("greet", fallback="Hello.")


def test_concurrent_async_reads_of_a_prompt_send_one_request(server: ScriptedHone) -> None:
    server.answers = [text(1)]

    async def read() -> list[str]:
        async with AsyncHone(server.url) as hone:
            prompts = AsyncPrompts(hone.api)
            return [prompt.text for prompt in await asyncio.gather(*[prompts.get("greet") for _ in range(5)])]

    assert asyncio.run(read()) == ["v1"] * 5
    assert len(server.requests) == 1


def test_synchronous_target_in_a_running_event_loop_is_an_error_with_its_remedy() -> None:
    async def offer() -> None:
        Hone("http://127.0.0.1:9").target("summary", lambda job: "")

    with pytest.raises(HoneError, match=r"event loop.*AsyncHone") as raised:
        asyncio.run(offer())
    assert raised.value.status == 0
