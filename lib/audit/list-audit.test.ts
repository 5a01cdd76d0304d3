import { PrismaPg } from '@prisma/adapter-pg';
import type pg from 'pg';
import { beforeAll, expect, test } from 'vitest';
import { PrismaClient } from '#lib/database/generated/client.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { countAudit, iterateAudit, listAudit } from './queries.ts';

const db = useTestDatabase();
const LINES = 100_000;
/** Maximum number of 8 kB pages read. The table has more than 1,500. */
const MOST_BLOCKS = 60;
/** Time of the entry before the first one. Entries are one minute apart. */
const BEGAN = Date.UTC(2026, 0, 1);
const MINUTE_MS = 60_000;
const DAY_LINES = 1440;
const day = (count: number) => new Date(BEGAN + count * DAY_LINES * MINUTE_MS);

beforeAll(async () => {
  const { pool } = db.database();
  await pool.query(
    `INSERT INTO audit_entries (at, actor_id, actor, role, via, act, subject_kind, outcome)
     SELECT $1::timestamptz + n * interval '1 minute', 'a' || n % 7, 'A', 'owner', 'person', 'created', 'run', 'done' FROM generate_series(0, $2 - 1) n`,
    [new Date(BEGAN), LINES],
  );
  await pool.query('ANALYZE audit_entries');
});

test('paging, counting and streaming one day agree and exclude other days', async () => {
  const filter = { from: day(10), to: day(11) };
  expect(await countAudit(db.database(), filter)).toBe(DAY_LINES);
  let cursor: string | null = null;
  const paged: string[] = [];
  do {
    const page: Awaited<ReturnType<typeof listAudit>> = await listAudit(db.database(), filter, { cursor, limit: 500 });
    paged.push(...page.items.map(({ at }) => at));
    cursor = page.nextCursor;
  } while (cursor !== null);
  const walked: string[] = [];
  for await (const { at } of iterateAudit(db.database(), filter)) walked.push(at);
  expect(paged).toEqual(walked);
  expect(paged).toHaveLength(DAY_LINES);
  expect(paged.at(0)).toBe(new Date(day(11).getTime() - MINUTE_MS).toISOString());
  expect(paged.at(-1)).toBe(day(10).toISOString());
});

test.each([
  ['one old day', { from: day(1), to: day(2) }],
  ['an old week', { from: day(1), to: day(8) }],
  ['everything up to an old day', { from: null, to: day(2) }],
  ['everything from a recent day on', { from: day(68), to: null }],
  ['a day before the first entry', { from: day(-2), to: day(-1) }],
  ['one old day of one person', { from: day(1), to: day(2), actorId: 'a1' }],
])('a page of %s reads only the blocks it needs', async (_name, filter) => {
  const { pool } = db.database();
  const asked: { text: string; values: unknown[] }[] = [];
  const watched = Object.assign(Object.create(pool), {
    query: (config: pg.QueryConfig) => {
      asked.push({ text: config.text, values: config.values ?? [] });
      return pool.query(config);
    },
  });
  const prisma = new PrismaClient({ adapter: new PrismaPg(watched) });
  const first = await listAudit({ prisma }, filter, { cursor: null, limit: 50 });
  if (first.nextCursor !== null) await listAudit({ prisma }, filter, { cursor: first.nextCursor, limit: 50 });
  expect(asked.length).toBeGreaterThan(0);
  for (const { text, values } of asked) {
    const { rows } = await pool.query(`EXPLAIN (ANALYZE, BUFFERS, FORMAT JSON) ${text}`, values);
    const [{ Plan: plan }] = rows[0]['QUERY PLAN'];
    expect(plan['Shared Hit Blocks'] + plan['Shared Read Blocks']).toBeLessThan(MOST_BLOCKS);
  }
});
