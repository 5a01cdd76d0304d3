import { budgetedCall } from '#lib/budgets/budgeted-call.ts';
import { withCallLimit } from '#lib/core/call-limit.ts';
import { hasSeed, withShiftedSeed } from '#lib/core/model-settings.ts';
import { NO_SPEND } from '#lib/core/token-usage.ts';
import type { Database } from '#lib/database/database.ts';
import { retryWhileUnreachable } from '#lib/database/retry-while-unreachable.ts';
import { interruptible } from '#lib/live/interrupt.ts';
import { endLiveText, isShown, liveText } from '#lib/live/live.ts';
import { getLog } from '#lib/log/log.ts';
import { CANCELLED } from '#lib/providers/call/model-caller.ts';
import { ReturnedJobError } from '#lib/queue/dispatch-jobs.ts';
import { type Claim, claimRun, releaseClaim } from '#lib/runs/claim-run.ts';
import { recordCalls, type SavedResponse, savedResponses } from '#lib/runs/journal.ts';
import type { StoredRun } from '#lib/runs/load-run.ts';
import { waitForRateLimit } from '#lib/runs/rate-limits.ts';
import { countCalls } from '#lib/runs/worker-queries.ts';
import { agentTools } from './agent-tools.ts';
import { CallBuffer } from './call-buffer.ts';
import { ownershipOf } from './claim-ownership.ts';
import { hasModelResponse, recaller } from './lesson-recall.ts';
import { type RunRateLimits, runRateLimits } from './rate-limits.ts';
import { recordedCall } from './recorded-call.ts';
import { reusePaidResponses } from './reuse-saved-responses.ts';
import { loadStored, type Performance, performLoop } from './run-loop.ts';
import { tracedRun } from './traced-run.ts';
import { isStopping, type WorkerContext } from './worker-context.ts';

/** Number of claims without a newly saved step after which a run fails as an internal error. */
const IDLE_CLAIMS = 3;

/** Thrown if another process performs the run. The queue retries later, because that process may die. */
export class RunBusyError extends Error {
  override name = 'BeingPerformed';
}

/**
 * Performs a run until it ends, waits for a person or a rate limit, or the worker stops. Returns false and does nothing if the run is not to
 * be performed. Also stops if another worker takes it over. Throws database errors and `RunBusyError`, after which the queue sends the run
 * again. Calls `freeSlot` when only the last save remains and the next run may start.
 */
