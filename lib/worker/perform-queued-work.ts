import { budgetedCall } from '#lib/budgets/budgeted-call.ts';
import type { StepCall } from '#lib/core/model-request.ts';
import { WorkerStops } from '#lib/queue/worker-stops.ts';
import { recordCallsAside, savedReplies } from '#lib/runs/journal.ts';
import { loadRun, type StoredRun } from '#lib/runs/load-run.ts';
import {
  hasWaitingWork,
  releaseWork,
  renewWork,
  takeWork,
  WORK_LEASE_MS,
  type WorkTable,
} from '#lib/runs/queued-work.ts';
import { CallBuffer } from './call-buffer.ts';
import { journalledCall } from './journalled-call.ts';
import { type Bench, isStopping } from './perform-run.ts';
import { tracedRun } from './traced-run.ts';

/** One piece of work that a worker holds: its number, and by whom it is held. */
export type HeldPiece = { table: WorkTable; runId: string; number: number; holder: string };

/**
 * Does the work of one kind that waits for a run, piece after piece, whatever state the run is in. Each piece is held by one worker
 * at a time. Throws when the worker stops or another worker holds what is left: the queue then sends the run again.
 */
export async function performHeldWork(
  bench: Bench,
  table: WorkTable,
  runId: string,
  perform: (stored: StoredRun, piece: HeldPiece) => Promise<void>,
): Promise<void> {
  const { database } = bench;
  if (!(await hasWaitingWork(database, table, runId))) return;
  const holder = bench.processId ?? bench.newId();
  const renewal = setInterval(
    () => renewWork(database, table, runId, holder).catch(() => undefined),
    WORK_LEASE_MS / 3,
  );
  try {
    for (;;) {
      if (isStopping(bench)) throw new WorkerStops();
      const number = await takeWork(database, table, runId, holder);
      const stored = number === null ? null : await loadRun(database, runId);
      if (number === null || stored === null) break;
      await tracedRun(stored, () => perform(stored, { table, runId, number, holder }));
    }
    if (isStopping(bench)) throw new WorkerStops();
    if (await hasWaitingWork(database, table, runId)) throw new Error(`another worker holds the ${table}`);
  } finally {
    clearInterval(renewal);
    await releaseWork(database, table, runId, holder);
  }
}

/**
 * Gives `ask` a caller whose calls are journalled under `step`, a number below 0 that belongs to the piece alone: what was answered
 * before a kill is not asked for again.
 */
export async function withAsideCalls<Value>(
  bench: Bench,
  piece: HeldPiece,
  { experiment_id: experimentId }: Pick<StoredRun['run'], 'experiment_id'>,
  step: number,
  ask: (call: StepCall) => Promise<Value>,
): Promise<Value> {
  const { database, signal } = bench;
  const budgeted = budgetedCall(bench.call, { database, now: bench.now, experimentId, purpose: null });
  const buffer = new CallBuffer(async (entries) => {
    await recordCallsAside(database, piece, entries);
    budgeted.written(entries);
  });
  const call = journalledCall({
    call: budgeted.call,
    saved: await savedReplies(database, piece.runId, step),
    record: (entry) => buffer.add(entry),
    signal: () => signal,
    onText: () => null,
    now: bench.now,
  });
  try {
    return await ask((_step, request) => call(step, request));
  } finally {
    await buffer.flush();
    budgeted.close();
  }
}
