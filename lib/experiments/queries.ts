import { z } from 'zod';
import type { Case } from '#lib/core/case.ts';
import { type ExperimentSettings, type ModelReference, settingsSchema } from '#lib/core/settings.ts';
import type { Database, DatabaseClient } from '#lib/database/database.ts';
import { Prisma } from '#lib/database/generated/client.ts';
import { EFFECTIVE_FIRST, withIsoTimes } from '#lib/database/query-values.ts';
import { caseOf, criteriaColumn } from '#lib/datasets/queries.ts';
import type { PastCalls } from '#lib/estimates/estimate-run.ts';
import { count, id, time } from '#lib/http/fields.ts';
import { batchOfExperimentSchema, IS_BRANCH, listBatches, listOutcomes } from '#lib/runs/batches.ts';
import { totalsOf } from '#lib/runs/run-measures.ts';
import { type ExperimentFlag, experimentFlags } from '#lib/statistics/experiment-flags.ts';
import type { StoredScore } from '#lib/statistics/scoring-effect.ts';
import type { ExperimentMode, ExperimentOrigin } from './schema.ts';
import { controlKindSchema, experimentOriginSchema } from './version-settings.ts';

export const experimentViewSchema = z.object({
  id,
  name: z.string(),
  sample: z.boolean(),
  origin: experimentOriginSchema,
  control: controlKindSchema
    .nullable()
    .meta({ description: 'Kind of control. Null if the experiment is not a control.' }),
  /** Null also if the parent was deleted. */
  parent: z
    .object({ id, name: z.string(), version: count })
    .nullable()
    .meta({ description: 'Experiment and version that this experiment duplicates or is a control of.' }),
  controls: z
    .array(z.object({ id, name: z.string(), control: controlKindSchema, parentVersion: count.nullable() }))
    .meta({ description: 'Controls of the experiment, newest first.' }),
  latestVersion: count,
  createdAt: time,
  updatedAt: time,
  settings: settingsSchema,
  versions: z
    .array(z.object({ version: count, createdAt: time, actor: z.string().nullable(), message: z.string().nullable() }))
    .meta({ description: 'Versions of the settings, newest first, with author and message.' }),
  /** Also the newest that is not a branch. */
  batches: z.array(batchOfExperimentSchema).meta({ description: 'The newest 20 batches.' }),
});
export type ExperimentView = z.infer<typeof experimentViewSchema>;

const viewOfParsedSettings = experimentViewSchema.extend({ settings: z.custom<ExperimentSettings>() });

/** Returns an experiment with its latest settings, or null if it does not exist. */
export async function findExperiment(database: Database, id: string): Promise<ExperimentView | null> {
  const row = await database.prisma.experiment.findUnique({
    where: { id },
    include: {
      versions: { orderBy: { version: 'desc' }, omit: { settings: true } },
      parent: { select: { id: true, name: true } },
      children: {
        where: { control: { not: null } },
        select: { id: true, name: true, control: true, parentVersion: true },
        orderBy: { createdAt: 'desc' },
        take: 20,
      },
    },
  });
  if (row === null) return null;
  const { latestVersion, parent } = row;
  const [latest, batches] = await Promise.all([
    findExperimentVersion(database, id, latestVersion),
    listBatches(database, id),
  ]);
  if (latest === null) return null;
  return viewOfParsedSettings.parse({
    ...withIsoTimes(row),
    parent: parent === null ? null : { ...parent, version: row.parentVersion ?? 1 },
    controls: row.children,
    settings: latest.settings,
    versions: row.versions.map(withIsoTimes),
    batches,
  });
}

/** Returns the settings of one version, or null if it does not exist. */
export async function findExperimentVersion(
  database: Database,
  experimentId: string,
  version: number,
): Promise<{ version: number; createdAt: string; settings: ExperimentSettings } | null> {
  const row = await database.prisma.experimentVersion.findUnique({
    where: { experimentId_version: { experimentId, version } },
  });
  return row === null
    ? null
    : { version, createdAt: row.createdAt.toISOString(), settings: settingsSchema.parse(row.settings) };
}

/** Number of experiments per mode and drafting model, and in how many of them runs wait for a person. */
export type ExperimentCount = { mode: ExperimentMode; model: string; count: number; waiting: number };

