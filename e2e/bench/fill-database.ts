import type pg from 'pg';
import { type ExperimentSettings, settingsSchema } from '#lib/core/settings.ts';
import { DIGEST_FORMAT } from '#lib/statistics/digest-run.ts';

export const EXPERIMENTS = 20;
export const RUNS = 10_000;
export const VERSIONS_PER_RUN = 5;
/** The first experiment has one batch of this size; the others share the rest in batches of 100. */
export const LARGE_BATCH = 2_000;

/** Ids of the records to open. */
export type Filled = {
  experimentId: string;
  batchId: string;
  runId: string;
  otherExperimentId: string;
  /** Five experiments that share their cases. */
  comparedIds: string[];
};

/**
 * Fills an empty, migrated database as after long use: finished runs with all their records, waiting runs and lessons. Experiments share
 * their cases and one is an equal-cost control of another. Deterministic, SQL only.
 */
export async function fillDatabase(
  client: Pick<pg.Client, 'query'>,
  runs: number = RUNS,
  experiments: number = EXPERIMENTS,
): Promise<Filled> {
  await client.query(FUNCTIONS);
  await client.query(
    `INSERT INTO experiments (id, name, latest_version, created_at, updated_at)
     SELECT bench_id('experiment', e), 'Experiment ' || e || ': ' || bench_text(e, 1), 1, bench_time(e * 500), bench_time(e * 500) FROM generate_series(1, ${experiments}) e`,
  );
  await client.query(
    `INSERT INTO experiment_versions (experiment_id, version, settings, created_at)
     SELECT bench_id('experiment', e), 1, CASE WHEN e % 2 = 1 THEN $1::jsonb ELSE $2::jsonb END, bench_time(e * 500) FROM generate_series(1, ${experiments}) e`,
    [JSON.stringify(settingsOf('revise')), JSON.stringify(settingsOf('retry'))],
  );
  for (const statement of statements(runs, experiments)) await client.query(statement);
  // Same state as after autovacuum.
  await client.query('VACUUM ANALYZE');
  return readFilled(client);
}

/** Returns the ids of the records to open in a database filled by `fillDatabase`. */
export async function readFilled(client: Pick<pg.Client, 'query'>): Promise<Filled> {
  const { rows } = await client.query<Filled>(
    `SELECT bench_id('experiment', 1) AS "experimentId", bench_id('batch', 1000) AS "batchId", bench_id('run', 1000) AS "runId", bench_id('experiment', 2) AS "otherExperimentId",
       (SELECT array_agg(bench_id('experiment', e)::text ORDER BY e) FROM generate_series(1, 5) e) AS "comparedIds"`,
  );
  const [filled] = rows;
  if (filled === undefined) throw new Error('the database returned no row');
  return filled;
}

function settingsOf(mode: ExperimentSettings['mode']): ExperimentSettings {
  return settingsSchema.parse({
    mode,
    generator: { provider: 'practice', model: 'practice-1', instructions: 'You write short help texts.' },
    criteria: ['clarity', 'coherence', 'completeness'].map((name) => ({ name, evaluator: 'llm' })),
    maxIterations: VERSIONS_PER_RUN,
    maxAttempts: VERSIONS_PER_RUN,
  });
}

const FUNCTIONS = `
  CREATE FUNCTION bench_id(kind text, n int) RETURNS uuid IMMUTABLE LANGUAGE sql 
    RETURN overlay(overlay(md5('bench ' || kind || n) PLACING '4' FROM 13) PLACING '8' FROM 17)::uuid;
  CREATE FUNCTION bench_time(n int) RETURNS timestamptz IMMUTABLE LANGUAGE sql RETURN timestamptz '2026-01-01 08:00:00Z' + n * interval '3 minutes';
  -- About 66 characters a line that no compression makes small.
  CREATE FUNCTION bench_text(seed int, lines int) RETURNS text IMMUTABLE LANGUAGE sql
    RETURN (SELECT string_agg(regexp_replace(md5(seed || ' ' || l), '(.{5})', '\\1 ', 'g') || md5(l || ' ' || seed), E'\\n') FROM generate_series(1, lines) l);
  CREATE FUNCTION bench_score(run int, version int) RETURNS float8 IMMUTABLE LANGUAGE sql
    RETURN round((0.4 + version * 0.09 + (run * 7 + version * 13) % 17 * 0.01)::numeric, 3)`;

const LAST = VERSIONS_PER_RUN - 1;
/** Runs with coordinates: `r` run, `e` experiment, `c` case, `p` position in batch, `b` batch, `waits` for a person. */
const placed = (runs: number, experiments: number) => `(
  SELECT r, e, CASE WHEN e = 1 THEN r ELSE i + 1 END AS c, CASE WHEN e = 1 THEN r - 1 ELSE i % 100 END AS p, CASE WHEN e = 1 THEN 1000 ELSE e * 1000 + i / 100 END AS b, r % 33 = 0 AS waits FROM (
    SELECT r, CASE WHEN r <= ${LARGE_BATCH} THEN 1 ELSE 2 + (r - ${LARGE_BATCH}) % ${experiments - 1} END AS e, (r - ${LARGE_BATCH}) / ${experiments - 1} AS i
    FROM generate_series(1, ${runs}) r) placed)`;
