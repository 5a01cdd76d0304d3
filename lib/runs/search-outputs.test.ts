import { beforeAll, describe, expect, test } from 'vitest';
import {
  PRACTICE_SUMS,
  PRACTICE_WRITING,
  queuedRun,
  testContext,
  testWorkerContext,
} from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { makeSearchable } from './run-measures.ts';
import { isIndexing, searchOutputs } from './search-outputs.ts';

const db = useTestDatabase();
const ALL = { experimentId: null, cursor: null, limit: 10 };

/** Two ended runs of different experiments; a third run is still queued. */
let guide: { id: string; experimentId: string };
let sum: { id: string; experimentId: string };

beforeAll(async () => {
  const context = testContext(db.database());
  const ended = async (...given: Parameters<typeof queuedRun> extends [unknown, ...infer Rest] ? Rest : never) => {
    const id = await queuedRun(context, ...given);
    await performRun(testWorkerContext(context), id);
    const { rows } = await db
      .database()
      .pool.query<{ id: string }>('SELECT experiment_id AS id FROM runs WHERE id = $1', [id]);
    return { id, experimentId: rows[0]?.id ?? '' };
  };
  guide = await ended(PRACTICE_WRITING, { input: 'Explain the <b>refund</b> policy to follow-up customers' });
  sum = await ended(PRACTICE_SUMS, { input: 'What is 12 + 30?', reference: '42' });
  await queuedRun(context, PRACTICE_WRITING, { input: 'Explain another refund' });
});

describe('search of ended runs', () => {
  test('matches word prefixes and marks them in the snippet', async () => {
    const { items, nextCursor } = await searchOutputs(db.database(), { ...ALL, query: 'REFU polic' });
    expect(nextCursor).toBeNull();
    expect(items).toMatchObject([{ runId: guide.id, experimentId: guide.experimentId, status: 'finished' }]);
    const [hit] = items;
    const words = hit?.snippet.marks.map(([from, to]) => hit.snippet.text.slice(from, to).toLowerCase());
    expect(new Set(words)).toEqual(new Set(['refu', 'polic']));
  });

  test.each(['follow-up', 'follow-u', 'up follow', 'policy-follow'])(
    'matches %j regardless of the position of its parts',
    async (query) => {
      const { items } = await searchOutputs(db.database(), { ...ALL, query });
      expect(items.map(({ runId }) => runId)).toEqual(query === 'policy-follow' ? [] : [guide.id]);
    },
  );

  test('returns the version whose output matches', async () => {
    const { rows } = await db
      .database()
      .pool.query<{ number: number; output: string }>(
        'SELECT v.number, v.output FROM reflection_versions v JOIN runs r ON r.id = v.run_id AND r.best_version = v.number WHERE r.id = $1',
        [sum.id],
      );
    const { items } = await searchOutputs(db.database(), { ...ALL, query: 'answer 42' });
    expect(items).toMatchObject([{ runId: sum.id, version: rows[0]?.number }]);
    expect(rows[0]?.output).toContain('answer is 42');
  });

  test('filters by experiment and paginates', async () => {
    const inAll = await searchOutputs(db.database(), { ...ALL, query: 'is', limit: 1 });
    const ofSum = await searchOutputs(db.database(), { ...ALL, query: '12', experimentId: sum.experimentId });
    expect(ofSum.items.map(({ runId }) => runId)).toEqual([sum.id]);
    expect(await searchOutputs(db.database(), { ...ALL, query: '12', experimentId: guide.experimentId })).toEqual({
      items: [],
      nextCursor: null,
    });
    const next = await searchOutputs(db.database(), {
      ...ALL,
      query: 'is',
      limit: 1,
      cursor: inAll.items[0] ? String(inAll.items[0].number) : null,
    });
    expect(next.items.every(({ number }) => number < (inAll.items[0]?.number ?? 0))).toBe(true);
  });

  test.each(['', '%', "'; DROP TABLE runs", 'xqz & | ! (b', '\\ \' "', 'refund nothingofthekind'])(
    'returns nothing for %j',
    async (query) => {
      expect((await searchOutputs(db.database(), { ...ALL, query })).items).toEqual([]);
    },
  );

  test('reports indexing until all runs are searchable', async () => {
    expect(await isIndexing(db.database())).toBe(false);
    await db
      .database()
      .pool.query('UPDATE run_measures SET searched = false, search = NULL WHERE run_id = $1', [sum.id]);
    expect(await isIndexing(db.database())).toBe(true);
    await makeSearchable(testContext(db.database()), new AbortController().signal);
    expect(await isIndexing(db.database())).toBe(false);
    expect((await searchOutputs(db.database(), { ...ALL, query: 'answer 42' })).items).toHaveLength(1);
  });
});
