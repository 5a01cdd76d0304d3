import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '#lib/database/generated/client.ts';

/** One pool under both: `prisma` for reads and writes with names and types, `pool` for raw SQL on hot paths. */
export type Database = {
  prisma: PrismaClient;
  pool: pg.Pool;
  /** Whether other processes may work on it too: what they must hear goes through the database's notifications. */
  isShared: boolean;
};

const MOST_CONNECTIONS = 20;
/** Each connection parses and plans every named statement once. Fewer connections repeat this less. */
const MOST_FOR_NAMED = 4;
/**
 * Plans each named statement once, for all values. By default, PostgreSQL plans the first five executions for their values and only then
 * considers a plan for all. No named statement needs a plan for particular values.
 */
const ONE_PLAN = '-c plan_cache_mode=force_generic_plan';

/** Opens lazily: the first query connects. Times are UTC whatever the server's zone. Close with `closeDatabase`. */
export function openDatabase(
  connectionString: string,
  options: { maxConnections?: number; isShared?: boolean } = {},
): Database {
  const most = options.maxConnections ?? MOST_CONNECTIONS;
  const pool = openPool(connectionString, most);
  sendNamedTo(openPool(connectionString, Math.min(most, MOST_FOR_NAMED), ONE_PLAN), pool);
  // As patient as the pool itself: on a busy machine a connection may be long in coming, and a change is not to fail for it.
  const transactionOptions = { maxWait: 15_000, timeout: 30_000 };
  const adapter = new PrismaPg(pool, { statementNameGenerator: nameStatements() });
  const prisma = new PrismaClient({ adapter, transactionOptions });
  return { prisma, pool, isShared: options.isShared ?? true };
}

/** Begins the names of Prisma's statements, which stay on the pool's own connections: a long report must not hold up a run. */
const PRISMA = 'prisma-';
/** Lists of values have a text for each length, so the texts have no end. */
const MOST_NAMES = 500;

/** Names what reads, so that a connection keeps its plan: planning a list or a report takes as long as running it. */
function nameStatements(): (statement: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= MOST_NAMES || !/^\s*(SELECT|WITH)\b/.test(sql)) return '';
    const name = PRISMA + createHash('sha256').update(sql).digest('base64url');
    names.set(sql, name);
    return name;
  };
}

function openPool(connectionString: string, max: number, settings = ''): pg.Pool {
  const pool = new pg.Pool({
    connectionString,
    max,
    // A process that went away in the middle of a transaction must not hold up the runs it has locked.
    options: `-c TimeZone=UTC -c idle_in_transaction_session_timeout=30000 ${settings}`,
    application_name: 'hone',
    connectionTimeoutMillis: 15_000,
  });
  // An idle connection that breaks (the server restarts) is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => undefined);
  // Nor may one that breaks while somebody has it and asks nothing of it: their next query fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Lets a pool send the statements that Hone names, which are all short, to connections of their own, and close these with its own. */
function sendNamedTo(named: pg.Pool, pool: pg.Pool): void {
  pool.query = new Proxy(pool.query, {
    apply: (query, self, asked) => Reflect.apply(query, isNamed(asked[0]) ? named : self, asked),
  });
  pool.end = new Proxy(pool.end, {
    apply: async (end, self, given) => {
      await Promise.all([Reflect.apply(end, self, given), named.end()]);
    },
  });
}

function isNamed(asked: unknown): boolean {
  if (typeof asked !== 'object' || asked === null || !('name' in asked)) return false;
  return typeof asked.name === 'string' && asked.name !== '' && !asked.name.startsWith(PRISMA);
}

/** Waits for running queries, then closes every connection. A second call does nothing. */
export async function closeDatabase(database: Database): Promise<void> {
  if (database.pool.ended || database.pool.ending) return;
  await database.prisma.$disconnect();
  if (!database.pool.ending) await database.pool.end();
}

/** Does `work` on a database that is open for it alone, and closes it. */
export async function withDatabase<Value>(
  connectionString: string,
  work: (database: Database) => Promise<Value>,
): Promise<Value> {
  const database = openDatabase(connectionString, { maxConnections: 1 });
  try {
    return await work(database);
  } finally {
    await closeDatabase(database);
  }
}

/** A pool, or one connection inside a transaction. */
export type Queryable = Pick<pg.Pool, 'query'>;
