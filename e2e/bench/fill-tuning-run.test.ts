import { expect, test } from 'vitest';
import { cellAt, tuningGrid } from '#components/tuning/tuning-grid.ts';
import { effectiveScores } from '#lib/core/tuning/cases-of.ts';
import { longTuningRun } from '#lib/core/tuning/long-tuning-run.test-support.ts';
import { findRun } from '#lib/runs/queries.ts';
import { tuningSummary } from '#lib/statistics/tuning-summary.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { fillTuningRun } from './fill-tuning-run.ts';

const db = useTestDatabase();
const SIZE = { cases: 120, candidates: 14 };

test('the long tuning run of the benchmark is read as runs are, with rejected, held back, combined and merged prompts', async () => {
  const found = await findRun(db.database(), await fillTuningRun(db.database(), SIZE));
  const { history, settings } = longTuningRun(SIZE);
  expect(found?.tuning).toEqual(tuningSummary(history, settings));
  const states = new Set(found?.tuning?.versions.map(({ state }) => state));
  expect(states).toEqual(new Set(['given', 'candidate', 'rejected', 'held_back', 'combined']));
  expect(found?.record.versions.some(({ parents }) => parents.length === 2)).toBe(true);
  expect(found?.record.bestVersion).toBeGreaterThan(0);
});

test('of a long run, the page gets the cases with the prompts that are compared', () => {
  const { history, settings } = longTuningRun(SIZE);
  const summary = tuningSummary(history, settings);
  const grid = tuningGrid(history, summary, { selected: 5, best: 11 });
  const [parent] = summary.versions[5]?.parents ?? [];
  expect(grid.isPart).toBe(true);
  expect(new Set(grid.columns.map(({ version }) => version))).toEqual(new Set([0, parent, 5, 11]));
  for (const column of grid.columns) {
    const tries = effectiveScores(history, column.version);
    const cells = history.cases.map((_, place) => cellAt(column, place));
    expect(cells).toEqual(
      history.cases.map(({ position }) => {
        const tried = tries.get(position);
        return tried && { score: tried.score, isGood: tried.satisfactory };
      }),
    );
  }
});

test('of a short run, it gets every prompt that was tested, and the selected one', () => {
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
