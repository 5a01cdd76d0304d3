import type { Actor } from '#lib/auth/actor.ts';
import { startBatch } from '#lib/batches/start-batch.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import type { Database } from '#lib/database/database.ts';
import { SAMPLES } from './samples.ts';
import type { SampleKind } from './tuning-sample.ts';

/** Returns the remaining sample experiments by kind. */
export async function findSamples({ prisma }: Pick<Database, 'prisma'>): Promise<Map<SampleKind, string>> {
  const rows = await prisma.experiment.findMany({
    where: { sample: true },
    select: { id: true, name: true },
    orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
  });
  return new Map(
    SAMPLES.flatMap(({ kind, name }) => {
      const id = rows.find((row) => row.name === name)?.id;
      return id === undefined ? [] : [[kind, id] as const];
    }),
  );
}

/** Starts a sample again with all its cases. Returns the path of the page with its result: its only run, or its experiment. */
export async function startSample(context: AppContext, actor: Actor, kind: string): Promise<Result<{ path: string }>> {
  const sample = SAMPLES.find((one) => one.kind === kind);
  const id = sample && (await findSamples(context.database)).get(sample.kind);
  if (sample === undefined || id === undefined)
    return fail('not_found', 'This sample experiment was deleted. Create an experiment instead.');
  const start = sample.kept === undefined ? { cases: sample.cases } : { datasetId: sample.kept.datasetId };
  const started = await startBatch(context, actor, id, start, { idempotencyKey: null, watched: true });
  if (!started.ok) return started;
  const [runId, ...others] = started.value.runIds;
  const isOne = runId !== undefined && others.length === 0;
  return succeed({ path: isOne ? `/runs/${runId}` : `/experiments/${id}?batch=${started.value.batchId}` });
}
