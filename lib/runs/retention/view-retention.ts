import { countDue } from '#lib/db/purge.ts';
import { findLastPurge, findRetention } from '#lib/db/retention-settings.ts';
import { MOST_DUE, type RetentionView, retentionSchema } from '#lib/reflection/retention.ts';
import type { Workshop } from '../workshop.ts';

/** How long things are kept, what is due by that, and what was removed last. */
export async function viewRetention({ database, now }: Pick<Workshop, 'database' | 'now'>): Promise<RetentionView> {
  const [setting, lastPurge] = await Promise.all([findRetention(database), findLastPurge(database)]);
  const retention = setting?.value ?? retentionSchema.parse({});
  return {
    ...retention,
    updatedBy: setting?.updatedBy ?? null,
    updatedAt: setting?.updatedAt ?? null,
    due: await countDue(database, retention, now(), MOST_DUE + 1),
    lastPurge,
  };
}
