import { address } from '#components/layout/pager.tsx';
import { RUN_STATUSES, type RunStatus } from '#lib/core/run-statuses.ts';
import { STOP_REASONS, type StopReason } from '#lib/core/stop-reasons.ts';

/** What of a batch's runs is shown: a status, of the finished ones those that were solved or not, and why they stopped; null for all. */
export type RunFilter = { show: RunStatus | 'solved' | 'unsolved' | null; reason: StopReason | null };

const SHOWN_RUNS = ['solved', 'unsolved', ...RUN_STATUSES] as const;

/** Reads the filter out of the address's parameters; what is no such thing is left out. */
export function readRunFilter(status: string | null, reason: string | null): RunFilter {
  return {
    show: SHOWN_RUNS.find((candidate) => candidate === status) ?? null,
    reason: STOP_REASONS.find((candidate) => candidate === reason) ?? null,
  };
}

/** Runs of a batch by status or stop reason, at their list: the page has more above it. */
export function runsAddress(path: string, params: { batch: string; status?: RunStatus; reason?: StopReason }): string {
  return `${address(path, params)}#runs`;
}
