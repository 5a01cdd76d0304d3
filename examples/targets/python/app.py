import json
import os
import urllib.request

from hone import Hone

MODEL_URL = os.environ.get("MODEL_URL", "http://127.0.0.1:8788/v1")


def sort_ticket(ticket: str, system_prompt: str) -> str:
    messages = [{"role": "system", "content": system_prompt}, {"role": "user", "content": f"Ticket: {ticket}"}]
    request = urllib.request.Request(
        f"{MODEL_URL}/chat/completions",
        json.dumps({"model": "demo", "messages": messages}).encode(),
        {"content-type": "application/json"},
    )
    with urllib.request.urlopen(request) as response:
        return json.load(response)["choices"][0]["message"]["content"]


# The code below connects the app to Hone.
COMPONENTS = {"system_prompt": {"text": "Sort the ticket. Answer with one word."}}
Hone().target(
    "python",
    lambda job: sort_ticket(job.case["input"], job.components["system_prompt"]),
    components=COMPONENTS,
)
