/**
 * The roles of a server of Hone's own. `hone` made the cluster and is its superuser, which no role can take from it: only the starter
 * uses it. The app and the commands beside it are `hone_app`, which owns Hone's database and may do nothing else.
 */
export const SUPERUSER_ROLE = 'hone';
export const APP_ROLE = 'hone_app';

/** Where clients reach the database of a server of Hone's own, by its socket. */
export function socketAddress(
  socketFolder: string,
  { role, password, database }: { role: string; password: string; database: string },
): string {
  return `postgresql://${role}:${password}@localhost:5432/${database}?host=${encodeURIComponent(socketFolder)}`;
}
