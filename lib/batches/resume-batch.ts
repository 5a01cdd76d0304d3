import type { Actor } from '#lib/auth/authorize.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { findExperiment } from '#lib/experiments/find-experiment.ts';
import { forEachAtOnce } from '#lib/runs/each-at-once.ts';
import { runsOfBatch } from '#lib/runs/runs-of-batch.ts';
import { refuseImported } from './refuse-imported.ts';
import { resumeRun } from './resume-run.ts';

/**
 * Lets what is missing of a batch go on: its failed and stopped runs, each where it was. What has ended otherwise is not touched, and
 * nothing that is saved is paid for again. Answers how many go on; 0 where nothing is missing. Refused, as the first of them is, where
 * none may go on.
 */
export async function resumeBatch(
  context: AppContext,
  actor: Actor,
  batchId: string,
): Promise<Result<{ resumed: number }>> {
  const { database } = context;
  const batch = await database.prisma.batch.findUnique({ where: { id: batchId }, select: { experimentId: true } });
  const experiment = batch === null ? null : await findExperiment(database, batch.experimentId);
  if (experiment === null) return fail('not_found', `There is no batch ${batchId}.`);
  const refusal = refuseImported(experiment);
  if (refusal !== null) return refusal;
  const runIds = await runsOfBatch(database, batchId, ['failed', 'stopped']);
  if (runIds.length === 0) return succeed({ resumed: 0 });
  await database.prisma.batch.update({ where: { id: batchId }, data: { resumedAt: context.now() } });
  const done = await forEachAtOnce(runIds, (runId) => resumeRun(context, actor, runId));
  const resumed = done.filter(({ ok }) => ok).length;
  const refused = done.find((result) => !result.ok);
  if (resumed === 0 && refused !== undefined && !refused.ok) return refused;
  await recordChange(database.pool, actor, {
    act: 'resumed',
    subject: { kind: 'batch', id: batchId, name: experiment.name },
    change: { runs: resumed },
  });
  return succeed({ resumed });
}
