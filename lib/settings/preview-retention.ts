import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { countDue } from './purge.ts';
import { type Purged, retentionSchema } from './schema.ts';

/** What would be removed if things were kept for so long: nothing is changed. */
export async function previewRetention(
  { database, now }: Pick<AppContext, 'database' | 'now'>,
  input: unknown,
): Promise<Result<Purged>> {
  const parsed = parseInput(retentionSchema, input);
  return parsed.ok ? succeed(await countDue(database, parsed.value, now())) : parsed;
}
