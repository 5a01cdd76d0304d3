import { expect, test } from 'vitest';
import { findTarget } from '#lib/models/stored-provider.ts';
import { TESTER, testContext, unwrap } from '#lib/testing/test-context.ts';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { deleteTarget, saveTarget } from './save-target.ts';

const db = useTestDatabase();
const [SEEN, MOVED] = ['http://127.0.0.1:9/', 'http://127.0.0.1:10/'];
const SECRET = 'a secret of the app';

test.each([
  ['a secret', { secret: `${SECRET}, renewed` }],
  ['another URL', { url: 'http://127.0.0.1:11/' }],
])('stores no %s that was entered for another URL', async (field, change) => {
  const context = testContext(db.database());
  const name = `moved-${field.split(' ').at(-1)?.toLowerCase()}`;
  const save = (input: object) => saveTarget(context, TESTER, name, { kind: 'http', ...input });
  unwrap(await save({ url: SEEN }));
  unwrap(await save({ url: MOVED, secret: SECRET, seenUrl: SEEN }));
  const before = await findTarget(context.database, name);
  expect(await save({ ...change, seenUrl: SEEN })).toMatchObject({
    ok: false,
    problem: { code: 'conflict', field: 'url', message: expect.stringContaining(MOVED) },
  });
  expect(await findTarget(context.database, name)).toEqual(before);
  unwrap(await save({ ...change, seenUrl: MOVED }));
});

test('adds no target again that was deleted while it was edited', async () => {
  const context = testContext(db.database());
  const save = (input: object) => saveTarget(context, TESTER, 'deleted', { kind: 'http', ...input });
  unwrap(await save({ url: SEEN }));
  unwrap(await deleteTarget(context, TESTER, 'deleted', { evenInUse: false }));
  expect(await save({ url: MOVED, secret: SECRET, seenUrl: SEEN })).toMatchObject({ problem: { code: 'not_found' } });
  expect(await findTarget(context.database, 'deleted')).toBeNull();
});

test('a target that connects to Hone has no URL to see', async () => {
  const context = testContext(db.database());
  const save = (input: object) => saveTarget(context, TESTER, 'connected', { kind: 'sdk', ...input });
  unwrap(await save({}));
  expect(await save({ seenUrl: SEEN })).toMatchObject({ problem: { code: 'invalid', field: 'seenUrl' } });
});

test('a change of the timeout keeps a secret that is saved at the same time', async () => {
  const context = testContext(db.database());
  const save = (input: object) => saveTarget(context, TESTER, 'raced', { kind: 'http', ...input });
  unwrap(await save({ url: SEEN, secret: SECRET }));
  const { pool } = db.database();
  const other = await pool.connect();
  await other.query('BEGIN');
  const { rows } = await other.query<{ pid: number }>('SELECT pg_backend_pid() AS pid');
  await other.query("UPDATE providers SET sealed_key = 'newer' WHERE name = 'raced'");
  const saved = save({ timeoutSeconds: 7 });
  // Another connection, because a transaction sees the state of the others as it was at its first look.
  const waiting = 'SELECT count(*)::int AS count FROM pg_stat_activity WHERE $1 = ANY (pg_blocking_pids(pid))';
  await expect
    .poll(async () => (await pool.query(waiting, [rows[0]?.pid])).rows, { timeout: 10_000 })
    .toEqual([{ count: 1 }]);
  await other.query('COMMIT');
  other.release();
  unwrap(await saved);
  expect(await findTarget(context.database, 'raced')).toMatchObject({ timeoutSeconds: 7, sealedKey: 'newer' });
});
