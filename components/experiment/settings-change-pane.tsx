import { formatMoment } from '#lib/format.ts';
import type { ExperimentSettings } from '#lib/reflection/settings.ts';
import { AgainstPicker } from './against-picker.tsx';
import { changedSettings } from './changed-settings.ts';
import { SettingsDiff } from './settings-diff.tsx';
import { type SettingsVersion, VersionTimeline } from './version-timeline.tsx';

type SettingsChangePaneProps = {
  path: string;
  /** Parameters of the address that are to stay when another version is chosen. */
  kept: Record<string, string | null>;
  versions: readonly SettingsVersion[];
  latest: { version: number; settings: ExperimentSettings };
  against: { version: number; settings: ExperimentSettings } | null;
  now: string;
};

/** What the present settings changed against an older version, who changed it, and how the versions did. */
export function SettingsChangePane({ path, kept, versions, latest, against, now }: SettingsChangePaneProps) {
  const found = against === null ? null : changedSettings(against.settings, latest.settings);
  const made = versions.find(({ version }) => version === latest.version);
  const older = versions.map(({ version }) => version).filter((version) => version < latest.version);
  return (
    <section className="pane" aria-labelledby="settings-change">
      <div className="ph">
        <h2 id="settings-change">Settings</h2>
        {against === null || found === null ? (
          <span className="note">v{latest.version}</span>
        ) : (
          <>
            <span className="note">v{latest.version} against</span>
            <AgainstPicker path={path} kept={kept} versions={older} chosen={against.version} />
            <span className="note end">
              {found.changed.length} of {found.total} changed
            </span>
          </>
        )}
      </div>
      {made && made.actor !== null ? (
        <div className="row al sm mb-2.5">
          <span className="av" aria-hidden>
            {initialsOf(made.actor)}
          </span>
          <span>
            <b className="md5">{made.actor}</b> <span className="faint">{formatMoment(made.createdAt)}</span>
            {made.message === null ? null : (
              <>
                <br />
                <span className="muted wrap-anywhere">{made.message}</span>
              </>
            )}
          </span>
        </div>
      ) : null}
      {against === null || found === null ? null : (
        <div className="mb-4">
          <SettingsDiff {...found} from={against.version} to={latest.version} />
        </div>
      )}
      <VersionTimeline path={path} versions={versions} latestVersion={latest.version} chosen={null} now={now} />
    </section>
  );
}

function initialsOf(name: string): string {
  const words = name.split(/\s+/).filter((word) => word !== '');
  return words
    .slice(0, 2)
    .map((word) => word.charAt(0).toUpperCase())
    .join('');
}
