import { expect, test } from 'vitest';
import { recordQueries } from '#lib/testing/record-queries.test-support.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { insertArm } from './insert-arm.test-support.ts';
import { listComparable } from './queries.ts';

const db = useTestDatabase();
const run = (input: string) => ({ input, scores: [0.5] });

test('sorts arms by cases shared with the baseline and recounts only changed arms', async () => {
  const base = await insertArm(db.database(), { name: 'Base', runs: [run('a'), run('b'), run('c')] });
  const one = await insertArm(db.database(), { name: 'One', runs: [run('a'), run('a'), run('x')] });
  const two = await insertArm(db.database(), {
    name: 'Two',
    runs: [run('b'), run('c'), { ...run('a'), isBranch: true }],
  });
  await insertArm(db.database(), {
    name: 'Tuned',
    settings: { mode: 'tune', prompts: { generate: 'Say {{input}}' } },
    runs: [],
  });
  await insertArm(db.database(), { name: 'Not ended', runs: [{ ...run('a'), status: 'running' }] });
  const { database, recorded } = recordQueries(db.database());
  const list = async (search = '') => {
    recorded.length = 0;
    const listed = await listComparable(database, { baseline: base, search, limit: 10 });
    return listed.map(({ experimentName, cases, shared, runs }) => [experimentName, cases, shared, runs]);
  };
  const counted = () => recorded.filter(({ name }) => name.includes('count(DISTINCT r.case_key)')).length;
  const first = [
    ['Base', 3, 3, 3],
    ['Two', 2, 2, 2],
    ['One', 2, 1, 3],
  ];
  expect(await list()).toEqual(first);
  expect(await list()).toEqual(first);
  expect(counted()).toBe(0);
  expect(await list('tw')).toEqual([first[1]]);
  await db.database().pool.query('DELETE FROM runs WHERE id = $1', [two.runIds[0]]);
  await insertArm(db.database(), { of: one, version: 2, runs: [run('c')] });
  expect(await list()).toEqual([
    ['Base', 3, 3, 3],
    ['One', 1, 1, 1],
    ['Two', 1, 1, 1],
    ['One', 2, 1, 3],
  ]);
  expect(counted()).toBe(2);
});
