import { startBatch } from '#lib/batches/start-batch.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import type { Database } from '#lib/database/database.ts';
import { runExclusively } from '#lib/database/locks.ts';
import { inTransaction } from '#lib/database/transactions.ts';
import { casesSchema } from '#lib/datasets/case-input.ts';
import { insertDataset } from '#lib/datasets/dataset-versions.ts';
import { insertExperiment } from '#lib/experiments/insert-experiment.ts';
import { createPrompt } from '#lib/prompts/create-prompt.ts';
import { SAMPLES } from './samples.ts';
import type { Sample } from './tuning-sample.ts';

const SEEDER = { id: 'hone', name: 'Hone', role: 'owner' } as const;

const MADE = 'samples made';
/**
 * Creates the sample experiments on the practice model and starts each once, only in a database that never had them. Recreates what a
 * killed start left incomplete. If several processes start at once, one of them creates the samples.
 */
export async function seedSamples(context: AppContext): Promise<void> {
  if (await areMade(context)) return;
  await runExclusively(context.database, 'samples', async () => {
    if (!(await areMade(context))) await makeSamples(context);
  });
}

/** Returns the sample runs that have not ended and do not wait for a person. */
export async function openSampleRunIds({ prisma }: Pick<Database, 'prisma'>): Promise<string[]> {
  const where = { status: { in: ['queued', 'running'] }, experiment: { sample: true } };
  const runs = await prisma.run.findMany({ where, select: { id: true }, orderBy: { number: 'asc' } });
  return runs.map(({ id }) => id);
}

async function areMade({ database }: AppContext): Promise<boolean> {
  return (await database.prisma.fact.findUnique({ where: { name: MADE } })) !== null;
}

async function makeSamples(context: AppContext): Promise<void> {
  const { prisma } = context.database;
  await prisma.experiment.deleteMany({ where: { sample: true } });
  // Lists show the newest first, so the first sample is created last.
  for (const [position, sample] of [...SAMPLES].reverse().entries()) {
    const id = context.newId();
    const now = new Date(context.now().getTime() + position);
    const settings = settingsSchema.parse(sample.settings);
    await insertExperiment(prisma, { id, name: sample.name, settings, sample: true, now });
    if (sample.kept !== undefined) await keepForGood(context, sample.kept, sample.cases);
    const start = sample.kept === undefined ? { cases: sample.cases } : { datasetId: sample.kept.datasetId };
    const options = { idempotencyKey: null, watched: false };
    const started = await startBatch(context, SEEDER, id, start, options);
    if (!started.ok) throw new Error(`the sample "${sample.name}" could not be started: ${started.problem.message}`);
  }
  await prisma.fact.create({ data: { name: MADE, at: context.now() } });
}

/** Creates a sample's dataset and prompt, except what an earlier, killed start already created. */
async function keepForGood(
  context: AppContext,
  { datasetId, dataset, prompt }: NonNullable<Sample['kept']>,
  cases: Sample['cases'],
): Promise<void> {
  const { prisma } = context.database;
  if ((await prisma.dataset.findUnique({ where: { id: datasetId }, select: { id: true } })) === null) {
    const whole = { id: datasetId, name: dataset, cases: casesSchema.parse(cases), now: context.now() };
    await inTransaction(context.database, (transaction) => insertDataset(transaction, whole));
  }
  const made = await createPrompt(context, SEEDER, { ...prompt, setup: { ...prompt.setup, datasetId } });
  if (!made.ok && made.problem.code !== 'conflict')
    throw new Error(`the sample "${prompt.name}" could not be made: ${made.problem.message}`);
}
