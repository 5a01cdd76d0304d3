export const RUN_STATUSES = ['queued', 'running', 'waiting', 'finished', 'failed', 'stopped'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];

export const ENDED_STATUSES = ['finished', 'failed', 'stopped'] as const satisfies readonly RunStatus[];
export type EndedStatus = (typeof ENDED_STATUSES)[number];

/** True if a run with this status has ended. */
export function isEndedStatus(status: string): status is EndedStatus {
  return ENDED_STATUSES.some((ended) => ended === status);
}
