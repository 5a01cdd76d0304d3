import { accessSync, chmodSync, constants, mkdirSync, realpathSync, statSync } from 'node:fs';
import path from 'node:path';
import { fail, type Result, succeed } from '#lib/core/problem.ts';

/** Makes the data folder, closed to other users; answers its real path. */
export function prepareDataFolder(given: string): Result<string> {
  const folder = path.resolve(given);
  try {
    const isNew = statSync(folder, { throwIfNoEntry: false }) === undefined;
    makeFolder(folder);
    // PostgreSQL's own user (for root) passes through to its folder, but nobody lists this one.
    if (isNew) chmodSync(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return succeed(realpathSync(folder));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail(
      'unavailable',
      `The data folder ${folder} cannot be used: ${reason}. Mend its rights, or set HONE_DATA_DIR to a folder of yours.`,
    );
  }
}

/** Not Node's recursive one, which never ends where the system says ENOENT for ever (below /proc). */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (path.dirname(folder) !== folder) makeFolder(path.dirname(folder));
  mkdirSync(folder);
}
