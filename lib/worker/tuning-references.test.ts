import { globSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { startBatch } from '#lib/batches/start-batch.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { createExperiment } from '#lib/experiments/create-experiment.ts';
import { findExperiment } from '#lib/experiments/queries.ts';
import type { ModelRequest } from '#lib/providers/call/model-caller.ts';
import { findRun } from '#lib/runs/queries.ts';
import { labelledTickets, scriptedTickets, ticketSettings } from '#lib/samples/labelled-tickets.test-support.ts';
import type { TuningSummary } from '#lib/statistics/tuning-summary.ts';
import { storedRun, TESTER, testContext, testWorkerContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { performRun } from './perform-run.ts';

const db = useTestDatabase();
const CASES = 240;

type Tuned = { tuning: TuningSummary; asked: ModelRequest[]; before: number; after: number };

/** Tunes the ticket prompt on the tickets of a seed. Returns the held-out scores of the first and the returned prompt. */
async function tuned(seed: number, references: boolean): Promise<Tuned> {
  const context = testContext(db.database());
  const settings = settingsSchema.parse(ticketSettings({ seed, references }));
  const { id } = unwrap(await createExperiment(context, TESTER, { name: 'Tickets', ...settings }));
  const cases = labelledTickets(CASES, seed);
  const { runIds } = unwrap(await startBatch(context, TESTER, id, { cases }, { idempotencyKey: null, watched: false }));
  const [runId = ''] = runIds;
  const { call, asked } = scriptedTickets();
  await performRun(testWorkerContext(context, call), runId);
  const found = await findRun(db.database(), runId);
  if (found?.tuning == null) throw new Error('no tuning run');
  const { tuning, record } = found;
  const meanOf = (number: number | null) =>
    tuning.versions.find((version) => version.number === number)?.heldOut?.mean ?? Number.NaN;
  expect((await storedRun(context.database, runId)).history.cases).toHaveLength(CASES);
  return { tuning, asked, before: meanOf(0), after: meanOf(record.finalVersion) };
}

/** Allows for two tuning runs over 240 cases each on a busy machine. */
const LONGEST_MS = 60_000;

describe('240 labelled cases with a rule that only the references reveal, scored by exact match', () => {
  test.each([1, 2])(
    'seed %i: tuning gains at least 0.3 on held-out cases with references, nothing without',
    async (seed) => {
      const shown = await tuned(seed, true);
      expect(shown.after - shown.before).toBeGreaterThanOrEqual(0.3);
      expect(shown.tuning.gain?.heldOut).toMatchObject({ n: 60, isNoise: false });
      expect(shown.tuning.referencesSeen).toBeGreaterThan(8);
      const problems = shown.tuning.versions.flatMap(({ problems: found }) => found.map(({ kind }) => kind));
      expect(problems.filter((kind) => kind !== 'repeated')).toEqual([]);

      const hidden = await tuned(seed, false);
      expect(hidden.after).toBe(hidden.before);
      expect(hidden.tuning.referencesSeen).toBe(0);
      const reflections = hidden.asked.filter(({ role }) => role === 'reflect');
      expect(reflections.length).toBeGreaterThan(0);
      for (const { prompt } of reflections) expect(prompt).not.toContain('"expected"');
    },
    LONGEST_MS,
  );

  test(
    'sends the reflection model only training cases',
    async () => {
      const { tuning, asked } = await tuned(3, true);
      const tickets = asked
        .filter(({ role }) => role === 'reflect')
        .flatMap(({ prompt }) => [...prompt.matchAll(/"input":"#(\d+):/g)].map(([, number]) => Number(number) - 1_000));
      expect(new Set(tickets).size).toBe(tuning.referencesSeen);
      expect(tuning.cases.train + tuning.cases.validation + tuning.cases.heldOut).toBe(CASES);
      for (const { role, prompt } of asked) if (role !== 'reflect') expect(prompt).not.toContain('"expected"');
    },
    LONGEST_MS,
  );
});

test('settings saved before this option existed keep references off; new settings have them on', async () => {
  const context = testContext(db.database());
  const { pool } = db.database();
  const settings = settingsSchema.parse(ticketSettings({}));
  expect(settings.tune.references).toBe(true);
  const { id } = unwrap(await createExperiment(context, TESTER, { name: 'Saved before', ...settings }));
  await pool.query(
    `UPDATE experiment_versions SET settings = settings #- '{tune,references}' WHERE experiment_id = $1`,
    [id],
  );
  const folder = globSync('prisma/migrations/*_case_try_findings/migration.sql')[0] ?? '';
  const [, update = ''] = readFileSync(folder, 'utf8').split(/^-- Settings saved.*$/m);
  await pool.query(update);
  expect((await findExperiment(db.database(), id))?.settings.tune.references).toBe(false);
});
