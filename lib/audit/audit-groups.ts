/** Groups of the log shown to users. `refused`: attempts without permission. */
export const AUDIT_GROUPS = ['decisions', 'lessons', 'settings', 'access', 'refused'] as const;
export type AuditGroup = (typeof AUDIT_GROUPS)[number];
