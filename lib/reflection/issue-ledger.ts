import type { EvaluationIssue, History } from './history.ts';
import { effectiveEvaluation } from './scored-versions.ts';

export type IssueState = 'opened' | 'open' | 'again' | 'resolved';
/** One issue across the versions of a run; `states` holds a version's number only where the issue stood or was just resolved. */
export type LedgerRow = { id: string; text: string; criterion: string | null; states: Record<number, IssueState> };

/**
 * Follows every issue through the versions: opened where it is first named, open while it stands, resolved in the first
 * evaluated version without it, again where it comes back. Two texts are one issue when they are equal but for case,
 * punctuation and white space. Ids count from i1 in the order of appearance.
 */
export function issueLedger(history: History): LedgerRow[] {
  const rows = new Map<string, LedgerRow>();
  const standing = new Set<string>();
  for (const version of history.versions) {
    const evaluation = effectiveEvaluation(history, version.number);
    if (evaluation === null || evaluation.status === 'partial') continue;
    const named = new Map(evaluation.issues.map((issue) => [issueIdentity(issue), issue]));
    for (const [identity, issue] of named) {
      const row = rows.get(identity);
      if (row === undefined)
        rows.set(identity, {
          id: `i${rows.size + 1}`,
          text: issue.text,
          criterion: issue.criterion,
          states: { [version.number]: 'opened' },
        });
      else row.states[version.number] = standing.has(identity) ? 'open' : 'again';
    }
    for (const identity of standing) {
      const row = rows.get(identity);
      if (row !== undefined && !named.has(identity)) row.states[version.number] = 'resolved';
    }
    standing.clear();
    for (const identity of named.keys()) standing.add(identity);
  }
  return [...rows.values()];
}

/** What makes two issues the same one. */
export function issueIdentity(issue: EvaluationIssue): string {
  const text = issue.text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
  return JSON.stringify([issue.criterion, text]);
}
