import { Check } from 'lucide-react';
import { Pane } from '#components/ui/pane.tsx';
import type { Comparison, ComparisonAgainst, ComparisonArm } from '#lib/compare/schema.ts';
import { formatNumberOf } from '#lib/format.ts';
import { ArmHead } from './arm-head.tsx';
import { differenceLabel, loopOfArm } from './arm-labels.ts';
import { armLetter } from './arm-letter.ts';
import { PassAtK } from './baseline-pane.tsx';
import { ChangeCounts } from './change-counts.tsx';
import type { CompareState } from './compare-address.ts';
import { DifferenceBars } from './difference-bars.tsx';
import { DifferenceInterval } from './difference-interval.tsx';
import { secondVerdict, verdictNumbers, verdictTitle } from './verdict-labels.ts';

type ArmPaneProps = {
  arm: ComparisonArm;
  against: ComparisonAgainst;
  /** From 1: its place among the arms. */
  place: number;
  comparison: Comparison;
  state: CompareState;
  /** What the intervals of all arms are drawn on. */
  span: { low: number; high: number };
};

/** An arm read against the baseline: counts of cases, their differences, and the verdict with its interval. */
export function ArmPane({ arm, against, place, comparison, state, span }: ArmPaneProps) {
  const { metric, effort } = comparison;
  const letter = armLetter(place);
  const { better, worse, same } = against;
  const result = against[metric];
  const second = secondVerdict(against[metric === 'score' ? 'solved' : 'score']);
  return (
    <Pane aria-label={`${letter} against A`} data-testid={`arm-${letter}`}>
      <ArmHead arm={arm} place={place} comparison={comparison} state={state} />
      <p className="wrap-anywhere text-ink-2 text-sm">{whatDiffers(arm, loopOfArm(arm, effort.arms[place]))}</p>
      <ChangeCounts against={against} place={place} state={state} />
      {against.differences.length > 0 ? (
        <DifferenceBars
          metric={metric}
          differences={against.differences}
          label={`Difference of ${metric === 'score' ? 'the best score' : 'the share solved'} per case, sorted: ${better} better, ${worse} worse, ${same} same.`}
        />
      ) : null}
      <p className="mt-3">
        <Verdict verdict={result.verdict} /> <span className="text-ink-2 text-sm">{verdictNumbers(result)}</span>
      </p>
      <DifferenceInterval result={result} span={span} />
      <p className="text-ink-2 text-sm">
        {second.sentence}
        {second.verdict === null ? null : (
          <>
            , <b className="font-medium text-ink">{second.verdict}</b>.
          </>
        )}
      </p>
      <PassAtK arm={arm} />
      <p className="text-ink-2 text-sm">{leftOutLabel(against, letter)}</p>
    </Pane>
  );
}

function Verdict({ verdict }: { verdict: ComparisonAgainst['verdict'] }) {
  const title = verdictTitle(verdict, 'A');
  if (verdict === 'better')
    return (
      <b className="text-better">
        <Check className="inline size-3.25" aria-hidden /> {title}
      </b>
    );
  if (verdict === 'worse')
    return (
      <b className="text-worse">
        <span aria-hidden>▼</span> {title}
      </b>
    );
  return <b>{title}</b>;
}

const MOST_NAMED = 4;

/** What was said of these settings, else what differs from the baseline's. */
function whatDiffers({ message, differences }: ComparisonArm, loop: string): string {
  const shown = differences.slice(0, MOST_NAMED).map(differenceLabel);
  const more = differences.length - shown.length;
  const listed = [...shown, ...(more > 0 ? [`${formatNumberOf(more, 'more difference')}`] : [])].join(', ');
  return [message, differences.length === 0 ? `the settings of A: ${loop}` : `${loop}; ${listed}`]
    .filter(Boolean)
    .join(' · ');
}

function leftOutLabel({ onlyBaseline, onlyArm, unscored }: ComparisonAgainst, letter: string): string {
  return [
    onlyBaseline > 0 && `${formatNumberOf(onlyBaseline, 'case')} only A ran`,
    onlyArm > 0 && `${formatNumberOf(onlyArm, 'case')} only ${letter} ran`,
    unscored > 0 && `${formatNumberOf(unscored, 'case')} unscored in one of them`,
  ]
    .filter((part) => part !== false)
    .map((part, place) => (place === 0 ? `Left out: ${part}` : part))
    .join(', ');
}
