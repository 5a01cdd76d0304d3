import type pg from 'pg';
import type { Case } from '#lib/core/case.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { storableJson } from '#lib/database/query-values.ts';
import { type Save, saveResults } from '#lib/runs/save-results.ts';

/** An experiment of past runs; one batch for each version of its settings, the first with the key that tells what was imported. */
export type ImportedExperiment = {
  id: string;
  name: string;
  actor: string;
  contentKey: string;
  versions: { version: number; settings: ExperimentSettings; batchId: string; total: number; repetitions: number }[];
  now: Date;
};

/** A past run: its row, and what `saveResults` keeps of its history. */
export type ImportedRun = {
  save: Save;
  experimentId: string;
  experimentVersion: number;
  batchId: string;
  position: number;
  repetition: number;
  case: Case;
  importedRun: string;
  importedCase: string;
  createdAt: string;
  startedAt: string | null;
  inputTokens: number;
  outputTokens: number;
  costUsd: number;
  unpriced: boolean;
  calls: number;
};

/** The import that the same content made before, or null. Others who bring it wait until this transaction is through. */
export async function findImport(
  client: pg.PoolClient,
  contentKey: string,
): Promise<{ experimentId: string; batchId: string } | null> {
  await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [contentKey]);
  const { rows } = await client.query<{ experimentId: string; batchId: string }>(
    'SELECT experiment_id AS "experimentId", id AS "batchId" FROM batches WHERE idempotency_key = $1',
    [contentKey],
  );
  return rows[0] ?? null;
}

/** Stores the experiment of an import with its settings and its batches, still without runs. */
export async function insertImportedExperiment(client: pg.PoolClient, experiment: ImportedExperiment): Promise<void> {
  const { id, name, actor, contentKey, versions, now } = experiment;
  const latest = Math.max(...versions.map(({ version }) => version));
  await client.query(
    `INSERT INTO experiments (id, name, origin, latest_version, created_at, updated_at) VALUES ($1, $2, 'imported', $3, $4, $4)`,
    [id, name, latest, now],
  );
  for (const [place, { version, settings, batchId, total, repetitions }] of versions.entries()) {
    await client.query(
      `INSERT INTO experiment_versions (experiment_id, version, settings, actor, message, created_at) VALUES ($1, $2, $3, $4, 'Imported', $5)`,
      [id, version, storableJson(settings), actor, now],
    );
    if (total === 0) continue;
    await client.query(
      `INSERT INTO batches (id, experiment_id, experiment_version, source, total, repetitions, idempotency_key, created_at)
       VALUES ($1, $2, $3, 'imported', $4, $5, $6, $7)`,
      [batchId, id, version, total, repetitions, place === 0 ? contentKey : null, now],
    );
  }
}

const INSERT_RUNS = `
  INSERT INTO runs (id, experiment_id, experiment_version, batch_id, position, repetition, input, reference, tags, metadata, criteria, also_held, imported_run, imported_case,
    created_at, started_at, input_tokens, output_tokens, cost_usd, unpriced, call_count)
  SELECT r.id, r."experimentId", r."experimentVersion", r."batchId", r.position, r.repetition, r."case"->>'input', r."case"->>'reference',
    ARRAY(SELECT json_array_elements_text(r."case"->'tags')), (r."case"->'metadata')::jsonb, nullif((r."case"->'criteria')::jsonb, 'null'), '{}', r."importedRun", r."importedCase",
    r."createdAt", r."startedAt", r."inputTokens", r."outputTokens", r."costUsd", r.unpriced, r.calls
  FROM json_to_recordset($1::json) AS r(place int, id uuid, "experimentId" uuid, "experimentVersion" int, "batchId" uuid, position int, repetition int, "case" json,
    "importedRun" text, "importedCase" text, "createdAt" timestamptz, "startedAt" timestamptz, "inputTokens" int, "outputTokens" int, "costUsd" float8, unpriced boolean, calls int)
  ORDER BY r.place`;

const INSERT_RECALLS = `
  INSERT INTO recalls (run_id, version, rank, lesson_id, score)
  SELECT v."runId", v.version, v.rank, l.id, v.score
  FROM json_to_recordset($1::json) AS v("runId" uuid, version int, rank int, "lessonId" uuid, score float8) JOIN lessons l ON l.id = v."lessonId"
  ON CONFLICT DO NOTHING`;

/** Stores past runs with their whole histories, in the order given. Their tokens and cost are what their rows say: no call stands behind them. */
export async function insertImportedRuns(client: pg.PoolClient, runs: readonly ImportedRun[]): Promise<void> {
  const rows = runs.map(({ save, ...row }, place) => ({ ...row, id: save.runId, place }));
  await client.query(INSERT_RUNS, [storableJson(rows)]);
  const outcomes = await saveResults(
    client,
    runs.map(({ save }) => save),
    false,
  );
  // Apart from it: a statement does not see the lessons that it stores itself.
  await client.query(INSERT_RECALLS, [storableJson(runs.flatMap(recallsOf))]);
  if (outcomes.some((outcome) => outcome !== 'saved')) throw new Error('a run that was stored just now was not found');
}

function recallsOf({ save: { runId, history } }: ImportedRun) {
  return history.versions.flatMap(({ number, recalledLessons }) =>
    recalledLessons.map((recalled) => ({ ...recalled, runId, version: number })),
  );
}
