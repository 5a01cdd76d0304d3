import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#lib/database/database.ts';
import { isUnreachable, retryWhileUnreachable } from '#lib/database/retry-while-unreachable.ts';
import { CANCELLED, type ModelCaller } from '#lib/providers/call/model-caller.ts';
import { renewProviderSlots, SLOT_LEASE_MS, takeProviderSlot, takeProviderTurn } from './queries.ts';

/** Creates the missing rows for `limit` slots. */
export async function makeProviderSlots({ prisma }: Database, provider: string, limit: number): Promise<void> {
  const data = Array.from({ length: limit }, (_, index) => ({ provider, slot: index + 1 }));
  await prisma.providerSlot.createMany({ data, skipDuplicates: true });
}

async function freeProviderSlot({ prisma }: Database, provider: string, slot: number, holder: string): Promise<void> {
  await prisma.providerSlot.updateMany({
    where: { provider, slot, holder },
    data: { holder: null, heldUntil: null },
  });
}

/** Limits of a provider: concurrent calls and calls per minute. Null means no limit. */
export type ProviderLimits = { maxConcurrency: number | null; maxRequestsPerMinute: number | null };

/** Maximum time for releasing a slot while the database is unavailable, in milliseconds. */
const MAX_DATABASE_WAIT_MS = 300_000;
const NEVER = new AbortController().signal;
const MIN_POLL_MS = 10;
const MAX_POLL_MS = 250;

type Options = {
  database: Database;
  /** Id of this process as a holder of slots. */
  holder: string;
  /** Stops new calls when aborted. Calls in flight continue. */
  draining?: AbortSignal;
  limitsOf: (provider: string) => Promise<ProviderLimits>;
};

/**
 * Limits model calls to the rates of their providers, across all workers on the database. A call canceled while it waits counts as never
 * made.
 */
export function limitedCall(
  call: ModelCaller,
  { database, holder, draining, limitsOf }: Options,
): ModelCaller & { close(): void } {
  const known = new Map<string, number>();
  const heldSlots = new Map<string, Set<number>>();
  const heldOf = (provider: string) => heldSlots.get(provider) ?? new Set<number>();
  const renewal = setInterval(() => {
    if ([...heldSlots.values()].some((slots) => slots.size > 0))
      renewProviderSlots(database, holder).catch(() => undefined);
  }, SLOT_LEASE_MS / 3);
  renewal.unref();

  const takeSlot = async (provider: string, limit: number, signal: AbortSignal): Promise<number> => {
    if ((known.get(provider) ?? 0) < limit) {
      await retryWhileUnreachable(() => makeProviderSlots(database, provider, limit), signal);
      known.set(provider, limit);
    }
    for (let lookMs = MIN_POLL_MS; ; lookMs = Math.min(lookMs * 1.5, MAX_POLL_MS)) {
      const take = () => takeProviderSlot(database, provider, limit, holder, [...heldOf(provider)]);
      const slot = await retryWhileUnreachable(take, signal);
      if (slot !== null) {
        heldSlots.set(provider, heldOf(provider).add(slot));
        return slot;
      }
      await sleep(lookMs, undefined, { signal });
    }
  };

  const turnOf = (provider: string, perMinute: number, signal: AbortSignal): Promise<number> =>
    retryWhileUnreachable(() => takeProviderTurn(database, provider, 60_000 / perMinute), signal);

  /** A finished response must not wait for an unavailable database, or be lost because of it. */
  const free = async (provider: string, slot: number): Promise<void> => {
    const work = () => freeProviderSlot(database, provider, slot, holder);
    try {
      await work();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      retryWhileUnreachable(work, NEVER, MAX_DATABASE_WAIT_MS).catch(() => undefined);
    }
  };

  const limited: ModelCaller = async (request, options) => {
    const { provider } = request.model;
    const signal = draining === undefined ? options.signal : AbortSignal.any([options.signal, draining]);
    let slot: number | null = null;
    try {
      const limits = () => limitsOf(provider);
      const { maxConcurrency, maxRequestsPerMinute } = await retryWhileUnreachable(limits, signal);
      if (maxConcurrency !== null) {
        slot = await takeSlot(provider, maxConcurrency, signal);
      }
      if (maxRequestsPerMinute !== null)
        await sleep(await turnOf(provider, maxRequestsPerMinute, signal), undefined, { signal });
      if (draining?.aborted) return CANCELLED;
      return await call(request, options);
    } catch (error) {
      if (signal.aborted) return CANCELLED;
      throw error;
    } finally {
      if (slot !== null) {
        heldOf(provider).delete(slot);
        await free(provider, slot);
      }
    }
  };
  return Object.assign(limited, { close: () => clearInterval(renewal) });
}
