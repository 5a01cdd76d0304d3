import type { ExampleScore, History } from '#lib/core/history.ts';
import type { PlannedProposal, StepResult } from '#lib/core/step.ts';
import { positionsOf, scoresOfText } from '#lib/core/tuning/cases-of.ts';
import type { Database } from '#lib/database/database.ts';

/**
 * A loaded history with the traces that planned proposals show: those of the training cases that their parents were tried on. Traces are
 * long, so they are read for each step, and only these.
 */
export async function withTraces(
  { prisma }: Pick<Database, 'prisma'>,
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

/** A result as the history in memory keeps it: tries without their traces, which the database has. */
export function withoutTraces(result: StepResult): StepResult {
  if (result.type !== 'tries') return result;
  return { ...result, tries: result.tries.map(({ trace: _trace, ...one }) => one) };
}

/** Identifies a try within its run. */
export function tryKey({ version, position, attempt }: Pick<ExampleScore, 'version' | 'position' | 'attempt'>): string {
  return `${version} ${position} ${attempt}`;
}
