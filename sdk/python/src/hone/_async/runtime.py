"""What differs from `_sync` by more than its keywords."""

from __future__ import annotations

import asyncio

from ..target import serve

Lock = asyncio.Lock
sleep = asyncio.sleep
run_target = serve
