import type { RunRecord } from '#lib/core/run-record.ts';
import { currentEvaluation } from './current-evaluation.ts';

export type IssueCell = 'opened' | 'open' | 'again' | 'resolved' | 'unscored' | 'none';
/** One issue through the versions: `cells` has one entry a version. `open` says that it stands in the last evaluated one. */
export type LedgerRow = { id: string; text: string; criterion: string | null; cells: IssueCell[]; open: boolean };

/** The issues of a run against its versions, those that still stand first. Resolved is marked once, where the issue first is gone. */
export function ledgerRows(record: Pick<RunRecord, 'versions' | 'issues'>): LedgerRow[] {
  const rows = record.issues.map(({ id, text, criterion, states }): LedgerRow => {
    const cells = record.versions.map((version): IssueCell => {
      const isUnscored = currentEvaluation(version)?.status === 'partial';
      return states[version.number] ?? (isUnscored ? 'unscored' : 'none');
    });
    const last = cells.findLast((cell) => cell !== 'none' && cell !== 'unscored');
    return { id, text, criterion, cells, open: last !== 'resolved' };
  });
  return rows.sort((one, other) => Number(other.open) - Number(one.open));
}
