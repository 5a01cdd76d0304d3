import type { ExperimentSettings } from '#lib/core/settings.ts';
import type { Queryable } from '#lib/database/database.ts';

/** Stores the experiment of a trial with both its settings: version 1 without the lesson, version 2 with it. */
export async function insertTrialExperiment(
  connection: Queryable,
  experiment: { id: string; name: string; without: ExperimentSettings; with: ExperimentSettings; now: Date },
): Promise<void> {
  const { id, name, now } = experiment;
  await connection.query(
    "INSERT INTO experiments (id, name, origin, latest_version, created_at, updated_at) VALUES ($1, $2, 'trial', 2, $3, $3)",
    [id, name, now],
  );
  await connection.query(
    'INSERT INTO experiment_versions (experiment_id, version, settings, created_at) VALUES ($1, 1, $2, $4), ($1, 2, $3, $4)',
    [id, JSON.stringify(experiment.without), JSON.stringify(experiment.with), now],
  );
}
