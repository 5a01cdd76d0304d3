import { createHash } from 'node:crypto';
import type { z } from 'zod';
import type { Case } from '#lib/core/case.ts';
import { filesOf } from '#lib/core/chat/message-content.ts';
import { fail, type Problem, type Result, succeed } from '#lib/core/problem.ts';
import type { ExperimentSettings } from '#lib/core/settings.ts';
import { formatCount } from '#lib/format.ts';
import { type Line, readLines } from '#lib/formats/read-lines.ts';
import type { Spool, SpooledSpan } from '#lib/formats/spool.ts';
import { type ImportLine, MAX_NUMBER, readImportLine } from './import-line.ts';
import type { LineProblem, missingFileSchema } from './schema.ts';

/** Maximum size of an import in bytes. */
export const IMPORT_LIMIT_BYTES = 50_000_000;
const MAX_IMPORT_ATTEMPTS = 200_000;
const MAX_IMPORT_RUNS = 100_000;
/** Maximum line length. An attempt of an agent contains all tool results. */
const MAX_LINE_LENGTH = 20_000_000;
const MAX_SETTINGS = 100;
/** Number of invalid lines after which reading stops. */
const MAX_PROBLEMS = 20;

/** Place of an attempt in the spool, its line number and its result. */
export type CollectedAttempt = SpooledSpan & {
  attempt: number;
  line: number;
  score: number | null;
  solved: boolean | null;
};
/** The attempts of one run and case, in order. `caseKey` is equal for equal cases. */
export type CollectedHistory = {
  run: string;
  caseId: string;
  caseKey: string;
  attempts: CollectedAttempt[];
  /** Sums of its lines. */
  tokens: { input: number; output: number };
  costUsd: number;
  isBranch: boolean;
  /** Version of the settings of the run. Null if the line was not exported by Hone. */
  settingsVersion: number | null;
};

/** A file referenced by imported cases, with the number of runs and its first occurrence. */
type NamedFile = Omit<z.infer<typeof missingFileSchema>, 'file'>;

/** The contents of an import without the texts, which are in the spool. */
export type Collected = {
  /** In order of their first lines. */
  histories: CollectedHistory[];
  attempts: number;
  lessons: number;
  models: string[];
  hasScores: boolean;
  /** Files referenced by cases, by id. */
  files: Map<string, NamedFile>;
  /** Settings by version, if Hone exported the runs. */
  settings: Map<number, ExperimentSettings>;
  /** Name of the experiment if Hone exported the runs. Otherwise the name of the run if all lines share one, or null. */
  name: string | null;
  /** SHA-256 of all non-empty lines, used to detect repeated imports. */
  contentHash: string;
  /** The first 20 problems. If there are any, the rest of the result is not used. */
  problems: LineProblem[];
};

/**
 * Reads and validates the lines of an import, and groups them by run and case. Memory holds a few numbers per attempt, the lines are in the
 * spool. Invalid lines are reported in `problems`. Exceeding a total limit returns a failure.
 */
export async function collectHistories(bytes: AsyncIterable<Uint8Array>, spool: Spool): Promise<Result<Collected>> {
  const hash = createHash('sha256');
  const state = new State();
  for await (const read of readLines(bytes, { limitBytes: IMPORT_LIMIT_BYTES, limitCharacters: MAX_LINE_LENGTH })) {
    if (!read.ok) return read;
    const { line, text } = read.value;
    if (text.trim() === '') continue;
    hash.update(`${text}\n`);
    const parsed = readImportLine(text);
    const problem = parsed.ok
      ? await addLine(state, spool, { line, text }, parsed.value)
      : problemAt(line, parsed.problem);
    if (problem !== null) state.problems.push(problem);
    if (state.problems.length >= MAX_PROBLEMS) break;
    if (state.attempts > MAX_IMPORT_ATTEMPTS || state.byKey.size > MAX_IMPORT_RUNS)
      return fail(
        'too_large',
        'At most 100,000 runs with 200,000 attempts can be imported at once. Nothing was stored.',
      );
  }
  return succeed({ ...finished(state), contentHash: hash.digest('hex') });
}

class State {
  readonly byKey = new Map<string, CollectedHistory>();
  readonly models = new Set<string>();
  readonly runs = new Set<string>();
  readonly settings = new Map<number, ExperimentSettings>();
  readonly files = new Map<string, NamedFile>();
  readonly problems: LineProblem[] = [];
  exportedName: string | null = null;
  /** The first line exported by Hone, and the first line from elsewhere. */
  firstStored: number | null = null;
  firstPlain: number | null = null;
  attempts = 0;
  lessons = 0;
  hasScores = false;
}

function problemAt(line: number, { message, field }: Problem): LineProblem {
  const column = /^column (\d+)$/.exec(field ?? '')?.[1];
  return { line, column: column === undefined ? null : Number(column), message };
}

