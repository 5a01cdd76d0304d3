import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { findAppPassword, findSuperuserPassword } from './cluster-passwords.ts';
import { isAlive } from './process-identity.ts';
import { APP_ROLE, SUPERUSER_ROLE, socketAddress } from './socket-address.ts';

/** Where the server answers that another process runs on the cluster in `place`; null where none runs. */
export function findRunningPostgres(place: string): string | null {
  const file = path.join(place, 'cluster/postmaster.pid');
  if (!existsSync(file)) return null;
  // Its process, its data folder, its start, its port, the folder of its socket.
  const [processId = '', , , , socketFolder = ''] = readFileSync(file, 'utf8').split('\n');
  if (socketFolder === '' || !isAlive(Number(processId))) return null;
  const app = findAppPassword(place);
  const [role, password] = app === null ? [SUPERUSER_ROLE, findSuperuserPassword(place)] : [APP_ROLE, app];
  return password === null ? null : socketAddress(socketFolder, { role, password, database: 'hone' });
}
