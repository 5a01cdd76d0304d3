"""What differs from `_async` by more than its keywords."""

from __future__ import annotations

import threading
import time

from ..target import serve_until_signal

Lock = threading.Lock
sleep = time.sleep
run_target = serve_until_signal
