import { setTimeout as sleep } from 'node:timers/promises';
import type { Database, Queryable } from '#lib/database/database.ts';
import { isUnreachable, whileUnreachable } from '#lib/database/while-unreachable.ts';
import { CANCELLED, type ModelCaller } from '#lib/providers/call/model-caller.ts';

/** How long a slot is held without being renewed, in milliseconds: after a crash it is free again then. */
const SLOT_LEASE_MS = 15_000;

const TAKE = `
  UPDATE provider_slots SET holder = $3, held_until = now() + $4 * interval '1 millisecond'
  WHERE (provider, slot) = (
    SELECT provider, slot FROM provider_slots
    WHERE provider = $1 AND slot <= $2 AND NOT slot = ANY($5::int[])
      AND (held_until IS NULL OR held_until < now() OR held_until > now() + 2 * $4 * interval '1 millisecond')
    ORDER BY slot LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING slot`;

/**
 * Takes one of a provider's `limit` slots for `holder`; null when all are held. Exact over any number of processes. Leases go by
 * the database's clock; `own` are the slots that this process holds for certain, which no jump of that clock frees. A lease
 * that ends later than any can was made before the clock was put back, and counts as over.
 */
export async function takeProviderSlot(
  database: Database,
  provider: string,
  limit: number,
  holder: string,
  own: number[],
): Promise<number | null> {
  const values = [provider, limit, holder, SLOT_LEASE_MS, own];
  const { rows } = await database.pool.query<{ slot: number }>({ name: 'take-provider-slot', text: TAKE, values });
  return rows[0]?.slot ?? null;
}

/** Makes sure that the rows of `limit` slots are there. */
export async function makeProviderSlots(database: Database, provider: string, limit: number): Promise<void> {
  await database.pool.query(
    'INSERT INTO provider_slots (provider, slot) SELECT $1, generate_series(1, $2::int) ON CONFLICT DO NOTHING',
    [provider, limit],
  );
}

/** Holds the slots of a holder for another lease. */
async function renewProviderSlots(database: Database, holder: string): Promise<void> {
  await database.pool.query(
    `UPDATE provider_slots SET held_until = now() + $2 * interval '1 millisecond' WHERE holder = $1 AND held_until IS NOT NULL`,
    [holder, SLOT_LEASE_MS],
  );
}

async function freeProviderSlot(database: Database, provider: string, slot: number, holder: string): Promise<void> {
  await database.pool.query({
    name: 'free-provider-slot',
    text: 'UPDATE provider_slots SET holder = NULL, held_until = NULL WHERE provider = $1 AND slot = $2 AND holder = $3',
    values: [provider, slot, holder],
  });
}

/** Frees what a process that is gone held. */
export async function freeProviderSlotsOf({ pool }: { pool: Queryable }, holder: string): Promise<void> {
  await pool.query('UPDATE provider_slots SET holder = NULL, held_until = NULL WHERE holder = $1', [holder]);
}

/** Frees what dead processes held. Only for the one process on its database. */
export async function freeAllProviderSlots(database: { pool: Queryable }): Promise<void> {
  await database.pool.query('UPDATE provider_slots SET holder = NULL, held_until = NULL WHERE holder IS NOT NULL');
}

/** A clock that was put back since the last turn was given takes the next one with it; the few seconds are for statements that waited. */
const TURN = `
  UPDATE providers SET turn_taken_at = now(), next_call_at = greatest(
    coalesce(next_call_at - CASE WHEN turn_taken_at > now() + interval '5 seconds' THEN turn_taken_at - now() ELSE interval '0' END, now()),
    now()) + $2 * interval '1 millisecond'
  WHERE name = $1
  RETURNING extract(epoch FROM next_call_at - $2 * interval '1 millisecond' - now()) * 1000 AS wait_ms`;

/** Takes the next turn of a provider that may be called every `spacingMs`; answers how long to wait for it, in milliseconds. */
async function takeProviderTurn(database: Database, provider: string, spacingMs: number): Promise<number> {
  const { rows } = await database.pool.query<{ wait_ms: string }>({
    name: 'take-provider-turn',
    text: TURN,
    values: [provider, spacingMs],
  });
  return Math.max(0, Number(rows[0]?.wait_ms ?? 0));
}

/** What a provider may be asked: calls in flight, and calls a minute; null = no limit. */
export type ProviderLimits = { maxConcurrency: number | null; maxRequestsPerMinute: number | null };

/** How long a call waits for a database that is away, in milliseconds. */
const DATABASE_AWAY_MS = 300_000;
const NEVER = new AbortController().signal;
const FIRST_LOOK_MS = 10;
const LONGEST_LOOK_MS = 250;

type Options = {
  database: Database;
  /** Names this process among the holders of slots. */
  holder: string;
  /** Once it aborts no new call is made; those in flight go on. */
  draining?: AbortSignal;
  limitsOf: (provider: string) => Promise<ProviderLimits>;
};

/**
 * Asks models no faster than their providers' limits allow, over all workers on the database. A call that is called off while
 * it waits was never made.
 */
export function limitedCall(
  call: ModelCaller,
  { database, holder, draining, limitsOf }: Options,
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
      await whileUnreachable(() => makeProviderSlots(database, provider, limit), DATABASE_AWAY_MS, signal);
      known.set(provider, limit);
    }
    for (let lookMs = FIRST_LOOK_MS; ; lookMs = Math.min(lookMs * 1.5, LONGEST_LOOK_MS)) {
      const take = () => takeProviderSlot(database, provider, limit, holder, [...heldOf(provider)]);
      const slot = await whileUnreachable(take, DATABASE_AWAY_MS, signal);
      if (slot !== null) {
        held.set(provider, heldOf(provider).add(slot));
        return slot;
      }
      await sleep(lookMs, undefined, { signal });
    }
  };

  const turnOf = (provider: string, perMinute: number, signal: AbortSignal): Promise<number> =>
    whileUnreachable(() => takeProviderTurn(database, provider, 60_000 / perMinute), DATABASE_AWAY_MS, signal);

  /** What was answered must not wait for a database that is away, let alone get lost with it. */
  const free = async (provider: string, slot: number): Promise<void> => {
    const work = () => freeProviderSlot(database, provider, slot, holder);
    try {
      await work();
    } catch (error) {
      if (!isUnreachable(error)) throw error;
      whileUnreachable(work, DATABASE_AWAY_MS, NEVER).catch(() => undefined);
    }
  };

  const limited: ModelCaller = async (request, options) => {
    const { provider } = request.model;
    const signal = draining === undefined ? options.signal : AbortSignal.any([options.signal, draining]);
    let slot: number | null = null;
    try {
      const limits = () => limitsOf(provider);
      const { maxConcurrency, maxRequestsPerMinute } = await whileUnreachable(limits, DATABASE_AWAY_MS, signal);
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
