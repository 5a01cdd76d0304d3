import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Files that write audit entries outside a transaction, with the reason that this is safe or unavoidable. */
const OUTSIDE: Readonly<Record<string, string>> = {
  'lib/auth/record-change.ts': 'a file is given out: nothing is stored but the line itself',
  'app/sign-in/actions.ts': 'the library ends the session',
  'lib/backups/backup-files.ts': 'a file is deleted or given out: the line is stored before',
  'lib/backups/create-backup.ts': 'a file is written: what is in it is known once it is there',
  'lib/batches/resume-batch.ts': 'a sum: each run is resumed or stopped in a transaction that notes it',
  'lib/worker/webhooks/test-webhook.ts': 'a test is sent: nothing is stored but the line itself',
  'lib/auth/refusals.ts': 'nothing was done: nothing is stored but the line itself',
  'lib/auth/sign-in/change-own-password.ts': 'the library stores the password',
  'lib/auth/sign-in/sign-in-by-password.ts': 'the library stores the session',
};

/** Names of a transaction passed to `recordChange`. Their types exclude a connection pool. */
const TRANSACTIONS = ['client', 'transaction'];

const outside = globSync('{app,lib}/**/*.{ts,tsx}', { exclude: ['lib/database/generated/**'] })
  .filter((file) => !/\.test(-support)?\.tsx?$/.test(file))
  .filter((file) => connectionsIn(readFileSync(file, 'utf8')).some((name) => !TRANSACTIONS.includes(name)))
  .sort();

test('a change and its audit entry share a transaction: pass the transaction to recordChange', () => {
  expect(outside.filter((file) => !Object.hasOwn(OUTSIDE, file))).toEqual([]);
});

test('all listed exceptions are needed', () => {
  expect(Object.keys(OUTSIDE).filter((file) => !outside.includes(file))).toEqual([]);
});

test('finds calls in any formatting', () => {
  const code = `export async function recordChange(connection: X) {}
    await recordChange(client, actor, {});
    void recordChange(
      database.pool,
      actor,
    );
    return recordChange(getAppDatabase().pool, actor);`;
  expect(connectionsIn(code)).toEqual(['client', 'database.pool', 'getAppDatabase().pool']);
});

/** Returns the first argument of each `recordChange` call in a file. */
function connectionsIn(code: string): string[] {
  return [...code.matchAll(/(?<!function )\brecordChange\(\s*([^,]+?)\s*,/g)].map(([, first = '']) => first);
}
