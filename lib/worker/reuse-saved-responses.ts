import { hash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { createReusedResponse, slotOf } from '#lib/core/reused-responses.ts';
import { TARGET_MODEL } from '#lib/core/targets/target-model.ts';
import type { Database } from '#lib/database/database.ts';
import { retryWhileUnreachable } from '#lib/database/retry-while-unreachable.ts';
import { claimModelRequest, MODEL_REQUEST_LEASE_MS, renewModelRequest } from '#lib/models/queries.ts';
import { findSavedResponse, type PaidOwner, releaseModelRequest, saveResponse } from '#lib/models/saved-responses.ts';
import { CANCELLED, type ModelCaller, type ModelOutcome, type ModelRequest } from '#lib/providers/call/model-caller.ts';
import { fingerprintOf } from './recorded-call.ts';

type PendingRequest = { outcome: Promise<ModelOutcome> };

declare global {
  // Pages, routes and the worker load separate module instances and only share `globalThis`.
  var honeAsked: WeakMap<object, Map<string, PendingRequest>> | undefined;
}

type Options = {
  database: Database;
  call: ModelCaller;
  /** Owner of newly paid responses, which are kept while this run or prompt exists. */
  owner: { runId: string } | { promptName: string };
  now?: () => Date;
  /** Identifies this process among those that make calls. */
  processId?: string | null;
};

/** A model caller that can receive the step of the run. */
export type PaidCaller = (...args: [...Parameters<ModelCaller>, step?: number]) => Promise<ModelOutcome>;

/**
 * Returns a model caller that pays only once for identical requests that run or score tuned prompts, across runs and the playground.
 * Requests in other roles are passed through. If several callers make the same request at once, in any process on the database, only one is
 * sent.
 * A reused response costs nothing and is marked as paid before. If the same step paid for it before a crash, it counts with its cost,
 * because nothing else has recorded that.
 */
export function reusePaidResponses({ database, call, owner, processId, now = () => new Date() }: Options): PaidCaller {
  const inFlight = inFlightOn(database.pool);
  const holder = processId ?? randomUUID();
  let own = { step: -1, questions: new Set<string>() };

  return async (request, options, step = 0) => {
    if (!isReusable(request)) return call(request, options);
    if (own.step !== step) own = { step, questions: new Set() };
    const { questions } = own;
    const asCall = fingerprintOf(request);
    // An app may have changed, so its responses are only reused within one run.
    const isOfRun = request.model.model === TARGET_MODEL && 'runId' in owner;
    const fingerprint = isOfRun ? hash('sha256', `${owner.runId} ${asCall}`) : asCall;
    const reply = { fingerprint, asCall, slot: slotOf(request), provider: request.model.provider };
    const question = `${reply.slot} ${reply.fingerprint}`;
    const payer: PaidOwner = 'runId' in owner ? { runId: owner.runId, step } : owner;

    const away = <Value>(work: () => Promise<Value>) => retryWhileUnreachable(work, options.signal);

    const find = async (): Promise<ModelOutcome | null> => {
      const found = await away(() => findSavedResponse(database, reply, payer));
      const isOwn = found?.lost === true && !questions.has(question);
      if (found === null) return null;
      questions.add(question);
      return { ok: true, reply: isOwn ? found.reply : createReusedResponse(found.reply) };
    };

    const pay = async (): Promise<ModelOutcome> => {
      questions.add(question);
      const outcome = await call(request, options);
      if (outcome.ok) await away(() => saveResponse(database, reply, payer, outcome.reply, now()));
      return outcome;
    };

    /** Waits until this process may make the request. Returns the response if another process received it first. */
    const claim = async (): Promise<ModelOutcome | null> => {
      for (let lookMs = MIN_POLL_INTERVAL_MS; ; lookMs = Math.min(lookMs * 1.5, MAX_POLL_INTERVAL_MS)) {
        if (await away(() => claimModelRequest(database, reply, holder))) return null;
        await sleep(lookMs, undefined, { signal: options.signal }).catch(() => undefined);
        if (options.signal.aborted) return CANCELLED;
        const answered = await find();
        if (answered !== null) return answered;
      }
    };

    const ask = async (): Promise<ModelOutcome> => {
      const found = await find();
      if (found !== null || !database.isShared) return found ?? pay();
      const answered = await claim();
      if (answered !== null) return answered;
      const renewal = setInterval(
        () => renewModelRequest(database, reply, holder).catch(() => undefined),
        MODEL_REQUEST_LEASE_MS / 3,
      );
      try {
        // Another process may have just received the response.
        return (await find()) ?? (await pay());
      } finally {
        clearInterval(renewal);
        await releaseModelRequest(database, reply, holder).catch(() => undefined);
      }
    };

    return askTogether(inFlight, question, options.signal, ask);
  };
}

/** Makes a request, or waits for the caller in this process that is making the same request. */
async function askTogether(
  inFlight: Map<string, PendingRequest>,
  question: string,
  signal: AbortSignal,
  ask: () => Promise<ModelOutcome>,
): Promise<ModelOutcome> {
  for (;;) {
    const other = inFlight.get(question);
    if (other === undefined) break;
    const outcome = await unlessAborted(other.outcome, signal);
    if (outcome === null) return CANCELLED;
    if (outcome.ok) return { ok: true, reply: createReusedResponse(outcome.reply) };
    // The other caller was aborted or failed. One of the waiting callers makes the request next.
    if (inFlight.get(question) === other) inFlight.delete(question);
  }
  const mine = { outcome: ask() };
  inFlight.set(question, mine);
  try {
    return await mine.outcome;
  } finally {
    if (inFlight.get(question) === mine) inFlight.delete(question);
  }
}

/** First and longest interval between checks for another process's response, in milliseconds. */
const MIN_POLL_INTERVAL_MS = 20;
const MAX_POLL_INTERVAL_MS = 500;

/** Returns true for requests that run or score a prompt. In these runs `embed` is only used for scores. */
function isReusable({ role }: ModelRequest): boolean {
  return role === 'try' || role === 'judge' || role === 'embed';
}

function inFlightOn(pool: object): Map<string, PendingRequest> {
  globalThis.honeAsked ??= new WeakMap();
  const known = globalThis.honeAsked.get(pool) ?? new Map<string, PendingRequest>();
  globalThis.honeAsked.set(pool, known);
  return known;
}

/** Returns the response, or null if the signal aborts first. */
async function unlessAborted(outcome: Promise<ModelOutcome>, signal: AbortSignal): Promise<ModelOutcome | null> {
  if (signal.aborted) return null;
  const { promise: aborted, resolve } = Promise.withResolvers<null>();
  const onAbort = () => resolve(null);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([outcome.catch((): ModelOutcome => CANCELLED), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
