/**
 * Kind of request to a person: a decision at a pause, scores that only people give, a decision on an unsolved retry run, or approval of an
 * agent's tool call.
 */
export const WAITING_KINDS = ['verdict', 'score', 'escalated', 'tool'] as const;
export type WaitingKind = (typeof WAITING_KINDS)[number];

/** Filters of the inbox. `free`: not claimed by anybody. `mine`: claimed by the reader. `assigned`: assigned to the reader. */
export const INBOX_SCOPES = ['all', 'free', 'mine', 'assigned'] as const;
export type InboxScope = (typeof INBOX_SCOPES)[number];
