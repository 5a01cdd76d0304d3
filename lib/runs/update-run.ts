import { type AuditActor, type RecordedChange, recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { appendResult } from '#lib/core/append-result.ts';
import { type RunLimits, withLimits } from '#lib/core/budget-settings.ts';
import type { History } from '#lib/core/history.ts';
import { nextStep } from '#lib/core/next-step.ts';
import { fail, notStored, type Result, succeed } from '#lib/core/problem.ts';
import type { RunStatus } from '#lib/core/run-statuses.ts';
import { effectiveEvaluation } from '#lib/core/scored-versions.ts';
import type { StepResult } from '#lib/core/step.ts';
import { asQueryable } from '#lib/database/connections.ts';
import { inTransaction, type Transaction } from '#lib/database/transactions.ts';
import { announceEvents } from '#lib/live/live.ts';
import { stopWaitingAblation } from './ablations.ts';
import { loadRun, type StoredRun } from './load-run.ts';
import { waitsForRateLimit } from './rate-limits.ts';
import { eventsOf } from './run-events.ts';
import { deleteMeasures } from './run-measures.ts';
import type { Save, SavedEnding } from './save.ts';
import { saveResults, statusOf } from './save-results.ts';
import type { SaveNotice } from './worker-queries.ts';

/**
 * The changes that an action of a person makes to a run. `verdict`: true if the run continues or ends because of it, otherwise its status
 * stays the same.
 */
export type RunChange = {
  history: History;
  results: StepResult[];
  verdict: boolean;
  /** New limits, which override the settings. Omitted if unchanged. */
  ownBudget?: RunLimits;
};

/** Maximum number of attempts to save a change when the worker saves concurrently. */
const MAX_ATTEMPTS = 20;

/**
 * Changes a run from outside its worker, with optimistic concurrency: the change is computed from the stored run and recomputed if
 * something was saved meanwhile. A run that is not being performed ends or is queued immediately. `record`: the audit log entry, stored in
 * the same transaction.
 */
export async function updateRun(
  context: AppContext,
  runId: string,
  change: (stored: StoredRun) => Result<RunChange>,
  record: { actor: AuditActor; of: (stored: StoredRun, change: RunChange) => RecordedChange },
): Promise<Result<StoredRun>> {
  for (let attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
    const stored = await loadRun(context.database, runId);
    if (stored === null) return notStored('run', runId);
    const changed = change(stored);
    if (!changed.ok) return changed;
    const done = await inTransaction(context.database, async (transaction) => {
      const saved = await saveChange(context, transaction, stored, changed.value);
      if (saved) await recordChange(transaction, record.actor, record.of(stored, changed.value));
      return saved;
    });
    if (done && !context.database.isShared) announceEvents(runId);
    if (done) return succeed({ ...stored, history: changed.value.history });
  }
  return fail('unavailable', 'The run is changing too fast just now. Try again in a moment.');
}

async function saveChange(
  context: AppContext,
  transaction: Transaction,
  stored: StoredRun,
  change: RunChange,
): Promise<boolean> {
  const { run } = stored;
  const settings = withLimits(stored.settings, change.ownBudget ?? null);
  const now = context.now();
  const isLimited = waitsForRateLimit(run);
  const performed = run.status === 'running' && !isLimited;
  const next = change.verdict && !performed ? nextStep(change.history, settings, now) : null;
  const ended: StepResult[] = next?.type === 'stop' ? [{ type: 'end', ending: next.ending, decision: null }] : [];
  const history = ended.reduce(appendResult, change.history);
  const results = [...change.results, ...ended];
  const ending: SavedEnding | null =
    next?.type === 'stop' ? next.ending : change.verdict ? null : endingOf(stored, history);
  const save: Save = {
    runId: run.id,
    claim: run.claim,
    eventNumber: run.eventNumber,
    results,
    events: results.flatMap((result) => eventsOf(result, history, settings)),
    calls: [],
    deliveries: [],
    history,
    settings,
    input: run.input,
    reference: run.reference,
    status: performed ? run.status : statusAfter(run.status, history, ending, change.verdict),
    ending,
    now,
  };
  const notices: SaveNotice[] = [
    ...(context.database.isShared ? (['hone_events'] as const) : []),
    ...(change.verdict && performed ? (['hone_decisions'] as const) : []),
  ];
  if (!(await saveResults(asQueryable(transaction), [save], notices)).has(run.id)) return false;
  if (change.ownBudget !== undefined)
    await transaction.run.update({ where: { id: run.id }, data: { ownBudget: change.ownBudget } });
  if (ending === null && run.finishedAt !== null) {
    await deleteMeasures(transaction, run.id);
    await stopWaitingAblation(transaction, run.id, now);
  }
  // The save ends the wait for a rate limit, so a run that did not end needs a job.
  if ((isLimited || (change.verdict && !performed)) && ending === null) await context.enqueue([run.id], transaction);
  return true;
}

/** Returns the status of a run that is not being performed after a change. A decision queues it unless it ends. */
function statusAfter(status: RunStatus, history: History, ending: SavedEnding | null, isDecided: boolean) {
  if (ending !== null) return statusOf(history, ending);
  return isDecided ? 'queued' : status;
}

/** Returns the ending of an ended run. `success` is updated by a score that a person has given its final version since. */
function endingOf({ run }: StoredRun, history: History): SavedEnding | null {
  if (run.convergenceReason === null || run.finishedAt === null) return null;
  const final = run.finalVersion === null ? null : effectiveEvaluation(history, run.finalVersion);
  const isByScore = run.status === 'finished' && run.convergenceReason !== 'user_accepted' && final?.by === 'person';
  return {
    reason: run.convergenceReason,
    alsoHeld: run.alsoHeld,
    success: isByScore ? final.satisfactory : run.success,
    finalVersion: run.finalVersion,
    endedAt: run.finishedAt,
  };
}
