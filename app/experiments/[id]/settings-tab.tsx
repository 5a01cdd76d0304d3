import { SettingsPane } from '#components/experiment/settings-pane.tsx';
import { getAppContext } from '#lib/context/open-app-context.ts';
import { type ExperimentView, findExperimentVersion } from '#lib/experiments/queries.ts';
import { searchParam } from '../../search-param.ts';
import type { ExperimentTabProps } from './experiment-tab-props.ts';
import { settingsVersions } from './settings-versions.ts';

/** The settings of the version that is asked for, else of the latest, and what it changed. */
export async function SettingsTab({ experiment, path, asked, now }: ExperimentTabProps) {
  const { database } = await getAppContext();
  const version = askedVersion(experiment, searchParam(asked.version));
  const [versions, chosen, previous] = await Promise.all([
    settingsVersions(experiment),
    findExperimentVersion(database, experiment.id, version),
    version > 1 ? findExperimentVersion(database, experiment.id, version - 1) : null,
  ]);
  if (chosen === null) return null;
  return (
    <SettingsPane
      path={path}
      versions={versions}
      latestVersion={experiment.latestVersion}
      chosen={chosen}
      previous={previous?.settings ?? null}
      now={now}
    />
  );
}

function askedVersion(experiment: ExperimentView, asked: string | null): number {
  const named = experiment.versions.find(({ version }) => String(version) === asked);
  return named?.version ?? experiment.latestVersion;
}
