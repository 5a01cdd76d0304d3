import { agentOfTries } from '#lib/core/agents/agent-progress.ts';
import type { UseTool } from '#lib/core/agents/agent-records.ts';
import { failureText } from '#lib/core/model-request.ts';
import type { StepResult } from '#lib/core/step.ts';
import { settledToolUses } from '#lib/core/tuning/due-try.ts';
import {
  ablationStep,
  findAblation,
  type StoredAblation,
  saveAblationTries,
  settleAblation,
} from '#lib/runs/ablations.ts';
import { savedToolResults } from '#lib/runs/journal.ts';
import type { StoredRun } from '#lib/runs/load-run.ts';
import { ablationHistory, ablationSettings, dueAblation } from '#lib/statistics/ablation.ts';
import {
  performQueuedWork,
  performQueuedWorkStep,
  type QueuedPiece,
  runWithQueuedWorkCalls,
} from './perform-queued-work.ts';
import { recordedTools } from './run-tools.ts';
import { tracedUse } from './traced-run.ts';
import type { WorkerContext } from './worker-context.ts';

/** Performs the waiting ablations of a run, see `performQueuedWork`. A crash loses at most the calls in progress. */
export async function performAblations(worker: WorkerContext, runId: string): Promise<void> {
  await performQueuedWork(worker, 'ablations', runId, measure);
}

/** Makes the due example scores until none is left, a call fails, somebody stops the ablation, or the worker stops. */
async function measure(worker: WorkerContext, stored: StoredRun, piece: QueuedPiece): Promise<void> {
  const { database } = worker;
  const { run, history, settings } = stored;
  const ablation = await findAblation(database, run.id, piece.number);
  if (ablation === null) return;
  const settle = ({ maxTries }: StoredAblation, status: 'done' | 'failed', message: string | null) =>
    settleAblation(database, { ...piece, maxTries }, { status, message }, worker.now());
  let soFar = ablation;
  const tools = await toolsOf(worker, stored, piece);
  await runWithQueuedWorkCalls(worker, piece, run, ablationStep(ablation.version), async (call, flush) => {
    for (;;) {
      const made = ablationHistory(history, soFar, soFar.tries);
      const step = dueAblation(made, soFar);
      if (step === null) return settle(soFar, 'done', null);
      const own = { history: made, settings: ablationSettings(settings), ...tools.services };
      const result = await performQueuedWorkStep(worker, run, call, step, own);
      await flush();
      if (result === null) return;
      if (result.type !== 'tries') return settle(soFar, 'failed', messageOf(result));
      const settled = settledToolUses(made, result.tries);
      const plan = await saveAblationTries(database, piece, result.tries, settled);
      tools.discard(settled);
      if (plan === null) return;
      soFar = { ...soFar, ...plan, tries: [...soFar.tries, ...result.tries] };
    }
  });
}

/**
 * Returns the tools of the agent whose prompt was tuned. Their results are stored under the step of the ablation until the case is scored.
 */
async function toolsOf(worker: WorkerContext, stored: StoredRun, piece: QueuedPiece) {
  if (agentOfTries(stored.settings) === null) return { services: {}, discard: () => undefined };
  const { database, now, signal } = worker;
  const step = ablationStep(piece.number);
  const saved = await savedToolResults(database, piece.runId, step);
  const { definitions, use } = await worker.openTools(stored);
  const recorded = recordedTools({
    ...{ database, owner: piece, saved, now, stopping: signal },
    use: tracedUse(use),
    signal: () => signal,
  });
  const useTool: UseTool = (_step, call) => recorded.use(step, call);
  return { services: { toolDefinitions: definitions, useTool }, discard: recorded.discard };
}

function messageOf(result: StepResult): string {
  if (result.type !== 'failure') throw new Error(`unexpected result of example scores: ${result.type}`);
  return failureText(result.failure);
}
