import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { createdDatasetSchema } from '#lib/api/datasets-schema.ts';
import { createdSchema } from '#lib/api/experiments-schema.ts';
import { lessonDetailSchema } from '#lib/core/lesson-library.ts';
import { type Api, openApi, SMALL } from '../api/open-api.ts';
import type { Member } from './fleet.ts';
import type { SeededRandom } from './seeded-random.ts';

/** Write that the API acknowledged: its kind, a unique text and its location. */
type Written = { kind: WriteKind; mark: string; id: string; version: number };
type WriteKind = keyof typeof WRITES;

/** Kinds of writes: how each is made, and the SQL that finds it by id ($1), mark ($2) and version ($3). */
const WRITES = {
  experiment: {
    write: async (api: Api, mark: string) => ({ id: await api.createExperiment({ name: mark }), version: 1 }),
    found: 'SELECT 1 FROM experiments WHERE id = $1::uuid AND name = $2 AND latest_version >= $3::int',
  },
  settings: {
    write: async (api: Api, mark: string) => {
      const id = await api.createExperiment({ name: 'Changed by the ledger' });
      const generator = { ...SMALL.generator, instructions: mark };
      const { version } = await api.read(createdSchema, 'PATCH', `/api/v1/experiments/${id}`, { generator });
      return { id, version };
    },
    found: `SELECT 1 FROM experiment_versions WHERE experiment_id = $1::uuid AND version = $3::int AND settings->'generator'->>'instructions' = $2`,
  },
  cases: {
    write: (api: Api, mark: string) =>
      api.read(createdDatasetSchema, 'POST', '/api/v1/datasets', { name: mark, cases: [{ input: mark }] }),
    found: 'SELECT 1 FROM dataset_cases WHERE dataset_id = $1::uuid AND input = $2 AND $3::int > 0',
  },
  lesson: {
    write: async (api: Api, mark: string) => {
      const { id } = await api.read(lessonDetailSchema, 'POST', '/api/v1/lessons', { kind: 'lesson', text: mark });
      return { id, version: 1 };
    },
    found: 'SELECT 1 FROM lessons WHERE id = $1::uuid AND text = $2 AND $3::int > 0',
  },
} as const;
const KINDS = ['experiment', 'settings', 'cases', 'lesson'] as const;

/** Selects duplicates. Each mark is sent once, so it must exist at most once. */
const TWICE = `
  SELECT name AS mark FROM experiments WHERE name LIKE 'Ledger %' GROUP BY name HAVING count(*) > 1
  UNION ALL SELECT input FROM dataset_cases WHERE input LIKE 'Ledger %' GROUP BY dataset_id, input HAVING count(*) > 1
  UNION ALL SELECT text FROM lessons WHERE text LIKE 'Ledger %' GROUP BY text HAVING count(*) > 1`;

/** Clients that write until stopped and record each acknowledged write. */
export type Ledger = { written: readonly Written[]; stop(): Promise<void> };

export function startLedger(webs: readonly Member[], count: number, random: SeededRandom): Ledger {
  const written: Written[] = [];
  let isOver = false;
  const writeOnce = async () => {
    const [first, ...others] = webs;
    if (first === undefined) throw new Error('a ledger needs a web process');
    const api = openApi(`http://127.0.0.1:${random.pick([first, ...others]).port}`);
    const kind = random.pick(KINDS);
    const mark = `Ledger ${randomUUID()}`;
    const { id, version } = await WRITES[kind].write(api, mark);
    written.push({ kind, mark, id, version });
  };
  const one = async () => {
    while (!isOver) {
      // A write that a killed process did not acknowledge may or may not exist.
      await writeOnce().catch(() => undefined);
      await sleep(100 + random.next() * 200);
    }
  };
  const all = Array.from({ length: count }, one);
  return {
    written,
    stop: async () => {
      isOver = true;
      await Promise.all(all);
    },
  };
}

/** Returns the acknowledged writes that are missing or duplicated. */
export async function ledgerFaults(client: Pick<pg.Client, 'query'>, written: readonly Written[]): Promise<string[]> {
  const faults: string[] = [];
  for (const { kind, mark, id, version } of written) {
    const { rowCount } = await client.query(WRITES[kind].found, [id, mark, version]);
    if (rowCount !== 1)
      faults.push(`an acknowledged write is ${rowCount === 0 ? 'lost' : 'kept twice'}: ${kind} ${id}`);
  }
  const { rows } = await client.query<{ mark: string }>(TWICE);
  return [...faults, ...rows.map(({ mark }) => `kept twice: ${mark}`)];
}
