import type { z } from 'zod';
import type { DatabaseContext } from '#lib/context/app-context.ts';
import { bestVersion } from '#lib/core/best-version.ts';
import type { Decision, Evaluation, History, Version } from '#lib/core/history.ts';
import { modelFor } from '#lib/core/model-roles.ts';
import { notStored, type Result, succeed } from '#lib/core/problem.ts';
import { isEndedStatus } from '#lib/core/run-statuses.ts';
import { effectiveEvaluation, scoreOf } from '#lib/core/scored-versions.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { spendOnVersion } from '#lib/core/spend.ts';
import { iterationsUsed } from '#lib/core/stop-rules.ts';
import type { Spend } from '#lib/core/token-usage.ts';
import { findExperiment } from '#lib/experiments/queries.ts';
import { formatRunNumber } from '#lib/format.ts';
import { type CellValue, csvRow } from '#lib/formats/csv-cell.ts';
import { type Download, fileName, textChunks } from '#lib/formats/download.ts';
import type { StoredRun } from '#lib/runs/load-run.ts';
import { type WalkedRun, walkEndedRuns } from '#lib/runs/walk-ended-runs.ts';
import { type AsideSpend, originalActor } from './history-of-lines.ts';
import type { importLineSchema, StoredAttemptInput } from './import-line.ts';

type Column<Row> = [name: string, meaning: string, cellOf: (row: Row) => CellValue];

/** Columns of the runs table. Scores are from 0 to 1, empty if unscored. */
export const RUN_COLUMNS: readonly Column<WalkedRun>[] = [
  ['run', 'number of the run', ({ stored }) => stored.run.number],
  ['run_id', 'ID of the run', ({ stored }) => stored.run.id],
  ['experiment', 'name of the experiment', ({ stored }) => stored.experimentName],
  ['settings_version', 'version of the settings it ran with', ({ stored }) => stored.run.experimentVersion],
  ['batch_id', 'runs that were started together', ({ stored }) => stored.run.batchId],
  ['imported_run', 'its name where it was imported from', ({ importedRun }) => importedRun],
  ['imported_case', 'its case there', ({ importedCase }) => importedCase],
  ['case_key', 'the same for the same case in every dataset', ({ caseKey }) => caseKey],
  ['input', 'input of the case', ({ stored }) => stored.run.input],
  ['reference', 'expected answer', ({ stored }) => stored.run.reference],
  ['tags', 'tags, semicolon-separated', ({ stored }) => stored.run.tags.join(';')],
  ['status', '`finished`, `failed` or `stopped`', ({ stored }) => stored.run.status],
  ['stop_reason', 'why it ended', ({ stored }) => stored.run.convergenceReason],
  ['success', 'whether it reached the quality threshold', ({ stored }) => stored.run.success],
  ['solved_at_version', 'first version that reached it', ({ stored }) => solvedAt(stored)],
  ['versions', 'number of versions', ({ stored }) => stored.history.versions.length],
  ['iterations_used', 'revisions or further attempts', ({ stored }) => iterationsUsed(stored.history)],
  ['first_score', 'score of version 0', ({ stored }) => scoreOf(stored.history, 0)],
  ['best_score', 'score of the best version', ({ stored }) => scoreOfBest(stored)],
  [
    'best_version',
    'number of the best version',
    ({ stored }) => bestVersion(stored.history, stored.settings.bestVersion),
  ],
  ['final_version', 'number of the final version', ({ stored }) => stored.run.finalVersion],
  ['input_tokens', 'tokens that were sent', ({ stored }) => stored.run.tokenUsage.input],
  ['output_tokens', 'tokens that were received', ({ stored }) => stored.run.tokenUsage.output],
  ['cost_usd', 'cost in US dollars', ({ stored }) => stored.run.costUsd],
  ['has_unpriced_calls', 'whether a model without a price was called', ({ stored }) => stored.run.unpriced],
  ['working_ms', 'working time in milliseconds', ({ stored }) => stored.run.activeMs],
  ['started_at', 'time in UTC', ({ stored }) => stored.run.startedAt],
  ['finished_at', 'time in UTC', ({ stored }) => stored.run.finishedAt],
];