async function addLine(
  state: State,
  spool: Spool,
  { line, text }: Line,
  read: ImportLine,
): Promise<LineProblem | null> {
  const refuse = (message: string) => ({ line, column: null, message });
  const { run, case: task, attempt, score, solved, tokens, costUsd, stored } = read;
  const { id: caseId, ...content } = task;
  if (stored === undefined) state.firstPlain ??= line;
  else state.firstStored ??= line;
  if (state.firstPlain !== null && state.firstStored !== null)
    return refuse(
      `mixes lines that Hone exported (line ${state.firstStored}) with other lines (line ${state.firstPlain}). Import them separately`,
    );
  const problem = addSettings(state, read);
  if (problem !== null) return refuse(problem);

  const key = JSON.stringify([run, caseId]);
  const caseKey = createHash('md5').update(JSON.stringify(content)).digest('base64');
  const known = state.byKey.get(key);
  const history: CollectedHistory = known ?? {
    ...{ run, caseId, caseKey, attempts: [], settingsVersion: null },
    ...{ tokens: { input: 0, output: 0 }, costUsd: 0, isBranch: false },
  };
  const first = history.attempts[0];
  if (first !== undefined && history.caseKey !== caseKey)
    return refuse(`the case “${caseId}” of run “${run}” is not the same as on line ${first.line}`);
  const same = history.attempts.find((one) => one.attempt === attempt);
  if (same !== undefined)
    return refuse(`attempt ${attempt} of run “${run}”, case “${caseId}” is on line ${same.line} already`);
  history.tokens.input += tokens?.input ?? 0;
  history.tokens.output += tokens?.output ?? 0;
  if (Math.max(history.tokens.input, history.tokens.output) > MAX_NUMBER)
    return refuse(`the tokens of run “${run}”, case “${caseId}” are more than ${formatCount(MAX_NUMBER)}`);
  history.costUsd += costUsd ?? 0;
  if (history.costUsd > MAX_NUMBER)
    return refuse(`the cost of run “${run}”, case “${caseId}” is more than $${formatCount(MAX_NUMBER)}`);
  if (stored?.run !== undefined) {
    history.settingsVersion = stored.run.experimentVersion;
    history.isBranch = stored.run.branchedVersion !== null;
  }

  const location = await spool.add(text);
  history.attempts.push({ ...location, attempt, line, score, solved });
  if (known === undefined) {
    state.byKey.set(key, history);
    nameFiles(state, { run, caseId, line }, content);
  }
  count(state, read);
  return null;
}

/** Counts each file once per run. */
function nameFiles(
  { files }: State,
  at: Pick<NamedFile, 'run' | 'caseId' | 'line'>,
  { messages }: Pick<Case, 'messages'>,
) {
  const named = new Map(filesOf(messages ?? []).map((file) => [file.file, file]));
  for (const [id, { mediaType, name = null }] of named) {
    const known = files.get(id);
    files.set(id, known === undefined ? { ...at, mediaType, name, runs: 1 } : { ...known, runs: known.runs + 1 });
  }
}

function addSettings(state: State, { experiment }: ImportLine): string | null {
  if (experiment === undefined) return null;
  if (experiment.settings.mode === 'tune')
    return 'experiment.settings.mode is tune: runs that tune a prompt can’t be imported';
  state.exportedName ??= experiment.name;
  state.settings.set(experiment.version, experiment.settings);
  return state.settings.size > MAX_SETTINGS ? `has the settings of more than ${MAX_SETTINGS} versions` : null;
}

function count(state: State, { run, model, score, lesson, stored }: ImportLine) {
  state.attempts++;
  state.runs.add(run);
  if (model !== null) state.models.add(model);
  if (score !== null) state.hasScores = true;
  state.lessons += stored === undefined ? Number((lesson ?? '').trim() !== '') : stored.lessons.length;
}

function finished(state: State): Omit<Collected, 'contentHash'> {
  const histories = [...state.byKey.values()];
  for (const history of histories) {
    history.attempts.sort((one, other) => one.attempt - other.attempt);
    if (state.problems.length < MAX_PROBLEMS) state.problems.push(...problemsOf(history, state));
  }
  const { attempts, lessons, hasScores, files, settings, runs, exportedName } = state;
  return {
    ...{ histories, attempts, lessons, models: [...state.models], hasScores, files, settings },
    name: exportedName ?? (runs.size === 1 ? ([...runs][0] ?? null) : null),
    problems: state.problems.sort((one, other) => one.line - other.line).slice(0, MAX_PROBLEMS),
  };
}

/** Returns problems of a history as a whole. Reported only if no line has a problem. */
function problemsOf({ run, caseId, attempts, settingsVersion }: CollectedHistory, state: State): LineProblem[] {
  if (state.problems.length > 0) return [];
  const of = `run “${run}”, case “${caseId}”`;
  const gap = attempts.findIndex(({ attempt }, index) => attempt !== index + 1);
  const after = attempts[gap];
  if (after !== undefined)
    return [{ line: after.line, column: null, message: `attempt ${gap + 1} of ${of} is missing` }];
  const line = attempts[0]?.line ?? 1;
  if (state.firstStored === null) return [];
  if (settingsVersion !== null && state.settings.has(settingsVersion)) return [];
  const message =
    settingsVersion === null
      ? `stored.run of ${of} is missing. It must be on the line of the first attempt`
      : `the settings of version ${settingsVersion} are on no line`;
  return [{ line, column: null, message }];
}
