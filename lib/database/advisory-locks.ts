/**
 * Numbers of PostgreSQL's advisory locks, by what holds them. A number is shared by the whole database, so each purpose needs a different
 * one. Keep existing numbers: processes of two versions share a database during an upgrade.
 */
export const ADVISORY_LOCKS = {
  /** `prisma migrate deploy` uses it too, so the two never run at the same time. */
  migrations: 72_707_369,
  databaseInUse: 72_707_370,
  purge: 72_707_371,
  backupSchedule: 72_707_372,
  retrospectives: 72_707_373,
  samples: 72_707_374,
  runTotals: 72_707_375,
  lessonTotals: 72_707_376,
} as const;

export type AdvisoryLock = keyof typeof ADVISORY_LOCKS;
