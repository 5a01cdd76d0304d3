export const OBSERVATION_STATUSES = ['ok', 'failed', 'timed_out', 'unknown_tool', 'malformed', 'refused'] as const;

/** `malformed`: the arguments are not what the tool asks for, it was not used; `refused`: a person did not allow it, it was not used. */
export type ObservationStatus = (typeof OBSERVATION_STATUSES)[number];
