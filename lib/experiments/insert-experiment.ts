import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import type { ControlKind, ExperimentOrigin } from './schema.ts';
import { storedSettings } from './version-settings.ts';

/** An experiment to be stored as version 1. `parent` is the experiment that it duplicates or controls. */
type NewExperiment = {
  id: string;
  name: string;
  settings: ExperimentSettings;
  sample?: boolean;
  origin?: ExperimentOrigin;
  parent?: { id: string; version: number } | null;
  control?: ControlKind | null;
  /** Creator of the version and their message. */
  actor?: string | null;
  message?: string | null;
  now: Date;
};

/** Stores a new experiment with its first version. */
export async function insertExperiment(
  transaction: Prisma.TransactionClient,
  experiment: NewExperiment,
): Promise<void> {
  const { id, name, settings, sample = false, origin = 'made', parent = null, control = null, now } = experiment;
  const { actor = null, message = null } = experiment;
  await transaction.experiment.create({
    data: {
      id,
      name,
      sample,
      origin,
      control,
      parentId: parent?.id ?? null,
      parentVersion: parent?.version ?? null,
      createdAt: now,
      updatedAt: now,
      versions: { create: { version: 1, settings: storedSettings(settings), actor, message, createdAt: now } },
    },
  });
}

/**
 * Adds the next version. Must run in a transaction. Returns null if the experiment is deleted or `after` is no longer its latest version.
 */
export async function insertExperimentVersion(
  transaction: Prisma.TransactionClient,
  change: {
    id: string;
    name: string;
    settings: ExperimentSettings;
    after: number;
    actor: string | null;
    message: string | null;
    now: Date;
  },
): Promise<number | null> {
  const { id, name, settings, after, actor, message, now } = change;
  const { count } = await transaction.experiment.updateMany({
    where: { id, latestVersion: after },
    data: { name, latestVersion: after + 1, updatedAt: now },
  });
  if (count === 0) return null;
  await transaction.experimentVersion.create({
    data: { experimentId: id, version: after + 1, settings: storedSettings(settings), actor, message, createdAt: now },
  });
  return after + 1;
}
