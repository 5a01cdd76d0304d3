import { hostname } from 'node:os';
import path from 'node:path';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { type FileLock, type LockHolder, takeFileLock } from './file-lock.ts';

/** Takes the folder, also from a holder that was killed; refuses with who holds it: process, since when, address. One Hone per data folder. */
export async function lockDataFolder(dataFolder: string, address: string): Promise<Result<FileLock>> {
  const file = path.join(dataFolder, 'hone.lock');
  const attempt = await takeFileLock(file, address);
  if ('lock' in attempt) return succeed(attempt.lock);
  if (attempt.holder !== null) return fail('conflict', describe(dataFolder, attempt.holder));
  return fail(
    'conflict',
    `${file} changes all the time: several starts are trying to take the data folder. Start Hone once.`,
  );
}

function describe(dataFolder: string, holder: LockHolder): string {
  const where = holder.host === hostname() ? '' : ` on ${holder.host}`;
  return `Hone is already running on the data folder ${dataFolder}: process ${holder.processId}${where}, since ${holder.since}, at ${holder.address}. Open that address, stop that process, or set HONE_DATA_DIR (and PORT) for a second one.`;
}
