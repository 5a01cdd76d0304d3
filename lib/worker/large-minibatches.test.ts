import { expect, test } from 'vitest';
import { listModelCalls } from '#lib/runs/list-model-calls.test-support.ts';
import { storedRun, testContext, testWorkerContext } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from './perform-run.ts';
import {
  casesNamed,
  promptKnowing,
  queuedTuning,
  type ScriptedResponse,
  scriptedTuner,
  tuningSettings,
} from './tuning-run.test-support.ts';

const db = useTestDatabase();
const isDiagnosis = (prompt: string) => prompt.includes('Do not write a new prompt yet.');
const TRAIN = Array.from({ length: 45 }, (_case, at) => `t${at}`);
const CASES = [...casesNamed('train', ...TRAIN), ...casesNamed('validation', 'p', 'q')];

/** Each diagnosis lists the cases in its prompt, and the proposal covers the cases listed in its diagnoses. */
function reading(prompt: string): ScriptedResponse {
  const named = (text: string) => [...new Set([...text.matchAll(/\bt\d+\b/g)].map(([name]) => name))];
  const [, shown = ''] = /<tried_cases[^>]*>(.*?)<\/tried_cases/s.exec(prompt) ?? [];
  if (isDiagnosis(prompt)) return `It does not know ${named(shown).join(' ')}.`;
  const [, diagnoses] = /<group_diagnoses[^>]*>(.*?)<\/group_diagnoses/s.exec(prompt) ?? [];
  if (diagnoses === undefined) return null;
  return `It knows too little.\n~~~~\n${promptKnowing(...named(diagnoses), 'p')}\n~~~~`;
}

async function begun(says: (prompt: string) => ScriptedResponse) {
  const context = testContext(db.database());
  const tuner = scriptedTuner([], ({ role, prompt }) => (role === 'reflect' ? says(prompt) : null));
  const settings = tuningSettings({ tune: { minibatchSize: 45 }, maxIterations: 1 });
  const { runId } = await queuedTuning(context, settings, CASES);
  const perform = () => performRun(testWorkerContext(context, tuner.call), runId);
  const reflections = () => tuner.asked.flatMap(({ role, prompt }) => (role === 'reflect' ? [prompt] : []));
  return { context, runId, tuner, perform, reflections, stored: () => storedRun(context.database, runId) };
}

test('a proposal uses all 45 cases, and all calls are journalled and counted', async () => {
  const { perform, stored, reflections, tuner, runId } = await begun(reading);
  await perform();
  const { run, history } = await stored();
  expect(reflections().map(isDiagnosis)).toEqual([true, true, true, false]);
  const known = /Known: (.*?)\./.exec(history.versions[1]?.output ?? '')?.[1]?.split(' ') ?? [];
  expect(known.toSorted()).toEqual([...TRAIN, 'p'].toSorted());
  expect(run.callCount).toBe(tuner.asked.length);
  const journal = await listModelCalls(db.database(), runId);
  expect(journal.filter(({ role }) => role === 'reflect')).toHaveLength(4);
  expect(history.versions[1]?.costUsd).toBeCloseTo(0.04);
});

test('a proposal cancelled after its diagnoses repeats none of them', async () => {
  let isCalledOff = true;
  const { perform, stored, reflections } = await begun((prompt) => {
    if (isDiagnosis(prompt) || !isCalledOff) return reading(prompt);
    isCalledOff = false;
    return { fails: 'aborted' };
  });
  await perform();
  expect((await stored()).history.versions).toHaveLength(2);
  // Three diagnoses, then the cancelled proposal and its retry.
  expect(reflections().map(isDiagnosis)).toEqual([true, true, true, false, false]);
});

test('a worker killed before the step is saved repeats no call', async () => {
  const { context, runId, tuner, perform, stored, reflections } = await begun(reading);
  let saves = 0;
  const worker = testWorkerContext(context, tuner.call);
  const save: typeof worker.save = (...given) =>
    reflections().length === 4 && saves++ === 0 ? Promise.reject(new Error('killed')) : worker.save(...given);
  await expect(performRun({ ...worker, save }, runId)).rejects.toThrow();
  expect(reflections()).toHaveLength(4);
  expect((await stored()).history.versions).toHaveLength(1);
  await perform();
  const { run, history } = await stored();
  expect(history.versions).toHaveLength(2);
  expect(reflections()).toHaveLength(4);
  expect(run.callCount).toBe(tuner.asked.length);
});
