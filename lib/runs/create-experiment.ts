import { insertExperiment } from '#lib/db/insert-experiment.ts';
import { type Result, succeed } from '#lib/reflection/problem.ts';
import type { Actor } from '#lib/team/authorize.ts';
import { readSettings } from './read-settings.ts';
import type { Workshop } from './workshop.ts';

/** Stores a new experiment, version 1. `input` is `{name, …settings}`; refused with the field at fault. */
export async function createExperiment(
  workshop: Workshop,
  _actor: Actor,
  input: unknown,
): Promise<Result<{ id: string; version: number }>> {
  const read = await readSettings(workshop, input);
  if (!read.ok) return read;
  const id = workshop.newId();
  await insertExperiment(workshop.database, { id, ...read.value, sample: false, now: workshop.now() });
  return succeed({ id, version: 1 });
}
