import { type ExperimentSettings, settingsSchema } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import { type BatchOfExperiment, listBatches } from '#lib/runs/list-batches.ts';
import {
  type ControlKind,
  controlKindSchema,
  type ExperimentOrigin,
  experimentOriginSchema,
} from './experiment-origin.ts';

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
