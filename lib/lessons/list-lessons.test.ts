import { beforeAll, describe, expect, test } from 'vitest';
import { LESSON_STATUSES, type LessonFilter, type LessonStatus } from '#lib/core/lesson-schema.ts';
import { asQueryable } from '#lib/database/connections.ts';
import type { Queryable } from '#lib/database/database.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { rowsRead } from '#lib/testing/rows-read.test-support.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { countLessons, countLessonsToReview, countMergedLessons, countReviews } from './lesson-status.ts';
import { listLessons, listStatement, walkLessons } from './queries.ts';
import { REFUTING_HARMS } from './review-status.ts';
import { lessonsToAdmit, mergeLessonTotals } from './write-queries.ts';

const db = useTestDatabase();
const ALL: LessonFilter = { query: '', kind: null, status: null, year: null, scope: null, only: null, order: 'newest' };
const COUNT = 10_000;

/** Per 100 lessons: 40 quarantined, 30 promoted without admission, 10 held, 5 staged, 5 rejected, 10 archived. */
const FILL = `
  INSERT INTO lessons (id, kind, status, admission, text, block, agent, task_type, tools, source_input, created_by, created_at, helpful, harmful)
  SELECT gen_random_uuid(), CASE n % 4 WHEN 0 THEN 'principle' ELSE 'lesson' END,
    CASE WHEN n % 100 < 40 THEN 'quarantined' WHEN n % 100 < 70 THEN 'promoted' WHEN n % 100 < 85 THEN 'candidate'
      WHEN n % 100 < 90 THEN 'rejected' ELSE 'archived' END,
    CASE WHEN n % 100 BETWEEN 40 AND 69 THEN 'waiting' WHEN n % 100 BETWEEN 70 AND 79 THEN 'held' WHEN n % 100 BETWEEN 80 AND 84 THEN 'staged' ELSE 'admitted' END,
    'Advice number ' || n || CASE n % 500 WHEN 7 THEN ' on unicorns' ELSE '' END, 'b',
    CASE n % 10 WHEN 0 THEN NULL ELSE 'agent ' || n % 10 END, CASE n % 3 WHEN 0 THEN 'code' END,
    CASE n % 7 WHEN 0 THEN '{python}'::text[] ELSE '{}' END, CASE n % 1000 WHEN 5 THEN 'about dragons' ELSE '' END, 'Ada',
    '2026-01-01Z'::timestamptz + (n / 5) * interval '1 minute', n % 13, CASE n % 100 WHEN 50 THEN 40 ELSE 1 END
  FROM generate_series(0, ${COUNT - 1}) n`;

/** Assigns three lessons awaiting review, one of them held, and one that is not. */
const ASK_GRACE = `
  WITH grace AS (INSERT INTO members (id, name, email, role, created_at, updated_at) VALUES ('grace', 'Grace', 'grace@team.example', 'reviewer', now(), now()))
  INSERT INTO assignments (id, lesson_id, member_id, assigned_by, assigned_by_id, created_at)
  SELECT gen_random_uuid(), id, 'grace', 'Ada', 'ada', now() FROM lessons WHERE text IN ('Advice number 1', 'Advice number 2', 'Advice number 75', 'Advice number 55')`;

/** Merges 100 archived lessons into another one. */
const MERGE = `UPDATE lessons SET merged_into_id = (SELECT id FROM lessons WHERE text = 'Advice number 1') WHERE text LIKE 'Advice number %99'`;

beforeAll(async () => {
  const { pool } = db.database();
  await pool.query(FILL);
  await pool.query(ASK_GRACE);
  await pool.query(MERGE);
  await db.database().pool.query('VACUUM ANALYZE lessons');
});

async function allPages(filter: LessonFilter, limit: number) {
  const items = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof listLessons>> = await listLessons(db.database(), filter, { cursor, limit });
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return items;
}

