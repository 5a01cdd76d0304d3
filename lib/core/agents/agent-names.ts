/** Name of the agent that makes a run's attempts. Workers of a supervisor have their own names. */
export const MAIN_AGENT = 'main';

/** Name of the tool with which a supervisor delegates a task to one of its workers. */
export const DELEGATE_TOOL = 'delegate';
