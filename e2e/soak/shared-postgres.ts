import { chmodSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { supervisePostgres } from '#lib/embedded-database/supervise-postgres.ts';

/** PostgreSQL shared by several processes. After a kill it restarts with all committed data. */
export type SharedPostgres = { connectionString: string; kill(): void; stop(): Promise<void> };

export async function startSharedPostgres(log: (line: string) => void): Promise<SharedPostgres> {
  const dataFolder = mkdtempSync(path.join(tmpdir(), 'hone-soak-'));
  // If running as root, the PostgreSQL user must be able to traverse the folder.
  chmodSync(dataFolder, 0o711);
  const exits: string[] = [];
  const started = await supervisePostgres({ dataFolder, log, signal: new AbortController().signal }, (reason) =>
    exits.push(reason),
  );
  if (!started.ok) throw new Error(started.problem.message);
  return {
    connectionString: started.value.connectionString,
    kill: () => {
      const file = path.join(dataFolder, 'postgres/cluster/postmaster.pid');
      process.kill(Number(readFileSync(file, 'utf8').split('\n')[0]), 'SIGKILL');
    },
    stop: async () => {
      await started.value.stop();
      rmSync(dataFolder, { recursive: true, force: true });
      if (exits.length > 0) throw new Error(exits.join('\n'));
    },
  };
}
