import { agentOfTries } from '#lib/core/agents/agent-progress.ts';
import type { StepResult } from '#lib/core/step.ts';
import type { StepContext } from '#lib/core/step-context.ts';
import {
  ablationStep,
  findAblation,
  type StoredAblation,
  saveAblationTries,
  settleAblation,
} from '#lib/runs/ablations.ts';
import type { StoredRun } from '#lib/runs/load-run.ts';
import { ablationHistory, ablationSettings, dueAblation } from '#lib/statistics/ablation.ts';
import {
  failureText,
  performAsideStep,
  performQueuedWork,
  type QueuedPiece,
  withAsideCalls,
} from './perform-queued-work.ts';
import type { WorkerContext } from './perform-run.ts';

/** Makes the ablations of a run that wait: see `performQueuedWork`. A kill anywhere costs at most the calls under way. */
export async function performAblations(worker: WorkerContext, runId: string): Promise<void> {
  await performQueuedWork(worker, 'ablations', runId, measure);
}

/** Tries what is due until nothing is, a call failed, somebody stopped it, or the worker stops. */
async function measure(worker: WorkerContext, stored: StoredRun, piece: QueuedPiece): Promise<void> {
  const { database } = worker;
  const { run, history, settings } = stored;
  const ablation = await findAblation(database, run.id, piece.number);
  if (ablation === null) return;
  const settle = ({ maxTries }: StoredAblation, status: 'done' | 'failed', message: string | null) =>
    settleAblation(database, { ...piece, maxTries }, { status, message }, worker.now());
  let soFar = ablation;
  const tools = await toolsOf(worker, stored);
  await withAsideCalls(worker, piece, run, ablationStep(ablation.version), async (call, kept) => {
    for (;;) {
      const made = ablationHistory(history, soFar, soFar.tries);
      const step = dueAblation(made, soFar);
      if (step === null) return settle(soFar, 'done', null);
      const own = { history: made, settings: ablationSettings(settings), ...tools };
      const result = await performAsideStep(worker, run, call, step, own);
      await kept();
      if (result === null) return;
      if (result.type !== 'tries') return settle(soFar, 'failed', messageOf(result));
      const plan = await saveAblationTries(database, piece, result.tries);
      if (plan === null) return;
      soFar = { ...soFar, ...plan, tries: [...soFar.tries, ...result.tries] };
    }
  });
}

/** Tools of the agent whose prompt was tuned. Unlike responses of models, results of tools are not kept for a repeated measurement. */
async function toolsOf(
  worker: WorkerContext,
  stored: StoredRun,
): Promise<Pick<StepContext, 'toolDefinitions' | 'useTool'>> {
  if (agentOfTries(stored.settings) === null) return {};
  const { definitions, use } = await worker.openTools(stored);
  return { toolDefinitions: definitions, useTool: (_step, call) => use(call, worker.signal) };
}

function messageOf(result: StepResult): string {
  if (result.type !== 'failure') throw new Error(`tries came out as a ${result.type}`);
  return failureText(result.failure);
}
