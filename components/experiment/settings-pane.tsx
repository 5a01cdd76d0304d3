import { RoleTextLink } from '#components/access/role-link.tsx';
import { Avatar, initialsOf } from '#components/ui/avatar.tsx';
import { Badge } from '#components/ui/badge.tsx';
import { Columns } from '#components/ui/columns.tsx';
import { Link } from '#components/ui/link.tsx';
import { LocalTime, TimeAgo } from '#components/ui/local-time.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { TimelineItem } from '#components/ui/timeline.tsx';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatCount, formatNumberOf, formatPercent } from '#lib/format.ts';
import { refusedParameterText } from '#lib/providers/refused-parameter-record.ts';
import type { CountedShare } from '#lib/statistics/shares.ts';
import { changedSettings } from './changed-settings.ts';
import type { RefusedSetting } from './refused-settings.ts';
import { AgainstPicker, LazySettingsDiff } from './settings-comparison.tsx';
import { SettingsList } from './settings-list.tsx';
import { formatBounds } from './success-cell.tsx';

type SettingsPaneProps = {
  path: string;
  versions: readonly SettingsVersion[];
  latestVersion: number;
  chosen: { version: number; settings: ExperimentSettings };
  previous: ExperimentSettings | null;
  /** Settings of the selected version that models refuse. */
  refused: readonly RefusedSetting[];
};

/** Shows the settings of a version, its changes, and the list of versions. */
export function SettingsPane({ path, versions, latestVersion, chosen, previous, refused }: SettingsPaneProps) {
  return (
    <Columns className="flex-1 medium:grid-cols-[minmax(0,1fr)_minmax(0,30rem)]">
      <Pane>
        <PaneHeader title={`Settings v${chosen.version}`} />
        {chosen.version === latestVersion && refused.length > 0 ? (
          <Notice
            tone="wait"
            title="Models refuse some of these settings"
            actions={
              <RoleTextLink needs="editor" href={`${path}/edit?open=task`}>
                Remove them
              </RoleTextLink>
            }
          >
            {refused.map(({ model, parameter }) => refusedParameterText(model, parameter)).join(' ')}
          </Notice>
        ) : null}
        <SettingsList settings={chosen.settings} />
      </Pane>
      <Pane>
        <PaneHeader title="Versions" />
        <div className="mb-4">
          <VersionTimeline path={path} versions={versions} latestVersion={latestVersion} chosen={chosen.version} />
        </div>
        {previous ? (
          <>
            <h3 className="mb-2">Changed from v{chosen.version - 1}</h3>
            <LazySettingsDiff
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

type SettingsChangePaneProps = {
  path: string;
  /** URL parameters to keep when another version is selected. */
  linkParams: Record<string, string | null>;
  versions: readonly SettingsVersion[];
  latest: { version: number; settings: ExperimentSettings };
  against: { version: number; settings: ExperimentSettings } | null;
};

/** Compares the current settings with an older version: changes, authors and results. */
export function SettingsChangePane({ path, linkParams, versions, latest, against }: SettingsChangePaneProps) {
  const found = against === null ? null : changedSettings(against.settings, latest.settings);
  const made = versions.find(({ version }) => version === latest.version);
  const older = versions.map(({ version }) => version).filter((version) => version < latest.version);
  return (
    <Pane aria-labelledby="settings-change">
      <PaneHeader titleId="settings-change" title="Settings">
        {against === null || found === null ? (
          <span className="text-ink-3 text-sm">v{latest.version}</span>
        ) : (
          <>
            <span className="text-ink-3 text-sm">v{latest.version} against</span>
            <AgainstPicker path={path} linkParams={linkParams} versions={older} chosen={against.version} />
            <span className="ml-auto text-ink-3 text-sm">
              {found.changed.length} of {found.total} changed
            </span>
          </>
        )}
      </PaneHeader>
      {made && made.actor !== null ? (
        <div className="mb-2.5 flex items-start gap-2 text-sm">
          <Avatar>{initialsOf(made.actor)}</Avatar>
          <span>
            <b className="font-medium">{made.actor}</b>{' '}
            <span className="text-ink-3">
              <LocalTime moment={made.createdAt} />
            </span>
            {made.message === null ? null : (
              <>
                <br />
                <span className="wrap-anywhere text-ink-2">{made.message}</span>
              </>
            )}
          </span>
        </div>
      ) : null}
      {against === null || found === null ? null : (
        <div className="mb-4">
          <LazySettingsDiff {...found} from={against.version} to={latest.version} />
        </div>
      )}
      <VersionTimeline path={path} versions={versions} latestVersion={latest.version} chosen={null} />
    </Pane>
  );
}

/** Settings version with its author, message and run results. */
export type SettingsVersion = {
  version: number;
  createdAt: string;
  actor: string | null;
  message: string | null;
  runs: number;
  /** Share solved of the ended and scored runs. Null if there are none. */
  solved: CountedShare | null;
};

type VersionTimelineProps = {
  path: string;
  versions: readonly SettingsVersion[];
  latestVersion: number;
  chosen: number | null;
};

/** Lists the settings versions, newest first. */
function VersionTimeline({ path, versions, latestVersion, chosen }: VersionTimelineProps) {
  return (
    <ol data-testid="settings-versions">
      {versions.map((version) => (
        <TimelineItem key={version.version} isPerson={version.actor !== null}>
          <Link
            className={version.version === chosen ? 'font-semibold' : 'link'}
            href={`${path}?tab=settings&version=${version.version}`}
            aria-current={version.version === chosen ? 'true' : undefined}
          >
            v{version.version}
          </Link>{' '}
          <span className="text-ink-2">{outcomeLabel(version)}</span>{' '}
          {version.version === latestVersion ? <Badge tone="on">current</Badge> : null}
          <br />
          <span className="text-ink-3">
            {version.actor === null ? '' : `${version.actor}, `}
            <TimeAgo moment={version.createdAt} />
          </span>
          {version.message === null ? null : (
            <>
              <br />
              <span className="wrap-anywhere">{version.message}</span>
            </>
          )}
        </TimelineItem>
      ))}
    </ol>
  );
}

function outcomeLabel({ runs, solved }: SettingsVersion): string {
  if (runs === 0) return 'no runs';
  const interval = solved?.interval ?? null;
  if (solved === null || interval === null) return `${formatNumberOf(runs, 'run')}, none has ended with a score`;
  const counted = solved.of < runs ? `${formatCount(solved.of)} of them ended with a score, ` : '';
  return `${formatNumberOf(runs, 'run')}, ${counted}${formatPercent(interval.share)} ever solved ${formatBounds(interval)}`;
}
