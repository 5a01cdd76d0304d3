"""Asynchronous primitives. The synchronous version is written by hand, not generated."""

from __future__ import annotations

import asyncio

from ..target import serve

Lock = asyncio.Lock
sleep = asyncio.sleep
run_target = serve
