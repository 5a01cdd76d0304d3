import { insertExperiment } from '#lib/db/insert-experiment.ts';
import { settingsSchema } from '#lib/reflection/settings.ts';
import { SAMPLES } from './samples.ts';
import { startBatch } from './start-batch.ts';
import type { Workshop } from './workshop.ts';

const SEEDER = { id: 'hone', name: 'Hone', role: 'owner' } as const;

/** Makes the sample experiments and starts each once, on the practice model; only in a database that never had them. */
export async function seedSamples(workshop: Workshop): Promise<void> {
  const { count } = await workshop.database.prisma.fact.createMany({
    data: [{ name: 'samples made', at: workshop.now() }],
    skipDuplicates: true,
  });
  if (count === 0) return;
  // Newest first in every list: the first sample is made last.
  for (const [position, sample] of [...SAMPLES].reverse().entries()) {
    const id = workshop.newId();
    const now = new Date(workshop.now().getTime() + position);
    await insertExperiment(workshop.database, {
      id,
      name: sample.name,
      settings: settingsSchema.parse(sample.settings),
      sample: true,
      now,
    });
    const started = await startBatch(
      workshop,
      SEEDER,
      id,
      { cases: sample.cases },
      { idempotencyKey: null, watched: false },
    );
    if (!started.ok) throw new Error(`the sample "${sample.name}" could not be started: ${started.problem.message}`);
  }
}