/** Formats runs as CSV, with a header and one row per run. */
async function* runsCsv(runs: AsyncIterable<WalkedRun>): AsyncGenerator<string> {
  yield csvRow(RUN_COLUMNS.map(([name]) => name));
  for await (const run of runs) yield csvRow(RUN_COLUMNS.map(([, , cellOf]) => cellOf(run)));
}

/** Returns the number of the first version that was good enough, or null. */
function solvedAt({ history }: WalkedRun['stored']): number | null {
  const solved = history.versions.find(({ number }) => effectiveEvaluation(history, number)?.satisfactory);
  return solved?.number ?? null;
}

function scoreOfBest({ history, settings }: WalkedRun['stored']): number | null {
  const best = bestVersion(history, settings.bestVersion);
  return best === null ? null : scoreOf(history, best);
}

type WalkedVersion = WalkedRun & { version: Version };
const evaluationOf = ({ stored, version }: WalkedVersion) => effectiveEvaluation(stored.history, version.number);
const versionSpend = ({ stored, version }: WalkedVersion) => spendOnVersion(stored.history, version.number);

/** Columns of the versions table. Scores are the effective ones. Tokens, cost and time include creating and evaluating the version. */
export const VERSION_COLUMNS: readonly Column<WalkedVersion>[] = [
  ['run', 'number of the run', ({ stored }) => stored.run.number],
  ['run_id', 'ID of the run', ({ stored }) => stored.run.id],
  ['settings_version', 'version of the settings it ran with', ({ stored }) => stored.run.experimentVersion],
  ['case_key', 'the same for the same case in every dataset', ({ caseKey }) => caseKey],
  ['version', 'number of the version, from 0', ({ version }) => version.number],
  ['iteration', 'revisions or further attempts before it', ({ version }) => version.iteration],
  ['origin', 'how it was made', ({ version }) => version.origin],
  ['parents', 'versions it was made from, space-separated', ({ version }) => version.parents.join(' ')],
  ['strategy', 'revision strategy', ({ version }) => version.strategy],
  ['score', 'overall score that counts, empty if unscored', (row) => scoreOfAll(evaluationOf(row))],
  ['satisfactory', 'whether it reached the quality threshold', (row) => evaluationOf(row)?.satisfactory],
  ['scored_by', '`machine` or `person`', (row) => evaluationOf(row)?.by],
  ['criteria_scores', 'scores by criterion, as JSON', (row) => asJson(evaluationOf(row)?.criteriaScores)],
  ['reasons', 'reasons by criterion, as JSON', (row) => asJson(evaluationOf(row)?.reasons)],
  [
    'issues',
    'one issue per line',
    (row) =>
      evaluationOf(row)
        ?.issues.map(({ text }) => text)
        .join('\n'),
  ],
  ['input_tokens', 'tokens that were sent', (row) => versionSpend(row).tokenUsage.input],
  ['output_tokens', 'tokens that were received', (row) => versionSpend(row).tokenUsage.output],
  ['cost_usd', 'cost in US dollars', (row) => versionSpend(row).costUsd],
  ['duration_ms', 'time of its calls in milliseconds', (row) => Math.round(versionSpend(row).durationMs)],
  ['created_at', 'time in UTC', ({ version }) => version.createdAt],
  ['lesson', 'the lesson that was written of it', lessonOf],
  ['output', 'its text', ({ version }) => version.output],
];

function scoreOfAll(evaluation: Evaluation | null): number | null {
  return evaluation?.status === 'scored' ? evaluation.overallScore : null;
}

function asJson(value: unknown): string | null {
  return value === undefined ? null : JSON.stringify(value);
}

function lessonOf({ stored, version }: WalkedVersion): string {
  const lessons = stored.history.lessons.filter((lesson) => lesson.version === version.number);
  return lessons.map(({ text }) => text).join('\n\n');
}

/** Formats versions as CSV, with a header and one row per version. */
async function* versionsCsv(runs: AsyncIterable<WalkedRun>): AsyncGenerator<string> {
  yield csvRow(VERSION_COLUMNS.map(([name]) => name));
  for await (const run of runs)
    for (const version of run.stored.history.versions)
      yield csvRow(VERSION_COLUMNS.map(([, , cellOf]) => cellOf({ ...run, version })));
}

