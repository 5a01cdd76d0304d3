export const OBSERVATION_STATUSES = ['ok', 'failed', 'timed_out', 'unknown_tool', 'malformed', 'refused'] as const;

/** `malformed`: not used because the arguments do not match the tool. `refused`: not used because a person did not allow it. */
export type ObservationStatus = (typeof OBSERVATION_STATUSES)[number];
