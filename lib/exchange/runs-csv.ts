import { bestVersion } from '#lib/core/best-version.ts';
import { iterationsUsed } from '#lib/core/iteration-cap.ts';
import { effectiveEvaluation, scoreOf } from '#lib/core/scored-versions.ts';
import { type CellValue, csvRow } from '#lib/formats/csv-cell.ts';
import type { WalkedRun } from '#lib/runs/walk-ended-runs.ts';

/** The columns of a table of runs, and what stands in them; scores from 0 to 1, empty where unscored. */
const COLUMNS: [string, (walked: WalkedRun) => CellValue][] = [
  ['run', ({ stored }) => stored.run.number],
  ['run_id', ({ stored }) => stored.run.id],
  ['experiment', ({ stored }) => stored.experimentName],
  ['settings_version', ({ stored }) => stored.run.experiment_version],
  ['batch_id', ({ stored }) => stored.run.batch_id],
  ['imported_run', ({ importedRun }) => importedRun],
  ['imported_case', ({ importedCase }) => importedCase],
  ['case_key', ({ caseKey }) => caseKey],
  ['input', ({ stored }) => stored.run.input],
  ['reference', ({ stored }) => stored.run.reference],
  ['tags', ({ stored }) => stored.run.tags.join(';')],
  ['status', ({ stored }) => stored.run.status],
  ['stop_reason', ({ stored }) => stored.run.convergence_reason],
  ['success', ({ stored }) => stored.run.success],
  ['solved_at_version', ({ stored }) => solvedAt(stored)],
  ['versions', ({ stored }) => stored.history.versions.length],
  ['iterations_used', ({ stored }) => iterationsUsed(stored.history)],
  ['first_score', ({ stored }) => scoreOf(stored.history, 0)],
  ['best_score', ({ stored }) => scoreOfBest(stored)],
  ['best_version', ({ stored }) => bestVersion(stored.history, stored.settings.bestVersion)],
  ['final_version', ({ stored }) => stored.run.final_version],
  ['input_tokens', ({ stored }) => stored.run.input_tokens],
  ['output_tokens', ({ stored }) => stored.run.output_tokens],
  ['cost_usd', ({ stored }) => stored.run.cost_usd],
  ['has_unpriced_calls', ({ stored }) => stored.run.unpriced],
  ['working_ms', ({ stored }) => stored.run.active_ms],
  ['started_at', ({ stored }) => stored.run.started_at],
  ['finished_at', ({ stored }) => stored.run.finished_at],
];

/** A table of runs as CSV, one row each under a head line. */
export async function* runsCsv(runs: AsyncIterable<WalkedRun>): AsyncGenerator<string> {
  yield csvRow(COLUMNS.map(([name]) => name));
  for await (const run of runs) yield csvRow(COLUMNS.map(([, cellOf]) => cellOf(run)));
}

/** The number of the first version that was good enough. */
function solvedAt({ history }: WalkedRun['stored']): number | null {
  const solved = history.versions.find(({ number }) => effectiveEvaluation(history, number)?.satisfactory);
  return solved?.number ?? null;
}

function scoreOfBest({ history, settings }: WalkedRun['stored']): number | null {
  const best = bestVersion(history, settings.bestVersion);
  return best === null ? null : scoreOf(history, best);
}
