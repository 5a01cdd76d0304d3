"""Service that scores outputs for Hone. Start: HONE_WEBHOOK_SECRET=... python3 server.py (Python 3.10 or newer)"""

import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("HONE_WEBHOOK_SECRET", "").encode()
if not SECRET:
    raise SystemExit("Set HONE_WEBHOOK_SECRET to the secret of the webhook, which Hone shows once.")
PORT = int(os.environ.get("PORT", "8787"))
OLDEST_SECONDS = 300


def score(request: dict) -> dict:
    """Returns the score of an output, 0 to 1. Here it depends on a limit of 50 words."""
    words = len(request["output"].split())
    if words <= 50:
        return {"score": 1, "reason": f"{words} words"}
    return {
        "score": 50 / words,
        "reason": f"{words} words, at most 50 are allowed",
        "suggestions": ["Shorten the text."],
    }


def is_signed(timestamp: str, body: bytes, signature: str) -> bool:
    if not timestamp.isdigit() or abs(time.time() - int(timestamp)) > OLDEST_SECONDS:
        return False
    expected = hmac.new(SECRET, timestamp.encode() + b"." + body, hashlib.sha256).hexdigest()
    return hmac.compare_digest(signature.encode(), expected.encode())


class Handler(BaseHTTPRequestHandler):
    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("content-length", "0")))
        timestamp = self.headers.get("hone-timestamp", "")
        if not is_signed(timestamp, body, self.headers.get("hone-signature", "")):
            self.send_response(401)
            self.end_headers()
            return
        answer = json.dumps(score(json.loads(body))).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def log_message(self, *_: object) -> None:
        pass


if __name__ == "__main__":
    server = ThreadingHTTPServer(("127.0.0.1", PORT), Handler)
    print(f"scoring at http://127.0.0.1:{PORT}", flush=True)
    server.serve_forever()
