import { Pause } from 'lucide-react';
import { RunStatusBadge } from '#components/run/run-status.tsx';
import { Link, TextLink } from '#components/ui/link.tsx';
import { TimeAgo } from '#components/ui/local-time.tsx';
import { Pane, PaneHeader } from '#components/ui/pane.tsx';
import { stopName } from '#lib/core/stop-reasons.ts';
import { formatCount, formatScore, formatSentence, formatTitle } from '#lib/format.ts';
import type { HomeView } from '#lib/home/find-home.ts';
import { FAILED_DAYS, type FailedRun, MAX_FAILED_RUNS, MAX_OVERVIEW_COUNT } from '#lib/home/queries.ts';

type WorkProps = Pick<HomeView, 'overview' | 'assigned' | 'waiting'> & { mayDecide: boolean };

/** Shows the work that waits for reviewers: runs to decide on and lessons to review. */
export function YourTurnPane({ overview, assigned, waiting, mayDecide }: WorkProps) {
  const { waiting: count, lessonsToReview } = overview;
  return (
    <Pane data-testid="your-turn">
      <PaneHeader title={mayDecide ? 'Your turn' : 'Waiting for a reviewer'}>
        {count > 0 ? (
          <Link
            className="ml-auto font-medium text-sm text-wait"
            href={assigned.runs > 0 ? '/inbox?whose=assigned' : '/inbox'}
          >
            {formatCappedCount(count)} waiting{assigned.runs > 0 ? `, ${assigned.runs} for you` : ''}
          </Link>
        ) : null}
      </PaneHeader>
      {count === 0 && lessonsToReview === 0 ? <p className="text-ink-2">Nothing is waiting.</p> : null}
      <ul className="divide-y divide-line">
        {waiting.map((run) => (
          <li key={run.id}>
            <Link className="block py-2" href={`/runs/${run.id}`}>
              <span className="font-semibold text-sm text-wait">
                <Pause /> {mayDecide ? 'Paused for you' : 'Paused'}
              </span>
              <br />
              <b className="font-medium">
                <bdi>{formatTitle(run.input, 90) || 'An empty case'}</bdi>
              </b>
              <br />
              <span className="text-ink-2 text-sm">
                {run.bestScore === null ? 'not scored yet' : `best ${formatScore(run.bestScore)}`} ·{' '}
                {run.experimentName}
              </span>
            </Link>
          </li>
        ))}
      </ul>
      {lessonsToReview > 0 ? (
        <p className="mt-2">
          <TextLink href="/lessons/review">
            {mayDecide ? 'Review' : 'See'} {formatCappedCount(lessonsToReview)}{' '}
            {lessonsToReview === 1 ? 'lesson' : 'lessons'}
          </TextLink>
          {assigned.lessons > 0 ? <span className="text-ink-2">, {assigned.lessons} for you</span> : null}
        </p>
      ) : null}
    </Pane>
  );
}

/** Shows active runs, recently failed runs with the reason, and the newest runs. */
export function RunsPane({ overview, failed, latest }: Pick<HomeView, 'overview' | 'failed' | 'latest'>) {
  const { running, queued } = overview;
  // Failed runs are already listed above with the reason.
  const newest = latest.filter(({ id }) => !failed.runs.some((run) => run.id === id));
  return (
    <Pane data-testid="home-runs">
      <PaneHeader title="Runs">
        <span className="flex flex-wrap gap-x-4 text-sm">
          <TextLink href="/runs?status=running">{formatCappedCount(running)} running</TextLink>
          <TextLink href="/runs?status=queued">{formatCappedCount(queued)} queued</TextLink>
          <TextLink href={`/runs?status=failed&days=${FAILED_DAYS}`}>
            {failed.total >= MAX_FAILED_RUNS ? `${MAX_FAILED_RUNS} or more` : formatCount(failed.total)} failed in{' '}
            {FAILED_DAYS} days
          </TextLink>
        </span>
      </PaneHeader>
      <ul className="divide-y divide-line">
        {failed.runs.map((run) => (
          <li key={run.id}>
            <Link className="block py-1.5" href={`/runs/${run.id}`}>
              <span className="flex items-baseline gap-2">
                <RunStatusBadge status="failed" success={false} />
                <span className="min-w-0 flex-1 truncate font-medium">
                  <bdi>{formatTitle(run.input, 70) || 'An empty case'}</bdi>
                </span>
                <span className="text-ink-3 text-sm">
                  <TimeAgo moment={run.finishedAt} />
                </span>
              </span>
              <span className="mt-0.5 block text-ink-2 text-sm">{failureOf(run)}</span>
            </Link>
          </li>
        ))}
        {newest.map((run) => (
          <li key={run.id}>
            <Link className="flex flex-wrap items-center gap-x-2 py-1.5" href={`/runs/${run.id}`}>
              <RunStatusBadge status={run.status} success={run.success} rateLimit={run.rateLimit} />
              <span className="min-w-0 flex-[1_1_4.5rem] truncate font-medium">
                <bdi>{formatTitle(run.input, 70) || 'An empty case'}</bdi>
              </span>
              {run.bestScore === null ? null : (
                <span className="text-ink-2 text-sm">best {formatScore(run.bestScore)}</span>
              )}
              <span className="text-ink-3 text-sm">
                <TimeAgo moment={run.createdAt} />
              </span>
            </Link>
          </li>
        ))}
      </ul>
      <p className="mt-2 text-sm">
        <TextLink href="/runs">All runs</TextLink>
      </p>
    </Pane>
  );
}

/** Returns the failure reason: the message of the failed model call, or the stop reason if no call failed. */
function failureOf({ message, reason }: FailedRun): string {
  if (message !== '') return formatTitle(message, 160);
  return reason === null
    ? 'The run failed without an error message.'
    : `${formatSentence(stopName(reason))}. Open the run for details.`;
}

/** Formats a count that is capped: `N or more` at the cap. */
function formatCappedCount(count: number): string {
  return count >= MAX_OVERVIEW_COUNT ? `${formatCount(MAX_OVERVIEW_COUNT)} or more` : formatCount(count);
}
