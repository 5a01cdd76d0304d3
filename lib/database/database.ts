import { createHash } from 'node:crypto';
import { PrismaPg } from '@prisma/adapter-pg';
import pg from 'pg';
import { PrismaClient } from '#lib/database/generated/client.ts';
import { sessionAddress } from './session-address.ts';

/** `prisma` for typed reads and writes, and `pool` for raw SQL on hot paths. Both use one pool. */
export type Database = {
  prisma: PrismaClient;
  pool: pg.Pool;
  /** True if other processes may also use the database. Changes are then announced by database notifications. */
  isShared: boolean;
};

/** The part of a database that typed reads and writes need. */
export type DatabaseClient = Pick<Database, 'prisma'>;

const MAX_CONNECTIONS = 20;
/**
 * Maximum connections for named statements. Each connection parses and plans every named statement once, so fewer connections repeat this
 * less.
 */
const MAX_NAMED_STATEMENT_CONNECTIONS = 3;
/**
 * Plans each named statement once, for all values. By default, PostgreSQL plans the first five executions for their values and only then
 * considers a generic plan. No named statement needs a plan for specific values. All find their rows by an index: a plan made while a table
 * is small would read all of it, and be kept while it grows.
 */
const ONE_PLAN = ['plan_cache_mode=force_generic_plan', 'enable_seqscan=off'];

/** Opens a database lazily: the first query connects. Times are in UTC regardless of the server's time zone. Close with `closeDatabase`. */
export function openDatabase(
  connectionString: string,
  options: { maxConnections?: number; isShared?: boolean } = {},
): Database {
  const most = options.maxConnections ?? MAX_CONNECTIONS;
  const pool = openPool(connectionString, most);
  routeNamedStatements(openPool(connectionString, Math.min(most, MAX_NAMED_STATEMENT_CONNECTIONS), ONE_PLAN), pool);
  // Same patience as the pool: on a busy machine a connection may take long, and a change should not fail because of it.
  const transactionOptions = { maxWait: 15_000, timeout: 30_000 };
  const adapter = new PrismaPg(pool, { statementNameGenerator: nameStatements() });
  const prisma = new PrismaClient({ adapter, transactionOptions });
  return { prisma, pool, isShared: options.isShared ?? true };
}

/** Name prefix of Prisma's statements, which use the pool's own connections, so that a long report does not delay a run. */
const PRISMA_PREFIX = 'prisma-';
/** Limit because lists of values have a different text for each length, so the number of texts is unbounded. */
const MAX_STATEMENT_NAMES = 500;

/** Names read statements, so that a connection caches their plans. Planning a list or a report takes as long as running it. */
function nameStatements(): (statement: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined) return known;
    if (names.size >= MAX_STATEMENT_NAMES || !/^\s*(SELECT|WITH)\b/.test(sql)) return '';
    const name = PRISMA_PREFIX + createHash('sha256').update(sql).digest('base64url');
    names.set(sql, name);
    return name;
  };
}

function openPool(connectionString: string, max: number, settings: string[] = []): pg.Pool {
  const pool = new pg.Pool({
    // A process that disappeared during a transaction must not keep its runs locked.
    connectionString: sessionAddress(connectionString, ['idle_in_transaction_session_timeout=30000', ...settings]),
    max,
    application_name: 'hone',
    connectionTimeoutMillis: 15_000,
  });
  // If an idle connection breaks (for example when the server restarts), the pool replaces it. Without a listener, the error would end the
  // process.
  pool.on('error', () => undefined);
  // The same applies to a connection that breaks while checked out without a query. The next query fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

/** Routes the statements that Hone names, which are all short, from `pool` to the separate pool `named`, and closes both together. */
function routeNamedStatements(named: pg.Pool, pool: pg.Pool): void {
  pool.query = new Proxy(pool.query, {
    apply: (query, self, args) => Reflect.apply(query, isNamed(args[0]) ? named : self, args),
  });
  pool.end = new Proxy(pool.end, {
    apply: async (end, self, given) => {
      await Promise.all([Reflect.apply(end, self, given), named.end()]);
    },
  });
}

function isNamed(query: unknown): boolean {
  if (typeof query !== 'object' || query === null || !('name' in query)) return false;
  return typeof query.name === 'string' && query.name !== '' && !query.name.startsWith(PRISMA_PREFIX);
}

/** Waits for running queries, then closes every connection. A second call does nothing. */
export async function closeDatabase(database: Database): Promise<void> {
  if (database.pool.ended || database.pool.ending) return;
  await database.prisma.$disconnect();
  if (!database.pool.ending) await database.pool.end();
}

/** Runs `work` on a separately opened database, and closes it. */
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
