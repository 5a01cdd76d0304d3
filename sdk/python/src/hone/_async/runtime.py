"""What differs from `_sync` by more than its keywords."""

from __future__ import annotations

import asyncio

from .._options import Connection
from ..target import TargetFunction, TargetSettings, serve

Lock = asyncio.Lock
sleep = asyncio.sleep


async def run_target(
    connection: Connection, name: str, run: TargetFunction, settings: TargetSettings
) -> None:
    await serve(connection, name, run, settings)
