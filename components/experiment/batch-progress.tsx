'use client';

import { RefreshWhile } from '#components/layout/refresh-while.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { Progress } from '#components/ui/progress.tsx';
import type { Result } from '#lib/core/problem.ts';
import { formatCost, formatNumberOf } from '#lib/format.ts';
import type { TimeLeft } from '#lib/statistics/time-left.ts';
import { type BatchAct, BatchActButton } from './batch-act-button.tsx';
import { timeLeftLabel } from './time-left-labels.ts';

type BatchProgressProps = {
  total: number;
  /** `unscored`: ended runs of which nothing was scored; `missing`: runs that failed or were stopped, and can be resumed. */
  counts: { ended: number; solved: number; unscored: number; waiting: number; missing: number };
  cost: { costUsd: number; unpriced: boolean };
  isUnderWay: boolean;
  timeLeft: TimeLeft | null;
  stop: () => Promise<Result<{ stopped: number }>>;
  /** null where nothing can be resumed. */
  resume: (() => Promise<Result<{ resumed: number }>>) | null;
};

/** How far a batch is: n of m, the time left, a bar, and Stop; once it rests, what is missing of it, and Resume. Renews the page while it runs. */
export function BatchProgress({ total, counts, cost, isUnderWay, timeLeft, stop, resume }: BatchProgressProps) {
  const { ended, solved, unscored, waiting, missing } = counts;
  if (!isUnderWay && (missing === 0 || resume === null)) return null;
  const act: BatchAct | null = isUnderWay
    ? { kind: 'stop', send: stop }
    : resume === null
      ? null
      : { kind: 'resume', send: resume, count: missing };
  return (
    <Pane aria-label={isUnderWay ? 'Batch under way' : 'Batch that is not complete'} data-testid="batch-progress">
      <RefreshWhile isUnderWay={isUnderWay} everyMs={1_500} />
      <div className="mb-1.5 flex items-center gap-2 text-sm">
        <span role="status">
          <b className="font-medium">
            {isUnderWay ? ended : total - missing} of {formatNumberOf(total, 'run')}
          </b>{' '}
          <span className="text-ink-2">
            {isUnderWay ? timeLeftLabel(timeLeft) : `${formatNumberOf(missing, 'run')} failed or stopped`}
          </span>
          <br />
          <span className="text-ink-2">
            {isUnderWay
              ? `${solved} solved, ${ended - solved - unscored} unsolved${unscored > 0 ? `, ${unscored} unscored` : ''}${waiting > 0 ? `, ${waiting} waiting for a person` : ''}. ${formatCost(cost.costUsd, cost.unpriced)} so far.`
              : 'Resuming goes on where each of them was; the others are not touched, and saved replies are not paid for again.'}
          </span>
        </span>
        {act === null ? null : <BatchActButton key={act.kind} act={act} />}
      </div>
      <Progress
        share={(isUnderWay ? ended : total - missing) / Math.max(1, total)}
        role="progressbar"
        aria-valuenow={isUnderWay ? ended : total - missing}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-label="Runs finished"
      />
    </Pane>
  );
}
