import { expect, test } from 'vitest';
import { updateDefaultModels } from '#lib/models/default-models.ts';
import { listTuningRuns } from '#lib/runs/list-runs.ts';
import { TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import {
  casesNamed,
  promptKnowing,
  queuedTuning,
  scriptedTuner,
  tuningSettings,
} from '#lib/worker/tuning-run.test-support.ts';
import { createPrompt } from './prompt-library.ts';
import { tuningStart } from './prompt-setup.ts';
import { findPrompt, findPromptVersion, listRunPrompts } from './queries.ts';
import { saveRunPrompt } from './save-run-prompt.ts';
import { scorePromptVersions } from './score-prompt-versions.ts';

const db = useTestDatabase();
const context = () => testContext(db.database());
const CASES = [...casesNamed('train', 'a', 'b'), ...casesNamed('validation', 'a', 'b'), ...casesNamed('held_out', 'x')];

/** Performs a run whose first proposal is accepted; the second equals the original prompt. */
async function tuned(prompt: { name: string; version: number } | null, cases = CASES, weightKey: string | null = null) {
  const settings = tuningSettings({ maxIterations: 2, convergence: null, tune: { prompt, weightKey } });
  const queued = await queuedTuning(context(), settings, cases);
  const { call } = scriptedTuner([promptKnowing('a'), promptKnowing()]);
  await performRun(testWorkerContext(context(), call), queued.runId);
  return queued;
}

const save = (runId: string, input: object) =>
  saveRunPrompt(context(), TESTER, runId, { version: 1, name: 'letters', message: 'Knows a', ...input });

test('saves the prompt of a run as the next version with its label and origin', async () => {
  unwrap(await createPrompt(context(), TESTER, { name: 'letters', text: promptKnowing() }));
  const { runId, experimentId } = await tuned({ name: 'letters', version: 1 });

  expect(unwrap(await save(runId, { label: 'production' }))).toEqual({
    name: 'letters',
    version: 2,
    label: 'production',
    labelProblem: null,
  });
  const found = await findPromptVersion(db.database().prisma, 'letters', { label: 'production' });
  expect(found).toMatchObject({ number: 2, text: promptKnowing('a'), parent: 1, run: { id: runId, version: 1 } });
  expect(await listRunPrompts(db.database(), runId)).toEqual([
    { runVersion: 1, name: 'letters', version: 2, labels: ['production'] },
  ]);
  expect(await save(runId, {})).toMatchObject({ ok: true, value: { version: 3, label: null } });
  expect(await save(runId, { version: 0 })).toMatchObject({ ok: false, problem: { field: 'text' } });
  expect(await save(runId, { version: 9 })).toMatchObject({ ok: false, problem: { field: 'version' } });
  expect(await save(runId, { message: '' })).toMatchObject({ ok: false, problem: { field: 'message' } });
  expect(await save(runId, { version: 2 })).toMatchObject({ ok: false, problem: { code: 'conflict' } });

  const [row] = await listTuningRuns(db.database(), experimentId, 5);
  expect(row).toMatchObject({
    id: runId,
    made: 2,
    // Two validation cases are too little evidence to accept a candidate.
    accepted: 0,
    success: false,
    first: { version: 0, chosenBy: { n: 2, mean: 0 }, heldOut: { n: 1 } },
    best: { version: 1, chosenBy: { n: 2, mean: 0.5 }, heldOut: { n: 1 } },
  });
});

test('weights the score of a version from a run by its case weights', async () => {
  const weighed = CASES.map((one) => {
    const weight = one.tags.includes('validation') && one.input === 'a' ? '3' : undefined;
    return { ...one, metadata: { weight } };
  });
  unwrap(await createPrompt(context(), TESTER, { name: 'weighed', text: promptKnowing() }));
  const { runId, experimentId } = await tuned({ name: 'weighed', version: 1 }, weighed, 'weight');
  unwrap(await save(runId, { name: 'weighed' }));
  const prompt = await findPrompt(db.database(), 'weighed');
  const scores = await scorePromptVersions(context(), prompt === null ? [] : [{ ...prompt, versions: [2] }]);
  expect(scores.get('weighed')).toMatchObject({ 2: { source: 'run', n: 2, mean: 0.75 } });
  const [row] = await listTuningRuns(db.database(), experimentId, 5);
  expect(row?.best).toMatchObject({ version: 1, chosenBy: { n: 2, mean: 0.75 } });

  const { runId: unweighed } = await tuned({ name: 'weighed', version: 1 }, weighed);
  unwrap(await save(unweighed, { name: 'weighed' }));
  const plain = await scorePromptVersions(context(), prompt === null ? [] : [{ ...prompt, versions: [3] }]);
  expect(plain.get('weighed')).toMatchObject({ 3: { source: 'run', n: 2, mean: 0.5 } });
});

test('saves a new prompt with the original text first, ready for further tuning', async () => {
  const { runId } = await tuned(null);
  expect(unwrap(await save(runId, { name: 'own' }))).toMatchObject({ name: 'own', version: 2 });
  const prompt = await findPrompt(db.database(), 'own');
  expect(prompt?.versions.map(({ number, run }) => [number, run?.version ?? null])).toEqual([
    [2, 1],
    [1, null],
  ]);
  expect(prompt?.setup).toMatchObject({ criteria: [{ name: expect.any(String) }], datasetId: null });
  const critic = { provider: 'practice', model: 'practice-1' };
  unwrap(await updateDefaultModels(context(), TESTER, { critic }));
  const start = await tuningStart(context(), 'own', '1');
  expect(start).toMatchObject({
    version: 1,
    settings: {
      mode: 'tune',
      reflectionModel: critic,
      prompts: { generate: promptKnowing() },
      tune: { prompt: { name: 'own', version: 1 } },
    },
  });
  expect(await tuningStart(context(), 'own', null)).toMatchObject({ version: 2 });
  expect(await tuningStart(context(), 'own', '7')).toBeNull();
  expect(await tuningStart(context(), 'none', 'x')).toBeNull();
});

test('saves a new prompt of a run that also scored by embeddings, without that criterion', async () => {
  const { runId, experimentId } = await tuned(null);
  const near = { name: 'near', description: '', weight: 1, threshold: null, evaluator: 'reference' };
  const { prisma } = db.database();
  const [version] = await prisma.experimentVersion.findMany({ where: { experimentId } });
  const settings = JSON.parse(JSON.stringify(version?.settings));
  settings.criteria.push({ ...near, config: { match: 'embedding' } });
  settings.embeddingModel = { provider: 'practice', model: 'practice-embedding-1' };
  await prisma.experimentVersion.updateMany({ where: { experimentId }, data: { settings } });
  expect(await save(runId, { name: 'near' })).toMatchObject({ ok: true, value: { name: 'near', version: 2 } });
  const prompt = await findPrompt(db.database(), 'near');
  expect(prompt?.setup.criteria.map(({ name }) => name)).not.toContain('near');
});
