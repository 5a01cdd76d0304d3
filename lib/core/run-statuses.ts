/** How a run stands. */
export const RUN_STATUSES = ['queued', 'running', 'waiting', 'finished', 'failed', 'stopped'] as const;
export type RunStatus = (typeof RUN_STATUSES)[number];
