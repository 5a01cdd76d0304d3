import type { ExampleScore, History } from '#lib/core/history.ts';
import type { PlannedProposal, StepResult } from '#lib/core/step.ts';
import { positionsOf, scoresOfText } from '#lib/core/tuning/cases-of.ts';
import type { Database } from '#lib/database/database.ts';

/**
 * Returns a loaded history with the traces that planned proposals show, which are those of their parents on the training cases. Traces are
 * long, so each step reads only these.
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

/** Returns a result as kept in memory: example scores without their traces, which are in the database. */
export function withoutTraces(result: StepResult): StepResult {
  if (result.type !== 'tries') return result;
  return { ...result, tries: result.tries.map(({ trace: _trace, ...one }) => one) };
}

/** Returns the key of an example score within its run. */
export function tryKey({ version, position, attempt }: Pick<ExampleScore, 'version' | 'position' | 'attempt'>): string {
  return `${version} ${position} ${attempt}`;
}
