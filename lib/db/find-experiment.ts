import { z } from 'zod';
import { type ExperimentSettings, settingsSchema } from '#lib/reflection/settings.ts';
import { IS_BRANCH } from './branches.ts';
import type { Database } from './database.ts';

export type ExperimentView = {
  id: string;
  name: string;
  sample: boolean;
  latestVersion: number;
  createdAt: string;
  updatedAt: string;
  settings: ExperimentSettings;
  versions: { version: number; createdAt: string }[];
  /** The newest 20, and the newest that was started as one, newest first. */
  batches: BatchOfExperiment[];
};

/** `isBranch`: it holds but the one run that was branched from another. */
export type BatchOfExperiment = {
  id: string;
  total: number;
  createdAt: string;
  experimentVersion: number;
  isBranch: boolean;
};

const BATCH = `SELECT b.id, b.total, b.created_at AS "createdAt", b.experiment_version AS "experimentVersion", ${IS_BRANCH} AS "isBranch"
  FROM batches b WHERE b.experiment_id = $1`;
const BATCHES = `
  (${BATCH} ORDER BY b.created_at DESC LIMIT 20)
  UNION
  (${BATCH} AND NOT ${IS_BRANCH} ORDER BY b.created_at DESC LIMIT 1)
  ORDER BY "createdAt" DESC`;

const batchRow = z.object({
  id: z.string(),
  total: z.int(),
  createdAt: z.date().transform((value) => value.toISOString()),
  experimentVersion: z.int(),
  isBranch: z.boolean(),
});

/** An experiment with its latest settings; null when there is none. */
export async function findExperiment(database: Database, id: string): Promise<ExperimentView | null> {
  const row = await database.prisma.experiment.findUnique({
    where: { id },
    include: { versions: { orderBy: { version: 'desc' } } },
  });
  const latest = row?.versions.find((version) => version.version === row.latestVersion);
  if (row === null || latest === undefined) return null;
  const { name, sample, latestVersion } = row;
  const { rows } = await database.pool.query<Record<string, unknown>>({
    name: 'batches-of-experiment',
    text: BATCHES,
    values: [id],
  });
  return {
    id,
    name,
    sample,
    latestVersion,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    settings: settingsSchema.parse(latest.settings),
    versions: row.versions.map(({ version, createdAt }) => ({ version, createdAt: createdAt.toISOString() })),
    batches: rows.map((batch) => batchRow.parse(batch)),
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
