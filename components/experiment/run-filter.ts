import { address } from '#components/layout/pager.tsx';
import { RUN_STATUSES, type RunStatus } from '#lib/core/run-statuses.ts';
import { STOP_REASONS, type StopReason } from '#lib/core/stop-reasons.ts';

/** Filter of a batch's runs by status, outcome and stop reason. Null: all. */
export type RunFilter = { show: RunStatus | 'solved' | 'unsolved' | null; reason: StopReason | null };

const SHOWN_RUNS = ['solved', 'unsolved', ...RUN_STATUSES] as const;

/** Parses the filter from URL parameters. Invalid values are ignored. */
export function readRunFilter(status: string | null, reason: string | null): RunFilter {
  return {
    show: SHOWN_RUNS.find((candidate) => candidate === status) ?? null,
    reason: STOP_REASONS.find((candidate) => candidate === reason) ?? null,
  };
}

/** Returns the URL of a batch's runs by status or stop reason. The fragment scrolls to the list. */
export function runsAddress(path: string, params: { batch: string; status?: RunStatus; reason?: StopReason }): string {
  return `${address(path, params)}#runs`;
}
