import fc from 'fast-check';
import { expect, test } from 'vitest';
import { surplusBackups } from './backup-schedule.ts';
import type { BackupReason } from './schema.ts';

/** `s3`: a scheduled backup of the third; a, m, r, u: backups with another reason. */
const REASONS: Record<string, BackupReason> = {
  s: 'scheduled',
  a: 'asked',
  m: 'migration',
  r: 'restore',
  u: 'upgrade',
};

function backup(name: string) {
  const reason = REASONS[name.charAt(0)];
  if (reason === undefined) throw new Error(`${name} is of no reason`);
  return { name, reason, madeAt: `2026-03-${name.slice(1, 3).padStart(2, '0')}T04:05:06Z` };
}

test.each<[string, string, { kept: number; made: string }, string]>([
  ['keeps the first backup', 's1', { kept: 7, made: 's1' }, ''],
  ['keeps the configured number', 's3 s2 s1', { kept: 3, made: 's3' }, ''],
  ['deletes the oldest if there is one more', 's4 s3 s2 s1', { kept: 3, made: 's4' }, 's1'],
  ['deletes all beyond a lowered number', 's5 s4 s3 s2 s1', { kept: 2, made: 's5' }, 's1 s2 s3'],
  ['keeps only the new one', 's3 s2 s1', { kept: 1, made: 's3' }, 's1 s2'],
  ['neither deletes nor counts other backups', 's4 a3 m2 s2 r1 u1 a1 s1', { kept: 2, made: 's4' }, 's1'],
  ['deletes nothing if there are only other backups', 'a3 m2 r1', { kept: 1, made: 's9' }, ''],
  ['keeps the new one after the clock was set back', 's9 s8 s1', { kept: 2, made: 's1' }, 's8'],
  ['sorts backups of the same second by name', 's2b s2a s1', { kept: 1, made: 's2b' }, 's1 s2a'],
])('%s', (_name, there, rule, surplus) => {
  expect(surplusBackups(there.split(' ').map(backup), rule).join(' ')).toBe(surplus);
});

test('for any folder: deletes only the oldest scheduled backups and no more than needed', () => {
  const name = fc.tuple(fc.constantFrom('s', 's', 'a', 'm', 'r', 'u'), fc.integer({ min: 1, max: 28 }), fc.nat());
  const folder = fc
    .uniqueArray(name.map(([reason, day, salt]) => `${reason}${String(day).padStart(2, '0')}-${salt}`))
    .map((names) => names.map(backup));
  fc.assert(
    fc.property(folder, fc.integer({ min: 1, max: 12 }), fc.nat(), (backups, kept, pick) => {
      const scheduled = backups.filter(({ reason }) => reason === 'scheduled');
      const made = scheduled[pick % Math.max(1, scheduled.length)]?.name ?? 'none';
      const deleted = surplusBackups(backups, { kept, made });
      const stay = scheduled.filter((one) => !deleted.includes(one.name));
      expect(deleted).toHaveLength(Math.max(0, scheduled.length - (made === 'none' ? kept - 1 : kept)));
      expect(deleted).not.toContain(made);
      for (const name of deleted) {
        const found = scheduled.find((one) => one.name === name);
        for (const one of stay) if (one.name !== made) expect(one.madeAt >= (found?.madeAt ?? '')).toBe(true);
        expect(found).toBeDefined();
      }
      expect(surplusBackups(backups.toReversed(), { kept, made })).toEqual(deleted);
    }),
  );
});
