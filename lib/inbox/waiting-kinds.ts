/**
 * What is wanted of a person: a verdict at a pause, scores that only people give, a word on a retry run that stays unsolved, or leave for an
 * agent to use a tool.
 */
export const WAITING_KINDS = ['verdict', 'score', 'escalated', 'tool'] as const;
export type WaitingKind = (typeof WAITING_KINDS)[number];

/** Which items of the inbox are meant: all, those that nobody else is on, that one is on oneself, or that one was asked to look at. */
export const INBOX_SCOPES = ['all', 'free', 'mine', 'assigned'] as const;
export type InboxScope = (typeof INBOX_SCOPES)[number];
