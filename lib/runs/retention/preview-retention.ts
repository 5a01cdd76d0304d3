import { countDue } from '#lib/db/purge.ts';
import { type Result, succeed } from '#lib/reflection/problem.ts';
import { type Purged, retentionSchema } from '#lib/reflection/retention.ts';
import { parseInput } from '../parse-input.ts';
import type { Workshop } from '../workshop.ts';

/** What would be removed if things were kept for so long: nothing is changed. */
export async function previewRetention(
  { database, now }: Pick<Workshop, 'database' | 'now'>,
  input: unknown,
): Promise<Result<Purged>> {
  const parsed = parseInput(retentionSchema, input);
  return parsed.ok ? succeed(await countDue(database, parsed.value, now())) : parsed;
}
