import { expect, test } from 'vitest';
import { readGrid, tuningGrid } from '#components/tuning/tuning-grid.ts';
import { effectiveScores } from '#lib/core/tuning/case-scores.ts';
import { longTuningRun } from '#lib/core/tuning/long-tuning-run.test-support.ts';
import { findExampleScoresOn } from '#lib/runs/example-scores.ts';
import { loadRun } from '#lib/runs/load-run.ts';
import { findRun } from '#lib/runs/queries.ts';
import { tuningSummary } from '#lib/statistics/tuning-summary.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { fillTuningRun } from './fill-tuning-run.ts';

const db = useTestDatabase();
const SIZE = { cases: 120, candidates: 14 };

test('reads the long tuning run with rejected, held back, combined and merged prompts', async () => {
  const found = await findRun(db.database(), await fillTuningRun(db.database(), SIZE));
  const { history, settings } = longTuningRun(SIZE);
  expect(found?.tuning).toEqual(tuningSummary(history, settings));
  const states = new Set(found?.tuning?.versions.map(({ state }) => state));
  expect(states).toEqual(new Set(['given', 'candidate', 'rejected', 'held_back', 'combined']));
  expect(found?.record.versions.some(({ parents }) => parents.length === 2)).toBe(true);
  expect(found?.record.bestVersion).toBeGreaterThan(0);
});

test('loads example scores without their texts', async () => {
  const id = await fillTuningRun(db.database(), SIZE);
  const [whole, scores] = [await loadRun(db.database(), id), await loadRun(db.database(), id, 'scores')];
  expect(scores?.history.tries).toEqual(
    whole?.history.tries.map((one) => ({
      ...one,
      ...{ output: '', feedback: '', detail: '', issues: [], suggestions: [], finishReason: '', createdAt: '' },
    })),
  );
  const { tries: _tries, ...rest } = whole?.history ?? { tries: [] };
  expect(scores?.history).toMatchObject(rest);
  const [position = 0] = whole?.history.tries.map((one) => one.position) ?? [];
  const ofCase = whole?.history.tries.filter((one) => one.position === position) ?? [];
  expect(await findExampleScoresOn(db.database(), id, [{ positions: [position] }])).toEqual(ofCase);
  const ofVersion = ofCase.filter(({ version }) => version === 0);
  expect(ofVersion.length).toBeLessThan(ofCase.length);
  expect(await findExampleScoresOn(db.database(), id, [{ positions: [position], versions: [0] }])).toEqual(ofVersion);
});

test('reads a tuning run without example scores', async () => {
  const id = await fillTuningRun(db.database(), SIZE);
  await db.database().prisma.caseTry.deleteMany({ where: { runId: id } });
  expect((await loadRun(db.database(), id, 'scores'))?.history.tries).toEqual([]);
  expect((await findRun(db.database(), id))?.tuning?.tries).toBe(0);
});

test('the page of a long run gets cases only for the compared prompts', () => {
  const { history, settings } = longTuningRun(SIZE);
  const summary = tuningSummary(history, settings);
  const grid = tuningGrid(history, summary, { selected: 5, best: 11 });
  const [parent] = summary.versions[5]?.parents ?? [];
  expect(grid.isPart).toBe(true);
  expect(new Set(grid.columns.map(({ version }) => version))).toEqual(new Set([0, parent, 5, 11]));
  const { columns, cases, leaders } = readGrid(grid);
  expect(cases).toEqual(
    history.cases.map(({ position, split, input }) => ({ position, split, title: input.slice(0, 100) })),
  );
  const leads = new Map(summary.versions.map((version) => [version.number, version.leads]));
  for (const { version, cells } of columns) {
    const tries = effectiveScores(history, version);
    expect(cells).toEqual(
      history.cases.map(({ position }) => {
        const tried = tries.get(position);
        const isLead = leads.get(version)?.includes(position);
        return tried && { score: tried.score, isGood: tried.satisfactory, isLead };
      }),
    );
  }
  const ofCase = (position: number) =>
    summary.versions.flatMap((version) => (version.leads.includes(position) ? [version.number] : []));
  const led = history.cases.flatMap(({ position }, index) => {
    const [version, count] = [ofCase(position).at(-1), ofCase(position).length];
    return version === undefined ? [] : [[index, { version, count }] as const];
  });
  expect(led.length).toBeGreaterThan(0);
  expect(leaders).toEqual(new Map(led));
  expect(new Map(grid.leads)).toEqual(
    new Map(summary.versions.flatMap(({ number, leads }) => (leads.length > 0 ? [[number, leads.length]] : []))),
  );
});

test('the page of a short run gets every tested prompt and the selected one', () => {
  const { history, settings } = longTuningRun({ cases: 40, candidates: 7 });
  const summary = tuningSummary(history, settings);
  const dropped = summary.versions.find(({ state }) => state === 'rejected')?.number ?? null;
  const tested = summary.versions.filter(({ state }) => state !== 'rejected').map(({ number }) => number);
  expect(tuningGrid(history, summary, { selected: 1, best: null })).toMatchObject({ isPart: false });
  expect(tuningGrid(history, summary, { selected: 1, best: null }).columns.map(({ version }) => version)).toEqual(
    tested,
  );
  expect(
    tuningGrid(history, summary, { selected: dropped, best: null }).columns.some(({ version }) => version === dropped),
  ).toBe(true);
});
