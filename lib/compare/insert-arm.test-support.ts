import { randomUUID } from 'node:crypto';
import { type ExperimentSettingsInput, settingsSchema } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import type { ArmOf } from './queries.ts';

/** A run for comparison tests. Its versions have the given scores. The best version has the highest one. */
export type TestRun = {
  input: string;
  scores: (number | null)[];
  status?: string;
  success?: boolean;
  costUsd?: number;
  metadata?: object;
  /** Omits the run's measures, so that they must be computed. */
  unmeasured?: boolean;
  isBranch?: boolean;
};

type TestArm = {
  name?: string;
  settings?: Partial<ExperimentSettingsInput>;
  runs: readonly TestRun[];
  /** Adds another settings version of an existing experiment. */
  of?: ArmOf;
  version?: number;
};

/** Inserts an experiment with ended runs into the database. Returns the identifiers of the arm. */
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
  const placed = runs.map((run, position) => ({ ...outcomeOf(run), id: randomUUID(), position }));
  const list = JSON.stringify(placed);
  await pool.query(INSERT_RUNS, [list, experimentId, version, batchId]);
  await pool.query(INSERT_VERSIONS, [list]);
  await pool.query(INSERT_EVALUATIONS, [list]);
  await pool.query(INSERT_MEASURES, [list, experimentId, version]);
  return { experimentId, version, runIds: placed.map(({ id }) => id) };
}

function outcomeOf({ input, scores, ...run }: TestRun) {
  const scored = scores.filter((score) => score !== null);
  const best = scored.length === 0 ? null : Math.max(...scored);
  const solvedAt = scores.indexOf(1);
  return {
    input,
    scores,
    best,
    bestVersion: best === null ? null : scores.indexOf(best),
    solvedAt: solvedAt < 0 ? null : solvedAt,
    metadata: run.metadata ?? {},
    status: run.status ?? 'finished',
    success: run.success ?? best === 1,
    costUsd: run.costUsd ?? 0.01,
    measured: run.unmeasured !== true,
    branchedFrom: run.isBranch ? 0 : null,
  };
}

const RUNS = `json_to_recordset($1::json) AS r(id uuid, position int, input text, scores jsonb, best float8, "bestVersion" int, "solvedAt" int,
  metadata jsonb, status text, success boolean, "costUsd" float8, measured boolean, "branchedFrom" int)`;
const SCORES = `CROSS JOIN LATERAL (
  SELECT place::int - 1 AS number, score::float8 FROM jsonb_array_elements_text(r.scores) WITH ORDINALITY AS s(score, place)) v`;
const INSERT_RUNS = `
  INSERT INTO runs (id, experiment_id, experiment_version, batch_id, position, input, tags, also_held, metadata, status, success, version_count,
    best_version, final_version, best_score, cost_usd, input_tokens, branched_from_version)
  SELECT r.id, $2, $3, $4, r.position, r.input, '{}', '{}', r.metadata, r.status, r.success, jsonb_array_length(r.scores), r."bestVersion",
    jsonb_array_length(r.scores) - 1, r.best, r."costUsd", 100, r."branchedFrom" FROM ${RUNS} ORDER BY r.position`;
const INSERT_VERSIONS = `
  INSERT INTO reflection_versions (run_id, number, iteration, origin, parents, output, improvements_applied, finish_reason, input_tokens, output_tokens,
    duration_ms, step, created_at)
  SELECT r.id, v.number, v.number, 'generated', '{}', 'Answer ' || v.number || ' to ' || r.input, '{}', 'stop', 1, 1, 1, v.number, now()
  FROM ${RUNS} ${SCORES}`;
const INSERT_EVALUATIONS = `
  INSERT INTO evaluations (run_id, ordinal, version, by, status, overall_score, criteria_scores, reasons, satisfactory, issues, suggestions, feedback,
    detail, input_tokens, output_tokens, duration_ms, step, created_at)
  SELECT r.id, v.number, v.number, 'machine', CASE WHEN v.score IS NULL THEN 'partial' ELSE 'scored' END, v.score,
    jsonb_build_object('right', v.score), '{}', coalesce(v.score = 1, false), '[]', '{}', '', '', 1, 1, 1, v.number, now() FROM ${RUNS} ${SCORES}`;
const INSERT_MEASURES = `
  INSERT INTO run_measures (run_id, experiment_id, experiment_version, format, ended_at, scores, scored_versions, solved_at, last_satisfactory,
    evaluations, unscored, issues_named, issues_resolved, checks_failing, checks_corrected, checks_passing, checks_introduced, retries_after_fail,
    repeated_answers)
  SELECT r.id, $2, $3, 1, now(), r.scores, jsonb_array_length(r.scores), r."solvedAt", false, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0
  FROM ${RUNS} WHERE r.measured AND r.status <> 'running'`;
