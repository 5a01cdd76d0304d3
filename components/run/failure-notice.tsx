import Link from 'next/link';
import { Button } from '#components/ui/button.tsx';
import { Notice } from '#components/ui/notice.tsx';
import { formatSentence } from '#lib/format.ts';
import type { RunRecord } from '#lib/reflection/run-record.ts';

type FailureNoticeProps = { record: RunRecord; isBusy: boolean; onResume: () => void };

/** Why a run broke off: what happened, what is safe, what to do next. */
export function FailureNotice({ record, isBusy, onResume }: FailureNoticeProps) {
  if (record.status !== 'failed') return null;
  const { failure, versions } = record;
  const last = versions.at(-1)?.number;
  const safe =
    last === undefined
      ? 'No version was made yet, so nothing is lost.'
      : last === 0
        ? 'Version v0 is stored.'
        : `Versions v0 to v${last} and their scores are stored.`;
  const message =
    failure?.message ??
    (record.convergenceReason === 'evaluation_failed'
      ? `Version v${last} could not be scored, twice.`
      : 'The run broke off.');
  return (
    <section className="pane o1">
      <Notice
        tone="worse"
        alert
        title={formatSentence(message)}
        actions={
          <>
            <Button size="small" onClick={onResume} disabled={isBusy}>
              {last === undefined ? 'Resume' : `Resume from v${last}`}
            </Button>
            <Button asChild variant="ghost" size="small">
              <Link href="/models">Test the connection</Link>
            </Button>
            <Button asChild variant="ghost" size="small">
              <Link href={`/runs/${record.id}/calls`}>Show the calls</Link>
            </Button>
          </>
        }
      >
        {safe}
        {failure?.remedy ? ` ${failure.remedy}` : ''}
      </Notice>
    </section>
  );
}
