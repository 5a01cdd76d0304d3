import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { inTransaction, tryInTransaction } from './transactions.ts';

const db = useTestDatabase();
const setting = (key: string) => db.database().prisma.installationSetting.findUnique({ where: { key } });

test('a connection lost between two queries fails only its own transaction', async () => {
  const database = db.database();
  const broken = inTransaction(database, async (transaction) => {
    const [own] = await transaction.$queryRaw<{ pid: number }[]>`SELECT pg_backend_pid() AS pid`;
    await database.pool.query('SELECT pg_terminate_backend($1)', [own?.pid]);
    // The connection must be idle while the server terminates it.
    await sleep(200);
    await transaction.$queryRaw`SELECT 1`;
  });
  await expect(broken).rejects.toThrow(/not queryable|terminated|closed/);
  expect((await database.pool.query('SELECT 1 AS one')).rows).toEqual([{ one: 1 }]);
});

describe('inTransaction', () => {
  const add = (key: string, outcome: () => { ok: boolean }) =>
    tryInTransaction(db.database(), async (transaction) => {
      await transaction.installationSetting.create({
        data: { key, value: true, updatedBy: 'Tester', updatedAt: new Date() },
      });
      return outcome();
    });

  test('commits if its work succeeds', async () => {
    expect(await add('succeeds', () => ({ ok: true }))).toEqual({ ok: true });
    expect(await setting('succeeds')).toMatchObject({ value: true });
  });

  test('rolls back if its work resolves to a problem', async () => {
    expect(await add('problem', () => ({ ok: false }))).toEqual({ ok: false });
    expect(await setting('problem')).toBeNull();
  });

  test('rolls back if its work throws', async () => {
    const failing = inTransaction(db.database(), async (transaction) => {
      await transaction.installationSetting.create({
        data: { key: 'throws', value: true, updatedBy: 'Tester', updatedAt: new Date() },
      });
      throw new Error('no more');
    });
    await expect(failing).rejects.toThrow('no more');
    expect(await setting('throws')).toBeNull();
  });
});
