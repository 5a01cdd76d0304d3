import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import { instruments } from './instruments.ts';

const callRow = z.object({
  id: z.int(),
  provider: z.string(),
  model: z.string(),
  failed: z.string().nullable(),
  inputTokens: z.int(),
  outputTokens: z.int(),
  costUsd: z.number().nullable(),
  latencyMs: z.int(),
});

/** A call as it counts in metrics; `failed` is the kind of its failure. */
type CountedCall = z.infer<typeof callRow>;

/** Rows get their numbers before they can be seen: younger ones may still be behind one that is seen, so they wait. */
const SETTLED = `created_at < now() - interval '5 seconds'`;

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
    place.afterId = await newestCallId(database);
    return;
  }
  const { calls, tokens, costUsd, unpricedCalls, callSeconds } = instruments();
  for (let page = 0; page < MOST_PAGES; page++) {
    const rows = await callsSince(database, place.afterId, PAGE);
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

/** The number of the newest call that is settled; 0 before the first. */
async function newestCallId(database: Database): Promise<number> {
  const { rows } = await database.pool.query<{ id: number }>(
    `SELECT id FROM model_calls WHERE ${SETTLED} ORDER BY id DESC LIMIT 1`,
  );
  return rows[0]?.id ?? 0;
}

/** The calls after a number that are settled, in order, at most `limit`, without their texts. */
async function callsSince(database: Database, afterId: number, limit: number): Promise<CountedCall[]> {
  const { rows } = await database.pool.query<Record<string, unknown>>({
    name: 'calls-since',
    text: `SELECT id, provider, model, failure->>'kind' AS failed, input_tokens AS "inputTokens", output_tokens AS "outputTokens",
        cost_usd AS "costUsd", latency_ms AS "latencyMs"
      FROM model_calls WHERE id > $1 AND ${SETTLED} ORDER BY id LIMIT $2`,
    values: [afterId, limit],
  });
  return z.array(callRow).parse(rows);
}