/** Counts all experiments by mode and model. */
export async function countExperiments({ prisma }: DatabaseClient): Promise<ExperimentCount[]> {
  return prisma.$queryRaw`
    SELECT v.settings->>'mode' AS mode, v.settings->'generator'->>'model' AS model, count(*)::int AS count,
      count(*) FILTER (WHERE (SELECT sum(t.waiting) FROM ${Prisma.raw(totalsOf('x.id', ['waiting']))} t) > 0)::int AS waiting
    FROM experiments x JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = x.latest_version
    GROUP BY 1, 2 ORDER BY 2, 1`;
}

/** Maximum number of names in a selection list. */
const MAX_NAMES = 500;

/** `practice`: the latest settings use the practice model. */
type ExperimentName = { id: string; name: string; practice: boolean };

/** Lists experiments that have runs, by name. Excludes trials of lessons. */
export async function listExperimentNames({ prisma }: DatabaseClient): Promise<ExperimentName[]> {
  return prisma.$queryRaw`
    SELECT x.id, x.name, jsonb_path_exists(v.settings, '$.*.provider ? (@ == "practice")') AS practice FROM experiments x
    JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = x.latest_version
    WHERE x.origin <> 'trial' AND EXISTS (SELECT 1 FROM runs r WHERE r.experiment_id = x.id)
    ORDER BY lower(x.name), x.id LIMIT ${MAX_NAMES}`;
}

/** Experiments that can be started again. */
const STARTABLE = { origin: { in: ['made', 'control'] } };

export type ExperimentToStart = { id: string; name: string };

/** Finds experiments by name, ignoring case. Newest first, at most three. */
export async function experimentsNamed({ prisma }: DatabaseClient, name: string): Promise<ExperimentToStart[]> {
  return prisma.experiment.findMany({
    where: {
      name: { equals: name.replaceAll(/[\\%_]/g, String.raw`\$&`), mode: 'insensitive' },
      ...STARTABLE,
    },
    select: { id: true, name: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
    take: 3,
  });
}

/** Returns the distinct names of the most recently changed experiments that can be started. */
export async function latestExperimentNames({ prisma }: DatabaseClient, most: number): Promise<string[]> {
  const rows = await prisma.experiment.groupBy({
    by: 'name',
    where: STARTABLE,
    orderBy: [{ _max: { updatedAt: 'desc' } }, { name: 'asc' }],
    take: most,
  });
  return rows.map(({ name }) => name);
}

/**
 * Returns flags for an experiment whose criteria seem too hard or too easy, or whose runs can't be scored. Uses the ended runs of one
 * settings version, so new settings start over. Reads only the rows of runs, not their histories.
 */
export async function findExperimentFlags(
  { prisma }: DatabaseClient,
  experimentId: string,
  version: number,
): Promise<ExperimentFlag[]> {
  // There are few distinct values of `satisfied`, however many runs. Runs without any score have no best score.
  const courses = await prisma.run.groupBy({
    by: 'satisfied',
    where: { experimentId, experimentVersion: version, finishedAt: { not: null }, satisfied: { not: '' } },
    _count: { _all: true, bestScore: true },
  });
  const sum = (of: typeof courses) => of.reduce((all, { _count }) => all + _count.bestScore, 0);
  return experimentFlags({
    runs: sum(courses),
    unscored: courses.reduce((all, { _count }) => all + _count._all - _count.bestScore, 0),
    everSatisfactory: sum(courses.filter(({ satisfied }) => satisfied.includes('1'))),
    firstSatisfactory: sum(courses.filter(({ satisfied }) => satisfied.startsWith('1'))),
  });
}

/** The batch for a control run: its experiment and cases, and the highest use of one of its runs. */
export type ControlledBatch = {
  experimentId: string;
  experimentVersion: number;
  name: string;
  origin: ExperimentOrigin;
  datasetId: string | null;
  datasetVersion: number | null;
  repetitions: number;
  isBranch: boolean;
  runs: number;
  underWay: number;
  mostTokens: number;
  mostCostUsd: number;
  unpriced: boolean;
};

/** Returns the batch, or null if it does not exist. */
export async function findControlledBatch(database: DatabaseClient, batchId: string): Promise<ControlledBatch | null> {
  const batch = await database.prisma.batch.findUnique({
    where: { id: batchId },
    include: { experiment: { select: { name: true, origin: true } } },
  });
  if (batch === null) return null;
  const outcomes = await listOutcomes(database, batchId);
  const branches = await database.prisma.run.count({ where: { batchId, branchedVersion: { not: null } } });
  const { experimentId, experimentVersion, experiment, datasetId, datasetVersion, repetitions, total } = batch;
  return {
    ...{ experimentId, experimentVersion, name: experiment.name, datasetId, datasetVersion, repetitions },
    origin: experimentOriginSchema.parse(experiment.origin),
    isBranch: total === 1 && branches > 0,
    runs: outcomes.length,
    underWay: outcomes.filter(({ status }) => ['queued', 'running', 'waiting'].includes(status)).length,
    mostTokens: outcomes.reduce((most, run) => Math.max(most, run.inputTokens + run.outputTokens), 0),
    mostCostUsd: outcomes.reduce((most, { costUsd }) => Math.max(most, costUsd), 0),
    unpriced: outcomes.some(({ unpriced }) => unpriced),
  };
}

/** Returns the distinct cases of a batch in order. Cases whose runs were all deleted are missing. */
export async function casesOfBatch({ prisma }: DatabaseClient, batchId: string): Promise<Case[]> {
  const batch = await prisma.batch.findUnique({ where: { id: batchId }, select: { repetitions: true } });
  if (batch === null) return [];
  const runs = await prisma.run.findMany({
    where: { batchId },
    select: {
      position: true,
      input: true,
      messages: true,
      reference: true,
      tags: true,
      metadata: true,
      criteria: true,
    },
    orderBy: { position: 'asc' },
  });
  const ofCase = Map.groupBy(runs, ({ position }) => Math.floor(position / batch.repetitions));
  return [...ofCase.values()].flatMap(([first]) => (first === undefined ? [] : [caseOf(first)]));
}

/** Returns the cases of an experiment's newest batch in order, at most `limit`. Empty before the first run and for tuning runs. */
export async function latestBatchCases(
  { prisma }: DatabaseClient,
  experimentId: string,
  limit: number,
): Promise<Case[]> {
  const batch = await prisma.batch.findFirst({
    where: { experimentId },
    select: { id: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'asc' }],
  });
  if (batch === null) return [];
  const runs = await prisma.run.findMany({
    where: { batchId: batch.id, cases: { none: {} } },
    select: { input: true, messages: true, reference: true, tags: true, metadata: true, criteria: true },
    orderBy: { position: 'asc' },
    take: limit,
  });
  return runs.map(caseOf);
}

