import { beforeAll, describe, expect, test } from 'vitest';
import { insertArm } from '#lib/compare/insert-arm.test-support.ts';
import { measureRuns } from '#lib/runs/run-measures.ts';
import { wilsonInterval } from '#lib/statistics/intervals.ts';
import { RUN_READINGS, type RunReading } from '#lib/statistics/run-readings.ts';
import { recordQueries } from '#lib/testing/record-queries.test-support.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { findInsights, type InsightFilter, insightScope } from './find-insights.ts';
import { listInsightRuns } from './list-insight-runs.ts';
import type { Insights } from './schema.ts';
import { writeInsightsCsv } from './write-insights-csv.ts';

const db = useTestDatabase();
const NOW = new Date('2026-11-22T12:00:00Z');
const ALL: InsightFilter = { experimentId: null, models: null, days: null };
const REAL = { provider: 'openai', model: 'gpt' };

/** Creates runs as long use would leave them: reasons, issues and dates per run, then all measures. */
async function arm(
  name: string,
  settings: object,
  runs: {
    scores: (number | null)[];
    reason?: string;
    daysAgo?: number;
    status?: string;
    isBranch?: boolean;
    costUsd?: number;
  }[],
  origin = 'made',
) {
  const { pool } = db.database();
  const { experimentId, runIds } = await insertArm(db.database(), {
    name,
    settings,
    runs: runs.map((run, index) => ({ input: `${name} ${index}`, unmeasured: true, ...run })),
  });
  await pool.query('UPDATE experiments SET origin = $2 WHERE id = $1', [experimentId, origin]);
  for (const [index, { reason = null, daysAgo = 1, status = 'finished' }] of runs.entries())
    await pool.query(
      `UPDATE runs SET convergence_reason = $2, first_score = best_score, finished_at = CASE WHEN $4 THEN NULL ELSE $3::timestamptz - $5 * interval '1 day' END WHERE id = $1`,
      [runIds[index], reason, NOW, status === 'running', daysAgo],
    );
  return { experimentId, runIds };
}

const scopeOf = (filter: InsightFilter = ALL) => insightScope(db.database(), filter, NOW);
const insightsOf = async (filter: InsightFilter = ALL) => findInsights(db.database(), await scopeOf(filter));
const targetIn = ({ report }: Insights, target: string) => report.targets.find((one) => one.target === target);
const listed = async (reading: RunReading, filter: InsightFilter = ALL) => {
  const scope = await scopeOf(filter);
  return listInsightRuns(db.database(), scope, { reading, cursor: null, limit: 50 });
};

let katas: Awaited<ReturnType<typeof arm>>;
let guides: Awaited<ReturnType<typeof arm>>;

beforeAll(async () => {
  katas = await arm('Katas', { generator: REAL, evaluatorModel: { provider: 'openai', model: 'judge' } }, [
    { scores: [0.2, 0.5, 1], reason: 'quality_met' },
    { scores: [0.2, 0.3, 0.4, 1], reason: 'quality_met' },
    { scores: [0.9], reason: 'max_iterations' },
    { scores: [0.6, 0.4], reason: 'semantic_stability' },
    { scores: [null], reason: 'evaluation_failed', status: 'failed' },
    { scores: [0.1, 1], status: 'running' },
    { scores: [0.1, 1], reason: 'quality_met', isBranch: true },
  ]);
  guides = await arm('Guides', { mode: 'revise', generator: REAL }, [
    { scores: [0.2, 0.3, 0.4, 1], reason: 'user_accepted' },
    { scores: [0.5, 0.5], reason: 'token_budget', daysAgo: 40 },
  ]);
  await arm('Trial', { generator: REAL }, [{ scores: [0, 1] }], 'trial');
  await arm('Practice', {}, [{ scores: [0, 1], reason: 'quality_met' }]);
  const { pool } = db.database();
  // Issues of the first run: two in the first version, one of them again in the second, none in the last.
  await pool.query(
    `UPDATE evaluations SET issues = CASE version WHEN 0 THEN $2::jsonb WHEN 1 THEN $3::jsonb ELSE '[]' END WHERE run_id = $1`,
    [katas.runIds[0], JSON.stringify([issue('one'), issue('two')]), JSON.stringify([issue('two')])],
  );
  // A person reverted the last version of the second run and rated the only version of the third run as good.
  for (const [run, version, score] of [
    [katas.runIds[1], 3, 0.2],
    [katas.runIds[2], 0, 0.95],
  ] as const)
    await pool.query(
      `INSERT INTO decisions (run_id, ordinal, hook, version, iteration, decision, by, actor, score, step, at) VALUES ($1, 50, 'onReflection', $2, 0, 'override', 'person', 'Ana', $3, 9, now())`,
      [run, version, score],
    );
  await measureRuns({ database: db.database() }, new AbortController().signal);
  await pool.query(
    `INSERT INTO rescores (run_id, number, version, requested_by, requested_at, status, overall_score, criteria_scores)
     SELECT $1, n, 0, 'Ana', now(), 'scored', 0.2 + n * 0.04, '{}' FROM generate_series(1, 4) n`,
    [katas.runIds[0]],
  );
});

