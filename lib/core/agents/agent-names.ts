/** The agent that a run's attempts are made by; workers of a supervisor have names of their own. */
export const MAIN_AGENT = 'main';

/** The tool by which a supervisor gives a task to one of its workers. */
export const DELEGATE_TOOL = 'delegate';

export const OBSERVATION_STATUSES = ['ok', 'failed', 'timed_out', 'unknown_tool', 'malformed', 'refused'] as const;

/** `malformed`: the arguments are not what the tool asks for, it was not used; `refused`: a person did not allow it, it was not used. */
export type ObservationStatus = (typeof OBSERVATION_STATUSES)[number];
