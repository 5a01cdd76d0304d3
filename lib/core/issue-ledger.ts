import { foundIssues } from '#lib/core/issues/open-issues.ts';
import type { History } from './history.ts';
import { withIssueIds } from './issues/identify-issues.ts';

export const ISSUE_STATES = ['opened', 'open', 'again', 'resolved'] as const;
type IssueState = (typeof ISSUE_STATES)[number];
/**
 * One issue across the versions of a run, in the words it was first named in; `states` holds a version's number only where the issue
 * stood or was just resolved.
 */
export type LedgerRow = { id: string; text: string; criterion: string | null; states: Record<number, IssueState> };

/**
 * Follows every issue through the versions: opened where it is first named, open while it stands, resolved in the first version that was
 * looked at and no longer has it, again where it comes back. Which issues a version has is what `foundIssues` says, and which of them
 * are the same is what their ids say: an issue in other words is not resolved.
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
