import type { AuditChange, AuditSubjectKind } from '#lib/reflection/audit-entry.ts';
import { getWorkshop } from '#lib/runs/open-workshop.ts';
import { recordChange } from '#lib/team/audit/record-change.ts';
import type { Actor } from '#lib/team/authorize.ts';

/** Records in the audit log what somebody exports. */
export async function recordExport(
  actor: Actor,
  subject: { kind: AuditSubjectKind; id?: string },
  change: AuditChange,
): Promise<void> {
  const { database } = await getWorkshop();
  await recordChange(database.pool, actor, { act: 'exported', subject, change });
}
