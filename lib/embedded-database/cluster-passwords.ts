import { randomBytes, randomUUID } from 'node:crypto';
import { chownSync, existsSync, lstatSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The superuser's password, for the starter alone. A new one waits beside it until the server has taken it. */
const SUPERUSER = 'password';
const SUPERUSER_NEXT = 'password.next';
/** The password of the app's own role. */
const APP = 'app-password';

/** Makes the superuser's password for a new cluster in the place `folder`. */
export function makeSuperuserPassword(folder: string): string {
  rmSync(path.join(folder, SUPERUSER_NEXT), { force: true });
  return writePassword(folder, SUPERUSER);
}

/** What the superuser's password may be, the likeliest first: after a kill the server may or may not have taken the next one. */
export function superuserPasswords(folder: string): string[] {
  return [SUPERUSER_NEXT, SUPERUSER].flatMap((name) => readPassword(folder, name) ?? []);
}

/**
 * The password that the superuser must be given next; null where the present one stays. Another user could read the file of the present
 * one where it is not the folder's owner's: earlier versions gave it to `nobody`.
 */
export function nextSuperuserPassword(folder: string): string | null {
  const waiting = readPassword(folder, SUPERUSER_NEXT);
  if (waiting !== null) return waiting;
  const wasOpen = lstatSync(path.join(folder, SUPERUSER)).uid !== lstatSync(folder).uid;
  return wasOpen ? writePassword(folder, SUPERUSER_NEXT) : null;
}

/** Once the server has taken it. */
export function saveNextPassword(folder: string): void {
  renameSync(path.join(folder, SUPERUSER_NEXT), path.join(folder, SUPERUSER));
}

/** The password of the app's role, made where there is none. */
export function appPassword(folder: string): string {
  return findAppPassword(folder) ?? writePassword(folder, APP);
}

/** Null where the server was started by a version whose app had no role of its own. */
export function findAppPassword(folder: string): string | null {
  return readPassword(folder, APP);
}

/** The superuser's password of a server that an earlier version runs. */
export function findSuperuserPassword(folder: string): string | null {
  return readPassword(folder, SUPERUSER);
}

function readPassword(folder: string, name: string): string | null {
  const file = path.join(folder, name);
  if (!existsSync(file)) return null;
  const password = readFileSync(file, 'utf8').trim();
  return password === '' ? null : password;
}

/** Whole or not at all, and the folder's owner's alone, also where root starts a cluster of somebody else's. */
function writePassword(folder: string, name: string): string {
  const password = randomBytes(24).toString('base64url');
  const file = path.join(folder, name);
  const unfinished = `${file}.${randomUUID()}`;
  writeFileSync(unfinished, `${password}\n`, { mode: 0o600, flag: 'wx', flush: true });
  const { uid, gid } = lstatSync(folder);
  if (process.getuid?.() === 0 && uid !== 0) chownSync(unfinished, uid, gid);
  renameSync(unfinished, file);
  return password;
}