describe('pages contain each lesson once, in order', () => {
  test.each<[string, Partial<LessonFilter>, number]>([
    ['of all lessons', {}, COUNT],
    ['of a status', { status: 'promoted' }, 3_000],
    ['of a kind', { kind: 'principle' }, 2_500],
    ['waiting for review', { only: 'review' }, 5_000],
    ['waiting for review and held', { only: 'held' }, 1_000],
    ['waiting for review and clear', { only: 'clear' }, 4_000],
    ['waiting for review and assigned to somebody', { only: 'assigned', personId: 'grace' }, 3],
    ['waiting for review and unassigned', { only: 'assigned', personId: 'linus' }, 0],
    ['refuted', { only: 'refuted' }, 100],
    ['merged', { only: 'merged' }, 100],
    ['not merged', { only: 'unmerged' }, COUNT - 100],
    ['archived and not merged', { only: 'unmerged', status: 'archived' }, 900],
    ['not merged, with a common word', { only: 'unmerged', query: 'advice' }, COUNT - 100],
    ['with words in the text', { query: 'unicorn' }, 20],
    ['with words in the source input', { query: 'dragon advice' }, 10],
    ['with words and a status', { query: 'unicorn', status: 'quarantined' }, 20],
    ['for an agent', { scope: { by: 'agent', value: 'agent 3' } }, 1_000],
    ['for all agents', { scope: { by: 'agent', value: '*' } }, 1_000],
    ['for a task type', { scope: { by: 'taskType', value: 'code' } }, 3_334],
    ['for a tool', { scope: { by: 'tool', value: 'python' } }, 1_429],
    ['most helpful first', { order: 'most_helpful', status: 'promoted' }, 3_000],
    ['with words that match nothing', { query: 'griffin' }, 0],
    ['with a word that all contain', { query: 'advice' }, COUNT],
    ['with a common word and a status', { query: 'advice', status: 'promoted' }, 3_000],
    ['with a common word and a rare one', { query: 'advice unicorn' }, 20],
    ['with a common word, in review', { query: 'advice', only: 'review' }, 5_000],
    ['with a common word, most helpful first', { query: 'advice', order: 'most_helpful' }, COUNT],
  ])('%s', async (_name, given, count) => {
    const filter = { ...ALL, ...given };
    const items = await allPages(filter, 997);
    expect(new Set(items.map(({ id }) => id)).size).toBe(count);
    expect(items).toHaveLength(count);
    const keys = items.map(({ helpful, createdAt, id }) => {
      const newest = `${String(10 ** 14 - Date.parse(createdAt)).padStart(15, '0')} ${id}`;
      return filter.order === 'newest' ? newest : `${99 - helpful} ${newest}`;
    });
    expect(keys).toEqual(keys.toSorted());
  });
});

test('a cursor of another order or an invalid one returns the first page', async () => {
  const first = await listLessons(db.database(), ALL, { cursor: null, limit: 3 });
  for (const cursor of ['', 'x', '5_1700000000000_00000000-0000-4000-8000-000000000000', '1_2'])
    expect(await listLessons(db.database(), ALL, { cursor, limit: 3 })).toEqual(first);
});

test('countLessons returns the number of lessons per status', async () => {
  expect(await countLessons(db.database())).toEqual({
    ...{ candidate: 1_500, quarantined: 4_000, promoted: 3_000, rejected: 500, archived: 1_000 },
    ...{ review: 5_000, refuted: 100 },
  });
  expect(await countMergedLessons(db.database())).toBe(100);
  expect(await countLessonsToReview(db.database())).toBe(5_000);
  expect(await countReviews(db.database(), 'grace')).toEqual({ all: 5_000, held: 1_000, clear: 4_000, assigned: 3 });
});