/** Maximum number of evaluations read. For a larger batch, the first runs are used. */
const MAX_SCORES = 10_000;

/** Effective evaluations of each version in the latest batch that has any, in run order. Branches are excluded. */
type BatchScores = { experimentVersion: number; total: number; scores: StoredScore[] };
type ScoreRow = Omit<StoredScore, 'criteria'> & { criteria: unknown };

/** Reads the scores as one JSON list, because thousands of rows are much slower. Null if nothing was evaluated yet. */
export async function latestBatchScores(
  { prisma }: DatabaseClient,
  experimentId: string,
  most = MAX_SCORES,
): Promise<BatchScores | null> {
  const [batch] = await prisma.$queryRaw<(Omit<BatchScores, 'scores'> & { scores: ScoreRow[] })[]>`
    WITH batch AS (
      SELECT b.id, b.experiment_version FROM batches b
      WHERE b.experiment_id = ${experimentId}::uuid
        AND EXISTS (SELECT 1 FROM runs r JOIN evaluations e ON e.run_id = r.id WHERE r.batch_id = b.id) AND NOT ${Prisma.raw(IS_BRANCH)}
      ORDER BY b.created_at DESC LIMIT 1),
    counted AS (
      SELECT DISTINCT ON (r.position, e.version) r.position, r.criteria, e.version, e.overall_score, e.satisfactory, e.criteria_scores,
        e.by = 'person' AND EXISTS (SELECT 1 FROM decisions d WHERE d.run_id = e.run_id AND d.decision = 'override'
          AND d.criterion IS NULL AND (d.version = e.version AND d.at = e.created_at OR d.version = e.copied_from AND d.at < e.created_at)) AS whole
      FROM batch JOIN runs r ON r.batch_id = batch.id JOIN evaluations e ON e.run_id = r.id
      WHERE r.branched_from_version IS NULL
      ORDER BY r.position, e.version, ${Prisma.raw(EFFECTIVE_FIRST)})
    SELECT batch.experiment_version AS "experimentVersion", (SELECT count(*)::int FROM counted) AS total,
      (SELECT json_agg(json_build_object('run', f.position, 'version', f.version, 'overallScore', f.overall_score,
        'satisfactory', f.satisfactory, 'criteriaScores', f.criteria_scores, 'isWhole', f.whole, 'criteria', f.criteria))
       FROM (SELECT * FROM counted ORDER BY position, version LIMIT ${most}) f) AS scores
    FROM batch`;
  if (batch === undefined) return null;
  const scores = batch.scores.map((score) => ({ ...score, criteria: criteriaColumn.parse(score.criteria) }));
  return { ...batch, scores };
}

