import { foundIssues } from '#lib/core/issues/open-issues.ts';
import type { History } from './history.ts';
import { withIssueIds } from './issues/identify-issues.ts';

export const ISSUE_STATES = ['opened', 'open', 'again', 'resolved'] as const;
type IssueState = (typeof ISSUE_STATES)[number];
/**
 * One issue across the versions of a run, in its first wording. `states` contains a version's number only if the issue was open there or
 * had just been resolved.
 */
export type LedgerRow = { id: string; text: string; criterion: string | null; states: Record<number, IssueState> };

/**
 * Tracks every issue through the versions: opened at its first appearance, then open, resolved in the first reviewed version without it,
 * reopened if it returns. The issues of a version come from `foundIssues` and are matched by id, so a reworded issue is not resolved.
 */
export function issueLedger(history: History): LedgerRow[] {
  const identified = withIssueIds(history);
  const rows = new Map<string, LedgerRow>();
  const standing = new Set<string>();
  for (const { number } of identified.versions) {
    const found = foundIssues(identified, number);
    if (found === null) continue;
    const named = new Set(found.map(({ id }) => id));
    for (const { id, text, criterion } of found) {
      const row = rows.get(id);
      if (row === undefined) rows.set(id, { id, text, criterion, states: { [number]: 'opened' } });
      else row.states[number] ??= standing.has(id) ? 'open' : 'again';
    }
    for (const id of standing) {
      const row = rows.get(id);
      if (row !== undefined && !named.has(id)) row.states[number] = 'resolved';
    }
    standing.clear();
    for (const id of named) standing.add(id);
  }
  return [...rows.values()];
}
