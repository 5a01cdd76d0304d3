import type { AuditChange } from '#lib/audit/audit-entry.ts';
import { beforeDatabaseCloses, getAppDatabase } from '#lib/context/app-database.ts';
import type { Database } from '#lib/database/database.ts';
import type { Actor } from './authorize.ts';
import { pageRefusals } from './page-refusals.ts';
import type { PageRequestKind } from './page-request-kind.ts';
import { recordChange } from './record-change.ts';
import type { Role } from './role.ts';

type Entering = Actor & { entry: string };

/** Notes in the audit log that a member, or their token, was refused an entry for want of a role. `more` goes with it. */
export async function recordRefusal(
  { pool }: Pick<Database, 'pool'>,
  actor: Entering,
  needed: Role,
  more: AuditChange = {},
): Promise<void> {
  await recordChange(pool, actor, {
    act: 'entered',
    subject: { kind: 'entry', id: actor.entry, name: actor.entry },
    change: { needed, ...more },
    outcome: 'refused',
  });
}

let pages: ReturnType<typeof pageRefusals<{ actor: Entering; needed: Role }>> | null = null;

/** Notes that a member was refused a page. Whatever they ask for over and over is counted and noted as one: see `pageRefusals`. */
export async function recordPageRefusal(actor: Entering, needed: Role, kind: PageRequestKind): Promise<void> {
  pages ??= openPageRefusals();
  await pages.take(`${actor.id} ${actor.entry}`, { actor, needed }, kind);
}

function openPageRefusals() {
  const database = getAppDatabase();
  const opened = pageRefusals<{ actor: Entering; needed: Role }>({
    write: ({ actor, needed }, change) => recordRefusal(database, actor, needed, change),
    now: () => performance.now(),
    later: (work, ms) => void setTimeout(work, ms).unref(),
  });
  beforeDatabaseCloses(opened.flush);
  return opened;
}