describe('lesson counts', () => {
  /** Counts the lessons directly, for comparison with the stored totals. */
  const countedBy = async (connection: Queryable) => {
    const { rows } = await connection.query<{ status: LessonStatus; count: number; review: number; refuted: number }>(
      `SELECT status, count(*)::int AS count,
         count(*) FILTER (WHERE status = 'quarantined' OR (status = 'candidate' AND admission = 'held'))::int AS review,
         count(*) FILTER (WHERE status = 'promoted' AND harmful >= ${REFUTING_HARMS} AND harmful > helpful)::int AS refuted
       FROM lessons GROUP BY status`,
    );
    const sum = (of: 'review' | 'refuted') => rows.reduce((all, row) => all + row[of], 0);
    const statuses = LESSON_STATUSES.map((status) => [status, rows.find((row) => row.status === status)?.count ?? 0]);
    return { ...Object.fromEntries(statuses), review: sum('review'), refuted: sum('refuted') };
  };

  test('match the lessons after each change, before and after the totals are merged', async () => {
    const rolledBack = new Error('rolled back');
    const work = inTransaction(db.database(), async (prisma) => {
      const connection = asQueryable(prisma);
      for (const change of [
        "UPDATE lessons SET status = 'promoted', admission = 'admitted' WHERE text LIKE '%7' AND status = 'quarantined'",
        "UPDATE lessons SET harmful = harmful + 3 WHERE text LIKE '%3'",
        "UPDATE lessons SET admission = 'held' WHERE status = 'candidate' AND text LIKE '%81'",
        "DELETE FROM lessons WHERE text LIKE '%5'",
        'SELECT 1',
      ]) {
        await connection.query(change);
        expect(await countLessons({ prisma }), change).toEqual(await countedBy(connection));
        await mergeLessonTotals({ prisma });
        expect(await countLessons({ prisma }), change).toEqual(await countedBy(connection));
      }
      const { rows } = await connection.query<{ left: number }>('SELECT count(*)::int AS left FROM lesson_totals');
      expect(rows[0]?.left).toBeLessThanOrEqual(50);
      throw rolledBack;
    });
    await expect(work).rejects.toBe(rolledBack);
  });

  test('are read without scanning the lessons', async () => {
    expect(await rowsRead(db.database(), countLessons)).toBeLessThan(100);
    expect(await rowsRead(db.database(), countLessonsToReview)).toBeLessThan(100);
  });
});

test('searches for a common word without scanning all lessons', async () => {
  const page = { cursor: null, limit: 50 };
  const read = (query: string) => rowsRead(db.database(), (database) => listLessons(database, { ...ALL, query }, page));
  expect(await read('advice')).toBeLessThan(1_000);
  expect(await read('unicorn')).toBeLessThan(7_000);
});

test('exports and admits lessons without scanning all of them', async () => {
  const walked = await rowsRead(db.database(), async (database) => {
    let left = 501;
    for await (const _lesson of walkLessons(database, { kind: null, status: null, year: null }))
      if (--left === 0) break;
  });
  expect(walked).toBeLessThan(3_000);
  expect(await rowsRead(db.database(), (database) => lessonsToAdmit(database, 50))).toBeLessThan(1_000);
});

describe('index use of page queries over 10,000 lessons', () => {
  const cursor = '1767330000000_00000000-0000-4000-8000-000000000000';
  test.each<[string, { text: string; values: unknown[] }]>([
    ['first page', listStatement(ALL, { cursor: null, limit: 50 })],
    ['middle page', listStatement(ALL, { cursor, limit: 50 })],
    ['page of a status', listStatement({ ...ALL, status: 'archived' }, { cursor, limit: 50 })],
    [
      'page of the most helpful',
      listStatement({ ...ALL, status: 'promoted', order: 'most_helpful' }, { cursor: `7_${cursor}`, limit: 50 }),
    ],
    ['page of lessons in review', listStatement({ ...ALL, only: 'review' }, { cursor, limit: 50 })],
    ['page of merged lessons', listStatement({ ...ALL, only: 'merged' }, { cursor: null, limit: 50 })],
    ['page of lessons that are not merged', listStatement({ ...ALL, only: 'unmerged' }, { cursor, limit: 50 })],
    ['page of held lessons', listStatement({ ...ALL, only: 'held' }, { cursor, limit: 50 })],
    ['page of clear lessons', listStatement({ ...ALL, only: 'clear' }, { cursor, limit: 50 })],
    ['search for a rare word', listStatement({ ...ALL, query: 'unicorn' }, { cursor: null, limit: 50 })],
    ['search for a common word', listStatement({ ...ALL, query: 'advice' }, { cursor: null, limit: 50 }, 'walk')],
    ['page of a yearly archive', listStatement({ ...ALL, year: 2026 }, { cursor: null, limit: 50 })],
  ])('%s', async (_name, { text, values }) => {
    const { rows } = await db
      .database()
      .pool.query<{ 'QUERY PLAN': unknown }>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
    const plan = JSON.stringify(rows);
    expect(plan).toContain('"Index Name":"lessons_');
    expect(plan).not.toMatch(/"Node Type":"Seq Scan"[^{}]*"Relation Name":"lessons"/);
    const removed = [...plan.matchAll(/"Rows Removed by Filter":(\d+)/g)].map(([, count]) => Number(count));
    expect(Math.max(0, ...removed)).toBeLessThan(600);
  });
});
