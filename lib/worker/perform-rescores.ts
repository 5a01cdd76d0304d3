import type { History } from '#lib/core/history.ts';
import { failureText } from '#lib/core/model-request.ts';
import type { StepResult } from '#lib/core/step.ts';
import type { StoredRun } from '#lib/runs/load-run.ts';
import { findRescoredVersion, type SettledRescore, settleRescore } from '#lib/runs/rescores.ts';
import { withoutPeople } from '#lib/runs/run-facts.ts';
import {
  performQueuedWork,
  performQueuedWorkStep,
  type QueuedPiece,
  runWithQueuedWorkCalls,
} from './perform-queued-work.ts';
import type { WorkerContext } from './worker-context.ts';

/** Performs the waiting re-scores of a run one by one, see `performQueuedWork`. A crash loses at most the call in progress. */
export async function performRescores(worker: WorkerContext, runId: string): Promise<void> {
  await performQueuedWork(worker, 'rescores', runId, async (worker, stored, piece) => {
    const { database } = worker;
    const version = await findRescoredVersion(database, runId, piece.number);
    const settled = version === null ? null : await rescored(worker, stored, piece, version);
    if (version !== null && settled !== null)
      await settleRescore(database, { ...piece, version }, settled, worker.now());
  });
}

/** Judges a version again. Returns null if the worker stops meanwhile. */
async function rescored(
  worker: WorkerContext,
  { run, history, settings }: StoredRun,
  piece: QueuedPiece,
  version: number,
): Promise<SettledRescore | null> {
  const step = -piece.number;
  const own = {
    history: upTo(history, version, step),
    settings: withoutPeople({
      ...settings,
      evaluation: { confidence: { ...settings.evaluation.confidence, below: null } },
    }),
    judgesAgain: true,
  };
  const result = await runWithQueuedWorkCalls(worker, piece, run, step, (call) =>
    performQueuedWorkStep(worker, run, call, { type: 'evaluate', version }, own),
  );
  return result === null ? null : settledOf(result);
}

function settledOf(result: StepResult): SettledRescore {
  if (result.type === 'evaluation') {
    const { status, overallScore, criteriaScores, tokenUsage, costUsd, durationMs } = result.evaluation;
    return { status, overallScore, criteriaScores, message: null, tokenUsage, costUsd, durationMs };
  }
  if (result.type !== 'failure') throw new Error(`unexpected result of an evaluation: ${result.type}`);
  const { tokenUsage, costUsd, durationMs } = result.failure;
  const message = failureText(result.failure);
  return { status: 'failed', overallScore: null, criteriaScores: {}, message, tokenUsage, costUsd, durationMs };
}

/** Returns the history as it was when the version was first judged. `step` separates its calls from those of the loop. */
function upTo(history: History, version: number, step: number): History {
  return {
    ...history,
    step,
    versions: history.versions.filter(({ number }) => number <= version),
    evaluations: history.evaluations.filter((evaluation) => evaluation.version < version),
  };
}
