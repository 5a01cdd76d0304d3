import { Check, CirclePause, CircleX, Clock, Loader, type LucideIcon, Pause, Square, X } from 'lucide-react';
import type { ComponentProps } from 'react';
import { Badge } from '#components/ui/badge.tsx';
import { LocalMoments } from '#components/ui/local-time.tsx';
import type { RunStatus } from '#lib/core/run-statuses.ts';
import { formatMoment } from '#lib/format.ts';
import type { CurrentRateLimit } from '#lib/runs/schema.ts';

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

type RunStatusBadgeProps = { status: RunStatus; success: boolean; rateLimit?: CurrentRateLimit | null };

/** Badge with the status of a run and an icon. */
export function RunStatusBadge({ status, success, rateLimit = null }: RunStatusBadgeProps) {
  if (rateLimit !== null)
    return (
      <Badge tone="wait">
        <Clock />
        rate limit
      </Badge>
    );
  const { tone, icon: Icon, label } = status === 'finished' && success ? SOLVED : LOOKS[status];
  return (
    <Badge tone={tone}>
      <Icon />
      {label}
    </Badge>
  );
}

/** Text of a run in a list that waits for the rate limit of a provider. */
export function RateLimitNote({ provider, until }: CurrentRateLimit) {
  return <LocalMoments text={`Waiting for the rate limit of ${provider} until ${formatMoment(until)}`} />;
}

/** Returns the classes of the status in the header of a run that does not wait. */
export function runStatusClass({ status, success }: { status: RunStatus; success: boolean }): string {
  if (status === 'failed') return 'font-semibold text-worse';
  if (success) return 'font-semibold text-better';
  return status === 'running' ? 'font-semibold text-brand' : 'font-semibold text-ink';
}
