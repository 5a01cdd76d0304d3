import { z } from 'zod';
import type { AppContext } from '#lib/context/app-context.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { findExperiment, findExperimentVersion } from '#lib/experiments/queries.ts';

/** What the form of a duplicate begins with. */
export type DuplicateStart = {
  name: string;
  parent: { parentId: string; parentVersion: number };
  draft: { name: string; settings: ExperimentSettings };
  /** The dataset that it ran over last; null where its cases came from elsewhere. */
  datasetId: string | null;
};

/** The settings of an experiment at a version, else at its latest; null where there is no such thing. */
export async function duplicateStart(
  { database }: AppContext,
  from: string,
  version: string | null,
): Promise<DuplicateStart | null> {
  if (!z.guid().safeParse(from).success) return null;
  const experiment = await findExperiment(database, from);
  if (experiment === null) return null;
  const asked = version === null ? experiment.latestVersion : Number(version);
  if (!experiment.versions.some((candidate) => candidate.version === asked)) return null;
  const found = await findExperimentVersion(database, from, asked);
  if (found === null) return null;
  const batch = await database.prisma.batch.findFirst({
    where: { experimentId: from },
    orderBy: { createdAt: 'desc' },
    select: { datasetId: true },
  });
  return {
    name: experiment.name,
    parent: { parentId: experiment.id, parentVersion: asked },
    draft: { name: `${experiment.name}, changed`.slice(0, 120), settings: found.settings },
    datasetId: batch?.datasetId ?? null,
  };
}
