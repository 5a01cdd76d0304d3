import { Check, CirclePause, CircleX, Loader, Pause, Square, X } from 'lucide-react';
import { Badge } from '#components/ui/badge.tsx';
import type { RunRecord, RunStatus } from '#lib/core/run-record.ts';
import { stopTitle } from './stop-reason-labels.ts';

/** The state of a run in a chip, with a glyph of its own. */
export function RunStatusBadge({ status, success }: { status: RunStatus; success: boolean }) {
  switch (status) {
    case 'queued':
      return (
        <Badge>
          <CirclePause aria-hidden />
          queued
        </Badge>
      );
    case 'running':
      return (
        <Badge tone="on">
          <Loader aria-hidden />
          running
        </Badge>
      );
    case 'waiting':
      return (
        <Badge tone="wait">
          <Pause aria-hidden />
          waiting
        </Badge>
      );
    case 'failed':
      return (
        <Badge tone="worse">
          <CircleX aria-hidden />
          failed
        </Badge>
      );
    case 'stopped':
      return (
        <Badge>
          <Square aria-hidden />
          stopped
        </Badge>
      );
    case 'finished':
      return success ? (
        <Badge tone="better">
          <Check aria-hidden />
          solved
        </Badge>
      ) : (
        <Badge tone="worse">
          <X aria-hidden />
          unsolved
        </Badge>
      );
  }
}

/** The state of a run in words, for the head of its page. `mayDecide`: whether who looks may answer a run that waits. */
export function runStatusLabel(
  record: Pick<RunRecord, 'status' | 'convergenceReason' | 'decisions'>,
  mayDecide: boolean,
): string {
  const { status, convergenceReason: reason } = record;
  switch (status) {
    case 'queued':
      return 'Queued';
    case 'running':
      return 'Running';
    case 'waiting':
      return mayDecide ? 'Waiting for you' : 'Waiting for a person';
    case 'failed':
    case 'stopped':
    case 'finished':
      return reason === null
        ? { failed: 'Failed', stopped: 'Stopped', finished: 'Finished' }[status]
        : stopTitle(reason, record);
  }
}
