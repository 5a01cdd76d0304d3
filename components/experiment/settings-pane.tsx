import { MayTextLink } from '#components/access/may-link.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { refusedParameterText } from '#lib/providers/refused-parameter-record.ts';
import { changedSettings } from './changed-settings.ts';
import type { RefusedSetting } from './refused-settings.ts';
import { SettingsDiff } from './settings-diff.tsx';
import { SettingsList } from './settings-list.tsx';
import { type SettingsVersion, VersionTimeline } from './version-timeline.tsx';

type SettingsPaneProps = {
  path: string;
  versions: readonly SettingsVersion[];
  latestVersion: number;
  chosen: { version: number; settings: ExperimentSettings };
  previous: ExperimentSettings | null;
  /** What of the chosen version models refuse. */
  refused: readonly RefusedSetting[];
  now: string;
};

/** The settings of a version, what it changed, and the versions there are. */
export function SettingsPane({ path, versions, latestVersion, chosen, previous, refused, now }: SettingsPaneProps) {
  return (
    <Columns className="flex-1 medium:grid-cols-[minmax(0,1fr)_minmax(0,30rem)]">
      <Pane>
        <PaneHeader>
          <h2>Settings v{chosen.version}</h2>
        </PaneHeader>
        {chosen.version === latestVersion && refused.length > 0 ? (
          <Notice
            tone="wait"
            title="Models refuse some of these settings"
            actions={
              <MayTextLink needs="editor" href={`${path}/edit?open=task`}>
                Remove them
              </MayTextLink>
            }
          >
            {refused.map(({ model, parameter }) => refusedParameterText(model, parameter)).join(' ')}
          </Notice>
        ) : null}
        <SettingsList settings={chosen.settings} />
      </Pane>
      <Pane>
        <PaneHeader>
          <h2>Versions</h2>
        </PaneHeader>
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
      </Pane>
    </Columns>
  );
}
