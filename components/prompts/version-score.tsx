import { formatNumberOf, formatScore } from '#lib/format.ts';
import type { VersionScore as Score } from '#lib/prompts/version-score.ts';

/** The mean score of a version with n and interval; what it is over stands in its title. */
export function VersionScore({ score }: { score: Score | null }) {
  if (score === null) return <span className="text-ink-3 text-sm">not tried</span>;
  const { mean, n, low, high } = score;
  const over =
    score.source === 'run'
      ? `on ${formatNumberOf(n, 'case')} of the run that made it`
      : n < score.of
        ? `on ${n} of ${formatNumberOf(score.of, 'case')}`
        : `on ${formatNumberOf(n, 'case')}`;
  return (
    <span title={low === null ? over : `${over}, 95 % interval`}>
      <b>{formatScore(mean)}</b>{' '}
      <span className="text-ink-3 text-sm">
        {low === null || high === null ? null : (
          <span className="whitespace-nowrap">
            {formatScore(low)} to {formatScore(high)},
          </span>
        )}{' '}
        <span className="whitespace-nowrap">n {n}</span>
        <span className="sr-only">, {over}</span>
      </span>
    </span>
  );
}