/** `jsonl`: complete histories, which `importRuns` accepts. `runs` and `versions`: tables with one row each. */
export type ExportFormat = 'jsonl' | 'runs' | 'versions';

/** Exports the ended runs of an experiment as a download, streamed from the database as the client reads. */
export async function exportRuns(
  { database }: DatabaseContext,
  experimentId: string,
  format: ExportFormat,
): Promise<Result<Download>> {
  const experiment = await findExperiment(database, experimentId);
  if (experiment === null) return notStored('experiment', experimentId, 'experimentId');
  const runs = walkEndedRuns(database, experimentId);
  const { name } = experiment;
  const { type, ending, write } = FORMATS[format];
  return succeed({ type, name: fileName(name, ending), chunks: textChunks(write(runs)) });
}

const CSV = 'text/csv; charset=utf-8; header=present';
const FORMATS = {
  jsonl: { type: 'application/x-ndjson', ending: 'runs.jsonl', write: lines },
  runs: { type: CSV, ending: 'runs.csv', write: runsCsv },
  versions: { type: CSV, ending: 'versions.csv', write: versionsCsv },
};

async function* lines(runs: ReturnType<typeof walkEndedRuns>): AsyncGenerator<string> {
  const exported = new Set<number>();
  for await (const { stored, importedRun, importedCase, caseKey, asideTokens, asideCostUsd } of runs) {
    const { run, experimentSettings: settings, experimentName } = stored;
    const version = run.experimentVersion;
    const names = { run: importedRun ?? `run ${formatRunNumber(run.number)}`, caseId: importedCase ?? caseKey };
    const experiment = exported.has(version) ? null : { name: experimentName, version, settings };
    const ofRun = linesOfRun(stored, names, { asideTokens, asideCostUsd }, experiment);
    if (ofRun.length > 0) exported.add(version);
    for (const line of ofRun) yield `${JSON.stringify(line)}\n`;
  }
}

/** A line of an export, in the format of an import. */
type ExportLine = z.input<typeof importLineSchema>;
type StoredRunInput = NonNullable<StoredAttemptInput['run']>;

/** Names of the run and its case in the source. Imported runs keep their original names. */
type RunNames = { run: string; caseId: string };

/**
 * Converts an ended run to import lines, one per version. Each has generic fields, and all of Hone's data under `stored`. `experiment` is
 * given with the first run of each settings version. Runs without versions and tuning runs have no lines.
 */
export function linesOfRun(
  stored: StoredRun,
  names: RunNames,
  aside: AsideSpend,
  experiment: { name: string; version: number; settings: ExperimentSettings } | null,
): ExportLine[] {
  const { history, run, settings } = stored;
  const facts = settings.mode === 'tune' ? null : runFacts(stored, aside);
  if (facts === null) return [];
  const { input, messages, reference, tags, metadata, criteria } = run;
  return history.versions.map((version, index) => {
    const { number, output } = version;
    const evaluation = effectiveEvaluation(history, number);
    return {
      run: names.run,
      case: { id: names.caseId, input: messages ?? input, reference, tags, metadata, ...(criteria && { criteria }) },
      attempt: number + 1,
      output,
      score: scoreOf(history, number),
      solved: evaluation === null || scoreOf(history, number) === null ? null : evaluation.satisfactory,
      issues:
        evaluation?.issues.slice(0, 200).map(({ criterion, text }) => ({
          criterion: criterion === '' ? null : criterion,
          text: text.slice(0, 5_000),
        })) ?? [],
      feedback: evaluation?.feedback.slice(0, 100_000) ?? '',
      lesson: history.lessons.find((lesson) => lesson.version === number)?.text.slice(0, 20_000) ?? null,
      model: modelFor(settings, version.origin === 'revised' ? 'revise' : 'generate').model,
      tokens: tokensOf(version),
      costUsd: version.costUsd,
      at: version.createdAt,
      ...(index === 0 && experiment !== null && { experiment }),
      stored: { ...attemptOf(stored, number), ...(index === 0 && { run: facts }) },
    };
  });
}

