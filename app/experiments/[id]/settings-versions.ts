import type { SettingsVersion } from '#components/experiment/version-timeline.tsx';
import { getAppContext } from '#lib/context/open-app-context.ts';
import type { ExperimentView } from '#lib/experiments/queries.ts';
import { listVersionOutcomes } from '#lib/runs/list-run-events.ts';

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