const issue = (text: string) => ({ criterion: 'right', text });

describe('findInsights', () => {
  test('uses runs of real models if any, without practice, trial, branch and unfinished runs', async () => {
    const { models, report } = await insightsOf();
    expect(models).toBe('real');
    expect(report).toMatchObject({ experiments: 2, runs: 8, ended: 7, practice: 'none' });
    expect((await insightsOf({ ...ALL, models: 'practice' })).report).toMatchObject({
      experiments: 1,
      ended: 1,
      practice: 'all',
    });
    expect((await insightsOf({ ...ALL, models: 'all' })).report).toMatchObject({
      experiments: 3,
      ended: 8,
      practice: 'some',
    });
  });

  test.each([
    // Runs with two scored versions: two improved and one declined in Katas; one improved and one stayed equal in Guides.
    ['final_better', 3, 5],
    // The third attempt, and the third revision in Guides, are still within three. A run without scores does not count.
    ['within_three', 2, 6],
    // Two issues in the first version, one in the second.
    ['issues_resolved', 2, 3],
    // 0.24, 0.28, 0.32 and 0.36 compared with 0.2.
    ['scored_alike', 2, 4],
    ['ended_by_rule', 3, 5],
  ])('counts %s as %i of %i', async (target, met, of) => {
    expect(targetIn(await insightsOf(), target)).toMatchObject({ met, of });
  });

  test('keeps showing practice models until a run of a real model is scored', async () => {
    const failing = { generator: { provider: 'refused', model: 'any' } };
    const { experimentId } = await arm('Wrong key', failing, [
      { scores: [], reason: 'model_failed', status: 'failed' },
    ]);
    await measureRuns({ database: db.database() }, new AbortController().signal);
    const { pool } = db.database();
    const setOrigin = "UPDATE experiments SET origin = $1 WHERE name IN ('Katas', 'Guides')";
    try {
      await pool.query(setOrigin, ['trial']);
      expect((await insightsOf()).models).toBe('practice');
      const asked = await insightsOf({ ...ALL, models: 'real' });
      expect(asked.report).toMatchObject({ experiments: 1, ended: 1 });
      expect(targetIn(asked, 'within_three')).toMatchObject({ met: 0, of: 0 });
    } finally {
      await pool.query(setOrigin, ['made']);
      await pool.query('DELETE FROM experiments WHERE id = $1', [experimentId]);
    }
  });

  test('can be limited to one experiment, for any models, or to the last days', async () => {
    expect((await insightsOf({ ...ALL, experimentId: guides.experimentId })).report).toMatchObject({
      experiments: 1,
      ended: 2,
    });
    expect((await insightsOf({ ...ALL, days: 30 })).report).toMatchObject({ ended: 6 });
    expect((await insightsOf({ ...ALL, experimentId: guides.experimentId, days: 30 })).report).toMatchObject({
      ended: 1,
    });
  });

  test('reports where a judge was too lenient or too strict', async () => {
    const { report } = await insightsOf();
    expect(report.people.confusion).toEqual({ bothGood: 0, letThrough: 1, heldBack: 1, neitherGood: 0 });
    expect(report.unscored).toMatchObject({ met: 1 });
  });

  test('exports every target as CSV without formulas', async () => {
    const lines = writeInsightsCsv(await insightsOf()).split('\r\n');
    expect(lines[0]).toContain('measure,experiment');
    expect(lines).toContainEqual(expect.stringMatching(/^within_three,,,2,6,0\.33/));
    expect(lines).toContainEqual(expect.stringMatching(/^cost per point in USD,Katas,1,/));
  });
});

