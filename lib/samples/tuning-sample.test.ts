import { beforeAll, describe, expect, test } from 'vitest';
import { startBatch } from '#lib/batches/start-batch.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { findRun } from '#lib/runs/queries.ts';
import type { TuningSummary } from '#lib/statistics/tuning-summary.ts';
import { createDataset } from '#lib/testing/create-dataset.ts';
import { TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from '#lib/worker/perform-run.ts';
import { TUNING_SAMPLE } from './tuning-sample.ts';

const db = useTestDatabase();
let datasetId = '';

beforeAll(async () => {
  const input = { name: 'Support mail', cases: TUNING_SAMPLE.cases };
  datasetId = unwrap(await createDataset(testContext(db.database()), TESTER, input)).id;
});

type Tuned = { record: RunRecord; tuning: TuningSummary };

/** Tunes the sample prompt on the sample emails, with some settings changed. */
async function tuned(changes: Partial<ExperimentSettingsInput> = {}): Promise<Tuned> {
  const context = testContext(db.database());
  const settings = settingsSchema.parse({ ...TUNING_SAMPLE.settings, ...changes });
  const experiment = unwrap(await createExperiment(context, TESTER, { name: 'Tuned', ...settings }));
  const options = { idempotencyKey: null, watched: false };
  const { runIds } = unwrap(await startBatch(context, TESTER, experiment.id, { datasetId }, options));
  expect(runIds).toHaveLength(1);
  const [runId = ''] = runIds;
  await performRun(testWorkerContext(context), runId);
  const found = await findRun(db.database(), runId);
  if (found?.tuning == null) throw new Error('no tuning run');
  return { record: found.record, tuning: found.tuning };
}

function versionOf({ tuning }: Tuned, number: number | null) {
  const version = tuning.versions.find((one) => one.number === number);
  if (version === undefined) throw new Error(`no version ${number}`);
  return version;
}

describe('tuning sample', () => {
  let run: Tuned;
  beforeAll(async () => {
    run = await tuned();
  });

  test('improves a weak prompt to the target', () => {
    expect(run.record).toMatchObject({ status: 'finished', convergenceReason: 'quality_met', success: true });
    expect(run.tuning.cases).toEqual({ train: 12, validation: 8, heldOut: 8 });
    const weak = versionOf(run, 0).validation?.mean ?? 1;
    expect(weak).toBeGreaterThanOrEqual(0.4);
    expect(weak).toBeLessThanOrEqual(0.6);
    expect(versionOf(run, run.record.bestVersion).validation?.mean).toBeGreaterThanOrEqual(0.9);
  });

  test('needs few proposals and combines those that improve on their cases', () => {
    expect(run.tuning.proposals).toBeLessThanOrEqual(16);
    expect(run.tuning.accepted).toBeGreaterThan(0);
    const combined = run.tuning.versions.filter(({ state }) => state === 'combined');
    expect(combined.length).toBeGreaterThan(1);
    for (const { minibatch, validation, combinedInto } of combined) {
      expect(minibatch?.after).toBeGreaterThan(minibatch?.before ?? 1);
      expect(validation).toBeNull();
      expect(versionOf(run, combinedInto).validation?.n).toBe(8);
    }
  });

  test('improves the held-out score without reaching 100%', () => {
    const [weak, best] = [versionOf(run, 0), versionOf(run, run.record.bestVersion)].map(({ heldOut }) => heldOut);
    expect(weak?.n).toBe(8);
    expect(best?.n).toBe(8);
    expect(best?.mean).toBeGreaterThan((weak?.mean ?? 1) + 0.3);
    expect(best?.mean).toBeLessThan(1);
    for (const { number, heldOut } of run.tuning.versions)
      if (number !== 0 && number !== run.record.bestVersion) expect(heldOut).toBeNull();
  });

  test('derives rules from feedback, copies no case, and keeps the initial prompt and its variable', () => {
    const problems = run.tuning.versions.flatMap(({ problems: found }) => found.map(({ kind }) => kind));
    expect(problems.filter((kind) => kind !== 'repeated')).toEqual([]);
    const lines = run.record.bestOutput?.split('\n') ?? [];
    for (const line of run.record.versions[0]?.output?.split('\n') ?? []) expect(lines).toContain(line);
    expect(lines).toContain('Mail: {{input}}');
    expect(lines).toContain('- Answer with the label only.');
    expect(lines).toContain('- If it mentions "error code" or "E402": bug');
  });
});

test('does not improve without feedback', async () => {
  const run = await tuned({ tune: { ...TUNING_SAMPLE.settings.tune, feedback: false } });
  expect(run.record).toMatchObject({ convergenceReason: 'max_iterations', success: false, bestVersion: 0 });
  expect(run.tuning).toMatchObject({ proposals: 16, accepted: 0 });
  for (const { state } of run.tuning.versions.slice(1)) expect(['rejected', 'held_back']).toContain(state);
  expect(versionOf(run, 0).heldOut?.n).toBe(8);
});

describe('one proposal', () => {
  const once = (qualityThreshold: number) =>
    tuned({ maxIterations: 1, qualityThreshold, tune: { ...TUNING_SAMPLE.settings.tune, seed: 15 } });

  test('counts as one proposal and fails if it misses the target despite an improvement', async () => {
    const run = await once(0.9);
    expect(run.record).toMatchObject({
      convergenceReason: 'max_iterations',
      success: false,
      iterationsUsed: 1,
      bestVersion: 1,
    });
    expect(run.tuning).toMatchObject({ proposals: 1, accepted: 1 });
    expect(versionOf(run, 1).validation?.mean).toBeGreaterThan(versionOf(run, 0).validation?.mean ?? 1);
  });

  test('succeeds if it meets the target', async () => {
    const run = await once(0.7);
    expect(run.record).toMatchObject({ convergenceReason: 'quality_met', success: true, bestVersion: 1 });
    expect(run.tuning).toMatchObject({ proposals: 1, accepted: 1 });
  });
});

// The sample must work for any seed, because it introduces tuning to new users.
test.each([1, 2, 3, 4, 5])('improves on held-out cases with split seed %i', async (seed) => {
  const run = await tuned({ tune: { ...TUNING_SAMPLE.settings.tune, seed } });
  const [first, best] = [versionOf(run, 0), versionOf(run, run.record.bestVersion)];
  expect(run.record.bestVersion).toBeGreaterThan(0);
  expect(best.validation?.mean).toBeGreaterThan(first.validation?.mean ?? 1);
  expect(best.heldOut?.mean).toBeGreaterThan(first.heldOut?.mean ?? 1);
});
