import type { AppContext } from '#lib/context/app-context.ts';
import { countDue } from './purge.ts';
import { findLastPurge, findRetention } from './retention-settings.ts';
import { MOST_DUE, type RetentionView, retentionSchema } from './schema.ts';

/** How long things are kept, what is due by that, and what was removed last. */
export async function getRetention({ database, now }: Pick<AppContext, 'database' | 'now'>): Promise<RetentionView> {
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
