import type { Database } from '#lib/db/database.ts';
import { findPaidReply, keepPaidReply, type PaidOwner } from '#lib/db/paid-replies.ts';
import { whileAway } from '#lib/db/while-away.ts';
import type { ModelCaller, ModelOutcome, ModelRequest } from '#lib/models/model-caller.ts';
import { paidBefore, slotOf } from '#lib/reflection/paid-before.ts';
import { CALLED_OFF } from './called-off.ts';
import { fingerprintOf } from './journalled-call.ts';

type Asked = { outcome: Promise<ModelOutcome> };

declare global {
  // Pages, routes and the worker are module instances of their own; only `globalThis` is shared.
  var honeAsked: WeakMap<object, Map<string, Asked>> | undefined;
}

type Options = {
  database: Pick<Database, 'pool'>;
  call: ModelCaller;
  /** Who pays for new replies: they are kept as long as the run or the prompt is there. */
  owner: { runId: string } | { promptName: string };
  now?: () => Date;
};

/** A caller of models that may be told which step of the run asks. */
export type PaidCaller = (...asked: [...Parameters<ModelCaller>, step?: number]) => Promise<ModelOutcome>;

/**
 * Asks models for answers to prompts that are tuned, and for what scores them; the very same question is paid for once, by whichever
 * run or playground comes first. A reply that is used again costs nothing and says so; but one that this very step paid for before
 * it was killed counts what it cost, for nothing else tells of it. Of several in flight in this process one asks. Questions in other roles pass.
 */
export function paidReplies({ database, call, owner, now = () => new Date() }: Options): PaidCaller {
  const inFlight = inFlightOn(database.pool);
  let own = { step: -1, questions: new Set<string>() };

  return async (request, options, step = 0) => {
    if (!isKept(request)) return call(request, options);
    if (own.step !== step) own = { step, questions: new Set() };
    const { questions } = own;
    const asked = { fingerprint: fingerprintOf(request), slot: slotOf(request), provider: request.model.provider };
    const question = `${asked.slot} ${asked.fingerprint}`;
    const payer: PaidOwner = 'runId' in owner ? { runId: owner.runId, step } : owner;

    const ask = async (): Promise<ModelOutcome> => {
      const found = await whileAway(() => findPaidReply(database, asked, payer), DATABASE_AWAY_MS, options.signal);
      const isOwn = found?.lost === true && !questions.has(question);
      questions.add(question);
      if (found !== null) return { ok: true, reply: isOwn ? found.reply : paidBefore(found.reply) };
      const outcome = await call(request, options);
      if (!outcome.ok) return outcome;
      await whileAway(
        () => keepPaidReply(database, asked, payer, outcome.reply, now()),
        DATABASE_AWAY_MS,
        options.signal,
      );
      return outcome;
    };

    for (;;) {
      const other = inFlight.get(question);
      if (other === undefined) break;
      const outcome = await unlessAborted(other.outcome, options.signal);
      if (outcome === null) return CALLED_OFF;
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
    return await Promise.race([outcome.catch((): ModelOutcome => CALLED_OFF), aborted]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}
