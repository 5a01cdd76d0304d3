import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Database } from '#lib/database/database.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { findExperimentFlags } from './queries.ts';

const db = useTestDatabase();

/** Creates an experiment of two versions without runs; returns its id and that of a batch. */
async function emptyExperiment({ pool }: Database) {
  const [id, batch] = [randomUUID(), randomUUID()];
  await pool.query(`INSERT INTO experiments (id, name, latest_version) VALUES ($1, 'x', 2)`, [id]);
  await pool.query(
    `INSERT INTO experiment_versions (experiment_id, version, settings) VALUES ($1, 1, '{}'), ($1, 2, '{}')`,
    [id],
  );
  await pool.query(`INSERT INTO batches (id, experiment_id, experiment_version, total) VALUES ($1, $2, 1, 0)`, [
    batch,
    id,
  ]);
  return { id, batch };
}

/** Adds runs with a 1 or 0 per evaluated version; by default they are ended and scored. */
async function addRuns(
  { pool }: Database,
  to: { id: string; batch: string },
  count: number,
  satisfied: string,
  ended = true,
  version = 1,
  score: number | null = satisfied === '' ? null : 0.5,
) {
  await pool.query(
    `INSERT INTO runs (id, experiment_id, experiment_version, batch_id, position, input, satisfied, status, finished_at, first_score, best_score)
     SELECT gen_random_uuid(), $1, $2, $3, n, 'x', $4, $5, $6, $8, $8 FROM generate_series(1, $7::int) AS n`,
    [to.id, version, to.batch, satisfied, ended ? 'finished' : 'running', ended ? new Date() : null, count, score],
  );
}

test('counts only ended and judged runs of the version', async () => {
  const database = db.database();
  const experiment = await emptyExperiment(database);
  const flags = (version = 1) => findExperimentFlags(database, experiment.id, version);
  expect(await flags()).toEqual([]);
  await addRuns(database, experiment, 9, '000');
  await addRuns(database, experiment, 50, '');
  await addRuns(database, experiment, 50, '0', false);
  await addRuns(database, experiment, 50, '0', true, 2);
  await addRuns(database, await emptyExperiment(database), 50, '0');
  expect(await flags()).toEqual([]);
  await addRuns(database, experiment, 1, '0');
  expect(await flags()).toMatchObject([{ flag: 'overcritical', runs: 10 }]);
  expect(await flags(2)).toMatchObject([{ flag: 'overcritical', runs: 50 }]);
  await addRuns(database, experiment, 1, '001');
  expect(await flags()).toEqual([]);
});

test('unscored runs do not affect the criteria flags and are flagged separately', async () => {
  const database = db.database();
  const experiment = await emptyExperiment(database);
  const flags = () => findExperimentFlags(database, experiment.id, 1);
  await addRuns(database, experiment, 9, '00', true, 1, null);
  await addRuns(database, experiment, 50, '', true, 1);
  expect(await flags()).toEqual([]);
  await addRuns(database, experiment, 3, '0', true, 1, null);
  expect(await flags()).toMatchObject([
    { flag: 'unscored', runs: 12, remedy: expect.stringMatching(/Test under Models.*another judge/s) },
  ]);
  await addRuns(database, experiment, 10, '0');
  expect(await flags()).toMatchObject([
    { flag: 'overcritical', runs: 10 },
    { flag: 'unscored', runs: 12 },
  ]);
});

test('flags passing first drafts over 10,000 runs', async () => {
  const database = db.database();
  const experiment = await emptyExperiment(database);
  await addRuns(database, experiment, 9_499, '1');
  await addRuns(database, experiment, 501, '01');
  expect(await findExperimentFlags(database, experiment.id, 1)).toEqual([]);
  await addRuns(database, experiment, 20, '10');
  expect(await findExperimentFlags(database, experiment.id, 1)).toMatchObject([
    { flag: 'undercritical', runs: 10_020, satisfactory: 9_519 },
  ]);
});
