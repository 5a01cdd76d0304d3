import { Badge } from '#components/ui/badge.tsx';
import { Link } from '#components/ui/link.tsx';
import { TimeAgo } from '#components/ui/time-ago.tsx';
import { TimelineItem } from '#components/ui/timeline.tsx';
import { formatCount, formatNumberOf, formatPercent } from '#lib/format.ts';
import type { CountedShare } from '#lib/statistics/shares.ts';
import { formatBounds } from './success-cell.tsx';

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
  now: string;
};

/** Lists the settings versions, newest first. */
export function VersionTimeline({ path, versions, latestVersion, chosen, now }: VersionTimelineProps) {
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
            <TimeAgo moment={version.createdAt} now={now} />
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