/** Maximum number of runs read, the newest, and of calls per run. */
const MAX_RUNS = 100;
const MAX_CALLS_PER_RUN = 100;

type CallSizes = Pick<PastCalls, 'role' | 'n' | 'requests' | 'input' | 'output' | 'latencyMs'> & ModelReference;

/**
 * Returns the sizes of recent calls in tokens and milliseconds, at most one entry per role and model. Uses the experiment's own calls of a
 * role by a model, otherwise that model's calls in any experiment. `experimentId` is null for an unsaved experiment.
 */
export async function findPastCalls(
  database: DatabaseClient,
  experimentId: string | null,
  models: readonly ModelReference[],
): Promise<PastCalls[]> {
  const names = models.map(({ model }) => model);
  const runIds = Prisma.sql`SELECT id FROM runs WHERE experiment_id = ${experimentId}::uuid ORDER BY number DESC LIMIT ${MAX_RUNS}`;
  // Runs whose settings use one of the models in any role.
  const ofModels = Prisma.sql`
    SELECT r.id FROM runs r JOIN experiment_versions v ON v.experiment_id = r.experiment_id AND v.version = r.experiment_version
    WHERE v.settings->'generator'->>'model' = ANY (${names}) OR v.settings->'evaluatorModel'->>'model' = ANY (${names})
      OR v.settings->'reflectionModel'->>'model' = ANY (${names}) OR v.settings->'embeddingModel'->>'model' = ANY (${names})
    ORDER BY r.number DESC LIMIT ${MAX_RUNS}`;
  const past = [
    ...(experimentId === null ? [] : await readSizes(database, runIds, 'experiment')),
    ...(await readSizes(database, ofModels, 'model')),
  ];
  const found = new Map<string, PastCalls>();
  for (const calls of past) {
    const key = JSON.stringify([calls.role, calls.model.provider, calls.model.model]);
    if (!found.has(key)) found.set(key, calls);
  }
  return [...found.values()];
}

/** Reads the successful, uncached calls of the runs that `recent` selects, by role and model. */
async function readSizes(
  { prisma }: DatabaseClient,
  recent: Prisma.Sql,
  basis: PastCalls['basis'],
): Promise<PastCalls[]> {
  const size = (column: string) =>
    Prisma.raw(
      `json_build_object('mean', avg(c.${column}), 'deviation', stddev_samp(c.${column}), 'least', min(c.${column}))`,
    );
  const rows = await prisma.$queryRaw<CallSizes[]>`
    SELECT c.role, c.provider, c.model, count(*)::int AS n,
      sum(c.attempts)::float8 / count(DISTINCT CASE c.role WHEN 'revise' THEN c.run_id || ' ' || c.step ELSE c.id::text END) AS requests,
      ${size('input_tokens')} AS input, ${size('output_tokens')} AS output,
      ${size('latency_ms')} AS "latencyMs"
    FROM (${recent}) r CROSS JOIN LATERAL (
      SELECT id, run_id, step, attempts, role, provider, model, input_tokens, output_tokens, latency_ms FROM model_calls
      WHERE run_id = r.id AND failure IS NULL AND attempts > 0 ORDER BY id DESC LIMIT ${MAX_CALLS_PER_RUN}) c
    WHERE c.role = ANY (${ROLES}) GROUP BY c.role, c.provider, c.model`;
  return rows.map(({ provider, model, ...calls }) => ({ ...calls, model: { provider, model }, basis }));
}

const ROLES = ['generate', 'turn', 'evaluate', 'reflect', 'revise', 'lesson', 'lesson_check', 'embed', 'try', 'judge'];
