import { z } from 'zod';
import type { ModelReference } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import type { PastCalls } from '#lib/estimates/estimate-run.ts';

/** The newest runs that are looked at, and the newest calls of each of them. */
const MOST_RUNS = 100;
const MOST_CALLS_A_RUN = 100;

/** Calls that were really made and answered, by role and model; `r` = the runs they are taken from. */
const SIZES = `
  SELECT c.role, c.provider, c.model, count(*)::int AS n,
    avg(c.input_tokens)::float8 AS input, stddev_samp(c.input_tokens)::float8 AS "inputDeviation", min(c.input_tokens) AS "inputLeast",
    avg(c.output_tokens)::float8 AS output, stddev_samp(c.output_tokens)::float8 AS "outputDeviation", min(c.output_tokens) AS "outputLeast",
    avg(c.latency_ms)::float8 AS latency, stddev_samp(c.latency_ms)::float8 AS "latencyDeviation", min(c.latency_ms) AS "latencyLeast"
  FROM recent r CROSS JOIN LATERAL (
    SELECT role, provider, model, input_tokens, output_tokens, latency_ms FROM model_calls
    WHERE run_id = r.id AND failure IS NULL AND attempts > 0 ORDER BY id DESC LIMIT ${MOST_CALLS_A_RUN}) c
  GROUP BY c.role, c.provider, c.model`;

const OF_EXPERIMENT = `WITH recent AS (SELECT id FROM runs WHERE experiment_id = $1 ORDER BY number DESC LIMIT ${MOST_RUNS}) ${SIZES}`;

/** Runs whose settings name one of the models for one of its roles. */
const OF_MODELS = `
  WITH recent AS (
    SELECT r.id FROM runs r JOIN experiment_versions v ON v.experiment_id = r.experiment_id AND v.version = r.experiment_version
    WHERE v.settings->'generator'->>'model' = ANY($1) OR v.settings->'evaluatorModel'->>'model' = ANY($1)
      OR v.settings->'reflectionModel'->>'model' = ANY($1) OR v.settings->'embeddingModel'->>'model' = ANY($1)
    ORDER BY r.number DESC LIMIT ${MOST_RUNS})
  ${SIZES}`;

const ROLES = [
  'generate',
  'turn',
  'evaluate',
  'reflect',
  'revise',
  'lesson',
  'lesson_check',
  'embed',
  'try',
  'judge',
] as const;

const sizeRow = z.object({
  role: z.string(),
  provider: z.string(),
  model: z.string(),
  n: z.int(),
  input: z.number(),
  inputDeviation: z.number().nullable(),
  inputLeast: z.number(),
  output: z.number(),
  outputDeviation: z.number().nullable(),
  outputLeast: z.number(),
  latency: z.number(),
  latencyDeviation: z.number().nullable(),
  latencyLeast: z.number(),
});

/**
 * What calls took lately: of the experiment itself where it made some of a role by a model, else of that model in any experiment.
 * Tokens and milliseconds; at most one entry for each role and model. `experimentId` is null for one that is not stored yet.
 */
export async function findPastCalls(
  { pool }: Pick<Database, 'pool'>,
  experimentId: string | null,
  models: readonly ModelReference[],
): Promise<PastCalls[]> {
  const own =
    experimentId === null ? [] : (await pool.query<Record<string, unknown>>(OF_EXPERIMENT, [experimentId])).rows;
  const other = (await pool.query<Record<string, unknown>>(OF_MODELS, [models.map(({ model }) => model)])).rows;
  const found = new Map<string, PastCalls>();
  for (const past of [...toPast(own, 'experiment'), ...toPast(other, 'model')]) {
    const key = JSON.stringify([past.role, past.model.provider, past.model.model]);
    if (!found.has(key)) found.set(key, past);
  }
  return [...found.values()];
}

function toPast(rows: readonly Record<string, unknown>[], basis: PastCalls['basis']): PastCalls[] {
  return rows.flatMap((raw) => {
    const row = sizeRow.parse(raw);
    const role = ROLES.find((one) => one === row.role);
    if (role === undefined) return [];
    return {
      role,
      model: { provider: row.provider, model: row.model },
      basis,
      n: row.n,
      input: { mean: row.input, deviation: row.inputDeviation, least: row.inputLeast },
      output: { mean: row.output, deviation: row.outputDeviation, least: row.outputLeast },
      latencyMs: { mean: row.latency, deviation: row.latencyDeviation, least: row.latencyLeast },
    };
  });
}
