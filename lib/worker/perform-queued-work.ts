import { budgetedCall } from '#lib/budgets/budgeted-call.ts';
import type { StepCall } from '#lib/core/model-request.ts';
import type { Step, StepResult } from '#lib/core/step.ts';
import type { StepContext } from '#lib/core/step-context.ts';
import { ReturnedJobError } from '#lib/queue/dispatch-jobs.ts';
import { recordCalls, savedResponses } from '#lib/runs/journal.ts';
import { loadRun, type StoredRun } from '#lib/runs/load-run.ts';
import { claimWork, hasWaitingWork, releaseWork, renewWork } from '#lib/runs/queued-work.ts';
import { WORK_LEASE_MS, type WorkTable } from '#lib/runs/worker-queries.ts';
import { CallBuffer } from './call-buffer.ts';
import { performStep } from './perform-step.ts';
import { recordedCall } from './recorded-call.ts';
import { tracedRun } from './traced-run.ts';
import { isStopping, type WorkerContext } from './worker-context.ts';

/** A piece of work claimed by a worker: its number and holder. */
export type QueuedPiece = { table: WorkTable; runId: string; number: number; holder: string };

/**
 * Performs the waiting work of one kind for a run, piece by piece, in any state of the run. Each piece is claimed by one worker at a time.
 * Calls of a piece are aborted if somebody stopped it or another worker claimed it. Throws if the worker stops or another worker holds the
 * remaining work, so that the queue sends the run again.
 */
export async function performQueuedWork(
  worker: WorkerContext,
  table: WorkTable,
  runId: string,
  perform: (worker: WorkerContext, stored: StoredRun, piece: QueuedPiece) => Promise<void>,
): Promise<void> {
  const { database } = worker;
  if (!(await hasWaitingWork(database, table, runId))) return;
  const holder = worker.processId ?? worker.newId();
  let underWay: { number: number; lost: AbortController } | null = null;
  const renew = async () => {
    const before = underWay;
    const renewed = await renewWork(database, table, runId, holder);
    if (before !== null && !renewed.includes(before.number)) before.lost.abort();
  };
  const renewal = setInterval(() => renew().catch(() => undefined), WORK_LEASE_MS / 3);
  try {
    for (;;) {
      if (isStopping(worker)) throw new ReturnedJobError();
      const number = await claimWork(database, table, runId, holder);
      const stored = number === null ? null : await loadRun(database, runId);
      if (number === null || stored === null) break;
      const lost = new AbortController();
      underWay = { number, lost };
      const own = { ...worker, signal: AbortSignal.any([worker.signal, lost.signal]) };
      await tracedRun(stored, () => perform(own, stored, { table, runId, number, holder }));
    }
    if (isStopping(worker)) throw new ReturnedJobError();
    if (await hasWaitingWork(database, table, runId)) throw new Error(`another worker holds the ${table}`);
  } finally {
    clearInterval(renewal);
    await releaseWork(database, table, runId, holder);
  }
}

/**
 * Passes `ask` a model caller whose calls are journalled under `step`, a negative number that only this piece uses. Responses from before a
 * crash are not requested again. `flush` waits until all calls so far are in the journal.
 */
export async function runWithQueuedWorkCalls<Value>(
  worker: WorkerContext,
  piece: QueuedPiece,
  { experimentId }: Pick<StoredRun['run'], 'experimentId'>,
  step: number,
  ask: (call: StepCall, flush: () => Promise<void>) => Promise<Value>,
): Promise<Value> {
  const { database, signal } = worker;
  const budgeted = budgetedCall(worker.call, { database, now: worker.now, experimentId, purpose: null });
  const buffer = new CallBuffer(async (entries, again) => {
    await recordCalls(database, { ...piece, again }, entries);
    budgeted.written(entries);
  });
  const call = recordedCall({
    call: budgeted.call,
    saved: await savedResponses(database, piece.runId, step),
    record: (entry) => buffer.add(entry),
    signal: () => signal,
    onText: () => null,
    now: worker.now,
  });
  try {
    return await ask(
      (_step, request) => call(step, request),
      () => buffer.flush(),
    );
  } finally {
    await buffer.flush();
    budgeted.close();
  }
}

/** Performs one step of a piece of work with a separate history and settings. Returns null if the worker stops or the piece is aborted. */
export function performQueuedWorkStep(
  worker: WorkerContext,
  run: StoredRun['run'],
  call: StepCall,
  step: Step,
  own: Pick<StepContext, 'history' | 'settings' | 'judgesAgain' | 'toolDefinitions' | 'useTool'>,
): Promise<StepResult | null> {
  return performStep(step, {
    ...own,
    case: run,
    call,
    python: worker.python,
    validate: (webhook, request) => worker.validate(webhook, { ...request, run: run.id }, worker.signal),
    now: worker.now,
    newId: worker.newId,
  });
}
