import { insertExperiment } from '#lib/db/insert-experiment.ts';
import { settingsSchema } from '#lib/reflection/settings.ts';
import { SAMPLES } from './samples.ts';
import { startBatch } from './start-batch.ts';
import type { Workshop } from './workshop.ts';

const SEEDER = { id: 'hone', name: 'Hone', role: 'owner' } as const;

const MADE = 'samples made';

/**
 * Makes the sample experiments and starts each once, on the practice model; only in a database that never had them. What a start
 * that was killed half-way left of them is made anew.
 */
export async function seedSamples(workshop: Workshop): Promise<void> {
  const { prisma } = workshop.database;
  if ((await prisma.fact.findUnique({ where: { name: MADE } })) !== null) return;
  await prisma.experiment.deleteMany({ where: { sample: true } });
  // Newest first in every list: the first sample is made last.
  for (const [position, sample] of [...SAMPLES].reverse().entries()) {
    const id = workshop.newId();
    const now = new Date(workshop.now().getTime() + position);
    const settings = settingsSchema.parse(sample.settings);
    await insertExperiment(workshop.database, { id, name: sample.name, settings, sample: true, now });
    const options = { idempotencyKey: null, watched: false };
    const started = await startBatch(workshop, SEEDER, id, { cases: sample.cases }, options);
    if (!started.ok) throw new Error(`the sample "${sample.name}" could not be started: ${started.problem.message}`);
  }
  await prisma.fact.create({ data: { name: MADE, at: workshop.now() } });
}
