import { CANCELLED, type ModelOutcome, type StepCall } from '#lib/core/model-request.ts';
import type { ModelReference } from '#lib/core/settings.ts';
import { changeSince, type Mark, markChanges } from '#lib/database/changes.ts';
import { extendRateLimit, modelOf, PROBE_MS, releaseRateLimited } from '#lib/runs/rate-limits.ts';
import type { RateLimit } from '#lib/runs/schema.ts';
import type { WorkerContext } from './worker-context.ts';

/** Longest time that a run waits at one step for the rate limit of a provider, in milliseconds. After that it fails. */
export const MAX_RATE_LIMIT_WAIT_MS = 24 * 3_600_000;

/** A rate limit as this process knows it, in milliseconds since 1970. `mark`: a time before the call that showed it. */
type KnownLimit = { seenAtMs: number; untilMs: number; mark: Mark };

/** By worker and model. Another process learns of a limit from its own calls, at most one for each of its slots. */
const knownLimits = new WeakMap<WorkerContext['call'], Map<string, KnownLimit>>();

/** The rate limits that one run reaches. */
export type RunRateLimits = {
  /** Aborts when a limit is reached, so that the run makes no more steps. */
  signal: AbortSignal;
  /** The limit to wait for. Null if none was reached, or `over` if a call of another run has succeeded since. */
  reached(): { limit: RateLimit; until: Date } | 'over' | null;
  /**
   * Returns false while the limit of a model lasts. Once it should be over, returns true for one call until its response arrives. Only asked
   * for calls that are really made, because a saved response does not show if the limit is over.
   */
  mayCall(model: ModelReference, step: number): boolean;
  /** Returns a caller that cancels calls that reach a limit. `before`: the limit that the run waited for last. */
  around(call: StepCall, before: RateLimit | null): StepCall;
  /** Makes a call and records what its outcome shows about the limit of its model. */
  observe(model: ModelReference, step: number, call: () => Promise<ModelOutcome>): Promise<ModelOutcome>;
};

export function runRateLimits({
  database,
  enqueue,
  call: worker,
  now,
}: Pick<WorkerContext, 'database' | 'enqueue' | 'call' | 'now'>): RunRateLimits {
  const known = knownLimits.get(worker) ?? new Map<string, KnownLimit>();
  knownLimits.set(worker, known);
  const controller = new AbortController();
  let before: RateLimit | null = null;
  let reached: { limit: RateLimit; until: Date } | null = null;
  /** The model of which other runs may still wait. */
  let releases: string | null = null;

  /** Returns false if the run has waited too long. */
  function wait({ provider, model }: ModelReference, step: number, { seenAtMs, untilMs }: KnownLimit): boolean {
    const since = before?.step === step ? before.since : new Date(seenAtMs).toISOString();
    if (untilMs - Date.parse(since) > MAX_RATE_LIMIT_WAIT_MS) return false;
    if (reached === null || reached.until.getTime() < untilMs)
      reached = { limit: { provider, model, since, step }, until: new Date(untilMs) };
    controller.abort();
    return true;
  }

  function mayCall(model: ModelReference, step: number): boolean {
    const limit = known.get(modelOf(model));
    if (limit === undefined) return true;
    const nowMs = now().getTime();
    const isResumed = before !== null && Date.parse(before.since) > limit.seenAtMs;
    // A new key or base URL has another limit.
    const isChanged = changeSince(database, limit.mark, ['providers']) === 'changed';
    if (limit.untilMs > nowMs && !isResumed && !isChanged && wait(model, step, limit)) return false;
    known.set(modelOf(model), { seenAtMs: nowMs, untilMs: nowMs + PROBE_MS, mark: markChanges(database) });
    return true;
  }

  return {
    signal: controller.signal,
    reached: () => (reached !== null && !known.has(modelOf(reached.limit)) ? 'over' : reached),
    mayCall,
    around: (call, waitedFor) => {
      before = waitedFor;
      releases = waitedFor && modelOf(waitedFor);
      return async (step, request) => {
        const outcome = await call(step, request);
        return !outcome.ok && outcome.failure.retryAt !== undefined && reached !== null ? CANCELLED : outcome;
      };
    },
    observe: async (model, step, call) => {
      const startedAtMs = now().getTime();
      const mark = markChanges(database);
      const outcome = await call();
      const key = modelOf(model);
      const limit = known.get(key);
      if (limit !== undefined && startedAtMs >= limit.seenAtMs) {
        if (outcome.ok) {
          known.delete(key);
          releases = key;
          // Another error does not show if the limit is over, so the next call finds out.
        } else known.set(key, { ...limit, untilMs: startedAtMs });
      }
      if (outcome.ok && releases === key && !(await attempt(releaseRateLimited({ database, enqueue }, model))))
        releases = null;
      if (!outcome.ok && outcome.failure.retryAt !== undefined) {
        const seen = { seenAtMs: now().getTime(), untilMs: Date.parse(outcome.failure.retryAt), mark };
        if (wait(model, step, seen)) {
          known.set(key, seen);
          await attempt(extendRateLimit(database, model, new Date(seen.untilMs)));
        }
      }
      return outcome;
    },
  };
}

/** Ignores errors of the database, so that the outcome of the call is not lost. The other runs then continue when their wait is over. */
function attempt<Value>(change: Promise<Value>): Promise<Value | null> {
  return change.catch(() => null);
}
