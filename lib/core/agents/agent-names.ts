/** The agent that a run's attempts are made by; workers of a supervisor have names of their own. */
export const MAIN_AGENT = 'main';

/** The tool by which a supervisor gives a task to one of its workers. */
export const DELEGATE_TOOL = 'delegate';
