import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { Queryable } from '#lib/database/database.ts';
import type { ControlKind } from './experiment-origin.ts';

/** A control to be stored as an experiment of its own, version 1. */
export type NewControl = {
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
