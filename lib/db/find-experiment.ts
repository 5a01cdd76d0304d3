import { type ExperimentSettings, settingsSchema } from '#lib/reflection/settings.ts';
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
  /** The newest 20. */
  batches: { id: string; total: number; createdAt: string; experimentVersion: number }[];
};

/** An experiment with its latest settings; null when there is none. */
export async function findExperiment(database: Database, id: string): Promise<ExperimentView | null> {
  const row = await database.prisma.experiment.findUnique({
    where: { id },
    include: {
      versions: { orderBy: { version: 'desc' } },
      batches: {
        orderBy: { createdAt: 'desc' },
        take: 20,
        select: { id: true, total: true, createdAt: true, experimentVersion: true },
      },
    },
  });
  const latest = row?.versions.find((version) => version.version === row.latestVersion);
  if (row === null || latest === undefined) return null;
  const { name, sample, latestVersion } = row;
  return {
    id,
    name,
    sample,
    latestVersion,
    createdAt: row.createdAt.toISOString(),
    updatedAt: row.updatedAt.toISOString(),
    settings: settingsSchema.parse(latest.settings),
    versions: row.versions.map(({ version, createdAt }) => ({ version, createdAt: createdAt.toISOString() })),
    batches: row.batches.map((batch) => ({ ...batch, createdAt: batch.createdAt.toISOString() })),
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
