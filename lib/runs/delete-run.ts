import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { notStored, type Result, succeed } from '#lib/core/problem.ts';
import { interruptRun } from '#lib/live/interrupt.ts';
import { announceEvents } from '#lib/live/live.ts';
import { getLog } from '#lib/log/log.ts';
import { removeUnusedPrompts } from '#lib/settings/unused-prompts.ts';
import { saveSpendOfRuns } from './other-spend.ts';

/** `tries`: number of example scores of a tuning run. */
type Deleted = { deleted: { runs: number; versions: number; evaluations: number; calls: number; tries: number } };

/** Deletes a run with all its records and interrupts a worker that performs it. Its lessons are kept. */
export async function deleteRun({ database }: AppContext, actor: Actor, runId: string): Promise<Result<Deleted>> {
  let experimentId: string | null = null;
  const result: Result<Deleted> = await database.prisma.$transaction(async (transaction) => {
    const where = { runId };
    const found = await transaction.run.findUnique({
      where: { id: runId },
      select: { experimentId: true, experiment: { select: { name: true } } },
    });
    experimentId = found?.experimentId ?? null;
    const versions = await transaction.reflectionVersion.count({ where });
    const evaluations = await transaction.evaluation.count({ where });
    const calls = await transaction.modelCall.count({ where });
    const tries = await transaction.caseTry.count({ where });
    await saveSpendOfRuns(transaction, { runId });
    const { count } = await transaction.run.deleteMany({ where: { id: runId } });
    if (count === 0) return notStored('run', runId);
    await recordChange(transaction, actor, {
      act: 'deleted',
      subject: { kind: 'run', id: runId, name: found?.experiment.name ?? null },
      change: { versions, calls },
    });
    return succeed({ deleted: { runs: count, versions, evaluations, calls, tries } });
  });
  if (!result.ok) return result;
  interruptRun(runId);
  // Subscribers of the run reload it, find it deleted and stop.
  announceEvents(runId);
  // The run is deleted. If this fails, `removeExpired` deletes the texts later.
  await removeUnusedPrompts(database, experimentId).catch((error: unknown) =>
    getLog().error('the shared texts of a deleted run were not deleted', error),
  );
  return result;
}
