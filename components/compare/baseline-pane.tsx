import { Scale } from 'lucide-react';
import { classNames } from '#components/ui/class-names.ts';
import { Notice, noticeVariants } from '#components/ui/notice.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { Stat } from '#components/ui/stat.tsx';
import type { Comparison, ComparisonArm } from '#lib/compare/schema.ts';
import { formatCount, formatMoney, formatNumberOf, formatPercent, formatScore } from '#lib/format.ts';
import { ArmHead } from './arm-head.tsx';
import { loopOfArm } from './arm-labels.ts';
import { armLetter } from './arm-letter.ts';
import type { CompareState } from './compare-address.ts';
import { effortLabel } from './effort-labels.ts';
import { passAtKLabel } from './pass-at-k.ts';
import { missedHalfTheTime } from './verdict-labels.ts';

/** The arm that the others are read against: what it came to, what as many cases can show, and where the effort differs. */
export function BaselinePane({ comparison, state }: { comparison: Comparison; state: CompareState }) {
  const [arm] = comparison.arms;
  if (arm === undefined) return null;
  const others = comparison.against.map((_one, place) => armLetter(place + 1));
  const missed = missedHalfTheTime(comparison.against.map((one) => one[comparison.metric]));
  const effort = effortLabel(comparison);
  return (
    <Pane aria-label="A, the baseline">
      <ArmHead arm={arm} place={0} comparison={comparison} state={state} />
      <p className="text-ink-2 text-sm">{loopOfArm(arm, comparison.effort.arms[0])}</p>
      <div className="mt-4 flex flex-wrap items-center gap-x-8 gap-y-2">
        <Stat label="Solved" value={solvedLabel(arm)}>
          {shareLabel(arm)}
        </Stat>
        <Stat label="Mean best score" value={arm.score === null ? '–' : formatScore(arm.score.mean)}>
          {costLabel(arm)}
        </Stat>
      </div>
      <PassAtK arm={arm} />
      <p className="mt-4 max-w-[44ch] text-ink-2 text-sm">
        {others.length === 1 ? `${others[0]} is` : `${others.slice(0, -1).join(', ')} and ${others.at(-1)} are`} read
        against A on the cases that both ran.{' '}
        {missed === null
          ? ''
          : `With ${formatNumberOf(missed.n, 'pair')} a true difference under about ${missed.words} would be missed half the time.`}
      </p>
      {effort.length > 0 ? (
        <div className={classNames(noticeVariants(), 'mt-3')} data-testid="effort">
          <Scale aria-hidden />
          <div className="min-w-0 flex-1">
            <b className="font-medium">Not equal effort.</b> {effort.join(' ')}
          </div>
        </div>
      ) : null}
      <LeftOut comparison={comparison} />
    </Pane>
  );
}

/** What several runs of a case say of one run more; nothing where each was run once. */
export function PassAtK({ arm }: { arm: ComparisonArm }) {
  const words = passAtKLabel(arm.passAtK);
  return words === null ? null : <p className="mt-3 text-ink-2 text-sm">{words}</p>;
}

/** What counts nowhere, and what counts though nothing came of it. */
function LeftOut({ comparison: { arms } }: { comparison: Comparison }) {
  const words = arms.flatMap(({ underWay, failed, unscoredRuns }, place) => [
    ...(underWay > 0 ? [`${formatNumberOf(underWay, 'run')} of ${armLetter(place)} under way, not counted yet.`] : []),
    ...(failed > 0
      ? [
          unscoredRuns > 0
            ? `${formatNumberOf(failed, 'run')} of ${armLetter(place)} failed, not solved where anything was scored.`
            : `${formatNumberOf(failed, 'run')} of ${armLetter(place)} failed and ${failed === 1 ? 'counts' : 'count'} as not solved.`,
        ]
      : []),
    ...(unscoredRuns > 0
      ? [
          `${formatNumberOf(unscoredRuns, 'run')} of ${armLetter(place)} left out: nothing was scored, so they are neither solved nor not.`,
        ]
      : []),
  ]);
  return words.length === 0 ? null : (
    <Notice className="mt-3" title="What is counted.">
      {words.join(' ')}
    </Notice>
  );
}

/** `14 of 24` where each case was run once, else the share of runs. */
function solvedLabel({ solved, cases, runs }: ComparisonArm): string {
  if (solved === null) return '–';
  const { mean, n } = solved;
  return runs === cases ? `${formatCount(Math.round(mean * n))} of ${formatCount(n)}` : formatPercent(mean);
}

function shareLabel({ solved, cases, runs, unscoredRuns }: ComparisonArm): string {
  if (solved === null) return runs === 0 ? 'no run has ended' : 'nothing was scored';
  const { mean, low, high } = solved;
  const bounds = low === null || high === null ? '' : `, ${Math.round(low * 100)} to ${Math.round(high * 100)}`;
  return runs === cases
    ? `${formatPercent(mean)}${bounds}`
    : `of ${formatNumberOf(runs - unscoredRuns, 'run')}${bounds}`;
}

function costLabel({ costPerSolvedUsd, unpriced, score }: ComparisonArm): string {
  if (score === null) return 'nothing scored';
  if (costPerSolvedUsd === null) return 'none solved';
  if (unpriced && costPerSolvedUsd === 0) return 'its calls have no known price';
  return `${unpriced ? 'at least ' : ''}${formatMoney(costPerSolvedUsd)} a solved case`;
}
