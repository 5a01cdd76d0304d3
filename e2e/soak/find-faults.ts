import pg from 'pg';
import { readEventLines } from '#lib/runs/event-lines.ts';
import type { LearningProvider } from '../faults/learning-provider.ts';
import { type Ledger, ledgerFaults } from './ledger.ts';
import type { Acknowledged } from './reviewers.ts';

/** Queries that must return no rows once every run has ended, by name. */
const FAULT_QUERIES: Record<string, string> = {
  'runs that have not ended well': `SELECT number, status, failure->>'message' AS message FROM runs WHERE status NOT IN ('finished', 'stopped')`,
  'jobs of runs that have ended': `SELECT state, singleton_key FROM pgboss.job WHERE name = 'runs' AND state < 'completed'`,
  'versions with a gap': `SELECT run_id FROM reflection_versions GROUP BY run_id HAVING max(number) + 1 <> count(*)`,
  // A step of a tuning run may make several proposals, each in a different round.
  'steps that made two versions': `SELECT run_id, step FROM reflection_versions GROUP BY run_id, step, proposal->>'round' HAVING count(*) > 1`,
  'steps evaluated twice': `SELECT run_id, step FROM evaluations WHERE by <> 'person' GROUP BY run_id, step HAVING count(*) > 1`,
  'steps criticised twice': `SELECT run_id, step FROM critiques GROUP BY run_id, step HAVING count(*) > 1`,
  'steps that wrote two lessons': `SELECT run_id, step FROM lessons WHERE step > 0 AND run_id IS NOT NULL GROUP BY run_id, step HAVING count(*) > 1`,
  'pauses decided twice': `SELECT pause_id FROM decisions WHERE pause_id IS NOT NULL AND criterion IS NULL GROUP BY pause_id HAVING count(*) > 1`,
  'runs whose row and versions differ': `SELECT r.id FROM runs r WHERE r.version_count <> (SELECT count(*) FROM reflection_versions v WHERE v.run_id = r.id)`,
  'runs whose row and calls differ': `SELECT r.id, r.call_count FROM runs r
    WHERE r.call_count <> (SELECT count(*) FROM model_calls c WHERE c.run_id = r.id AND c.attempts > 0)`,
  'answers kept twice': `SELECT run_id, step, ordinal FROM model_calls WHERE failure IS NULL AND text IS NOT NULL
    GROUP BY run_id, step, ordinal, fingerprint HAVING count(*) > 1`,
  'provider slots still held': 'SELECT provider, slot FROM provider_slots WHERE holder IS NOT NULL',
  'questions still asked': 'SELECT fingerprint FROM paid_questions',
};

/** Returns all inconsistencies after everything has ended. Empty if nothing was lost or duplicated. */
export async function findFaults(
  connectionString: string,
  acknowledged: Acknowledged,
  written: Ledger['written'],
): Promise<string[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const faults: string[] = [];
  try {
    for (const [name, text] of Object.entries(FAULT_QUERIES)) {
      const { rows } = await client.query(text);
      if (rows.length > 0) faults.push(`${name}: ${rows.length}, such as ${JSON.stringify(rows.slice(0, 3))}`);
    }
    faults.push(...(await eventFaults(client)));
    const decided = await client.query<{ key: string }>(
      "SELECT run_id || ' ' || pause_id || ' ' || decision AS key FROM decisions",
    );
    const kept = new Set(decided.rows.map(({ key }) => key));
    for (const { runId, pauseId, decision } of acknowledged.decisions)
      if (!kept.has(`${runId} ${pauseId} ${decision}`))
        faults.push(`an acknowledged decision is lost: ${decision} in ${runId}`);
    const stored = await client.query<{ key: string }>(
      "SELECT run_id || ' ' || number || ' ' || output AS key FROM reflection_versions",
    );
    const outputs = new Set(stored.rows.map(({ key }) => key));
    for (const { runId, number, output } of acknowledged.versions)
      if (!outputs.has(`${runId} ${number} ${output}`))
        faults.push(`version ${number} of ${runId} is not what was seen`);
    faults.push(...(await ledgerFaults(client, written)));
  } finally {
    await client.end();
  }
  return faults;
}

/** Returns the runs whose events are not all there, each once. */
async function eventFaults(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string; last: number; lines: string }>(
    `SELECT r.id, r.event_number AS last,
       (SELECT coalesce(string_agg(p.lines, '' ORDER BY p.last_number), '') FROM run_event_pages p WHERE p.run_id = r.id) || r.event_lines AS lines
     FROM runs r`,
  );
  return rows.flatMap(({ id, last, lines }) => {
    const numbers = readEventLines(lines).map(({ number }) => number);
    const isWhole = numbers.length === last && numbers.every((number, index) => number === index + 1);
    return isWhole ? [] : `the ${last} events of run ${id} are stored as ${numbers.join(' ')}`;
  });
}

/**
 * Counts repeated calls and returns the ends of their prompts. Each prompt contains its task and lessons, so it is repeated only after a
 * kill.
 */
export function countRepeats(provider: LearningProvider, from = 0): { total: number; most: number; prompts: string[] } {
  const asked = new Map<string, number>();
  for (const { model, messages } of provider.calls.slice(from)) {
    const key = JSON.stringify([model, messages]);
    asked.set(key, (asked.get(key) ?? 0) + 1);
  }
  const repeated = [...asked].filter(([, times]) => times > 1);
  return {
    total: repeated.reduce((sum, [, times]) => sum + times - 1, 0),
    most: Math.max(0, ...repeated.map(([, times]) => times - 1)),
    prompts: repeated.map(([key]) => key.slice(-300)),
  };
}

/** Returns the number of journaled responses beyond those that the provider sent. */
export async function keptBeyond(connectionString: string, provider: LearningProvider): Promise<number> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ kept: number }>(
      "SELECT coalesce(sum(attempts), 0)::int AS kept FROM model_calls WHERE provider = 'learning'",
    );
    return Math.max(0, (rows[0]?.kept ?? 0) - provider.calls.length);
  } finally {
    await client.end();
  }
}
