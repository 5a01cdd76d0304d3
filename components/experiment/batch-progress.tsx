'use client';

import { type LucideIcon, Play, Square } from 'lucide-react';
import { useState } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { useSubmit } from '#components/access/use-submit.ts';
import { submitApi } from '#components/api/call-api.ts';
import { RefreshWhile } from '#components/layout/refresh-while.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { Progress } from '#components/ui/progress.tsx';
import type { Result } from '#lib/core/problem.ts';
import { formatCost, formatDuration, formatNumberOf, joinParts } from '#lib/format.ts';
import type { TimeLeft } from '#lib/statistics/time-left.ts';

type BatchProgressProps = {
  total: number;
  /** `unscored`: ended runs without a score. `missing`: failed, stopped or held runs that can be resumed. */
  counts: { ended: number; solved: number; unscored: number; waiting: number; missing: number; held: number };
  cost: { costUsd: number; unpriced: boolean };
  isUnderWay: boolean;
  timeLeft: TimeLeft | null;
  batchId: string;
  canResume: boolean;
};

/**
 * Shows the progress of a batch: runs ended, time left, a bar and Stop. When it is idle, shows the missing runs and Resume. Refreshes the
 * page while it runs.
 */
export function BatchProgress(props: BatchProgressProps) {
  const { total, counts, cost, isUnderWay, timeLeft, batchId, canResume } = props;
  const params = { id: batchId };
  const { ended, missing, held } = counts;
  if (!isUnderWay && (!canResume || missing === 0)) return null;
  const done = isUnderWay ? ended : total - missing;
  return (
    <Pane aria-label={isUnderWay ? 'Batch in progress' : 'Incomplete batch'} data-testid="batch-progress">
      <RefreshWhile isUnderWay={isUnderWay} everyMs={1_500} />
      <div className="mb-1.5 flex items-center gap-2 text-sm">
        <span role="status">
          <b className="font-medium">
            {done} of {formatNumberOf(total, 'run')}
          </b>{' '}
          <span className="text-ink-2">
            {isUnderWay
              ? timeLeftLabel(timeLeft)
              : `${formatNumberOf(missing, 'run')} ${held > 0 ? 'failed or on hold' : 'failed or stopped'}`}
          </span>
          <br />
          <span className="text-ink-2">
            {isUnderWay
              ? `${countsLabel(counts)}.${cost.unpriced && cost.costUsd === 0 ? '' : ` ${formatCost(cost.costUsd, cost.unpriced)} so far.`}`
              : 'Resume continues each of these runs after its last saved step. Saved responses are not billed again.'}
          </span>
        </span>
        {isUnderWay ? (
          <BatchButton
            key="stop"
            icon={Square}
            label="Stop"
            busy="Stopping"
            send={() => submitApi('POST /api/v1/batches/{id}/stop', { params })}
            done={() => 'Stopping. What is stored stays'}
          />
        ) : canResume ? (
          <BatchButton
            key="resume"
            icon={Play}
            label={`Resume ${formatNumberOf(missing, 'run')}`}
            busy="Resuming"
            send={() => submitApi('POST /api/v1/batches/{id}/resume', { params })}
            done={({ resumed }) => `${formatNumberOf(resumed, 'run')} resumed`}
          />
        ) : null}
      </div>
      <Progress
        share={done / Math.max(1, total)}
        role="progressbar"
        aria-valuenow={done}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-label="Runs finished"
      />
    </Pane>
  );
}

function countsLabel({ ended, solved, unscored, waiting }: BatchProgressProps['counts']): string {
  return joinParts(
    `${solved} solved`,
    `${ended - solved - unscored} unsolved`,
    unscored > 0 && `${unscored} unscored`,
    waiting > 0 && `${waiting} waiting for a reviewer`,
  );
}

type BatchButtonProps<Outcome> = {
  icon: LucideIcon;
  label: string;
  busy: string;
  send: () => Promise<Result<Outcome>>;
  /** Returns the message after success. */
  done: (outcome: Outcome) => string;
};

/** Stops a batch or resumes its missing runs, and shows the result. */
function BatchButton<Outcome>({ icon: Icon, label, busy, send, done }: BatchButtonProps<Outcome>) {
  const { isBusy, submitWithToast } = useSubmit('Hone did not respond. Check the list of runs.', {
    refreshes: 'always',
  });
  const [isAsked, setAsked] = useState(false);
  const onClick = () =>
    submitWithToast(send(), done, ({ ok }) => {
      if (ok) setAsked(true);
    });
  return (
    <RoleButton needs="editor" size="small" className="ml-auto" disabled={isBusy || isAsked} onClick={onClick}>
      <Icon />
      {isBusy ? busy : label}
    </RoleButton>
  );
}

/** Returns the remaining time of a batch: `40 s to 2 min left`. States if it is not known yet. */
export function timeLeftLabel(left: TimeLeft | null): string {
  if (left === null) return 'time left: known once 3 have ended';
  const [low, high] = [rounded(left.lowestMs), rounded(left.highestMs)];
  return low === high ? `about ${formatDuration(high)} left` : `${formatDuration(low)} to ${formatDuration(high)} left`;
}

/** Rounds to 1 s, to 10 s from one minute on, and to 1 min from ten minutes on. */
function rounded(milliseconds: number): number {
  const step = milliseconds < 60_000 ? 1_000 : milliseconds < 600_000 ? 10_000 : 60_000;
  return Math.max(1, Math.round(milliseconds / step)) * step;
}
