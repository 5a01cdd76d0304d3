import { expect, test } from 'vitest';
import { resumeRun } from '#lib/batches/resume-run.ts';
import type { ModelRequest } from '#lib/core/model-request.ts';
import type { ExperimentSettingsInput } from '#lib/core/settings.ts';
import { updateExperiment } from '#lib/experiments/update-experiment.ts';
import { TESTER, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performedTuning, promptKnowing, scriptedTuner, tuningSettings } from '#lib/worker/tuning-run.test-support.ts';

const db = useTestDatabase();
const PROPOSALS = [['a'], ['a', 'p'], ['a', 'b', 'p'], ['a', 'b', 'p', 'q', 'x']].map((known) =>
  promptKnowing(...known),
);

function ended(changes: Partial<ExperimentSettingsInput>) {
  return performedTuning(
    db.database(),
    tuningSettings({ tune: { maxRepeats: 1 }, ...changes }),
    scriptedTuner(PROPOSALS),
  );
}

test('a tuning run at its proposal limit continues with a higher one, without paying twice', async () => {
  const { context, runId, load, perform, tuner } = await ended({ maxIterations: 1 });
  expect((await load()).run).toMatchObject({ status: 'finished', convergenceReason: 'max_iterations' });
  const paid = tuner.asked.map(({ prompt }) => prompt);
  unwrap(await resumeRun(context, TESTER, runId, { budget: { maxIterations: 3 } }));
  await perform();
  const { run, history, settings } = await load();
  expect(run).toMatchObject({ status: 'finished', convergenceReason: 'max_iterations' });
  expect(history.versions.filter(({ proposal }) => proposal !== null)).toHaveLength(3);
  expect(settings.maxIterations).toBe(3);
  expect(history.decisions.findLast(({ decision }) => decision === 'resume')?.reason).toContain('3 proposals');
  const after = tuner.asked.slice(paid.length).filter(({ role }) => role === 'try');
  expect(after.filter(({ prompt }) => paid.includes(prompt))).toEqual([]);
});

test('a run that ended at its limit of example scores continues with a higher one', async () => {
  const { context, runId, load, perform } = await ended({ tune: { maxRepeats: 1, maxTries: 6 } });
  expect((await load()).run.convergenceReason).toBe('try_limit');
  unwrap(await resumeRun(context, TESTER, runId, { budget: { maxTries: null } }));
  await perform();
  const { run, history, settings } = await load();
  expect(run.convergenceReason).toBe('max_iterations');
  expect(settings.tune.maxTries).toBeNull();
  expect(history.versions).toHaveLength(4);
});

test('a run without a usable first prompt requests one again', async () => {
  const unusable = 'I would rather not.';
  let isUnusable = true;
  const tuner = scriptedTuner(PROPOSALS, ({ role }) => (role === 'reflect' && isUnusable ? unusable : null));
  const settings = tuningSettings({ prompts: { generate: null }, tune: { maxRepeats: 1, task: 'Say yes.' } });
  const { context, runId, load, perform } = await performedTuning(db.database(), settings, tuner);
  expect((await load()).run).toMatchObject({ status: 'failed' });
  expect(tuner.asked).toHaveLength(2);
  isUnusable = false;
  unwrap(await resumeRun(context, TESTER, runId));
  await perform();
  const { run, history } = await load();
  expect(run.status).toBe('finished');
  expect(history.versions[0]).toMatchObject({ origin: 'generated', output: PROPOSALS[0] });
});

test('without a budget, it uses the limits of its experiment', async () => {
  const { context, runId, experimentId, load, perform } = await ended({ maxIterations: 1 });
  unwrap(await updateExperiment(context, TESTER, experimentId, { maxIterations: 2 }));
  unwrap(await resumeRun(context, TESTER, runId));
  await perform();
  expect((await load()).history.versions).toHaveLength(3);
});

test('example scores of held-out cases do not count towards the limit', async () => {
  const { context, runId, load } = await ended({ tune: { maxRepeats: 1, maxTries: 6 } });
  const heldOut = new Set([5, 6]);
  const counted = (await load()).history.tries.filter(({ position }) => !heldOut.has(position)).length;
  expect(counted).toBeLessThan((await load()).history.tries.length);
  expect(await resumeRun(context, TESTER, runId, { budget: { maxTries: 6 } })).toMatchObject({
    problem: {
      code: 'conflict',
      field: 'budget.maxTries',
      message: expect.stringContaining(`used ${counted} tries of 6`),
    },
  });
});

test.each([
  [
    'an unchanged number of proposals',
    { maxIterations: 1 },
    { maxIterations: 1 },
    'budget.maxIterations',
    /used 1 proposal of 1, .* Continue it with a higher limit/,
  ],
] as const)('rejects %s', async (_name, changes, budget, field, message) => {
  const { context, runId, load } = await ended(changes);
  expect(await resumeRun(context, TESTER, runId, { budget })).toMatchObject({
    ok: false,
    problem: { code: 'conflict', field, message: expect.stringMatching(message) },
  });
  expect((await load()).run.status).toBe('finished');
});

test('evaluates held-out cases when resumed after they failed and all proposals were made', async () => {
  const heldOut = ({ role, prompt }: ModelRequest) => role === 'try' && /Item: [xy]\./.test(prompt);
  let isAway = true;
  const tuner = scriptedTuner(PROPOSALS, (request) => (isAway && heldOut(request) ? { fails: 'unavailable' } : null));
  const settings = tuningSettings({ tune: { maxRepeats: 1 }, maxIterations: 1 });
  const { context, runId, perform, load } = await performedTuning(db.database(), settings, tuner);
  expect((await load()).run).toMatchObject({ status: 'failed', convergenceReason: 'model_failed' });
  isAway = false;
  unwrap(await resumeRun(context, TESTER, runId));
  await perform();
  expect((await load()).run).toMatchObject({ status: 'finished', convergenceReason: 'max_iterations' });
});

test('a higher call budget pays for the held-out cases after all proposals were made', async () => {
  const { context, runId, perform, load } = await ended({ maxIterations: 1, budget: { maxCalls: 12 } });
  const heldOut = async () => (await load()).history.tries.filter(({ position }) => position > 4).length;
  expect((await load()).run).toMatchObject({ status: 'finished', convergenceReason: 'max_iterations' });
  expect(await heldOut()).toBe(0);
  unwrap(await resumeRun(context, TESTER, runId, { budget: { maxCalls: null } }));
  await perform();
  expect((await load()).run).toMatchObject({ status: 'finished', convergenceReason: 'max_iterations' });
  expect(await heldOut()).toBe(2);
});

test('a dropped prompt is neither evaluated nor used as a parent', async () => {
  const { context, runId, tuner, perform, load } = await ended({
    tune: { maxRepeats: 1 },
    maxIterations: 2,
    preserveAllVersions: false,
  });
  const dropped = (await load()).history.versions.filter(({ outputDropped }) => outputDropped);
  expect(dropped.length).toBeGreaterThan(0);
  const before = tuner.asked.length;
  unwrap(await resumeRun(context, TESTER, runId, { budget: { maxIterations: 4 } }));
  await perform();
  const { history } = await load();
  expect(history.versions.length).toBeGreaterThan(3);
  const tried = tuner.asked.slice(before).filter(({ role }) => role === 'try');
  expect(tried.length).toBeGreaterThan(0);
  for (const { prompt } of tried) expect(prompt).toContain('Known:');
  const numbers = dropped.map(({ number }) => number);
  for (const { parents } of history.versions.slice(3))
    expect(parents.filter((number) => numbers.includes(number))).toEqual([]);
});
