import type { RunRecord } from '#lib/reflection/run-record.ts';
import { currentEvaluation } from './current-evaluation.ts';

export type IssueCell = 'opened' | 'open' | 'again' | 'resolved' | 'unscored' | 'none';
/** One issue through the versions: `cells` has one entry a version. `open` says that it stands in the last evaluated one. */
export type LedgerRow = { id: string; text: string; criterion: string | null; cells: IssueCell[]; open: boolean };

/** The issues of a run against its versions, those that still stand first. Resolved is marked once, where the issue first is gone. */
export function ledgerRows(record: Pick<RunRecord, 'versions'>): LedgerRow[] {
  const rows = new Map<string, LedgerRow>();
  record.versions.forEach((version, column) => {
    const evaluation = currentEvaluation(version);
    const issues = new Map((evaluation?.issues ?? []).map((issue) => [issue.id, issue]));
    for (const issue of issues.values()) {
      if (rows.has(issue.id)) continue;
      const cells = emptyCells(record, column);
      rows.set(issue.id, { id: issue.id, text: issue.text, criterion: issue.criterion, cells, open: false });
    }
    for (const row of rows.values()) {
      if (evaluation === null || evaluation.status === 'partial') {
        row.cells[column] = evaluation === null ? 'none' : 'unscored';
        continue;
      }
      const issue = issues.get(row.id);
      row.cells[column] = issue?.state ?? (row.open ? 'resolved' : 'none');
      row.open = issue !== undefined;
    }
  });
  return [...rows.values()].sort((one, other) => Number(other.open) - Number(one.open));
}

function emptyCells(record: Pick<RunRecord, 'versions'>, count: number): IssueCell[] {
  return record.versions
    .slice(0, count)
    .map((version) => (currentEvaluation(version)?.status === 'partial' ? 'unscored' : 'none'));
}
