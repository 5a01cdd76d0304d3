import type { z } from 'zod';
import { createdDatasetSchema } from '#lib/api/datasets-schema.ts';
import { experimentsSchema, startedSchema } from '#lib/api/experiments-schema.ts';
import { type runSchema, runsSchema } from '#lib/api/runs-schema.ts';
import { TUNING_SAMPLE } from '#lib/samples/tuning-sample.ts';
import { expect, test } from './api-test.ts';
import type { Api } from './open-api.ts';

const TUNE = TUNING_SAMPLE.settings.tune;

/** Tunes the weak prompt on a dataset from start to end through the API. */
async function tuned(api: Api, datasetId: string, settings: Record<string, unknown> = {}) {
  const experimentId = await api.createExperiment({ ...TUNING_SAMPLE.settings, ...settings });
  const path = `/api/v1/experiments/${experimentId}/runs`;
  const { runIds } = await api.read(startedSchema, 'POST', path, { datasetId });
  expect(runIds).toHaveLength(1);
  const run = await api.waitForRun(runIds[0] ?? '', ['finished'], 60_000);
  if (run.tuning === null) throw new Error('the run tunes no prompt');
  return { ...run, tuning: run.tuning };
}

function heldOutOf(run: { tuning: NonNullable<z.infer<typeof runSchema>['tuning']> }, number: number | null) {
  return run.tuning.versions.find((version) => version.number === number)?.heldOut;
}

test('a weak prompt reaches the target with feedback on its failures, and not without', async ({ api }) => {
  const { name, cases } = { name: 'Support mail by API', cases: TUNING_SAMPLE.cases };
  const { id, caseCount } = await api.read(createdDatasetSchema, 'POST', '/api/v1/datasets', { name, cases });
  expect(caseCount).toBe(28);

  const run = await tuned(api, id);
  expect(run).toMatchObject({ status: 'finished', convergenceReason: 'quality_met', success: true });
  expect(run.tuning.cases).toEqual({ train: 12, validation: 8, heldOut: 8 });
  const weak = heldOutOf(run, 0);
  const best = heldOutOf(run, run.bestVersion);
  expect([weak?.n, best?.n]).toEqual([8, 8]);
  expect(best?.mean).toBeGreaterThan((weak?.mean ?? 1) + 0.3);
  expect(run.bestOutput).toContain('Mail: {{input}}');
  expect(run.tuning.versions.some(({ state }) => state === 'combined')).toBe(true);

  const withoutFeedback = await tuned(api, id, { tune: { ...TUNE, feedback: false } });
  expect(withoutFeedback).toMatchObject({ convergenceReason: 'max_iterations', success: false, bestVersion: 0 });
  expect(withoutFeedback.tuning).toMatchObject({ proposals: 16, accepted: 0 });
  // The first prompt was already evaluated on these cases, so its responses come from the cache.
  expect(withoutFeedback.tuning.paidBefore).toBeGreaterThanOrEqual(8);

  const once = await tuned(api, id, { maxIterations: 1 });
  expect(once).toMatchObject({ convergenceReason: 'max_iterations', success: false, iterationsUsed: 1 });
  expect(once.tuning.proposals).toBe(1);
});

test('the sample with its dataset and prompt is tuned at first start', async ({ api }) => {
  const { items } = await api.read(experimentsSchema, 'GET', '/api/v1/experiments?limit=100');
  const sample = items.find(({ sample, mode }) => sample && mode === 'tune');
  const runs = await api.read(runsSchema, 'GET', `/api/v1/runs?experimentId=${sample?.id ?? ''}`);
  const run = await api.waitForRun(runs.items[0]?.id ?? '', ['finished'], 60_000);
  expect(run).toMatchObject({ success: true, convergenceReason: 'quality_met' });
  expect(await api.call('GET', '/api/v1/prompts/support-triage')).toMatchObject({
    status: 200,
    body: { name: 'support-triage' },
  });
});
