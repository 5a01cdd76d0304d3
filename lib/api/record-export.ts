import type { AuditChange, AuditSubjectKind } from '#lib/audit/schema.ts';
import type { Actor } from '#lib/auth/actor.ts';
import { recordChange } from '#lib/auth/record-change.ts';
import { getAppContext } from '#lib/context/open-app-context.ts';

/** Records an export in the audit log. */
export async function recordExport(
  actor: Actor,
  subject: { kind: AuditSubjectKind; id?: string },
  change: AuditChange,
): Promise<void> {
  const { database } = await getAppContext();
  await recordChange(database.prisma, actor, { act: 'exported', subject, change });
}
