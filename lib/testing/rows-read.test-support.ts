import { PrismaPg } from '@prisma/adapter-pg';
import { z } from 'zod';
import type { Database } from '#lib/database/database.ts';
import { PrismaClient } from '#lib/database/generated/client.ts';

type Plan = { 'Actual Rows'?: number; 'Actual Loops'?: number; 'Rows Removed by Filter'?: number; Plans?: Plan[] };
const plan: z.ZodType<Plan> = z.lazy(() =>
  z.object({
    'Actual Rows': z.number().optional(),
    'Actual Loops': z.number().optional(),
    'Rows Removed by Filter': z.number().optional(),
    Plans: z.array(plan).optional(),
  }),
);
const explained = z.tuple([z.object({ 'QUERY PLAN': z.tuple([z.object({ Plan: plan })]) })]);

/**
 * Returns the number of rows that the plan nodes of all statements in `work` return or filter out. This measures the server's work
 * independently of its load.
 */
export async function rowsRead(
  { pool, isShared }: Database,
  work: (database: Database) => Promise<unknown>,
): Promise<number> {
  let sum = 0;
  const query = async (asked: string | { text: string; values?: unknown[] }, given?: unknown[]) => {
    const text = typeof asked === 'string' ? asked : asked.text;
    const values = typeof asked === 'string' ? given : (asked.values ?? given);
    const { rows } = await pool.query<Record<string, unknown>>(`EXPLAIN (ANALYZE, FORMAT JSON) ${text}`, values);
    sum += rowsOf(explained.parse(rows)[0]['QUERY PLAN'][0].Plan);
    return typeof asked === 'string' ? pool.query(text, values) : pool.query({ ...asked, values });
  };
  const counted = new Proxy(pool, {
    get: (target, name) => (name === 'query' ? query : Reflect.get(target, name, target)),
  });
  const prisma = new PrismaClient({ adapter: new PrismaPg(counted) });
  await work({ pool: counted, prisma, isShared });
  await prisma.$disconnect();
  return sum;
}

function rowsOf(step: Plan): number {
  const each = (step['Actual Rows'] ?? 0) + (step['Rows Removed by Filter'] ?? 0);
  return each * (step['Actual Loops'] ?? 1) + (step.Plans ?? []).reduce((sum, part) => sum + rowsOf(part), 0);
}