describe('listInsightRuns', () => {
  test.each([
    ['final_better.met', ['Guides 0', 'Katas 1', 'Katas 0']],
    ['final_better.missed', ['Guides 1', 'Katas 3']],
    ['within_three.met', ['Guides 0', 'Katas 0']],
    ['issues_resolved.missed', ['Katas 0']],
    ['scored_alike.missed', ['Katas 0']],
    ['scored_alike.met', []],
    ['ended_by_rule.missed', ['Guides 1', 'Katas 2']],
    ['people.let_through', ['Katas 1']],
    ['people.held_back', ['Katas 2']],
    ['checks.agreed', []],
  ] as const)('%s', async (reading, inputs) => {
    const { items, total } = await listed(reading);
    expect(items.map(({ input }) => input)).toEqual(inputs);
    expect(total).toBe(inputs.length);
  });

  test('lists as many runs as the target counts, met and missed, in the same period', async () => {
    for (const filter of [ALL, { ...ALL, days: 30 as const }]) {
      const insights = await insightsOf(filter);
      for (const target of ['final_better', 'within_three', 'ended_by_rule'] as const) {
        const [met, missed] = [await listed(`${target}.met`, filter), await listed(`${target}.missed`, filter)];
        expect({ target, met: met.total, of: met.total + missed.total, counts: met.counts }).toEqual({
          target,
          met: targetIn(insights, target)?.met,
          of: targetIn(insights, target)?.of,
          counts: met.total + missed.total,
        });
      }
    }
  });

  test('pages the runs of every reading', async () => {
    for (const reading of RUN_READINGS) {
      const scope = await scopeOf();
      const whole = await listInsightRuns(db.database(), scope, { reading, cursor: null, limit: 50 });
      const pages = [];
      for (let cursor: string | null = null; ; ) {
        const page = await listInsightRuns(db.database(), scope, { reading, cursor, limit: 2 });
        pages.push(...page.items);
        cursor = page.nextCursor;
        if (cursor === null) break;
      }
      expect(pages).toEqual(whole.items);
    }
  });

  test('repeats the search only if one of the runs has changed', async () => {
    const scope = await scopeOf();
    const query = { reading: 'final_better.met', cursor: null, limit: 50 } as const;
    const first = await listInsightRuns(db.database(), scope, query);
    const { database, recorded } = recordQueries(db.database());
    expect(await listInsightRuns(database, scope, query)).toEqual(first);
    const looked = () => recorded.filter(({ name }) => name.includes('AS holds')).length;
    expect(looked()).toBe(0);
    await changed(first.items[0]?.id ?? '');
    expect(await listInsightRuns(database, scope, query)).toEqual(first);
    expect(looked()).toBe(1);
    // Searches within some days are not cached.
    const within = { ...scope, since: new Date('2000-01-01') };
    expect(await listInsightRuns(database, within, query)).toEqual(first);
    expect(looked()).toBe(2);
  });
});

/** Changes a measure as saving an ended run does. */
async function changed(runId: string): Promise<void> {
  await db.database().pool.query('UPDATE run_measures SET revision = revision + 1 WHERE run_id = $1', [runId]);
}

