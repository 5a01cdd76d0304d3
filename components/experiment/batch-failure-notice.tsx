import { RoleLink } from '#components/access/role-link.tsx';
import { Button } from '#components/ui/button.tsx';
import { Link } from '#components/ui/link.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { formatNumberOf, formatTitle } from '#lib/format.ts';
import type { BatchFailure } from '#lib/runs/batches.ts';
import { failureAdvice } from '#lib/runs/failure-advice.ts';
import { runsAddress } from './run-filter.ts';

type BatchFailureNoticeProps = {
  path: string;
  batchId: string;
  experimentId: string;
  failure: BatchFailure;
  /** Number of runs on hold until the batch is resumed. */
  held: number;
};

/** Maximum number of characters of an error message. The page of a run shows the whole message. */
const MAX_ERROR_LENGTH = 300;

/** Shows the most frequent cause of failed runs in a batch and the recommended next step. */
export function BatchFailureNotice({ path, batchId, experimentId, failure, held }: BatchFailureNoticeProps) {
  const { title, explanation, next } = failureAdvice(failure.cause, { ...failure, experimentId });
  const counts = [
    ...(failure.runs > 0 ? [`${formatNumberOf(failure.runs, 'run')} failed`] : []),
    ...(held > 0 ? [`Hone paused the other ${formatNumberOf(held, 'run')}`] : []),
  ];
  return (
    <Pane data-testid="batch-failure">
      <Notice
        tone="worse"
        alert
        title={title}
        actions={
          <>
            <RoleLink needs={next.needs} size="small" href={next.href}>
              {next.label}
            </RoleLink>
            {failure.runs > 0 ? (
              <Button asChild variant="ghost" size="small">
                <Link href={runsAddress(path, { batch: batchId, status: 'failed' })}>Show failed runs</Link>
              </Button>
            ) : null}
          </>
        }
      >
        {explanation} {counts.join('. ')}.{' '}
        {held > 0 ? 'Fix the cause, then resume the batch. Saved responses are not billed again.' : ''}
        {failure.message === '' ? null : (
          <span className="mt-1 block text-ink-2">{formatTitle(failure.message, MAX_ERROR_LENGTH)}</span>
        )}
      </Notice>
    </Pane>
  );
}