export async function performRun(
  worker: WorkerContext,
  runId: string,
  freeSlot: () => void = () => undefined,
): Promise<boolean> {
  const { database, signal } = worker;
  const claimed = await claimRun(database, runId, worker.now(), worker.processId);
  if (claimed === null) return false;
  if (claimed === 'held') throw new RunBusyError(`run ${runId} is performed by another process`);
  const { claim, experimentId, untouched } = claimed;
  const interruption = interruptible(runId, signal);
  const budgeted = budgetedCall(worker.call, { database, now: worker.now, experimentId, purpose: null });
  const ownership = ownershipOf(worker, claim, interruption);
  const buffer = new CallBuffer(async (entries, mayBeStored) => {
    const keep = (again: boolean) => recordCalls(database, { ...claim, again: again || mayBeStored }, entries);
    ownership.note(await retryWhileUnreachable(keep, signal));
    budgeted.written(entries);
  });
  let isReturned = false;
  const limits = runRateLimits(worker);
  let lastEvent = 0;
  try {
    const stored = untouched ?? (await loadStored(worker, runId));
    const saved: Map<string, SavedResponse> =
      untouched === null ? await savedResponses(database, runId, stored.history.step) : new Map();
    const limited = withCallLimit(budgeted.call, stored.settings, stored.history.calls);
    const ask =
      stored.settings.mode === 'tune'
        ? reusePaidResponses({
            database,
            call: limited,
            owner: { runId },
            now: worker.now,
            processId: worker.processId ?? null,
          })
        : limited;
    let callsMade = 0;
    const recorded = recordedCall({
      call: async (request, options, step) => {
        if (!(await ownership.isSure())) return CANCELLED;
        return limits
          .observe(request.model, step, () => ask(request, { ...options, origin: { runId, step } }, step))
          .finally(() => {
            if (isShown(request)) endLiveText(runId, request);
          });
      },
      saved,
      mayCall: limits.mayCall,
      record: (entry) => {
        callsMade += countCalls([entry]);
        buffer.add(entry);
      },
      signal: () => interruption.signal(),
      onText: (request) => liveText(runId, request),
      now: worker.now,
    });
    const shift = hasSeed(stored.settings) ? await findRepetition(database, runId) : 0;
    const call = limits.around(
      (step, request) => recorded(step, withShiftedSeed(request, shift)),
      stored.run.rateLimit ?? null,
    );
    const open =
      untouched === null
        ? { step: stored.history.step, wasAnswered: hasModelResponse(saved.keys(), stored.history.step) }
        : null;
    const recall = recaller({ database, claim, stored, call, open });
    const answeredStep = open?.wasAnswered ? open.step : null;
    const tools = await agentTools(worker, stored, { isUntouched: untouched !== null, interruption, claim, ownership });
    const performance: Performance = {
      worker: { ...worker, draining: AbortSignal.any([worker.draining ?? signal, limits.signal]) },
      claim,
      stored: failStalledRun(stored, claim, worker.now()),
      call,
      recall: (history) => retryWhileUnreachable(() => recall(history), signal),
      tools,
      answeredStep,
      buffer,
      budgeted,
      callsMade: () => callsMade,
      interruption,
      ownership,
      freeSlot,
      prompts: new Map(),
    };
    const end = await tracedRun(stored, (note) => performLoop(performance, note));
    isReturned = end.outcome === 'needs slot';
    lastEvent = end.lastEvent;
  } catch (error) {
    // Without the release, the queue's retry would consider the run as being performed.
    const release = () => releaseClaim(database, claim, false);
    if (!isStopping(worker)) await retryWhileUnreachable(release, signal).catch(() => undefined);
    throw error;
  } finally {
    interruption.close();
    await buffer.flush().catch((error: unknown) => {
      const lost = buffer.size;
      if (lost > 0)
        getLog().warn(`run ${runId} stopped before its last calls (${lost}) were saved. They will be repeated`);
      throw error;
    });
    budgeted.close();
    const release = () => releaseClaim(database, claim, true);
    if (isStopping(worker) || isReturned) await retryWhileUnreachable(release, signal);
  }
  // The queue sends the run again, to any worker or after the restart.
  if (isStopping(worker) || isReturned || !(await rests(worker, claim, lastEvent, limits)))
    throw new ReturnedJobError();
  return true;
}

/**
 * Lets a run wait for the rate limit that it reached. Returns false if it can continue now: the limit is over, or the run was changed since
 * event `lastEvent`.
 */
async function rests({ database, signal }: WorkerContext, claim: Claim, lastEvent: number, limits: RunRateLimits) {
  const reached = limits.reached();
  if (reached === null) return true;
  if (reached !== 'over') {
    const wait = () => waitForRateLimit(database, claim, lastEvent, reached);
    if (await retryWhileUnreachable(wait, signal)) return true;
  }
  await retryWhileUnreachable(() => releaseClaim(database, claim, true), signal);
  return false;
}

/** Returns the index of a run among the runs of its case, from 0. */
async function findRepetition({ prisma }: Database, runId: string): Promise<number> {
  const run = await prisma.run.findUnique({ where: { id: runId }, select: { repetition: true } });
  return run?.repetition ?? 0;
}

function failStalledRun(stored: StoredRun, claim: Claim, now: Date): StoredRun {
  if (claim.idleClaims <= IDLE_CLAIMS) return stored;
  const { history } = stored;
  const message = `The run was begun ${IDLE_CLAIMS} times without getting a step further.`;
  const remedy = 'All that was stored is safe. Look into the log for the cause, then resume the run.';
  return {
    ...stored,
    history: {
      ...history,
      failure: {
        ...NO_SPEND,
        kind: 'internal_error',
        cause: null,
        role: null,
        message,
        remedy,
        step: history.step,
        at: now.toISOString(),
      },
    },
  };
}
