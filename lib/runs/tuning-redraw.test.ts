import { describe, expect, test } from 'vitest';
import { branchRun } from '#lib/batches/branch-run.ts';
import { storedRun, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import {
  casesNamed,
  promptKnowing,
  queuedTuning,
  type ScriptedResponse,
  scriptedTuner,
  triedOn,
  tuningSettings,
} from '#lib/worker/tuning-run.test-support.ts';
import { listExampleScores } from './example-scores.ts';
import { listRunEvents } from './list-run-events.ts';
import { findRun } from './queries.ts';

const db = useTestDatabase();
const TRAIN = ['a', 'b', 'c', 'd'];
const VALIDATION = ['p', 'q', 'r', 's', 't', 'u'];
const CASES = [
  ...casesNamed('train', ...TRAIN),
  ...casesNamed('validation', ...VALIDATION),
  ...casesNamed('held_out', 'x', 'y'),
];
/** Solves every training case and fails four of six validation cases. */
const KNOWN = [...TRAIN, 'p', 'q'];
const ALL = [...TRAIN, ...VALIDATION];

async function begun(proposals: string[], says?: (prompt: string) => ScriptedResponse) {
  const context = testContext(db.database());
  const tuner = scriptedTuner(proposals, says && (({ prompt }) => says(prompt)));
  const settings = tuningSettings({
    prompts: { generate: promptKnowing(...KNOWN) },
    maxIterations: 2,
    tune: { maxRepeats: 1 },
  });
  const { runId } = await queuedTuning(context, settings, CASES);
  return { context, tuner, runId, perform: () => performRun(testWorkerContext(context, tuner.call), runId) };
}

describe('redraw when the initial prompt solves every training case', () => {
  test('moves half of the failed validation cases to training and re-scores every prompt', async () => {
    const { context, tuner, runId, perform } = await begun([promptKnowing(...ALL)]);
    await perform();
    const { history, run } = await storedRun(context.database, runId);
    expect(run).toMatchObject({ convergenceReason: 'quality_met', finalVersion: 1, success: true });
    const names = (positions: number[] = []) => positions.map((position) => history.cases[position]?.input ?? '');
    const { toTraining, toValidation } = history.redraw ?? {};
    expect(names(toTraining)).toHaveLength(2);
    expect(['r', 's', 't', 'u']).toEqual(expect.arrayContaining(names(toTraining)));
    expect(names(toValidation)).toHaveLength(2);
    expect(TRAIN).toEqual(expect.arrayContaining(names(toValidation)));
    const sides = Object.groupBy(history.cases, ({ split }) => split);
    expect([sides.train?.length, sides.validation?.length, sides.held_out?.length]).toEqual([4, 6, 2]);
    // 2 of 6 on the old set, 4 of 6 on the new one: p, q and two training cases, all of which it solved.
    expect(history.evaluations.map(({ version, overallScore }) => [version, overallScore])).toEqual([
      [0, 0.333333],
      [0, 0.666667],
      [1, 1],
    ]);
    // The proposal used moved cases, and held-out cases were evaluated only at the end.
    expect(history.versions[1]?.proposal?.positions.some((position) => toTraining?.includes(position))).toBe(true);
    expect(tuner.asked.findIndex(({ prompt }) => prompt.includes('Item: x.'))).toBeGreaterThan(
      tuner.asked.findIndex(({ role }) => role === 'reflect'),
    );
    expect(triedOn(tuner.asked, ...KNOWN)).toEqual([...ALL, 'x', 'y'].toSorted());

    const found = await findRun(db.database(), runId);
    expect(found?.tuning).toMatchObject({
      cases: { train: 4, validation: 6, heldOut: 2 },
      redraw: { toTraining, toValidation },
      referencesSeen: 3,
    });
    const { items } = await listExampleScores(db.database(), runId, { version: 0, cursor: null, limit: 200 });
    for (const { position, case: task } of items)
      expect(task.split).toBe(history.cases.find((one) => one.position === position)?.split);
    const events = await listRunEvents(db.database(), runId, 0, 500);
    expect(events.map(({ type }) => type)).toContain('validation_redrawn');
  });

  test('does not meet the threshold from the redraw alone, which removes failed cases', async () => {
    const { context, runId, perform } = await begun([promptKnowing('a'), promptKnowing('b')]);
    await perform();
    const { history, run } = await storedRun(context.database, runId);
    expect(history.redraw).not.toBeNull();
    expect(run).toMatchObject({ convergenceReason: 'max_iterations', success: false, finalVersion: 0 });
  });

  test('a branch starts with the current split and may redraw again', async () => {
    const { context, runId, perform } = await begun([promptKnowing('a'), promptKnowing('b')]);
    await perform();
    const { history } = await storedRun(context.database, runId);
    const branch = unwrap(await branchRun(context, TESTER, runId, { version: 0 }, { watched: false }));
    const branched = await storedRun(context.database, branch.runId);
    expect(branched.history.redraw).toBeNull();
    expect(branched.history.cases.map(({ split }) => split)).toEqual(history.cases.map(({ split }) => split));
  });

  test('redraws the same cases after a worker is interrupted', async () => {
    const whole = await begun([promptKnowing(...ALL)]);
    await whole.perform();
    let fails = 1;
    const proposals = [promptKnowing(...ALL)];
    const broken = await begun(proposals, (prompt) =>
      prompt.includes('tried_cases') && fails-- > 0 ? { fails: 'aborted' } : null,
    );
    await broken.perform();
    await broken.perform();
    const [one, other] = [
      await storedRun(whole.context.database, whole.runId),
      await storedRun(broken.context.database, broken.runId),
    ];
    expect(other.history.redraw).toMatchObject({
      toTraining: one.history.redraw?.toTraining,
      toValidation: one.history.redraw?.toValidation,
    });
    expect(other.run.convergenceReason).toBe(one.run.convergenceReason);
  });
});
