'use client';

import { Pause, UserRound } from 'lucide-react';
import Link from 'next/link';
import { PageHead } from '#components/layout/page-head.tsx';
import { runStatusWords } from '#components/run/run-status.tsx';
import { useMay } from '#components/team/role-provider.tsx';
import { Button } from '#components/ui/button.tsx';
import { formatAge, formatCost, formatTitle } from '#lib/format.ts';
import type { InboxClaim } from '#lib/reflection/inbox-item.ts';
import type { RunRecord } from '#lib/reflection/run-record.ts';
import { type ExperimentSettings, modelFor } from '#lib/reflection/settings.ts';
import { claimWords } from './inbox-words.ts';

type ItemHeadProps = {
  record: RunRecord;
  settings: ExperimentSettings;
  experimentName: string;
  claim: InboxClaim | null;
  now: Date;
};

/** What the item is: its case, since when it waits, who else is on it, where it comes from, and the way to its whole page. */
export function ItemHead({ record, settings, experimentName, claim, now }: ItemHeadProps) {
  const age = record.waitingFor ? formatAge(record.waitingFor.since, now) : 'now';
  const onIt = record.waitingFor ? claimWords(claim, now) : null;
  // Stays where it is while it is empty, so that it is read out when somebody comes.
  const status = (
    <span role="status" data-testid="claim">
      {onIt === null ? null : (
        <b className="ml-4 font-medium">
          <UserRound className="size-3.25" aria-hidden /> {onIt}
        </b>
      )}
    </span>
  );
  const words = runStatusWords(record, useMay('reviewer').may);
  const isRetry = settings.mode === 'retry';
  return (
    <PageHead
      title={formatTitle(record.case.input) || 'An empty case'}
      facts={
        <>
          {record.waitingFor ? (
            <span className="font-semibold text-wait">
              <Pause className="size-3.25" aria-hidden /> {words}
              {age === 'now' ? '' : `, ${age}`}
              {status}
            </span>
          ) : (
            <span className="font-semibold text-ink">
              {words}
              {status}
            </span>
          )}
          <span className="min-w-0 max-w-full truncate">
            <b>{experimentName}</b> v{record.experimentVersion}, {settings.mode}
          </span>
          <span>
            {isRetry ? 'attempt' : 'iteration'}{' '}
            <b>
              {isRetry
                ? `${record.versions.length} of ${settings.maxAttempts}`
                : `${record.iterationsUsed} of ${settings.maxIterations}`}
            </b>
          </span>
          <span>
            <b>{modelFor(settings, 'generate').model}</b>
          </span>
          <span>
            <b>{formatCost(record.costUsd, record.unpriced)}</b> so far
          </span>
        </>
      }
      actions={
        <Button asChild>
          <Link href={`/runs/${record.id}`}>Open the run</Link>
        </Button>
      }
    />
  );
}
