'use client';

import { Square } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useState, useTransition } from 'react';
import { RefreshWhile } from '#components/shell/refresh-while.tsx';
import { Button } from '#components/ui/button.tsx';
import { useToast } from '#components/ui/toaster.tsx';
import { formatNumberOf } from '#lib/format.ts';
import type { Result } from '#lib/reflection/problem.ts';

type BatchProgressProps = {
  total: number;
  counts: { ended: number; solved: number; waiting: number };
  isUnderWay: boolean;
  stop: () => Promise<Result<unknown>>;
};

/** How far a batch is: n of m, a bar, and Stop. Renews the page while it runs. */
export function BatchProgress({ total, counts, isUnderWay, stop }: BatchProgressProps) {
  const router = useRouter();
  const toast = useToast();
  const [isStopping, startStopping] = useTransition();
  const [isAsked, setAsked] = useState(false);
  if (!isUnderWay) return null;
  return (
    <section className="pane" aria-label="Batch under way" data-testid="batch-progress">
      <RefreshWhile isUnderWay everyMs={1_500} />
      <div className="row sm mb-1.5">
        <span role="status">
          <b className="md5">
            {counts.ended} of {formatNumberOf(total, 'run')}
          </b>
          <br />
          <span className="muted">
            {counts.solved} solved, {counts.ended - counts.solved} unsolved
            {counts.waiting > 0 ? `, ${counts.waiting} waiting for a person` : ''}
          </span>
        </span>
        <Button
          size="small"
          className="end"
          disabled={isStopping || isAsked}
          onClick={() =>
            startStopping(async () => {
              const result = await stop();
              if (result.ok) setAsked(true);
              toast(
                result.ok ? 'Stopping; what is stored stays' : result.problem.message,
                result.ok ? 'done' : 'problem',
              );
              router.refresh();
            })
          }
        >
          <Square className="i s" aria-hidden />
          {isStopping ? 'Stopping' : 'Stop'}
        </Button>
      </div>
      <div
        className="prog"
        role="progressbar"
        aria-valuenow={counts.ended}
        aria-valuemin={0}
        aria-valuemax={total}
        aria-label="Runs finished"
      >
        <i style={{ width: `${(100 * counts.ended) / Math.max(1, total)}%` }} />
      </div>
    </section>
  );
}
