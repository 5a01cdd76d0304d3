import Link from 'next/link';
import { Fragment } from 'react';
import { Pane } from '#components/ui/pane.tsx';
import type { RunRecord } from '#lib/core/run-record.ts';
import { formatRunNumber } from '#lib/format.ts';

/** A run that begins with a version of this one. */
export type BranchOfRun = { runId: string; number: number; version: number };

/** Which run this one was branched from, and which were branched from it. */
export function BranchLinks({ record, branches }: { record: RunRecord; branches: readonly BranchOfRun[] }) {
  const { branchedFrom } = record;
  if (branchedFrom === null && branches.length === 0) return null;
  return (
    <Pane className="text-sm" aria-label="Branches" data-testid="branches">
      {branchedFrom ? (
        <p>
          It begins with the text of{' '}
          {branchedFrom.runId === null || branchedFrom.number === null ? (
            `v${branchedFrom.version} of a run that was deleted`
          ) : (
            <Link className="link" href={`/runs/${branchedFrom.runId}?v=${branchedFrom.version}`}>
              v{branchedFrom.version} of run {formatRunNumber(branchedFrom.number)}
            </Link>
          )}
          .
        </p>
      ) : null}
      {branches.length > 0 ? (
        <p>
          Branched from it:{' '}
          {branches.map(({ runId, number, version }, at) => (
            <Fragment key={runId}>
              {at > 0 ? ', ' : ''}
              <Link className="link" href={`/runs/${runId}`}>
                run {formatRunNumber(number)} from v{version}
              </Link>
            </Fragment>
          ))}
          .
        </p>
      ) : null}
    </Pane>
  );
}
