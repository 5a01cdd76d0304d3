import { type AuditActor, recordChange } from '#lib/auth/record-change.ts';
import type { AppContext } from '#lib/context/app-context.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { inTransaction } from '#lib/database/in-transaction.ts';
import { tryLock } from '#lib/database/try-lock.ts';
import { purge } from './purge.ts';
import { takePurgeTally } from './purge-tally.ts';
import { NOTHING_PURGED, type Purged } from './retention.ts';
import { findRetention, writeLastPurge } from './retention-settings.ts';

/** Only one process purges at a time. */
const PURGE_LOCK = 72_707_371;

/**
 * Removes what is kept no longer, and notes what that was: in the end, or the next time it is looked at where it is killed before that.
 * Refused while another process is at it.
 */
export async function purgeDue(
  { database, now }: Pick<AppContext, 'database' | 'now'>,
  actor: AuditActor,
  signal: AbortSignal = new AbortController().signal,
): Promise<Result<Purged>> {
  const purged = await tryLock(database, PURGE_LOCK, async () => {
    await noteTally(database);
    const setting = await findRetention(database);
    const removed =
      setting === null
        ? { ...NOTHING_PURGED }
        : await purge(database, actor, { retention: setting.value, now: now() }, signal);
    if (!signal.aborted) await writeLastPurge(database, { by: actor.name, purged: removed, now: now() });
    await noteTally(database);
    return removed;
  });
  return purged === null ? fail('conflict', 'It is being purged already. Look again in a moment.') : succeed(purged);
}

/** Notes what a purge that was killed had removed, as theirs who asked for it. */
export async function noteBrokenOffPurge(database: AppContext['database']): Promise<void> {
  await tryLock(database, PURGE_LOCK, () => noteTally(database));
}

function noteTally(database: AppContext['database']): Promise<void> {
  return inTransaction(database, async (client) => {
    const tally = await takePurgeTally(client);
    if (tally === null) return;
    await recordChange(client, tally.actor, {
      act: 'purged',
      subject: { kind: 'setting', id: 'retention', name: 'Retention' },
      change: tally.purged,
    });
  });
}
