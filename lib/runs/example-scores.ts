import { z } from 'zod';
import { type ExampleScore, exampleScoreSchema, type History, redrawSchema } from '#lib/core/history.ts';
import type { PlannedProposal, StepResult } from '#lib/core/step.ts';
import { positionsOf, scoresOfText } from '#lib/core/tuning/case-scores.ts';
import { redrawnCases } from '#lib/core/tuning/redraw-validation.ts';
import type { DatabaseClient } from '#lib/database/database.ts';
import type { CaseTry } from '#lib/database/generated/client.ts';
import { type Page, pageOf } from '#lib/database/query-values.ts';
import { caseRow } from './run-rows.ts';
import { exampleScoreRecordSchema, type ListedTry } from './schema.ts';

type ExampleScoreFilter = {
  version?: number | null;
  cursor: string | null;
  limit: number;
  /** True to read the traces too, each of up to 12,000 characters. Default: false. */
  withTraces?: boolean;
};

/** Returns the example scores of a tuning run with their cases, ordered by version, case and attempt. Other runs have none. */
export async function listExampleScores(
  { prisma }: DatabaseClient,
  runId: string,
  { version, cursor, limit, withTraces = false }: ExampleScoreFilter,
): Promise<Page<ListedTry>> {
  const rows = await prisma.caseTry.findMany({
    where: { AND: [{ runId, ...(version != null && { version }) }, afterCursor(cursor)] },
    omit: { trace: !withTraces },
    orderBy: [{ version: 'asc' }, { position: 'asc' }, { attempt: 'asc' }],
    take: limit + 1,
  });
  const [run, cases] = await Promise.all([
    prisma.run.findUnique({ where: { id: runId }, select: { redraw: true } }),
    prisma.runCase.findMany({ where: { runId, position: { in: rows.map(({ position }) => position) } } }),
  ]);
  const redraw = redrawSchema.nullable().parse(run?.redraw ?? null);
  const caseAt = new Map(
    redrawnCases(z.array(caseRow).parse(cases), redraw).map(({ position, ...one }) => [position, one]),
  );
  const tries = rows.flatMap((row): ListedTry[] => {
    const ofCase = caseAt.get(row.position);
    const score = exampleScoreRecordSchema.parse(fieldsOf(row));
    return ofCase === undefined ? [] : [{ ...score, case: ofCase }];
  });
  return pageOf(tries, limit, ({ version: of, position, attempt }) => `${of}_${position}_${attempt}`);
}

/** Selects the example scores of the cases at these positions, of all versions or only some. */
type WantedTries = { positions: number[]; versions?: number[] };

/**
 * Returns example scores of a tuning run with their texts, in the order they were saved. Only those selected by `traced` include their
 * traces.
 */
export async function findExampleScoresOn(
  { prisma }: DatabaseClient,
  runId: string,
  wanted: readonly WantedTries[],
  traced: WantedTries | null = null,
): Promise<ExampleScore[]> {
  if (wanted.length === 0) return [];
  const [rows, traces] = await Promise.all([
    prisma.caseTry.findMany({
      where: { runId, OR: wanted.map(whereWanted) },
      omit: { trace: true },
      orderBy: [{ step: 'asc' }, { version: 'asc' }, { position: 'asc' }, { attempt: 'asc' }],
    }),
    traced === null
      ? []
      : prisma.caseTry.findMany({
          where: { runId, trace: { not: null }, ...whereWanted(traced) },
          select: { version: true, position: true, attempt: true, trace: true },
        }),
  ]);
  const traceOf = new Map(traces.map(({ trace, ...tried }) => [tryKey(tried), trace]));
  return rows.map((row) => exampleScoreSchema.parse(fieldsOf({ ...row, trace: traceOf.get(tryKey(row)) })));
}

function whereWanted({ positions, versions }: WantedTries) {
  return { position: { in: positions }, ...(versions !== undefined && { version: { in: versions } }) };
}

type TryRow = Omit<CaseTry, 'trace'> & { trace?: string | null };

function fieldsOf({ inputTokens: input, outputTokens: output, createdAt, trace, ...row }: TryRow) {
  return {
    ...row,
    ...(trace != null && { trace }),
    tokenUsage: { input, output, total: input + output },
    createdAt: createdAt.toISOString(),
  };
}

/** Returns the condition for rows after a cursor over (version, position, attempt). An invalid cursor selects all rows. */
function afterCursor(cursor: string | null) {
  const [version, position, attempt] =
    cursor
      ?.match(/^(\d{1,6})_(\d{1,6})_(\d{1,6})$/)
      ?.slice(1)
      .map(Number) ?? [];
  if (version === undefined || position === undefined || attempt === undefined) return {};
  return {
    OR: [
      { version: { gt: version } },
      { version, position: { gt: position } },
      { version, position, attempt: { gt: attempt } },
    ],
  };
}

/**
 * Returns a loaded history with the traces that planned proposals show, which are those of their parents on the training cases. Traces are
 * long, so each step reads only these.
 */
export async function withTraces(
  { prisma }: DatabaseClient,
  runId: string,
  history: History,
  proposals: readonly Pick<PlannedProposal, 'parent' | 'positions'>[],
): Promise<History> {
  const training = new Set(positionsOf(history, 'train'));
  const shown = proposals.map(({ parent, positions }) => ({
    version: { in: [...new Set(scoresOfText(history, parent).map(({ version }) => version))] },
    position: { in: positions.filter((position) => training.has(position)) },
  }));
  const found = await prisma.caseTry.findMany({
    where: { runId, trace: { not: null }, OR: shown },
    select: { version: true, position: true, attempt: true, trace: true },
  });
  if (found.length === 0) return history;
  const traces = new Map(found.map(({ trace, ...one }) => [tryKey(one), trace]));
  const tries = history.tries.map((one) => {
    const trace = traces.get(tryKey(one)) ?? null;
    return trace === null ? one : { ...one, trace };
  });
  return { ...history, tries };
}

/** Returns a result as kept in memory: example scores without their traces, which are in the database. */
export function withoutTraces(result: StepResult): StepResult {
  if (result.type !== 'tries') return result;
  return { ...result, tries: result.tries.map(({ trace: _trace, ...one }) => one) };
}

function tryKey({ version, position, attempt }: Pick<ExampleScore, 'version' | 'position' | 'attempt'>): string {
  return `${version} ${position} ${attempt}`;
}
