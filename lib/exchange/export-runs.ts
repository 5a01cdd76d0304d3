import type { AppContext } from '#lib/context/app-context.ts';
import { bestVersion } from '#lib/core/best-version.ts';
import type { Version } from '#lib/core/history.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { effectiveEvaluation, scoreOf } from '#lib/core/scored-versions.ts';
import { spendOnVersion } from '#lib/core/spend.ts';
import { iterationsUsed } from '#lib/core/stop-rules.ts';
import { findExperiment } from '#lib/experiments/queries.ts';
import { formatRunNumber } from '#lib/format.ts';
import { type CellValue, csvRow } from '#lib/formats/csv-cell.ts';
import { type Download, fileName, textChunks } from '#lib/formats/download.ts';
import { type WalkedRun, walkEndedRuns } from '#lib/runs/walk-ended-runs.ts';
import { linesOfRun } from './lines-of-run.ts';

/** The columns of a table of runs, and what stands in them; scores from 0 to 1, empty where unscored. */
const COLUMNS: [string, (walked: WalkedRun) => CellValue][] = [
  ['run', ({ stored }) => stored.run.number],
  ['run_id', ({ stored }) => stored.run.id],
  ['experiment', ({ stored }) => stored.experimentName],
  ['settings_version', ({ stored }) => stored.run.experimentVersion],
  ['batch_id', ({ stored }) => stored.run.batchId],
  ['imported_run', ({ importedRun }) => importedRun],
  ['imported_case', ({ importedCase }) => importedCase],
  ['case_key', ({ caseKey }) => caseKey],
  ['input', ({ stored }) => stored.run.input],
  ['reference', ({ stored }) => stored.run.reference],
  ['tags', ({ stored }) => stored.run.tags.join(';')],
  ['status', ({ stored }) => stored.run.status],
  ['stop_reason', ({ stored }) => stored.run.convergenceReason],
  ['success', ({ stored }) => stored.run.success],
  ['solved_at_version', ({ stored }) => solvedAt(stored)],
  ['versions', ({ stored }) => stored.history.versions.length],
  ['iterations_used', ({ stored }) => iterationsUsed(stored.history)],
  ['first_score', ({ stored }) => scoreOf(stored.history, 0)],
  ['best_score', ({ stored }) => scoreOfBest(stored)],
  ['best_version', ({ stored }) => bestVersion(stored.history, stored.settings.bestVersion)],
  ['final_version', ({ stored }) => stored.run.finalVersion],
  ['input_tokens', ({ stored }) => stored.run.tokenUsage.input],
  ['output_tokens', ({ stored }) => stored.run.tokenUsage.output],
  ['cost_usd', ({ stored }) => stored.run.costUsd],
  ['has_unpriced_calls', ({ stored }) => stored.run.unpriced],
  ['working_ms', ({ stored }) => stored.run.activeMs],
  ['started_at', ({ stored }) => stored.run.startedAt],
  ['finished_at', ({ stored }) => stored.run.finishedAt],
];

/** A table of runs as CSV, one row each under a head line. */
async function* runsCsv(runs: AsyncIterable<WalkedRun>): AsyncGenerator<string> {
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

const HEAD = [
  ...['run', 'run_id', 'settings_version', 'case_key', 'version', 'iteration', 'origin', 'parents', 'strategy'],
  ...['score', 'satisfactory', 'scored_by', 'criteria_scores', 'reasons', 'issues', 'input_tokens', 'output_tokens'],
  ...['cost_usd', 'duration_ms', 'created_at', 'lesson', 'output'],
];

/**
 * A table of versions as CSV, one row each under a head line. Scores (0 to 1, empty where unscored) are those that count: a person's where
 * there is one. `criteria_scores` and `reasons` are JSON, for criteria differ; tokens, cost and time are those of making and judging it.
 */
async function* versionsCsv(runs: AsyncIterable<WalkedRun>): AsyncGenerator<string> {
  yield csvRow(HEAD);
  for await (const run of runs) for (const version of run.stored.history.versions) yield csvRow(rowOf(run, version));
}

function rowOf({ stored: { run, history }, caseKey }: WalkedRun, version: Version): CellValue[] {
  const { number, iteration, origin, parents, strategy, createdAt, output } = version;
  const evaluation = effectiveEvaluation(history, number);
  const { tokenUsage, costUsd, durationMs } = spendOnVersion(history, number);
  const lessons = history.lessons.filter((lesson) => lesson.version === number);
  return [
    ...[run.number, run.id, run.experimentVersion, caseKey, number, iteration, origin, parents.join(' '), strategy],
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

/** `jsonl`: whole histories, as `importRuns` takes them; `runs` and `versions`: tables, one row each. */
export type ExportFormat = 'jsonl' | 'runs' | 'versions';

/** The ended runs of an experiment as a download, read as it is taken and never as a whole. */
export async function exportRuns(
  { database }: Pick<AppContext, 'database'>,
  experimentId: string,
  format: ExportFormat,
): Promise<Result<Download>> {
  const experiment = await findExperiment(database, experimentId);
  if (experiment === null) return fail('not_found', `There is no experiment ${experimentId}.`, 'experimentId');
  const runs = walkEndedRuns(database, experimentId);
  const { name } = experiment;
  switch (format) {
    case 'jsonl':
      return succeed({
        type: 'application/x-ndjson',
        name: fileName(name, 'runs.jsonl'),
        chunks: textChunks(lines(runs)),
      });
    case 'runs':
      return succeed({ type: CSV, name: fileName(name, 'runs.csv'), chunks: textChunks(runsCsv(runs)) });
    case 'versions':
      return succeed({ type: CSV, name: fileName(name, 'versions.csv'), chunks: textChunks(versionsCsv(runs)) });
  }
}

const CSV = 'text/csv; charset=utf-8; header=present';

async function* lines(runs: ReturnType<typeof walkEndedRuns>): AsyncGenerator<string> {
  const told = new Set<number>();
  for await (const { stored, importedRun, importedCase, caseKey } of runs) {
    const { run, experimentSettings: settings, experimentName } = stored;
    const version = run.experimentVersion;
    const names = { run: importedRun ?? `run ${formatRunNumber(run.number)}`, caseId: importedCase ?? caseKey };
    const ofRun = linesOfRun(stored, names, told.has(version) ? null : { name: experimentName, version, settings });
    if (ofRun.length > 0) told.add(version);
    for (const line of ofRun) yield `${JSON.stringify(line)}\n`;
  }
}
