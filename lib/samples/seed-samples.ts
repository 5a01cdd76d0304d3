import { startBatch } from '#lib/batches/start-batch.ts';
import type { Workshop } from '#lib/context/app-context.ts';
import { settingsSchema } from '#lib/core/settings.ts';
import { inTransaction } from '#lib/database/in-transaction.ts';
import { oneAtATime } from '#lib/database/run-exclusively.ts';
import { casesSchema } from '#lib/datasets/create-dataset.ts';
import { insertDataset } from '#lib/datasets/insert-dataset.ts';
import { insertExperiment } from '#lib/experiments/insert-experiment.ts';
import { createPrompt } from '#lib/prompts/create-prompt.ts';
import { SAMPLES, type Sample } from './samples.ts';

const SEEDER = { id: 'hone', name: 'Hone', role: 'owner' } as const;

const MADE = 'samples made';

/**
 * Makes the sample experiments and starts each once, on the practice model; only in a database that never had them. What a start
 * that was killed half-way left of them is made anew. Of several processes that are started at once, one makes them.
 */
export async function seedSamples(workshop: Workshop): Promise<void> {
  if (await areMade(workshop)) return;
  await oneAtATime(workshop.database, 'samples', async () => {
    if (!(await areMade(workshop))) await makeSamples(workshop);
  });
}

async function areMade({ database }: Workshop): Promise<boolean> {
  return (await database.prisma.fact.findUnique({ where: { name: MADE } })) !== null;
}

async function makeSamples(workshop: Workshop): Promise<void> {
  const { prisma } = workshop.database;
  await prisma.experiment.deleteMany({ where: { sample: true } });
  // Newest first in every list: the first sample is made last.
  for (const [position, sample] of [...SAMPLES].reverse().entries()) {
    const id = workshop.newId();
    const now = new Date(workshop.now().getTime() + position);
    const settings = settingsSchema.parse(sample.settings);
    await insertExperiment(prisma, { id, name: sample.name, settings, sample: true, now });
    if (sample.kept !== undefined) await keepForGood(workshop, sample.kept, sample.cases);
    const start = sample.kept === undefined ? { cases: sample.cases } : { datasetId: sample.kept.datasetId };
    const options = { idempotencyKey: null, watched: false };
    const started = await startBatch(workshop, SEEDER, id, start, options);
    if (!started.ok) throw new Error(`the sample "${sample.name}" could not be started: ${started.problem.message}`);
  }
  await prisma.fact.create({ data: { name: MADE, at: workshop.now() } });
}

/** Makes a sample's dataset and prompt, but for what a start that was killed made already. */
async function keepForGood(
  workshop: Workshop,
  { datasetId, dataset, prompt }: NonNullable<Sample['kept']>,
  cases: Sample['cases'],
): Promise<void> {
  const { prisma } = workshop.database;
  if ((await prisma.dataset.findUnique({ where: { id: datasetId }, select: { id: true } })) === null) {
    const whole = { id: datasetId, name: dataset, cases: casesSchema.parse(cases), now: workshop.now() };
    await inTransaction(workshop.database, (client) => insertDataset(client, whole));
  }
  const made = await createPrompt(workshop, SEEDER, { ...prompt, setup: { ...prompt.setup, datasetId } });
  if (!made.ok && made.problem.code !== 'conflict')
    throw new Error(`the sample "${prompt.name}" could not be made: ${made.problem.message}`);
}
