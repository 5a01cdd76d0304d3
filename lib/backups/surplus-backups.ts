import type { StoredBackup } from './stored-backup.ts';

/**
 * The names of the scheduled backups beyond the `kept` newest, oldest first. `made`, the one that was just made, is the newest whatever a
 * clock that was put back says of it. Those made for another reason neither go nor count.
 */
export function surplusBackups(
  backups: readonly Pick<StoredBackup, 'name' | 'reason' | 'madeAt'>[],
  { kept, made }: { kept: number; made: string },
): string[] {
  const older = backups
    .filter(({ name, reason }) => reason === 'scheduled' && name !== made)
    .sort((one, other) => Date.parse(one.madeAt) - Date.parse(other.madeAt) || order(one.name, other.name));
  return older.slice(0, Math.max(0, older.length - (kept - 1))).map(({ name }) => name);
}

function order(one: string, other: string): number {
  return one < other ? -1 : one > other ? 1 : 0;
}
