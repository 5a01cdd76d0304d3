import type { Database } from '#lib/db/database.ts';
import type { Role } from '#lib/reflection/role.ts';
import { recordChange } from './audit/record-change.ts';
import type { Actor } from './authorize.ts';

/** Notes in the audit log that a member, or their token, was refused an entry for want of a role. */
export async function noteRefusal(
  { pool }: Pick<Database, 'pool'>,
  actor: Actor & { entry: string },
  needed: Role,
): Promise<void> {
  await recordChange(pool, actor, {
    act: 'entered',
    subject: { kind: 'entry', id: actor.entry, name: actor.entry },
    change: { needed },
    outcome: 'refused',
  });
}
