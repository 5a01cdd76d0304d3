"""Tunes simulated apps with gepa. Reads the options as JSON from argv[1] and prints one line of JSON for each seed."""

import http.client
import json
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from urllib.parse import urlsplit

import gepa
from gepa import EvaluationBatch, GEPAAdapter

# The concurrency of gepa's DefaultAdapter.
MAX_CONCURRENCY = 10
local = threading.local()


def request(base, method, path, body=None):
    """Sends JSON over the persistent connection of the thread."""
    if not hasattr(local, "connection"):
        address = urlsplit(base)
        local.connection = http.client.HTTPConnection(address.hostname, address.port)
    content = None if body is None else json.dumps(body)
    local.connection.request(method, path, content, {"content-type": "application/json"})
    response = local.connection.getresponse()
    text = response.read().decode()
    if response.status != 200:
        raise RuntimeError(f"{path} returned {response.status}: {text[:500]}")
    return json.loads(text)


class SimulatedAdapter(GEPAAdapter):
    """Calls the same app as Hone, and shows the reflection model the same inputs, outputs, scores and feedback."""

    def __init__(self, base, path, seed, pool):
        self.base = base
        self.path = path
        self.seed = seed
        self.pool = pool

    def evaluate(self, batch, candidate, capture_traces=False):
        def handle(case):
            metadata = {"ticket": case["id"], "seed": self.seed}
            return request(self.base, "POST", self.path, {"case": {"metadata": metadata}, "components": candidate})

        answers = list(self.pool.map(handle, batch))
        traces = [{"case": case, "answer": answer} for case, answer in zip(batch, answers)]
        return EvaluationBatch(
            outputs=[answer["output"] for answer in answers],
            scores=[answer["score"] for answer in answers],
            trajectories=traces if capture_traces else None,
        )

    def make_reflective_dataset(self, candidate, eval_batch, components_to_update):
        records = [
            {
                "Inputs": trace["case"]["input"],
                "Generated Outputs": trace["answer"]["output"],
                "Feedback": f"Score: {trace['answer']['score']}. {trace['answer']['feedback']}",
            }
            for trace in eval_batch.trajectories
        ]
        return {component: records for component in components_to_update}


class Silent:
    def log(self, message):
        pass


def tune(base, tool, latency, landscape, seed, changes, pool):
    app = request(base, "GET", f"/cases/{landscape}/{seed}")

    def reflect(prompt):
        path = f"/model/{tool}/{latency}/v1/chat/completions"
        messages = [{"role": "user", "content": prompt}]
        answer = request(base, "POST", path, {"model": f"{landscape}:{seed}", "messages": messages})
        return answer["choices"][0]["message"]["content"]

    def of(split):
        return [case for case in app["cases"] if case["split"] == split]

    started = time.perf_counter()
    settings = {"use_merge": len(app["start"]) > 1, **changes}
    result = gepa.optimize(
        seed_candidate=app["start"],
        trainset=of("train"),
        valset=of("validation"),
        adapter=SimulatedAdapter(base, f"/app/{tool}/{latency}/{landscape}", seed, pool),
        reflection_lm=reflect,
        max_metric_calls=app["metricCalls"],
        seed=seed,
        logger=Silent(),
        **settings,
    )
    elapsed = (time.perf_counter() - started) * 1000
    validated = len(of("validation"))
    # gepa records the number of calls before the validation of a candidate, which is 0 for the first one.
    candidates = [
        {"texts": texts, "score": score, "metricCalls": before + validated}
        for texts, score, before in zip(result.candidates, result.val_aggregate_scores, result.discovery_eval_counts)
    ]
    return {"landscape": landscape, "seed": seed, "elapsedMs": elapsed, "candidates": candidates}


def main():
    options = json.loads(sys.argv[1])
    base, tool, latency, changes = (options[name] for name in ("base", "tool", "latencyMs", "changes"))
    with ThreadPoolExecutor(MAX_CONCURRENCY) as pool:
        for landscape in options["landscapes"]:
            for seed in options["seeds"]:
                print(json.dumps(tune(base, tool, latency, landscape, seed, changes, pool)), flush=True)


main()
