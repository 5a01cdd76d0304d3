from __future__ import annotations

from dataclasses import dataclass

from . import types as t


@dataclass(frozen=True)
class ExperimentResult:
    """The result of the runs of an experiment.

    solved: The share of solved runs with its 95% interval, over `n` runs. None if no run has a score.
    best_score: The mean best score over `n` runs. None if no run has a score.
    """

    experiment_id: str
    run_ids: list[str]
    batch: t.Batch

    @property
    def batch_id(self) -> str:
        return self.batch["id"]

    @property
    def solved(self) -> t.BatchReportSolvedShare | None:
        return self.batch["report"]["solvedShare"]

    @property
    def best_score(self) -> t.BatchReportBestScore | None:
        return self.batch["report"]["bestScore"]

    @property
    def cost_usd(self) -> float:
        return self.batch["report"]["costUsd"]
