import Link from 'next/link';
import { DiffView } from '#components/run/diff-view.tsx';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import { SettingsList } from './settings-list.tsx';
import { settingsText } from './settings-text.ts';

type SettingsPaneProps = {
  path: string;
  versions: readonly { version: number; createdAt: string }[];
  chosen: { version: number; settings: ExperimentSettings };
  previous: ExperimentSettings | null;
  now: string;
};

/** The settings of a version, what it changed, and the versions there are. */
export function SettingsPane({ path, versions, chosen, previous, now }: SettingsPaneProps) {
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
        <ol className="timeline mb-4">
          {versions.map(({ version, createdAt }) => (
            <li key={version} className="person sm">
              <Link
                className={version === chosen.version ? 'b' : 'link'}
                href={`${path}?tab=settings&version=${version}`}
                aria-current={version === chosen.version ? 'true' : undefined}
              >
                v{version}
              </Link>{' '}
              <span className="muted">
                <TimeAgo moment={createdAt} now={now} />
              </span>
            </li>
          ))}
        </ol>
        {previous ? (
          <>
            <h3 className="mb-2">Changed from v{chosen.version - 1}</h3>
            <DiffView
              before={settingsText(previous)}
              after={settingsText(chosen.settings)}
              layout="unified"
              label={`Settings changed from version ${chosen.version - 1} to version ${chosen.version}`}
            />
          </>
        ) : null}
      </section>
    </div>
  );
}
