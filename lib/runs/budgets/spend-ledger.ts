import { type BudgetLimits, findBudgetLimits } from '#lib/db/budget-limits.ts';
import type { Database } from '#lib/db/database.ts';
import { findProvider } from '#lib/db/find-provider.ts';
import { PROVIDER_KINDS, type ProviderConfiguration } from '#lib/models/provider-configuration.ts';

/** A call that is under way, or answered and not yet kept: what it is held to cost, then what it did. */
export type Hold = { experimentId: string | null; costUsd: number; tokens: number };

/** What this process knows of its spending besides the database's rows. */
export type SpendLedger = {
  /** Oldest first. */
  holds: Set<Hold>;
  limitsOf: (experimentId: string | null) => Promise<BudgetLimits>;
  /** Forgets which budgets are set: the next call looks again. */
  forgetLimits: () => void;
  /** What prices a provider's calls have; null where there is no such provider. Its key is not looked at. */
  pricesOf: (provider: string) => Promise<ProviderConfiguration | null>;
  /** Tokens that calls of a kind were answered with so far. */
  answers: Map<string, { n: number; mean: number }>;
};

declare global {
  // Pages, routes and the worker are module instances of their own; only `globalThis` is shared.
  var honeSpending: WeakMap<object, SpendLedger> | undefined;
}

/** The one ledger of this process for a database. */
export function spendLedger(database: Database): SpendLedger {
  globalThis.honeSpending ??= new WeakMap();
  const known = globalThis.honeSpending.get(database.pool);
  if (known !== undefined) return known;
  const limits = remembered((experimentId: string | null) => findBudgetLimits(database, experimentId));
  const ledger: SpendLedger = {
    holds: new Set(),
    limitsOf: limits.get,
    forgetLimits: limits.forget,
    pricesOf: remembered((name: string) => findPrices(database, name)).get,
    answers: new Map(),
  };
  globalThis.honeSpending.set(database.pool, ledger);
  return ledger;
}

/** How long what was read is gone by, in milliseconds, so that calls cost no query of their own. */
const KEEP_MS = 1_000;
/** Entries that are kept, at most. */
const MOST_KEPT = 1_000;

function remembered<Key, Value>(read: (key: Key) => Promise<Value>) {
  const entries = new Map<Key, { readAt: number; value: Promise<Value> }>();
  const get = (key: Key): Promise<Value> => {
    const known = entries.get(key);
    if (known !== undefined && performance.now() - known.readAt < KEEP_MS) return known.value;
    if (entries.size >= MOST_KEPT) entries.clear();
    const entry = { readAt: performance.now(), value: read(key) };
    entry.value.catch(() => entries.get(key) === entry && entries.delete(key));
    entries.set(key, entry);
    return entry.value;
  };
  return { get, forget: () => entries.clear() };
}

async function findPrices(database: Database, name: string): Promise<ProviderConfiguration | null> {
  const stored = await findProvider(database, name);
  const kind = stored?.kind ?? PROVIDER_KINDS.find((candidate) => candidate === name);
  return kind === undefined ? null : { name, kind, baseUrl: null, apiKey: null, prices: stored?.prices ?? {} };
}
