import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import { changedSettings } from './changed-settings.ts';
import { SettingsDiff } from './settings-diff.tsx';
import { SettingsList } from './settings-list.tsx';
import { type SettingsVersion, VersionTimeline } from './version-timeline.tsx';

type SettingsPaneProps = {
  path: string;
  versions: readonly SettingsVersion[];
  latestVersion: number;
  chosen: { version: number; settings: ExperimentSettings };
  previous: ExperimentSettings | null;
  now: string;
};

/** The settings of a version, what it changed, and the versions there are. */
export function SettingsPane({ path, versions, latestVersion, chosen, previous, now }: SettingsPaneProps) {
  return (
    <div className="cols c3 settings flex-1">
      <section className="pane">
        <div className="ph">
          <h2>Settings v{chosen.version}</h2>
        </div>
        <SettingsList settings={chosen.settings} />
      </section>
      <section className="pane">
        <div className="ph">
          <h2>Versions</h2>
        </div>
        <div className="mb-4">
          <VersionTimeline
            path={path}
            versions={versions}
            latestVersion={latestVersion}
            chosen={chosen.version}
            now={now}
          />
        </div>
        {previous ? (
          <>
            <h3 className="mb-2">Changed from v{chosen.version - 1}</h3>
            <SettingsDiff
              {...changedSettings(previous, chosen.settings)}
              from={chosen.version - 1}
              to={chosen.version}
            />
          </>
        ) : null}
      </section>
    </div>
  );
}