test('a budget that stopped a run without scores does not count as a limit reached', async () => {
  const before = targetIn(await insightsOf(), 'ended_by_rule');
  const end = async (reason: string) => {
    await db.database().pool.query('UPDATE runs SET convergence_reason = $2 WHERE id = $1', [katas.runIds[4], reason]);
    await changed(katas.runIds[4] ?? '');
  };
  await end('experiment_budget');
  expect(targetIn(await insightsOf(), 'ended_by_rule')).toEqual(before);
  expect((await listed('ended_by_rule.missed')).items.map(({ id }) => id)).not.toContain(katas.runIds[4]);
  await end('evaluation_failed');
});

test('compares reflection with the newest control at equal cost', async () => {
  expect((await insightsOf()).equalCost).toBeNull();
  const { pool } = db.database();
  const control = await arm(
    'Control',
    { generator: REAL },
    // Reflection scored nothing on the fifth case, so it is excluded.
    [{ scores: [0.2, 1] }, { scores: [0.1, 0.1] }, { scores: [1] }, { scores: [1], isBranch: true }, { scores: [1] }],
    'control',
  );
  await pool.query(`UPDATE experiments SET control = 'equal_cost', parent_id = $2, parent_version = 1 WHERE id = $1`, [
    control.experimentId,
    katas.experimentId,
  ]);
  await pool.query(
    `UPDATE runs SET input = replace(input, 'Control', 'Katas'), satisfied = CASE WHEN success THEN repeat('0', version_count - 1) || '1' ELSE repeat('0', version_count) END
     WHERE experiment_id IN ($1, $2)`,
    [control.experimentId, katas.experimentId],
  );
  await pool.query('UPDATE reflection_versions SET cost_usd = 0.01');
  await measureRuns({ database: db.database() }, new AbortController().signal);
  const { equalCost } = await insightsOf();
  expect(equalCost).toMatchObject({
    name: 'Katas',
    unit: 'usd',
    cases: 3,
    unscored: 1,
    onlyReflection: 1,
    onlyFresh: 1,
    verdict: 'too_few',
  });
  expect(equalCost?.levels.map(({ spend, reflection, fresh }) => [Math.round(spend * 100), reflection, fresh])).toEqual(
    [
      [1, 0, 1],
      [2, 0, 2],
      [3, 1, 2],
      [4, 2, 2],
    ],
  );
  const { report } = await insightsOf();
  expect(report.experiments).toBe(2);

  // The comparison is recomputed once a run of either side has changed.
  const { database, recorded } = recordQueries(db.database());
  const read = () => recorded.filter(({ name }) => name.includes('"isScored"')).length;
  const scope = await scopeOf();
  await findInsights(database, scope);
  expect(read()).toBe(0);
  await changed(control.runIds[0] ?? '');
  await findInsights(database, scope);
  expect(read()).toBe(2);
});

test.each([null, 30] as const)('counts runs of one case as fewer observations (days: %s)', async (days) => {
  const { experimentId } = await insertArm(db.database(), {
    name: 'Repeated',
    settings: { generator: REAL },
    runs: Array.from({ length: 12 }, (_, run) => ({
      input: `case ${run % 3}`,
      scores: run % 3 === 0 ? [0.2, 0.1] : [0.2, 1],
      unmeasured: true,
    })),
  });
  const { pool } = db.database();
  await pool.query(
    `UPDATE runs SET convergence_reason = 'quality_met', first_score = 0.2, finished_at = $2 WHERE experiment_id = $1`,
    [experimentId, NOW],
  );
  try {
    await measureRuns({ database: db.database() }, new AbortController().signal);
    const found = await insightsOf({ ...ALL, experimentId, days });
    // Three cases with four equal runs each are three observations.
    const { low, high } = wilsonInterval(2, 3) ?? {};
    for (const target of ['final_better', 'within_three'])
      expect(targetIn(found, target)).toMatchObject({ met: 8, of: 12, interval: { low, high } });
    expect(targetIn(found, 'ended_by_rule')).toMatchObject({ met: 12, of: 12, interval: wilsonInterval(3, 3) });
  } finally {
    await pool.query('DELETE FROM experiments WHERE id = $1', [experimentId]);
  }
});
