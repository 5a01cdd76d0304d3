import type { Database } from '#lib/database/database.ts';
import { instruments } from './instruments.ts';
import { settledCalls } from './queries.ts';

const PAGE = 5_000;
/** Calls that are counted in one go; what is left is counted the next time. */
const MOST_PAGES = 20;
/** Models that have labels of their own; the others are counted together as `other`. */
const MOST_MODELS = 50;
const LONGEST_NAME = 100;

type Place = { afterId: number | null; named: Set<string>; underWay: Promise<void> | null };

declare global {
  // Of two routes that answer metrics, each a module instance of its own, both count in one place.
  var honeCountedCalls: Place | undefined;
}

/** Brings the counters of calls up to now: what any process has asked since this one was first asked for metrics. */
export async function countCalls(database: Database): Promise<void> {
  globalThis.honeCountedCalls ??= { afterId: null, named: new Set(), underWay: null };
  const place = globalThis.honeCountedCalls;
  place.underWay ??= countOn(database, place).finally(() => {
    place.underWay = null;
  });
  await place.underWay;
}

async function countOn(database: Database, place: Place): Promise<void> {
  if (place.afterId === null) {
    place.afterId = (await settledCalls(database, null, 1))[0]?.id ?? 0;
    return;
  }
  const { calls, tokens, costUsd, unpricedCalls, callSeconds } = instruments();
  for (let page = 0; page < MOST_PAGES; page++) {
    const rows = await settledCalls(database, place.afterId, PAGE);
    for (const row of rows) {
      const of = labelsOf(place.named, row);
      calls.inc({ ...of, outcome: row.failed ?? 'answered' });
      tokens.inc({ ...of, direction: 'input' }, row.inputTokens);
      tokens.inc({ ...of, direction: 'output' }, row.outputTokens);
      if (row.costUsd === null) unpricedCalls.inc(of);
      else costUsd.inc(of, row.costUsd);
      callSeconds.observe(of, row.latencyMs / 1_000);
      place.afterId = row.id;
    }
    if (rows.length < PAGE) return;
  }
}

function labelsOf(named: Set<string>, row: { provider: string; model: string }): { provider: string; model: string } {
  const [provider, model] = [row.provider.slice(0, LONGEST_NAME), row.model.slice(0, LONGEST_NAME)];
  const key = JSON.stringify([provider, model]);
  if (!named.has(key) && named.size >= MOST_MODELS) return { provider: 'other', model: 'other' };
  named.add(key);
  return { provider, model };
}
