import { cacheUntilChanged } from '#lib/database/changes.ts';
import type { Database } from '#lib/database/database.ts';
import { findProvider } from '#lib/models/stored-provider.ts';
import type { ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import { PROVIDER_KINDS } from '#lib/providers/provider-kinds.ts';
import { type BudgetLimits, findBudgetLimits } from './queries.ts';

/** A call in progress, or completed and not yet stored. Contains its estimated amounts, later its actual ones. */
export type Hold = { experimentId: string | null; costUsd: number; tokens: number };

/** This process's spending that is not in the database rows yet. */
export type SpendLedger = {
  /** Oldest first. */
  holds: Set<Hold>;
  limitsOf: (experimentId: string | null) => Promise<BudgetLimits>;
  /** Clears the cached limits, so that the next call reads them again. */
  forgetLimits: () => void;
  /** Returns a provider's configuration with its prices, without reading its key. Null if there is no such provider. */
  pricesOf: (provider: string) => Promise<ProviderConfiguration | null>;
  /** Number and mean size in tokens of previous responses, by kind of call. */
  answers: Map<string, { n: number; mean: number }>;
};

declare global {
  // Pages, routes and the worker have separate module instances. Only `globalThis` is shared.
  var honeSpending: WeakMap<object, SpendLedger> | undefined;
}

/** Returns this process's single ledger for a database. */
export function spendLedger(database: Database): SpendLedger {
  globalThis.honeSpending ??= new WeakMap();
  const known = globalThis.honeSpending.get(database.pool);
  if (known !== undefined) return known;
  const limits = cacheUntilChanged(database, ['limits'], (experimentId: string | null) =>
    findBudgetLimits(database, experimentId),
  );
  const ledger: SpendLedger = {
    holds: new Set(),
    limitsOf: limits.get,
    forgetLimits: limits.clear,
    pricesOf: cacheUntilChanged(database, ['providers'], (name: string) => findPrices(database, name)).get,
    answers: new Map(),
  };
  globalThis.honeSpending.set(database.pool, ledger);
  return ledger;
}

async function findPrices(database: Database, name: string): Promise<ProviderConfiguration | null> {
  const stored = await findProvider(database, name);
  const kind = stored?.kind ?? PROVIDER_KINDS.find((candidate) => candidate === name);
  return kind === undefined ? null : { name, kind, baseUrl: null, apiKey: null, prices: stored?.prices ?? {} };
}
