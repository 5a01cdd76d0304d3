import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/**
 * Totals of a database since its creation: commits and CPU time of all server processes, and its current rows and bytes of tables and
 * indexes.
 */
export type PostgresUse = { atMs: number; commits: number; cpuMs: number; rows: number; bytes: number };

/** Clock ticks per second in /proc, the same on every Linux. */
const TICKS_PER_SECOND = 100;
/** Maximum delay until sessions publish their statistics. */
const PUBLISHED_AFTER_MS = 1_100;

/** Reads the use of a server. `processId` is its main process. Linux only. */
export async function readPostgresUse(connectionString: string, processId: number): Promise<PostgresUse> {
  // Read first, so that the cost of this function is the same in each measurement.
  const atMs = performance.now();
  const cpuMs = processCpuMs(processId);
  await new Promise((resolve) => setTimeout(resolve, PUBLISHED_AFTER_MS));
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ commits: number; rows: number; bytes: number }>(
      `SELECT (SELECT xact_commit::float8 FROM pg_stat_database WHERE datname = current_database()) AS commits,
         sum(n_tup_ins - n_tup_del)::float8 AS rows, sum(pg_total_relation_size(relid))::float8 AS bytes FROM pg_stat_user_tables`,
    );
    const [found] = rows;
    if (found === undefined) throw new Error('the database returned no row');
    return { atMs, cpuMs, ...found };
  } finally {
    await client.end();
  }
}

/** Returns the use between two reads. */
export function spentBetween(one: PostgresUse, other: PostgresUse): PostgresUse {
  return {
    atMs: other.atMs - one.atMs,
    commits: other.commits - one.commits,
    cpuMs: other.cpuMs - one.cpuMs,
    rows: other.rows - one.rows,
    bytes: other.bytes - one.bytes,
  };
}

/** Returns the CPU time of a process and its descendants, including those that have ended. Linux only. */
export function processCpuMs(processId: number): number {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readTicks(Number(name)));
  const own = all.filter(({ id }) => id === processId).reduce((sum, { used, ofEnded }) => sum + used + ofEnded, 0);
  const children = all.filter(({ parent }) => parent === processId).reduce((sum, { used }) => sum + used, 0);
  return ((own + children) * 1_000) / TICKS_PER_SECOND;
}

/** Returns an empty list for a process that has just ended. */
function readTicks(id: number): { id: number; parent: number; used: number; ofEnded: number }[] {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    // The second field is the process name in parentheses, which may contain spaces.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [, parent = 0] = fields;
    const [user = 0, system = 0, endedUser = 0, endedSystem = 0] = fields.slice(11, 15);
    return [{ id, parent, used: user + system, ofEnded: endedUser + endedSystem }];
  } catch {
    return [];
  }
}
