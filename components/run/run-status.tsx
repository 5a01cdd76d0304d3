import { Check, CirclePause, CircleX, Loader, type LucideIcon, Pause, Square, X } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import type { RunRecord } from '#lib/core/run-record.ts';
import type { RunStatus } from '#lib/core/run-statuses.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { stopTitle } from './stop-reason-labels.ts';

type BadgeLook = { tone: ComponentProps<typeof Badge>['tone']; icon: LucideIcon; label: string };

const SOLVED: BadgeLook = { tone: 'better', icon: Check, label: 'solved' };
const LOOKS: Record<RunStatus, BadgeLook> = {
  queued: { tone: undefined, icon: CirclePause, label: 'queued' },
  running: { tone: 'on', icon: Loader, label: 'running' },
  waiting: { tone: 'wait', icon: Pause, label: 'waiting' },
  failed: { tone: 'worse', icon: CircleX, label: 'failed' },
  stopped: { tone: undefined, icon: Square, label: 'stopped' },
  finished: { tone: 'worse', icon: X, label: 'unsolved' },
};

/** Badge with the status of a run and an icon. */
export function RunStatusBadge({ status, success }: { status: RunStatus; success: boolean }) {
  const { tone, icon: Icon, label } = status === 'finished' && success ? SOLVED : LOOKS[status];
  return (
    <Badge tone={tone}>
      <Icon />
      {label}
    </Badge>
  );
}

/** Returns the status of a run as text for its page header. `mayDecide`: the reader may answer a waiting run. */
export function runStatusLabel(
  record: Pick<RunRecord, 'status' | 'convergenceReason' | 'decisions'>,
  mayDecide: boolean,
  settings: ExperimentSettings | null = null,
): string {
  const { status, convergenceReason: reason } = record;
  switch (status) {
    case 'queued':
      return 'Queued';
    case 'running':
      return 'Running';
    case 'waiting':
      return mayDecide ? 'Waiting for you' : 'Waiting for a reviewer';
    case 'failed':
    case 'stopped':
    case 'finished':
      return reason === null
        ? { failed: 'Failed', stopped: 'Stopped', finished: 'Finished' }[status]
        : stopTitle(reason, record, settings);
  }
}
