'use client';

import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { RoleButton } from '#components/access/role-controls.tsx';
import { readApi } from '#components/api/call-api.ts';
import { LocalMoments } from '#components/ui/local-time.tsx';
import { Pane } from '#components/ui/pane.tsx';
import { useNow } from '#components/ui/timers.ts';
import type { RunRecord } from '#lib/core/run-record.ts';
import { formatDuration } from '#lib/format.ts';
import type { QueuePlace, QueueReason } from '#lib/runs/schema.ts';

const POLL_MS = 3_000;

/** Returns why a run does not start or continue. Null if it is not known. Polls every few seconds while the run is unfinished. */
export function useQueuePlace({ id, status }: Pick<RunRecord, 'id' | 'status'>): QueuePlace | null {
  const isUnderWay = status === 'queued' || status === 'running';
  const { data: position } = useQuery({
    queryKey: ['queue', id],
    queryFn: ({ signal }) => readApi('GET /api/v1/runs/{id}/queue', { params: { id }, signal }),
    enabled: isUnderWay,
    refetchInterval: POLL_MS,
  });
  return isUnderWay && position?.status === status ? position : null;
}

type QueueNoteProps = { record: Pick<RunRecord, 'id' | 'status'>; isBusy: boolean; onResume: () => void };

/** Shows why a run does not start or continue. */
export function QueueNote({ record, isBusy, onResume }: QueueNoteProps) {
  const position = useQueuePlace(record);
  if (position === null) return null;
  const isLimited = position.reasons.some(({ kind }) => kind === 'rate_limit');
  return (
    <QueueReasons position={position}>
      {isLimited ? (
        <RoleButton needs="editor" size="small" className="mt-1" onClick={onResume} disabled={isBusy}>
          Try now
        </RoleButton>
      ) : null}
    </QueueReasons>
  );
}

type QueueReasonsProps = { position: QueuePlace; lead?: string; children?: ReactNode };

/** Lists the reasons, one per line. Renders nothing if there are none or the run is about to start. */
export function QueueReasons({ position, lead, children }: QueueReasonsProps) {
  const reasons = position.reasons.filter(({ kind }) => kind !== 'begins');
  if (reasons.length === 0) return null;
  return (
    <Pane className="text-sm" data-testid="queue-note">
      <div role="status">
        {lead === undefined ? null : <b className="font-medium">{lead}</b>}
        {reasons.map((reason) => (
          <p key={reason.message}>
            <LocalMoments text={reason.message} />
            <Until reason={reason} />
          </p>
        ))}
      </div>
      {children}
    </Pane>
  );
}

function Until({ reason: { until } }: { reason: QueueReason }) {
  const now = useNow(until === null ? null : 1_000);
  const leftMs = until === null ? 0 : Date.parse(until) - now.getTime();
  // Hidden, because a screen reader would announce it every second. The reason names the time.
  return leftMs < 1_000 ? null : (
    <span className="text-ink-2" aria-hidden>
      {' '}
      In {formatDuration(leftMs)}.
    </span>
  );
}
