import { Check, CirclePause, CircleX, Loader, type LucideIcon, Pause, Square, X } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import type { RunStatus } from '#lib/core/run-statuses.ts';

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

/** Returns the classes of the status in the header of a run that does not wait. */
export function runStatusClass({ status, success }: { status: RunStatus; success: boolean }): string {
  if (status === 'failed') return 'font-semibold text-worse';
  if (success) return 'font-semibold text-better';
  return status === 'running' ? 'font-semibold text-brand' : 'font-semibold text-ink';
}
