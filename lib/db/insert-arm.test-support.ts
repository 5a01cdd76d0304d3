import { randomUUID } from 'node:crypto';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/reflection/settings.ts';
import type { ArmOf } from './arm-cases.ts';
import type { Database } from './database.ts';

/** A run as a comparison sees it. Its versions have the scores given, its best version the highest of them. */
export type TestRun = {
  input: string;
  scores: (number | null)[];
  status?: string;
  success?: boolean;
  costUsd?: number;
  metadata?: object;
  /** Its measures are left to be worked out. */
  unmeasured?: boolean;
  isBranch?: boolean;
};

type TestArm = {
  name?: string;
  settings?: Partial<ExperimentSettingsInput>;
  runs: readonly TestRun[];
  /** Another version of the settings of an experiment that is there. */
  of?: ArmOf;
  version?: number;
};

/** Puts an experiment with runs into the database as they are once they have ended; answers what names the arm. */
export async function insertArm(
  { pool }: Database,
  { name = 'Katas', settings = {}, runs, of, version = 1 }: TestArm,
): Promise<ArmOf & { runIds: string[] }> {
  const experimentId = of?.experimentId ?? randomUUID();
  const whole = settingsSchema.parse({
    mode: 'retry',
    generator: { provider: 'practice', model: 'practice-1' },
    criteria: [{ name: 'right', evaluator: 'llm', threshold: 0.7 }],
    ...settings,
  });
  await pool.query(
    `INSERT INTO experiments (id, name, latest_version) VALUES ($1, $2, $3) ON CONFLICT (id) DO UPDATE SET latest_version = $3`,
    [experimentId, name, version],
  );
  await pool.query('INSERT INTO experiment_versions (experiment_id, version, settings) VALUES ($1, $2, $3)', [
    experimentId,
    version,
    JSON.stringify(whole),
  ]);
  const batchId = randomUUID();
  await pool.query('INSERT INTO batches (id, experiment_id, experiment_version, total) VALUES ($1, $2, $3, $4)', [
    batchId,
    experimentId,
    version,
    runs.length,
  ]);
  const runIds: string[] = [];
  for (const [position, run] of runs.entries())
    runIds.push(await insertRun(pool, { experimentId, version, batchId, position, run }));
  return { experimentId, version, runIds };
}

type PlacedRun = ArmOf & { batchId: string; position: number; run: TestRun };

async function insertRun(pool: Database['pool'], { experimentId, version, batchId, position, run }: PlacedRun) {
  const id = randomUUID();
  const scored = run.scores.filter((score) => score !== null);
  const best = scored.length === 0 ? null : Math.max(...scored);
  const success = run.success ?? best === 1;
  const status = run.status ?? 'finished';
  await pool.query(
    `INSERT INTO runs (id, experiment_id, experiment_version, batch_id, position, input, tags, also_held, metadata, status, success, version_count,
       best_version, final_version, best_score, cost_usd, input_tokens, branched_from_version)
     VALUES ($1, $2, $3, $4, $5, $6, '{}', '{}', $7, $8, $9, $10, $11, $12, $13, $14, 100, $15)`,
    [
      id,
      experimentId,
      version,
      batchId,
      position,
      run.input,
      JSON.stringify(run.metadata ?? {}),
      status,
      success,
      run.scores.length,
      best === null ? null : run.scores.indexOf(best),
      run.scores.length - 1,
      best,
      run.costUsd ?? 0.01,
      run.isBranch ? 0 : null,
    ],
  );
  for (const [number, score] of run.scores.entries()) {
    await pool.query(
      `INSERT INTO reflection_versions (run_id, number, iteration, origin, parents, output, improvements_applied, finish_reason, input_tokens,
         output_tokens, duration_ms, step, created_at)
       VALUES ($1, $2, $2, 'generated', '{}', $3, '{}', 'stop', 1, 1, 1, $2, now())`,
      [id, number, `Answer ${number} to ${run.input}`],
    );
    await pool.query(
      `INSERT INTO evaluations (run_id, ordinal, version, by, status, overall_score, criteria_scores, reasons, satisfactory, issues, suggestions,
         feedback, detail, input_tokens, output_tokens, duration_ms, step, created_at)
       VALUES ($1, $2, $2, 'machine', $3, $4, $5, '{}', $6, '[]', '{}', '', '', 1, 1, 1, $2, now())`,
      [id, number, score === null ? 'partial' : 'scored', score, JSON.stringify({ right: score }), score === 1],
    );
  }
  if (status !== 'running' && run.unmeasured !== true) await insertMeasures(pool, { experimentId, version, id, run });
  return id;
}

async function insertMeasures(
  pool: Database['pool'],
  { experimentId, version, id, run }: ArmOf & { id: string; run: TestRun },
): Promise<void> {
  const solvedAt = run.scores.indexOf(1);
  await pool.query(
    `INSERT INTO run_measures (run_id, experiment_id, experiment_version, format, ended_at, scores, scored_versions, solved_at, last_satisfactory,
       evaluations, unscored, issues_named, issues_resolved, checks_failing, checks_corrected, checks_passing, checks_introduced, retries_after_fail,
       repeated_answers)
     VALUES ($1, $2, $3, 1, now(), $4, $5, $6, false, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0)`,
    [id, experimentId, version, JSON.stringify(run.scores), run.scores.length, solvedAt < 0 ? null : solvedAt],
  );
}
