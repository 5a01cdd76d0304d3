import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { Queryable } from '#lib/database/database.ts';
import type { Prisma } from '#lib/database/generated/client.ts';
import type { ControlKind, ExperimentOrigin } from './schema.ts';

/** An experiment to be stored as version 1. `parent`: what it is a duplicate or a control of. */
type NewExperiment = {
  id: string;
  name: string;
  settings: ExperimentSettings;
  sample?: boolean;
  origin?: ExperimentOrigin;
  parent?: { id: string; version: number } | null;
  control?: ControlKind | null;
  /** Who made it, and what they said of it. */
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
      versions: { create: { version: 1, settings, actor, message, createdAt: now } },
    },
  });
}

/** Adds the next version, inside a transaction; null when the experiment is gone or `after` is no longer its latest version. */
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
    data: { experimentId: id, version: after + 1, settings, actor, message, createdAt: now },
  });
  return after + 1;
}

/** A control to be stored as an experiment of its own, version 1. */
type NewControl = {
  id: string;
  name: string;
  settings: ExperimentSettings;
  control: ControlKind;
  parent: { id: string; version: number };
  actor: string;
  message: string;
  now: Date;
};

/** Stores the experiment of a control; it stands beside its parent and is compared with it. */
export async function insertControlExperiment(connection: Queryable, control: NewControl): Promise<void> {
  const { id, name, settings, parent, actor, message, now } = control;
  await connection.query(
    `INSERT INTO experiments (id, name, origin, control, parent_id, parent_version, created_at, updated_at)
     VALUES ($1, $2, 'control', $3, $4, $5, $6, $6)`,
    [id, name, control.control, parent.id, parent.version, now],
  );
  await connection.query(
    'INSERT INTO experiment_versions (experiment_id, version, settings, actor, message, created_at) VALUES ($1, 1, $2, $3, $4, $5)',
    [id, JSON.stringify(settings), actor, message, now],
  );
}
