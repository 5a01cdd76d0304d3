import type { Actor } from '#lib/auth/actor.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { roundTo6 } from '#lib/core/round.ts';
import { nameSchema } from '#lib/core/setting-parts.ts';
import { storedFileIds } from '#lib/files/stored-files.ts';
import { formatList } from '#lib/format.ts';
import { openSpool } from '#lib/formats/spool.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { type Collected, type CollectedAttempt, collectHistories } from './collect-histories.ts';
import type { RunImport } from './schema.ts';
import { storeImport } from './store-import.ts';

/** Summary of an import, stored or not. */
type ImportSummary = Omit<
  RunImport,
  'name' | 'experimentId' | 'batchId' | 'repeated' | 'missingFiles' | 'missingFileCount' | 'problems'
>;

const SHOWN = 50;

/** Summarizes an import. An attempt without `solved` counts as solved if its score is at least `solvedFrom`. */
function importSummary(collected: Collected, solvedFrom: number): ImportSummary {
  const { histories } = collected;
  const isSolved = ({ score, solved }: CollectedAttempt) =>
    solved ?? (score !== null && roundTo6(score) >= roundTo6(solvedFrom));
  const solvedAt = histories.map(({ attempts }) => attempts.findIndex(isSolved));
  const longest = histories.reduce((most, { attempts }) => Math.max(most, attempts.length), 0);
  return {
    runs: histories.length,
    cases: new Set(histories.map(({ caseKey }) => caseKey)).size,
    attempts: collected.attempts,
    unscored: histories.reduce(
      (sum, { attempts }) => sum + attempts.filter(({ score, solved }) => score === null && solved === null).length,
      0,
    ),
    lessons: collected.lessons,
    models: collected.models.slice(0, SHOWN),
    solvedByAttempt: Array.from(
      { length: longest },
      (_, index) => solvedAt.filter((at) => at !== -1 && at <= index).length,
    ),
    histories: histories.slice(0, SHOWN).map(({ run, caseId, attempts }, index) => ({
      ...{ run, caseId, line: attempts[0]?.line ?? 1 },
      scores: attempts.map(({ score, solved }) => score ?? (solved === null ? null : Number(solved))),
      solvedAt: solvedAt[index] === undefined || solvedAt[index] === -1 ? null : solvedAt[index] + 1,
    })),
  };
}

/** `name`: name of the experiment. Null to use the name in the lines. `dryRun`: validates and reports without storing. */
export type ImportOptions = { name: string | null; solvedFrom: number; dryRun: boolean };

/**
 * Imports past runs from JSON Lines (`importLineSchema`). Complete histories go into a new experiment, and their lessons become candidates
 * of the library. The import is atomic and reports problems by line. Importing the same content again creates no copy. A dry run succeeds
 * and lists the problems, otherwise they are an error.
 */
export async function importRuns(
  context: AppContext,
  actor: Actor,
  bytes: AsyncIterable<Uint8Array>,
  options: ImportOptions,
): Promise<Result<RunImport>> {
  const named = options.name === null ? null : parseInput(nameSchema, options.name, ['name']);
  if (named?.ok === false) return named;
  const spool = await openSpool();
  try {
    const read = await collectHistories(bytes, spool);
    if (!read.ok) return read;
    const collected = read.value;
    const name = named?.value ?? (collected.name ?? 'Imported runs').slice(0, 120);
    const summary = importSummary(collected, options.solvedFrom);
    const missing = await missingFiles(context, collected.files);
    const checked: RunImport = {
      ...summary,
      name,
      repeated: false,
      experimentId: null,
      batchId: null,
      missingFiles: missing.slice(0, MAX_MISSING_FILES),
      missingFileCount: missing.length,
      problems: collected.problems,
    };
    if (options.dryRun) return succeed(checked);
    const refusal = refusalOf(collected);
    if (refusal !== null) return refusal;
    const stored = await storeImport(context, actor, { collected, spool, name, solvedFrom: options.solvedFrom });
    return succeed({ ...checked, ...stored });
  } finally {
    await spool.close();
  }
}

/** Files that cases refer to and that are not stored, in line order. */
async function missingFiles({ database }: AppContext, named: Collected['files']): Promise<RunImport['missingFiles']> {
  const stored = await storedFileIds(database, [...named.keys()]);
  return [...named].flatMap(([file, facts]) => (stored.has(file) ? [] : [{ file, ...facts }]));
}

/** Maximum number of missing files in a response. */
const MAX_MISSING_FILES = 100;

function refusalOf({ problems, histories }: Collected) {
  if (histories.length === 0 && problems.length === 0)
    return fail('invalid', 'It contains no runs. Nothing was stored.');
  const [first, ...others] = problems;
  if (first === undefined) return null;
  const at = `line ${first.line}`;
  const numbers = formatList(others.map(({ line }) => String(line)));
  const more = others.length === 0 ? '' : ` So ${others.length === 1 ? 'is line' : 'are lines'} ${numbers}.`;
  const column = first.column === null ? '' : `, column ${first.column}`;
  return fail('invalid', `${at}${column} is wrong: ${first.message}.${more} Nothing was stored.`, at);
}
