"""What differs from `_async` by more than its keywords."""

from __future__ import annotations

import asyncio
import threading
import time

from .._options import Connection
from ..target import TargetFunction, TargetSettings, serve

Lock = threading.Lock
sleep = time.sleep


def run_target(connection: Connection, name: str, run: TargetFunction, settings: TargetSettings) -> None:
    asyncio.run(serve(connection, name, run, settings))
