import { hash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { paidBefore, slotOf } from '#lib/core/paid-before.ts';
import { TARGET_MODEL } from '#lib/core/targets/target-model.ts';
import type { Database } from '#lib/database/database.ts';
import { whileUnreachable } from '#lib/database/while-unreachable.ts';
import { QUESTION_LEASE_MS, renewQuestion, takeQuestion } from '#lib/models/queries.ts';
import { findSavedResponse, leaveQuestion, type PaidOwner, saveResponse } from '#lib/models/saved-responses.ts';
import { CANCELLED, type ModelCaller, type ModelOutcome, type ModelRequest } from '#lib/providers/call/model-caller.ts';
import { fingerprintOf } from './recorded-call.ts';

type Asked = { outcome: Promise<ModelOutcome> };

declare global {
  // Pages, routes and the worker are module instances of their own; only `globalThis` is shared.
  var honeAsked: WeakMap<object, Map<string, Asked>> | undefined;
}

type Options = {
  database: Database;
  call: ModelCaller;
  /** Who pays for new replies: they are kept as long as the run or the prompt is there. */
  owner: { runId: string } | { promptName: string };
  now?: () => Date;
  /** Names this process among those that ask. */
  processId?: string | null;
};

/** A caller of models that may be told which step of the run asks. */
export type PaidCaller = (...asked: [...Parameters<ModelCaller>, step?: number]) => Promise<ModelOutcome>;

/**
 * Asks models for answers to prompts that are tuned, and for what scores them; the very same question is paid for once, by whichever
 * run or playground comes first. A reply that is used again costs nothing and says so; but one that this very step paid for before
 * it was killed counts what it cost, for nothing else tells of it. Of several that ask it at the same moment, in this process or in
 * others on the database, one does. Questions in other roles pass.
 */
export function paidReplies({ database, call, owner, processId, now = () => new Date() }: Options): PaidCaller {
  const inFlight = inFlightOn(database.pool);
  const holder = processId ?? randomUUID();
  let own = { step: -1, questions: new Set<string>() };

  return async (request, options, step = 0) => {
    if (!isKept(request)) return call(request, options);
    if (own.step !== step) own = { step, questions: new Set() };
    const { questions } = own;
    const asCall = fingerprintOf(request);
    // An app may have changed since: what it answered counts for one run.
    const isOfRun = request.model.model === TARGET_MODEL && 'runId' in owner;
    const fingerprint = isOfRun ? hash('sha256', `${owner.runId} ${asCall}`) : asCall;
    const asked = { fingerprint, asCall, slot: slotOf(request), provider: request.model.provider };
    const question = `${asked.slot} ${asked.fingerprint}`;
    const payer: PaidOwner = 'runId' in owner ? { runId: owner.runId, step } : owner;

    const away = <Value>(work: () => Promise<Value>) => whileUnreachable(work, DATABASE_AWAY_MS, options.signal);

    const find = async (): Promise<ModelOutcome | null> => {
      const found = await away(() => findSavedResponse(database, asked, payer));
      const isOwn = found?.lost === true && !questions.has(question);
      if (found === null) return null;
      questions.add(question);
      return { ok: true, reply: isOwn ? found.reply : paidBefore(found.reply) };
    };

    const pay = async (): Promise<ModelOutcome> => {
      questions.add(question);
      const outcome = await call(request, options);
      if (outcome.ok) await away(() => saveResponse(database, asked, payer, outcome.reply, now()));
      return outcome;
    };

    const ask = async (): Promise<ModelOutcome> => {
      const found = await find();
      if (found !== null || !database.isShared) return found ?? pay();
      for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(lookMs * 1.5, LONGEST_LOOK_MS)) {
        if (await away(() => takeQuestion(database, asked, holder))) break;
        await sleep(lookMs, undefined, { signal: options.signal }).catch(() => undefined);
        if (options.signal.aborted) return CANCELLED;
        const answered = await find();
        if (answered !== null) return answered;
      }
      const renewal = setInterval(
        () => renewQuestion(database, asked, holder).catch(() => undefined),
        QUESTION_LEASE_MS / 3,
      );
      try {
        // Whoever asked it a moment ago may have been answered just then.
        return (await find()) ?? (await pay());
      } finally {
        clearInterval(renewal);
        await leaveQuestion(database, asked, holder).catch(() => undefined);
      }
    };

    for (;;) {
      const other = inFlight.get(question);
      if (other === undefined) break;
      const outcome = await unlessAborted(other.outcome, options.signal);
      if (outcome === null) return CANCELLED;
      if (outcome.ok) return { ok: true, reply: paidBefore(outcome.reply) };
      // Whoever asked was called off or refused: one of those who waited asks next.
      if (inFlight.get(question) === other) inFlight.delete(question);
    }
    const mine = { outcome: ask() };
    inFlight.set(question, mine);
    try {
      return await mine.outcome;
    } finally {
      if (inFlight.get(question) === mine) inFlight.delete(question);
    }
  };
}

/** How soon, and then how often, it is looked whether another process was answered, in milliseconds. */
const FIRST_LOOK_MS = 20;
const LONGEST_LOOK_MS = 500;
/** How long a reply waits for a database that is away, in milliseconds. */
const DATABASE_AWAY_MS = 300_000;

/** Only what tries and scores a prompt: of those runs `embed` too is asked for nothing but scores. */
function isKept({ role }: ModelRequest): boolean {
  return role === 'try' || role === 'judge' || role === 'embed';
}

function inFlightOn(pool: object): Map<string, Asked> {
  globalThis.honeAsked ??= new WeakMap();
  const known = globalThis.honeAsked.get(pool) ?? new Map<string, Asked>();
  globalThis.honeAsked.set(pool, known);
  return known;
}

/** What was answered; null where the signal aborts first. */
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
