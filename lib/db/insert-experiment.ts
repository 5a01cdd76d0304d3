import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import type { Database } from './database.ts';

export async function insertExperiment(
  database: Database,
  experiment: { id: string; name: string; settings: ExperimentSettings; sample: boolean; now: Date },
): Promise<void> {
  const { id, name, settings, sample, now } = experiment;
  await database.prisma.experiment.create({
    data: {
      id,
      name,
      sample,
      createdAt: now,
      updatedAt: now,
      versions: { create: { version: 1, settings, createdAt: now } },
    },
  });
}

/** Adds the next version; null when the experiment is gone or `after` is no longer its latest version. */
export async function insertExperimentVersion(
  database: Database,
  change: { id: string; name: string; settings: ExperimentSettings; after: number; now: Date },
): Promise<number | null> {
  const { id, name, settings, after, now } = change;
  return database.prisma.$transaction(async (transaction) => {
    const { count } = await transaction.experiment.updateMany({
      where: { id, latestVersion: after },
      data: { name, latestVersion: after + 1, updatedAt: now },
    });
    if (count === 0) return null;
    await transaction.experimentVersion.create({
      data: { experimentId: id, version: after + 1, settings, createdAt: now },
    });
    return after + 1;
  });
}
