import { purge } from '#lib/db/purge.ts';
import { findRetention, writeLastPurge } from '#lib/db/retention-settings.ts';
import { tryLock } from '#lib/db/try-lock.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';
import { countPurged, NOTHING_PURGED, type Purged } from '#lib/reflection/retention.ts';
import { type AuditActor, recordChange } from '#lib/team/audit/record-change.ts';
import type { Workshop } from '../workshop.ts';

/** Only one process purges at a time. */
const PURGE_LOCK = 72_707_371;

/** Removes what is kept no longer, and notes what that was. Refused while another process is at it. */
export async function purgeDue(
  { database, now }: Pick<Workshop, 'database' | 'now'>,
  actor: AuditActor,
  signal: AbortSignal = new AbortController().signal,
): Promise<Result<Purged>> {
  const purged = await tryLock(database, PURGE_LOCK, async () => {
    const setting = await findRetention(database);
    const removed = setting === null ? { ...NOTHING_PURGED } : await purge(database, setting.value, now(), signal);
    if (signal.aborted && countPurged(removed) === 0) return removed;
    if (!signal.aborted) await writeLastPurge(database, { by: actor.name, purged: removed, now: now() });
    if (countPurged(removed) > 0)
      await recordChange(database.pool, actor, {
        act: 'purged',
        subject: { kind: 'setting', id: 'retention', name: 'Retention' },
        change: { ...removed },
      });
    return removed;
  });
  return purged === null ? fail('conflict', 'It is being purged already. Look again in a moment.') : succeed(purged);
}
