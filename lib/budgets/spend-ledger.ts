import { keptWhileUnchanged } from '#lib/database/changes.ts';
import type { Database } from '#lib/database/database.ts';
import { findProvider } from '#lib/models/stored-provider.ts';
import type { ProviderConfiguration } from '#lib/providers/provider-configuration.ts';
import { PROVIDER_KINDS } from '#lib/providers/provider-kinds.ts';
import { type BudgetLimits, findBudgetLimits } from './queries.ts';

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
  const limits = keptWhileUnchanged(database, ['limits'], (experimentId: string | null) =>
    findBudgetLimits(database, experimentId),
  );
  const ledger: SpendLedger = {
    holds: new Set(),
    limitsOf: limits.get,
    forgetLimits: limits.forget,
    pricesOf: keptWhileUnchanged(database, ['providers'], (name: string) => findPrices(database, name)).get,
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