function attemptOf({ history }: StoredRun, number: number): StoredAttemptInput {
  const version = history.versions.find((one) => one.number === number);
  if (version === undefined) throw new Error(`there is no version ${number}`);
  const { iteration, origin, parents, outputDropped, strategy, strategyNote, improvementsApplied, finishReason } =
    version;
  if (origin === 'given') throw new Error('only a tuning run has an initial prompt');
  const { interrupted, createdAt, step } = version;
  const recalledLessons = version.recalledLessons.map(({ lessonId, rank, score }) => {
    const index = history.lessons.findIndex(({ id }) => id === lessonId);
    return index === -1 ? { own: null, lessonId, rank, score } : { own: index, lessonId: null, rank, score };
  });
  return {
    ...{ iteration, origin, parents, outputDropped, strategy, strategyNote, improvementsApplied, finishReason },
    ...{ interrupted, recalledLessons, createdAt, step, ...spendOf(version) },
    ...(version.target !== undefined && { target: version.target }),
    evaluations: placed(history.evaluations, number).map(({ actor, ...evaluation }) => ({
      ...evaluation,
      actor: originalActor(actor),
    })),
    critiques: placed(history.critiques, number),
    ...trajectoryOf(history, number),
    lessons: placed(history.lessons, number).map(({ id: _id, ...lesson }) => lesson),
  };
}

/** Returns an agent's turns and observations for a version, in run order. */
function trajectoryOf({ turns, observations }: History, number: number) {
  return {
    turns: turns
      .filter(({ version }) => version === number)
      .map(({ version: _version, ...turn }) => ({ ...turn, ...spendOf(turn) })),
    observations: observations
      .filter(({ version }) => version === number)
      .map(({ version: _version, durationMs, ...observation }) => ({
        ...observation,
        durationMs: Math.round(durationMs),
      })),
  };
}

/** Returns the records of a version, each with its spend as exported and its index among all records of the run. */
function placed<Item extends Spend & { version: number }>(items: readonly Item[], number: number) {
  return items.flatMap(({ version, ...item }, place) =>
    version === number ? [{ ...item, ...spendOf(item), place }] : [],
  );
}

function tokensOf({ tokenUsage: { input, output } }: Pick<Spend, 'tokenUsage'>) {
  return { input, output };
}

function spendOf(spend: Spend) {
  return { tokenUsage: tokensOf(spend), costUsd: spend.costUsd, durationMs: Math.round(spend.durationMs) };
}

/** Returns the fields of the run, or null if it has not ended. */
function runFacts({ run, history }: StoredRun, aside: AsideSpend): StoredRunInput | null {
  const { status, convergenceReason, finishedAt } = run;
  if (!isEndedStatus(status) || convergenceReason === null || finishedAt === null) return null;
  const numbers = new Set(history.versions.map(({ number }) => number));
  const orphans = history.critiques
    .map((critique, index) => ({ ...critique, place: index, ...spendOf(critique) }))
    .filter(({ version }) => !numbers.has(version));
  return {
    ...{ experimentVersion: run.experimentVersion, status, convergenceReason, alsoHeld: run.alsoHeld },
    success: run.success,
    ...{ finalVersion: run.finalVersion, failure: run.failure, branchedVersion: run.branchedFromVersion },
    critiques: orphans,
    ...trajectoryOf(history, history.versions.length),
    decisions: decisionsOf(history.decisions),
    tokenUsage: { input: run.tokenUsage.input, output: run.tokenUsage.output },
    ...{ costUsd: run.costUsd, unpriced: run.unpriced, calls: run.callCount },
    ...{ ownBudget: run.ownBudget ?? null, ...aside, activeMs: run.activeMs },
    ...{ step: run.step, createdAt: run.createdAt, startedAt: run.startedAt, finishedAt },
  };
}

function decisionsOf(decisions: readonly Decision[]): StoredRunInput['decisions'] {
  const pauses = [...new Set(decisions.flatMap(({ pauseId }) => pauseId ?? []))];
  return decisions.map(({ pauseId, actor, ...decision }) => ({
    ...decision,
    actor: originalActor(actor),
    pause: pauseId === null ? null : pauses.indexOf(pauseId),
  }));
}
