import type { AppContext } from '#lib/context/app-context.ts';
import { type Result, succeed } from '#lib/core/problem.ts';
import { parseInput } from '#lib/input/parse-input.ts';
import { countDue } from './purge.ts';
import { MAX_DUE_COUNT, type Purged, type RetentionView, retentionSchema } from './schema.ts';
import { findLastPurge, findRetention } from './stored-retention.ts';

/** Returns the retention setting, the rows due under it, and the last purge. */
export async function getRetention({ database, now }: Pick<AppContext, 'database' | 'now'>): Promise<RetentionView> {
  const [setting, lastPurge] = await Promise.all([findRetention(database), findLastPurge(database)]);
  const retention = setting?.value ?? retentionSchema.parse({});
  return {
    ...retention,
    updatedBy: setting?.updatedBy ?? null,
    updatedAt: setting?.updatedAt ?? null,
    due: await countDue(database, retention, now(), MAX_DUE_COUNT + 1),
    lastPurge,
  };
}

/** Returns the rows that a retention setting would remove. Changes nothing. */
export async function previewRetention(
  { database, now }: Pick<AppContext, 'database' | 'now'>,
  input: unknown,
): Promise<Result<Purged>> {
  const parsed = parseInput(retentionSchema, input);
  return parsed.ok ? succeed(await countDue(database, parsed.value, now())) : parsed;
}
