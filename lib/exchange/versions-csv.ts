import type { Version } from '#lib/core/history.ts';
import { effectiveEvaluation } from '#lib/core/scored-versions.ts';
import { spendOnVersion } from '#lib/core/spend.ts';
import { type CellValue, csvRow } from '#lib/formats/csv-cell.ts';
import type { WalkedRun } from '#lib/runs/walk-ended-runs.ts';

const HEAD = [
  ...['run', 'run_id', 'settings_version', 'case_key', 'version', 'iteration', 'origin', 'parents', 'strategy'],
  ...['score', 'satisfactory', 'scored_by', 'criteria_scores', 'reasons', 'issues', 'input_tokens', 'output_tokens'],
  ...['cost_usd', 'duration_ms', 'created_at', 'lesson', 'output'],
];

/**
 * A table of versions as CSV, one row each under a head line. Scores (0 to 1, empty where unscored) are those that count: a person's where
 * there is one. `criteria_scores` and `reasons` are JSON, for criteria differ; tokens, cost and time are those of making and judging it.
 */
export async function* versionsCsv(runs: AsyncIterable<WalkedRun>): AsyncGenerator<string> {
  yield csvRow(HEAD);
  for await (const run of runs) for (const version of run.stored.history.versions) yield csvRow(rowOf(run, version));
}

function rowOf({ stored: { run, history }, caseKey }: WalkedRun, version: Version): CellValue[] {
  const { number, iteration, origin, parents, strategy, createdAt, output } = version;
  const evaluation = effectiveEvaluation(history, number);
  const { tokenUsage, costUsd, durationMs } = spendOnVersion(history, number);
  const lessons = history.lessons.filter((lesson) => lesson.version === number);
  return [
    ...[run.number, run.id, run.experiment_version, caseKey, number, iteration, origin, parents.join(' '), strategy],
    evaluation?.status === 'scored' ? evaluation.overallScore : null,
    evaluation?.satisfactory,
    evaluation?.by,
    evaluation === null ? null : JSON.stringify(evaluation.criteriaScores),
    evaluation === null ? null : JSON.stringify(evaluation.reasons),
    evaluation?.issues.map(({ text }) => text).join('\n'),
    ...[tokenUsage.input, tokenUsage.output, costUsd, Math.round(durationMs), createdAt],
    lessons.map(({ text }) => text).join('\n\n'),
    output,
  ];
}
