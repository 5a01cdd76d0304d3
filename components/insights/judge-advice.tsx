import { Scale } from 'lucide-react';
import { formatNumberOf } from '#lib/format.ts';
import type { Calibration } from '#lib/measures/calibration.ts';
import { betterThreshold } from './judge-words.ts';

type JudgeAdviceProps = {
  found: Calibration;
  truth: 'people' | 'checks';
  threshold: number | null;
  selfJudged: number;
};

/** What the numbers say in words, and what could be done. */
export function JudgeAdvice({ found, truth, threshold, selfJudged }: JudgeAdviceProps) {
  const better = betterThreshold(found, threshold);
  return (
    <div className="min-w-0 flex-[1_1_16rem]">
      <div className="ph">
        <h2>What to do about it</h2>
      </div>
      <p className="sm muted max-w-[52ch]">
        {found.reading} {better === null ? '' : better.words}
        {found.tooFewToTell
          ? truth === 'people'
            ? ' Score some more versions on their run’s page, or accept and send back in the inbox.'
            : ' Run more cases that have a reference.'
          : ''}
      </p>
      {found.sameModel > 0 ? (
        <p className="notice mt-3">
          <Scale className="i s" aria-hidden />
          <span>
            In {found.sameModel} of {formatNumberOf(found.n, 'judgement')} the judge wrote the text itself
            {selfJudged > 0 ? `; so it is in ${formatNumberOf(selfJudged, 'experiment')}` : ''}. A second model as the
            judge lowers self-praise.
          </span>
        </p>
      ) : null}
    </div>
  );
}
