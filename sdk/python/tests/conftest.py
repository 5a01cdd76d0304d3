from __future__ import annotations

import json
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

pytest_plugins = ["pytester"]


@dataclass
class Answer:
    status: int
    body: object
    headers: dict[str, str] = field(default_factory=dict)
    pause: float = 0
    """Seconds before the connection closes."""


def refuse(status: int, retry_after: str | None = None) -> Answer:
    error = {"code": "code", "message": "Refused.", "field": "name"}
    return Answer(status, {"error": error}, {} if retry_after is None else {"retry-after": retry_after})


@dataclass
class ScriptedHone:
    """A server with scripted responses. The last one repeats."""

    url: str = ""
    answers: list[Answer] = field(default_factory=list)
    requests: list[tuple[str, str]] = field(default_factory=list)
    bodies: list[Any] = field(default_factory=list)
    tokens: list[str | None] = field(default_factory=list)


@pytest.fixture
def server() -> Iterator[ScriptedHone]:
    scripted = ScriptedHone()

    class Handler(BaseHTTPRequestHandler):
        def answer(self) -> None:
            length = int(self.headers.get("content-length", 0))
            scripted.bodies.append(json.loads(self.rfile.read(length)) if length else None)
            scripted.requests.append((self.command, self.path))
            scripted.tokens.append(self.headers.get("authorization"))
            answer = scripted.answers.pop(0) if len(scripted.answers) > 1 else scripted.answers[0]
            content = (
                answer.body.encode() if isinstance(answer.body, str) else json.dumps(answer.body).encode()
            )
            self.send_response(answer.status)
            for name, value in {"content-length": str(len(content)), **answer.headers}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(content)
            time.sleep(answer.pause)

        do_GET = do_POST = do_PUT = answer

        def log_message(self, format: str, *args: object) -> None:
            pass

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    scripted.url = f"http://127.0.0.1:{http.server_port}"
    thread = threading.Thread(target=http.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield scripted
    http.shutdown()
    thread.join()
    http.server_close()
