import type { DatabaseContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { csvRow } from '#lib/formats/csv-cell.ts';
import { type Download, textChunks } from '#lib/formats/download.ts';
import { type ComparisonQuery, compareExperiments } from './compare-experiments.ts';
import type { Comparison } from './schema.ts';

const COLUMNS = [
  'case_key',
  'case',
  'experiment_id',
  'experiment',
  'settings_version',
  'is_baseline',
  'runs',
  'judged_runs',
  'solved_share',
  'best_score',
  'compared_by',
  'change',
  'difference',
  'first_run_id',
];

/**
 * Exports a comparison as a table for spreadsheets: one row per case and arm that ran it, for all cases. `change` and `difference` are
 * relative to the baseline, empty unless both sides have a number.
 */
export async function exportComparison(
  context: DatabaseContext,
  query: Pick<ComparisonQuery, 'arms' | 'baseline' | 'metric'>,
): Promise<Result<Download>> {
  const compared = await compareExperiments(context, {
    ...query,
    show: null,
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  });
  if (!compared.ok) return compared;
  return succeed({
    type: 'text/csv; charset=utf-8; header=present',
    name: 'comparison.csv',
    chunks: textChunks(linesOf(compared.value)),
  });
}

async function* linesOf(comparison: Comparison): AsyncGenerator<string> {
  yield csvRow(COLUMNS);
  for (const row of comparison.cases.items) yield rowsOf(row, comparison).join('');
}

function rowsOf(row: Comparison['cases']['items'][number], { arms, metric }: Comparison): string[] {
  return row.arms.flatMap((arm, index) => {
    const side = arms[index];
    if (arm === null || side === undefined) return [];
    const change = index === 0 ? null : (row.changes[index] ?? null);
    return [
      csvRow([
        row.caseKey,
        row.title,
        side.experimentId,
        side.experimentName,
        side.version,
        index === 0,
        arm.runs,
        arm.judged,
        arm.solved,
        arm.score,
        metric,
        change?.kind,
        change?.by,
        arm.runId,
      ]),
    ];
  });
}
