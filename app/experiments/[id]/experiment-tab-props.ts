import type { SettingsVersion } from '#components/experiment/settings-pane.tsx';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { ExperimentView } from '#lib/experiments/queries.ts';
import { listVersionOutcomes } from '#lib/runs/list-runs.ts';

/** Props of each tab of an experiment's page. `query`: URL parameters. */
export type ExperimentTabProps = {
  experiment: ExperimentView;
  path: string;
  query: Record<string, string | string[] | undefined>;
};

/**
 * Returns the id of the requested batch, or of the newest batch. Branches are used only if there is nothing else. Null if there is none.
 */
export function findChosenBatchId(experiment: ExperimentView, value: string | null): string | null {
  return (experiment.batches.find(({ id }) => id === value) ?? newestBatch(experiment))?.id ?? null;
}

/** Returns the newest batch that is not a branch, or else the newest branch. Null if there is none. */
export function newestBatch({ batches }: Pick<ExperimentView, 'batches'>) {
  return batches.find(({ isBranch }) => !isBranch) ?? batches[0] ?? null;
}

/** Returns the settings versions of an experiment, newest first, with the outcome of their runs. */
export async function settingsVersions({ id, versions }: ExperimentView): Promise<SettingsVersion[]> {
  const { database } = await getAppContext();
  const outcomes = new Map((await listVersionOutcomes(database, id)).map((outcome) => [outcome.version, outcome]));
  return versions.map((version) => ({
    ...version,
    ...(outcomes.get(version.version) ?? NOT_RUN),
    version: version.version,
  }));
}

const NOT_RUN = { runs: 0, solved: null };
