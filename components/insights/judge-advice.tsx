import { Scale } from 'lucide-react';
import { classNames } from '#components/ui/class-names.ts';
import { noticeVariants } from '#components/ui/notice.tsx';
import { PaneHeader } from '#components/ui/pane.tsx';
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
      <PaneHeader>
        <h2>What to do about it</h2>
      </PaneHeader>
      <p className="max-w-[52ch] text-ink-2 text-sm">
        {found.reading} {better === null ? '' : better.words}
        {found.tooFewToTell
          ? truth === 'people'
            ? ' Score some more versions on their run’s page, or accept and send back in the inbox.'
            : ' Run more cases that have a reference.'
          : ''}
      </p>
      {found.sameModel > 0 ? (
        <p className={classNames(noticeVariants(), 'mt-3')}>
          <Scale className="size-3.25" aria-hidden />
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
