import { expect, test } from 'vitest';
import { listExperiments } from '#lib/experiments/list-experiments.ts';
import { listInbox } from '#lib/inbox/queries.ts';
import { findInsights, insightScope } from '#lib/insights/find-insights.ts';
import { listRuns } from '#lib/runs/list-runs.ts';
import { findRun } from '#lib/runs/queries.ts';
import { measureRuns } from '#lib/runs/run-measures.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { EXPERIMENTS, fillDatabase, VERSIONS_PER_RUN } from './fill-database.ts';

const db = useTestDatabase();

test('the large benchmark database fits the current schema, and its runs can be read', async () => {
  const database = db.database();
  const client = await database.pool.connect();
  try {
    const filled = await fillDatabase(client, 1_000);
    expect((await listExperiments(database, { cursor: null, limit: 100 })).items).toHaveLength(EXPERIMENTS);
    const { items } = await listRuns(database, { experimentId: filled.experimentId, cursor: null, limit: 50 });
    expect(items).toHaveLength(50);
    const scope = await insightScope(database, { experimentId: null, models: null, days: null }, new Date());
    const insights = await findInsights(database, scope);
    expect(insights.report).toMatchObject({ runs: 1_000, ended: 970 });
    const all = { scope: 'all', limit: 20 } as const;
    const anybody = { actorId: 'a', actorName: 'Ada', windowId: null, personId: 'a' };
    const first = await listInbox(database, { ...all, cursor: null }, anybody, new Date());
    const second = await listInbox(database, { ...all, cursor: first.nextCursor }, anybody, new Date());
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(30);
    expect(insights.report.targets.every(({ target, of }) => of > 0 || target === 'scored_alike')).toBe(true);
    expect(await measureRuns({ database }, new AbortController().signal)).toBe(0);
    const run = await findRun(database, filled.runId);
    expect(run?.record.versions).toHaveLength(VERSIONS_PER_RUN);
    expect(run?.record.status).toBe('finished');
    expect(run?.record.versions.every(({ evaluations }) => evaluations[0]?.status === 'scored')).toBe(true);
  } finally {
    client.release();
  }
}, 90_000);
