import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { useTestDatabase } from '#lib/testing/test-database.ts';
import { withDatabase } from './database.ts';

const { connectionString } = useTestDatabase();

const NAMED = 'SELECT count(*)::int AS count FROM pg_prepared_statements WHERE statement LIKE $1';

test('a connection keeps prepared statements of reads, but not of writes', async () => {
  await withDatabase(connectionString, async ({ prisma }) => {
    const countNamed = async (text: string) =>
      (await prisma.$queryRawUnsafe<{ count: number }[]>(NAMED, `%${text}%`))[0]?.count;
    for (const value of [1, 2]) {
      await prisma.$queryRawUnsafe('SELECT $1::int AS kept', value);
      await prisma.$executeRawUnsafe('UPDATE runs SET number = number WHERE number = $1::int', value);
    }
    expect(await countNamed('AS kept')).toBe(1);
    expect(await countNamed('UPDATE runs')).toBe(0);
  });
});

test('many different statements do not fill a connection', async () => {
  await withDatabase(connectionString, async ({ prisma }) => {
    for (let number = 0; number < 600; number++) await prisma.$queryRawUnsafe(`SELECT ${number} AS made`);
    const [named] = await prisma.$queryRawUnsafe<{ count: number }[]>(NAMED, '%AS made%');
    expect(named?.count).toBe(500);
  });
});

test('named statements use a generic plan, others the default', async () => {
  await withDatabase(connectionString, async ({ pool }) => {
    const text = `SELECT current_setting('plan_cache_mode') AS mode`;
    const modeOf = async (name?: string) => (await pool.query<{ mode: string }>({ name, text })).rows[0]?.mode;
    expect(await modeOf('mode-of-plans')).toBe('force_generic_plan');
    expect(await modeOf()).toBe('auto');
  });
});

test('named statements look up rows of a small table by its index, because their plan is kept while it grows', async () => {
  await withDatabase(connectionString, async ({ pool }) => {
    const text = 'EXPLAIN SELECT input FROM runs WHERE id = ANY ($1::uuid[])';
    const planOf = async (name?: string) => {
      const { rows } = await pool.query<{ 'QUERY PLAN': string }>({ name, text, values: [[randomUUID()]] });
      return rows.map((row) => row['QUERY PLAN']).join('\n');
    };
    await pool.query('ANALYZE runs');
    expect(await planOf()).toContain('Seq Scan');
    expect(await planOf('plan-of-runs')).toContain('runs_pkey');
  });
});
