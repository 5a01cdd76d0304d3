import os

import dspy
from hone import Hone

MODEL_URL = os.environ.get("MODEL_URL", "http://127.0.0.1:8788/v1")
dspy.configure(lm=dspy.LM("openai/demo", api_base=MODEL_URL, api_key="none", cache=False))


def sort_ticket(ticket: str, instructions: str) -> str:
    signature = dspy.Signature("ticket -> label", instructions)
    return dspy.Predict(signature)(ticket=f"Ticket: {ticket}").label


# The code below connects the app to Hone.
COMPONENTS = {"instructions": {"text": "Sort the ticket. Answer with one word."}}
Hone().target(
    "dspy",
    lambda job: sort_ticket(job.case["input"], job.components["instructions"]),
    components=COMPONENTS,
)