/** Versions of those runs. */
const versioned = (runs: number, experiments: number) =>
  `(SELECT x.*, v, bench_score(r, v) AS score FROM ${placed(runs, experiments)} x, generate_series(0, ${LAST}) v)`;

const statements = (runs: number, experiments: number) => [
  `INSERT INTO batches (id, experiment_id, experiment_version, total, created_at)
   SELECT bench_id('batch', b), bench_id('experiment', min(e)), 1, count(*), bench_time(min(r)) FROM ${placed(runs, experiments)} x GROUP BY b`,
  `INSERT INTO runs (id, experiment_id, experiment_version, batch_id, position, input, reference, tags, also_held, status, convergence_reason, success, pause, pause_id,
     claim, step, event_number, decision_count, evaluation_count, created_at, started_at, finished_at, active_ms, iterations_used, version_count, best_version,
     final_version, first_score, best_score, satisfied, input_tokens, output_tokens, cost_usd)
   SELECT bench_id('run', r), bench_id('experiment', e), 1, bench_id('batch', b), p, 'Case ' || c || ': ' || bench_text(c, 6), 'reference ' || c, '{}', '{}',
     CASE WHEN waits THEN 'waiting' WHEN r % 29 = 0 THEN 'failed' ELSE 'finished' END,
     CASE WHEN waits THEN NULL WHEN r % 29 = 0 THEN 'model_failed' WHEN r % 3 = 0 THEN 'plateau' ELSE 'quality_met' END, NOT waits AND r % 29 <> 0 AND r % 3 <> 0,
     CASE WHEN waits THEN jsonb_build_object('pauseId', bench_id('pause', r), 'hook', 'onReflection', 'version', ${LAST}, 'wouldStopAs', 'quality_met', 'since', to_char(bench_time(r) AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'expiresAt', NULL) END,
     CASE WHEN waits THEN bench_id('pause', r) END, 1, ${VERSIONS_PER_RUN * 3}, ${VERSIONS_PER_RUN * 4}, ${LAST}, ${VERSIONS_PER_RUN}, bench_time(r), bench_time(r),
     CASE WHEN waits THEN NULL ELSE bench_time(r + 1) END, 42000, ${LAST}, ${VERSIONS_PER_RUN}, ${LAST}, CASE WHEN waits THEN NULL ELSE ${LAST} END, bench_score(r, 0),
     bench_score(r, ${LAST}), '${'0'.repeat(LAST)}' || CASE WHEN r % 3 = 0 THEN '0' ELSE '1' END, 9000, 4200, 0.05 FROM ${placed(runs, experiments)} x ORDER BY r`,
  `INSERT INTO reflection_versions (run_id, number, iteration, origin, parents, output, strategy, improvements_applied, finish_reason, input_tokens, output_tokens, cost_usd,
     duration_ms, step, created_at)
   SELECT bench_id('run', r), v, v, CASE WHEN v = 0 THEN 'generated' WHEN e % 2 = 1 THEN 'revised' ELSE 'retried' END, CASE WHEN v > 0 AND e % 2 = 1 THEN ARRAY[v - 1] ELSE '{}'::int[] END,
     bench_text(r * 10 + v, 18), CASE WHEN v > 0 AND e % 2 = 1 THEN 'full_rewrite' END, ARRAY[bench_text(v, 1)], 'stop', 800, 400, 0.004, 3100, v * 3, bench_time(r) FROM ${versioned(runs, experiments)} x`,
  `INSERT INTO evaluations (run_id, ordinal, version, by, status, overall_score, criteria_scores, reasons, satisfactory, issues, suggestions, confidence, feedback, detail, input_tokens,
     output_tokens, cost_usd, duration_ms, step, created_at)
   SELECT bench_id('run', r), v + 1, v, 'machine', 'scored', score, jsonb_build_object('clarity', score, 'coherence', score, 'completeness', score),
     jsonb_build_object('clarity', bench_text(r + v, 1), 'coherence', bench_text(r + v + 1, 1), 'completeness', bench_text(r + v + 2, 1)), r % 3 <> 0 AND v = ${LAST},
     jsonb_build_array(jsonb_build_object('criterion', 'clarity', 'text', bench_text(r + v, 1)), jsonb_build_object('criterion', NULL, 'text', bench_text(r, 1))),
     ARRAY[bench_text(v, 1)], 0.8, bench_text(v, 2), bench_text(v, 1), 900, 300, 0.004, 2600, v * 3 + 1, bench_time(r) FROM ${versioned(runs, experiments)} x`,
  `INSERT INTO critiques (run_id, version, step, text, issues, suggestions, input_tokens, output_tokens, cost_usd, duration_ms, created_at)
   SELECT bench_id('run', r), v, v * 3 + 2, bench_text(r + v, 4), jsonb_build_array(jsonb_build_object('criterion', 'clarity', 'text', bench_text(r + v, 1))), ARRAY[bench_text(v, 1)],
     700, 250, 0.003, 2400, bench_time(r) FROM ${versioned(runs, experiments)} x WHERE v < ${LAST} AND e % 2 = 1`,
  `INSERT INTO decisions (run_id, ordinal, hook, version, iteration, decision, by, step, at)
   SELECT bench_id('run', r), v + 1, 'onReflection', v, v, 'continue', 'policy', v * 3 + 2, bench_time(r) FROM ${versioned(runs, experiments)} x WHERE v < ${LAST}`,
  `INSERT INTO lessons (id, kind, status, admission, text, block, agent, task_type, tools, run_id, version, step, source_input, source_score, created_by, created_at)
   SELECT bench_id('lesson', r * 10 + v), 'lesson', CASE r / 10 % 10 WHEN 0 THEN 'quarantined' WHEN 1 THEN 'rejected' WHEN 2 THEN 'archived' ELSE 'promoted' END, 'admitted',
     CASE WHEN r % 3 = 0 THEN 'Check the units. ' ELSE '' END || bench_text(r + v, 2), 'reflexion_lessons', 'default', 'custom', '{}', bench_id('run', r), v, v * 3 + 2, bench_text(r, 1), score,
     'practice/practice-1', bench_time(r) FROM ${versioned(runs, experiments)} x WHERE e % 2 = 0 AND v < 2`,
  `INSERT INTO recalls (run_id, version, rank, lesson_id) SELECT bench_id('run', r), v, 1, bench_id('lesson', r * 10 + v - 1) FROM ${versioned(runs, experiments)} x WHERE e % 2 = 0 AND v IN (1, 2)`,
  `INSERT INTO model_calls (run_id, step, ordinal, fingerprint, role, provider, model, instructions, prompt, options, text, finish_reason, input_tokens, output_tokens, cost_usd, latency_ms,
     attempts, warnings, created_at)
   SELECT bench_id('run', r), v * 3, 0, md5(r || ' ' || v), 'generate', 'practice', 'practice-1', 'You write short help texts.', bench_text(r, 10), '{"temperature": 0, "maxOutputTokens": null, "output": null}',
     bench_text(r * 10 + v, 18), 'stop', 800, 400, 0.004, 3100, 1, '{}', bench_time(r) FROM ${versioned(runs, experiments)} x`,
  `INSERT INTO run_events (run_id, number, type, data, at)
   SELECT bench_id('run', r), v * 4 + k, (ARRAY['output_made', 'evaluated', 'critiqued', 'decided'])[k],
     (ARRAY[jsonb_build_object('version', v), jsonb_build_object('version', v, 'score', score), jsonb_build_object('version', v, 'issues', 1), jsonb_build_object('decision', 'continue', 'by', 'policy')])[k],
     bench_time(r) FROM ${versioned(runs, experiments)} x, generate_series(1, 4) k`,
  `INSERT INTO run_measures (run_id, experiment_id, experiment_version, format, ended_at, scores, scored_versions, first_score, best_score, last_score, solved_at, last_satisfactory,
     evaluations, unscored, issues_named, issues_resolved, checks_failing, checks_corrected, checks_passing, checks_introduced, retries_after_fail, repeated_answers, judged, search, searched)
   SELECT bench_id('run', r), bench_id('experiment', e), 1, ${DIGEST_FORMAT}, bench_time(r + 1), to_jsonb(ARRAY(SELECT bench_score(r, v) FROM generate_series(0, ${LAST}) v)), ${VERSIONS_PER_RUN},
     bench_score(r, 0), bench_score(r, ${LAST}), bench_score(r, ${LAST}), CASE WHEN r % 3 = 0 THEN NULL ELSE ${LAST} END, r % 3 <> 0, ${VERSIONS_PER_RUN}, r % 7 / 6, 8, 4 + r % 4,
     7 + r % 2, r % 5, 4, r % 13 / 12, ${LAST}, r % 9 / 8, CASE WHEN r % 5 < 2 THEN (SELECT jsonb_agg(jsonb_build_object('version', v, 'by', CASE WHEN r % 10 = 0 THEN 'person' ELSE 'check' END, 'criterion', NULL,
       'judge', bench_score(r, v), 'truth', bench_score(r + 3, v), 'judgePass', bench_score(r, v) >= 0.8, 'truthPass', bench_score(r + 3, v) >= 0.8, 'sameModel', true)) FROM generate_series(0, ${LAST}) v)
     ELSE '[]' END, to_tsvector('simple', 'Case ' || c), true FROM ${placed(runs, experiments)} x WHERE NOT waits`,
  `UPDATE experiments SET origin = 'control', control = 'equal_cost', parent_id = bench_id('experiment', 2), parent_version = 1 WHERE id = bench_id('experiment', 19)`,
];
