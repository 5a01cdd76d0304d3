import type { SettingsVersion } from '#components/experiment/version-timeline.tsx';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { ExperimentView } from '#lib/experiments/queries.ts';
import { listVersionOutcomes } from '#lib/runs/list-runs.ts';

/** What each part of an experiment's page is given; `asked` are the parameters of the address, `now` an ISO time. */
export type ExperimentTabProps = {
  experiment: ExperimentView;
  path: string;
  asked: Record<string, string | string[] | undefined>;
  now: string;
};

/** The id of the batch that is asked for, else of the newest that was started as one; null where there is none at all. */
export function chosenBatch(experiment: ExperimentView, asked: string | null): string | null {
  return (experiment.batches.find(({ id }) => id === asked) ?? newestBatch(experiment))?.id ?? null;
}

/** The newest batch that was started as one, else the newest at all; null where nothing was run yet. */
export function newestBatch({ batches }: Pick<ExperimentView, 'batches'>) {
  return batches.find(({ isBranch }) => !isBranch) ?? batches[0] ?? null;
}

/** The versions of an experiment's settings, newest first, with what their runs came to. */
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
