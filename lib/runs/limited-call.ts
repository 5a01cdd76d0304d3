import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '#lib/db/database.ts';
import {
  freeProviderSlot,
  makeProviderSlots,
  renewProviderSlots,
  SLOT_LEASE_MS,
  takeProviderSlot,
  takeProviderTurn,
} from '#lib/db/provider-limits.ts';
import type { ModelCaller } from '#lib/models/model-caller.ts';
import { CALLED_OFF } from './called-off.ts';

/** What a provider may be asked: calls in flight, and calls a minute; null = no limit. */
export type ProviderLimits = { maxConcurrency: number | null; maxRequestsPerMinute: number | null };

const FIRST_LOOK_MS = 10;
const LONGEST_LOOK_MS = 250;

type Options = {
  database: Database;
  /** Names this process among the holders of slots. */
  holder: string;
  limitsOf: (provider: string) => Promise<ProviderLimits>;
};

/**
 * Asks models no faster than their providers' limits allow, over all workers on the database. A call that is called off while
 * it waits was never made.
 */
export function limitedCall(
  call: ModelCaller,
  { database, holder, limitsOf }: Options,
): ModelCaller & { close(): void } {
  const known = new Map<string, number>();
  const held = new Map<string, Set<number>>();
  const heldOf = (provider: string) => held.get(provider) ?? new Set<number>();
  const renewal = setInterval(() => {
    if ([...held.values()].some((slots) => slots.size > 0)) renewProviderSlots(database, holder).catch(() => undefined);
  }, SLOT_LEASE_MS / 3);
  renewal.unref();

  const takeSlot = async (provider: string, limit: number, signal: AbortSignal): Promise<number> => {
    if ((known.get(provider) ?? 0) < limit) {
      await makeProviderSlots(database, provider, limit);
      known.set(provider, limit);
    }
    for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(lookMs * 1.5, LONGEST_LOOK_MS)) {
      const slot = await takeProviderSlot(database, provider, limit, holder, [...heldOf(provider)]);
      if (slot !== null) {
        held.set(provider, heldOf(provider).add(slot));
        return slot;
      }
      await sleep(lookMs, undefined, { signal });
    }
  };

  const limited: ModelCaller = async (request, options) => {
    const { provider } = request.model;
    const { maxConcurrency, maxRequestsPerMinute } = await limitsOf(provider);
    let slot: number | null = null;
    try {
      if (maxConcurrency !== null) {
        slot = await takeSlot(provider, maxConcurrency, options.signal);
      }
      if (maxRequestsPerMinute !== null)
        await sleep(await takeProviderTurn(database, provider, 60_000 / maxRequestsPerMinute), undefined, {
          signal: options.signal,
        });
      return await call(request, options);
    } catch (error) {
      if (options.signal.aborted) return CALLED_OFF;
      throw error;
    } finally {
      if (slot !== null) {
        heldOf(provider).delete(slot);
        await freeProviderSlot(database, provider, slot, holder);
      }
    }
  };
  return Object.assign(limited, { close: () => clearInterval(renewal) });
}
