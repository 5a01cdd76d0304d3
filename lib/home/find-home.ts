import { countAssigned } from '#lib/assignments/queries.ts';
import { type Actor, personOf } from '#lib/auth/actor.ts';
import type { TimedContext } from '#lib/context/app-context.ts';
import type { Database } from '#lib/database/database.ts';
import { findLifts, listLessons } from '#lib/lessons/queries.ts';
import { listRuns } from '#lib/runs/list-runs.ts';
import { SAMPLES } from '#lib/samples/samples.ts';
import { findMonthBudget } from '#lib/settings/installation-settings.ts';
import { beginOfMonth } from '#lib/settings/schema.ts';
import {
  findFailedRuns,
  findOverview,
  listLabelledPrompts,
  listTrends,
  type ProviderSpend,
  sumSpend,
} from './queries.ts';

/** Number of items shown per section. */
const SHOWN = { waiting: 4, latest: 5, failed: 3, trends: 6, lessons: 4, prompts: 4 };
/** Sums older than this are returned and refreshed in the background. Sums ten times older are recomputed first. */
const SPEND_MS = 60_000;

/** Names of the sample prompts of a new installation. */
const SAMPLE_PROMPTS = SAMPLES.flatMap(({ kept }) => (kept === undefined ? [] : [kept.prompt.name]));

/**
 * Returns the contents of the home page for `actor`. Uses small queries and totals. Sums over the month's calls may be up to ten minutes
 * old.
 */
export async function findHome({ database, now }: TimedContext, actor: Pick<Actor, 'id' | 'memberId'>) {
  const moment = now();
  const month = beginOfMonth(moment);
  const [overview, assigned, waiting, latest, failed, trends, lessons, prompts, budget, spend] = await Promise.all([
    findOverview(database, SAMPLE_PROMPTS),
    countAssigned(database, personOf(actor)),
    listRuns(database, { status: 'waiting', cursor: null, limit: SHOWN.waiting }),
    listRuns(database, { cursor: null, limit: SHOWN.latest }),
    findFailedRuns(database, moment, SHOWN.failed),
    listTrends(database, SHOWN.trends),
    listUsedLessons(database),
    listLabelledPrompts(database, SHOWN.prompts),
    findMonthBudget(database),
    spendOf(database)(month.toISOString(), moment),
  ]);
  return {
    ...{ overview, assigned, failed, trends, lessons, prompts },
    waiting: waiting.items,
    latest: latest.items,
    spend: { ...budget, month: month.toISOString(), ...spend },
  };
}

export type HomeView = Awaited<ReturnType<typeof findHome>>;

/** Lists the promoted lessons that helped most often, with the results of their trials. */
async function listUsedLessons(database: Database) {
  const { items } = await listLessons(
    database,
    { query: '', kind: null, status: 'promoted', year: null, scope: null, only: null, order: 'most_helpful' },
    { cursor: null, limit: SHOWN.lessons },
  );
  const lifts = await findLifts(
    database,
    items.map(({ id }) => id),
  );
  return items.map(({ id, text, helpful, harmful, neutral }) => ({
    ...{ id, text, helpful, harmful, neutral },
    lift: lifts.get(id) ?? null,
  }));
}

/** The spend of each provider, and when it was summed. */
type SummedSpend = { providers: ProviderSpend[]; asOf: string };

const spends = new WeakMap<Database, (month: string, now: Date) => Promise<SummedSpend>>();

function spendOf(database: Database) {
  const known = spends.get(database);
  if (known !== undefined) return known;
  const sum = async (month: string, now: Date) => ({
    providers: await sumSpend(database, new Date(month)),
    asOf: now.toISOString(),
  });
  const made = createTimedCache(sum, SPEND_MS);
  spends.set(database, made);
  return made;
}

/** A cached value that is slow to compute and may be slightly outdated. */
type CacheEntry<Value> = { value: Value; at: number };

/** Values this many times older than `freshMs` are recomputed before they are returned. */
const STALE_FACTOR = 10;

/**
 * Caches the results of `find` by key. Values older than `freshMs` milliseconds are returned and refreshed in the background. Values
 * `STALE_FACTOR` times older are recomputed first. Concurrent reads of a key share one call. Only the newest `most` keys are kept.
 */
export function createTimedCache<Value>(find: (key: string, now: Date) => Promise<Value>, freshMs: number, most = 4) {
  const entries = new Map<string, CacheEntry<Value>>();
  const searches = new Map<string, Promise<Value>>();
  const search = (key: string, now: Date): Promise<Value> => {
    const running = searches.get(key);
    if (running !== undefined) return running;
    const started = find(key, now)
      .then((value) => {
        entries.delete(key);
        entries.set(key, { value, at: now.getTime() });
        for (const old of [...entries.keys()].slice(0, -most)) entries.delete(old);
        return value;
      })
      .finally(() => searches.delete(key));
    searches.set(key, started);
    return started;
  };
  return async (key: string, now: Date): Promise<Value> => {
    const known = entries.get(key);
    const age = known === undefined ? Number.POSITIVE_INFINITY : now.getTime() - known.at;
    if (known === undefined || age > STALE_FACTOR * freshMs) return search(key, now);
    // If it fails, the next reader tries again.
    if (age > freshMs) search(key, now).catch(() => undefined);
    return known.value;
  };
}
