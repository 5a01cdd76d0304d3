import { z } from 'zod';
import { type ExperimentSettings, MODES, settingsSchema } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import { type BatchOfExperiment, listBatches } from '#lib/runs/batches.ts';
import { totalsOf } from '#lib/runs/run-totals.ts';
import { type ControlKind, controlKindSchema, type ExperimentOrigin, experimentOriginSchema } from './schema.ts';

export type ExperimentView = {
  id: string;
  name: string;
  sample: boolean;
  origin: ExperimentOrigin;
  /** Of a control: what it changes. */
  control: ControlKind | null;
  /** What it is a duplicate or a control of; null where it is of none, or that was deleted. */
  parent: { id: string; name: string; version: number } | null;
  /** Its controls, the newest first. */
  controls: { id: string; name: string; control: ControlKind; parentVersion: number | null }[];
  latestVersion: number;
  createdAt: string;
  updatedAt: string;
  settings: ExperimentSettings;
  /** Newest first, with who made each and what they said of it. */
  versions: { version: number; createdAt: string; actor: string | null; message: string | null }[];
  /** The newest 20, and the newest that was started as one, newest first. */
  batches: BatchOfExperiment[];
};

const control = controlKindSchema.nullable();

/** An experiment with its latest settings; null when there is none. */
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
  const { name, sample, latestVersion, parent } = row;
  const [latest, batches] = await Promise.all([
    findExperimentVersion(database, id, latestVersion),
    listBatches(database, id),
  ]);
  if (latest === null) return null;
  return {
    id,
    name,
    sample,
    origin: experimentOriginSchema.parse(row.origin),
    control: control.parse(row.control),
    parent: parent === null ? null : { ...parent, version: row.parentVersion ?? 1 },
    controls: row.children.map((child) => ({ ...child, control: controlKindSchema.parse(child.control) })),
    latestVersion,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    settings: latest.settings,
    versions: row.versions.map(({ version, createdAt, actor, message }) => ({
      version,
      createdAt: createdAt.toISOString(),
      actor,
      message,
    })),
    batches,
  };
}

/** The settings of one version; null when there is none. */
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

const row = z.object({ mode: z.enum(MODES), model: z.string(), count: z.int(), waiting: z.int() });
/** How many experiments there are of a mode and a model that drafts, and in how many of them runs wait for somebody. */
export type ExperimentCount = z.infer<typeof row>;

const COUNTS = `
  SELECT v.settings->>'mode' AS mode, v.settings->'generator'->>'model' AS model, count(*)::int AS count,
    count(*) FILTER (WHERE (SELECT sum(t.waiting) FROM ${totalsOf('x.id', ['waiting'])} t) > 0)::int AS waiting
  FROM experiments x JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = x.latest_version
  GROUP BY 1, 2 ORDER BY 2, 1`;

/** Counts all experiments by mode and model. */
export async function countExperiments(database: Database): Promise<ExperimentCount[]> {
  const { rows } = await database.pool.query<Record<string, unknown>>({ name: 'count-experiments', text: COUNTS });
  return rows.map((counted) => row.parse(counted));
}

/** As many as a list to choose from can show. */
const MOST = 500;

/** `practice`: a model of its newest settings is the practice model. */
type ExperimentName = { id: string; name: string; practice: boolean };

/** Experiments that have runs, by name; trials of lessons are left out. */
export async function listExperimentNames({ pool }: Pick<Database, 'pool'>): Promise<ExperimentName[]> {
  const { rows } = await pool.query<ExperimentName>({
    name: 'experiment-names',
    text: `SELECT x.id, x.name, jsonb_path_exists(v.settings, '$.*.provider ? (@ == "practice")') AS practice FROM experiments x
      JOIN experiment_versions v ON v.experiment_id = x.id AND v.version = x.latest_version
      WHERE x.origin <> 'trial' AND EXISTS (SELECT 1 FROM runs r WHERE r.experiment_id = x.id) ORDER BY lower(x.name), x.id LIMIT ${MOST}`,
  });
  return rows;
}

export type ExperimentToStart = { id: string; name: string };

/** Experiments of a name, whatever its case; the newest first, at most three. */
export async function experimentsNamed({ pool }: Pick<Database, 'pool'>, name: string): Promise<ExperimentToStart[]> {
  const { rows } = await pool.query<ExperimentToStart>(
    `SELECT id, name FROM experiments WHERE lower(name) = lower($1) AND origin IN ('made', 'control')
     ORDER BY created_at DESC, id LIMIT 3`,
    [name],
  );
  return rows;
}

/** Names of the experiments that were changed last and can be started, each once. */
export async function latestExperimentNames({ pool }: Pick<Database, 'pool'>, most: number): Promise<string[]> {
  const { rows } = await pool.query<{ name: string }>(
    `SELECT name FROM experiments WHERE origin IN ('made', 'control') GROUP BY name ORDER BY max(updated_at) DESC, name LIMIT $1`,
    [most],
  );
  return rows.map(({ name }) => name);
}
