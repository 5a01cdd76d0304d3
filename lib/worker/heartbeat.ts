import type { Database } from '#lib/database/database.ts';
import { isUnreachable } from '#lib/database/while-unreachable.ts';
import { getLog } from '#lib/log/log.ts';
import { type AppProcess, BEAT_MS, beatAppProcess, leaveAppProcesses } from '#lib/queue/app-processes.ts';

/**
 * Says every 5 s that this process lives and how busy it is, from now on; answers once it was said first. The answer ends it and
 * takes the process off the list.
 */
export async function startHeartbeat(
  database: Pick<Database, 'pool'>,
  self: () => AppProcess,
): Promise<() => Promise<void>> {
  let underWay: Promise<void> = beatAppProcess(database, self());
  await underWay;
  const beating = setInterval(() => {
    underWay = beatAppProcess(database, self()).catch((error: unknown) => {
      // A database that is away is told of by the health check.
      if (!isUnreachable(error)) getLog().error('heartbeat', error);
    });
  }, BEAT_MS).unref();
  return async () => {
    clearInterval(beating);
    await underWay;
    await leaveAppProcesses(database, self().id);
  };
}
