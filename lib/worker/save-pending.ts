import type { BudgetedCall } from '#lib/budgets/budgeted-call.ts';
import type { History } from '#lib/core/history.ts';
import type { StepResult } from '#lib/core/step.ts';
import type { Database } from '#lib/database/database.ts';
import { retryWhileUnreachable } from '#lib/database/retry-while-unreachable.ts';
import { redactedExcerpt } from '#lib/lessons/redact-lesson.ts';
import { announceEvents } from '#lib/live/live.ts';
import type { Claim } from '#lib/runs/claim-run.ts';
import type { StoredRun } from '#lib/runs/load-run.ts';
import type { RunEvent } from '#lib/runs/run-events.ts';
import type { Save } from '#lib/runs/save.ts';
import { type SaveOutcome, wasSaved } from '#lib/runs/save-results.ts';
import { sharedPromptsOf } from '#lib/runs/shared-prompts.ts';
import { addStoredPrompts, type StoredPrompts, storedTexts } from '#lib/runs/stored-texts.ts';
import type { CallBuffer } from './call-buffer.ts';
import type { SaveRun } from './group-saves.ts';
import { recallOutcomes } from './lesson-recall.ts';
import { pauseDelivery } from './webhooks/pause-delivery.ts';

/** A result that is not saved yet, with its events. */
export type Pending = { result: StepResult; events: RunEvent[] };

/**
 * Returns the step of a result that was made or paid for and therefore stays valid after a person's decision. Null for conclusions, which
 * are drawn again.
 */
export function factStep(result: StepResult): number | null {
  switch (result.type) {
    case 'version':
      return result.version.step;
    case 'evaluation':
      return result.evaluation.step;
    case 'critique':
      return result.critique.step;
    case 'lesson':
      return result.lesson.step;
    case 'proposals':
      return result.versions[0]?.step ?? null;
    case 'tries':
      return result.tries[0]?.step ?? null;
    case 'turns':
      return result.turns[0]?.step ?? null;
    case 'observations':
      return result.observations[0]?.step ?? null;
    case 'redraw':
    case 'decision':
    case 'pause':
    case 'failure':
    case 'end':
      return null;
  }
}

type Saver = {
  worker: {
    database: Database;
    save: SaveRun;
    now: () => Date;
    newId: () => string;
    signal: AbortSignal;
  };
  claim: Claim;
  buffer: CallBuffer;
  budgeted: BudgetedCall;
  /** The prompts stored so far, of which later calls store only a reference. */
  prompts: StoredPrompts;
};

/**
 * Saves results and the buffered calls in one commit. `history` includes the results. Calls that were not saved return to the buffer. For
 * `due`, see `SaveRun`.
 */
export async function savePending(
  { worker, claim, buffer, budgeted, prompts }: Saver,
  stored: StoredRun,
  history: History,
  pending: Pending[],
  due?: Promise<void>,
): Promise<SaveOutcome> {
  const results = pending.map(({ result }) => result);
  const effects = await retryWhileUnreachable(
    () => recallOutcomes(worker.database, stored, history, results),
    worker.signal,
  );
  const { input } = stored.run;
  const savedInput = results.some(({ type }) => type === 'lesson') ? await redactedExcerpt(input) : input;
  const calls = buffer.take();
  const shared = sharedPromptsOf(worker.database);
  const { experimentId, experimentVersion } = stored.run;
  const storedCalls = calls.map((call) => {
    const origin = { experimentId, experimentVersion, runId: claim.runId, role: call.role };
    const findShared = (instructions: string, prompt: string) => shared.find(origin, instructions, prompt);
    return { ...call, ...storedTexts(call, history, stored.settings, prompts, findShared) };
  });
  const save: Save = {
    runId: claim.runId,
    claim: claim.claim,
    eventNumber: stored.run.eventNumber,
    results,
    effects,
    events: pending.flatMap(({ events }) => events),
    deliveries: pending.flatMap(({ result }) =>
      result.type === 'pause' ? (pauseDelivery(stored, history, result.pause, worker.newId()) ?? []) : [],
    ),
    calls: storedCalls,
    history,
    settings: stored.settings,
    input: savedInput,
    reference: stored.run.reference,
    status: null,
    ending: pending.flatMap(({ result }) => (result.type === 'end' ? [result.ending] : [])).at(-1) ?? null,
    now: worker.now(),
  };
  try {
    const trySave = async (again: boolean) => {
      if (!again || !(await wasSaved(worker.database, save))) return worker.save(save, due);
      announceEvents(save.runId);
      return 'saved';
    };
    const outcome = await retryWhileUnreachable(trySave, worker.signal);
    if (outcome !== 'saved') buffer.restore(calls);
    else {
      budgeted.written(calls);
      addStoredPrompts(
        prompts,
        storedCalls.filter(({ step }) => step < history.step),
      );
    }
    return outcome;
  } catch (error) {
    buffer.restore(calls);
    throw error;
  }
}
