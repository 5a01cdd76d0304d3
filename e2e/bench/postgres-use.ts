import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';

/** What a database has done since it was made: transactions that ended well, and processor time of all processes of its server. */
export type PostgresUse = { atMs: number; commits: number; cpuMs: number };

/** Ticks of processor time in /proc per second, on every Linux. */
const TICKS_PER_SECOND = 100;
/** Sessions publish what they did at most this late. */
const PUBLISHED_AFTER_MS = 1_100;

/** Reads the use of a server. `processId` is that of its first process. Linux only. */
export async function readPostgresUse(connectionString: string, processId: number): Promise<PostgresUse> {
  // Counted before the read itself, which costs the same each time.
  const atMs = performance.now();
  const cpuMs = serverCpuMs(processId);
  await new Promise((resolve) => setTimeout(resolve, PUBLISHED_AFTER_MS));
  const client = new pg.Client({ connectionString });
  await client.connect();
  try {
    const { rows } = await client.query<{ count: string }>(
      'SELECT xact_commit::text AS count FROM pg_stat_database WHERE datname = current_database()',
    );
    return { atMs, commits: Number(rows[0]?.count), cpuMs };
  } finally {
    await client.end();
  }
}

/** Of the server's first process, of those it has started, and of those of them that have ended. */
function serverCpuMs(processId: number): number {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => readTicks(Number(name)));
  const own = all.filter(({ id }) => id === processId).reduce((sum, { used, ofEnded }) => sum + used + ofEnded, 0);
  const children = all.filter(({ parent }) => parent === processId).reduce((sum, { used }) => sum + used, 0);
  return ((own + children) * 1_000) / TICKS_PER_SECOND;
}

/** Nothing for a process that has just ended. */
function readTicks(id: number): { id: number; parent: number; used: number; ofEnded: number }[] {
  try {
    const stat = readFileSync(`/proc/${id}/stat`, 'utf8');
    // The second field is the name in brackets, which may hold spaces.
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
