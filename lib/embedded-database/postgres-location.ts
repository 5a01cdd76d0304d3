import { spawnSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  lchownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { backupFolder, listBackups } from '#lib/backups/backup-folder.ts';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { commandLine } from '#lib/system/installation.mjs';
import { canEnter, isOwnId, NOBODY, type ServerUser, unusedUser } from '#lib/system/server-user.ts';

/**
 * Location of the cluster, and the user that runs the server (null: the user who started Hone). `isShared` is true if the cluster belongs
 * to `nobody` (created by earlier versions as root) or to root (a copy). `assignServerUser` fixes that.
 */
export type PostgresLocation = { folder: string; user: ServerUser | null; isShared: boolean };

/** Location for root if other users cannot enter the data folder. */
export const LOCATION_FOR_ROOT = '/var/lib/hone';

/**
 * Chooses `<dataFolder>/postgres`. As root, if PostgreSQL's user cannot enter it, chooses a folder below /var/lib/hone and stores its path
 * in `postgres-place.json` in the data folder. The database is thus still found after the data folder is moved.
 */
export function choosePostgresLocation(dataFolder: string, log: (line: string) => void): Result<PostgresLocation> {
  const inside = path.join(dataFolder, 'postgres');
  if (process.getuid?.() !== 0) return locationInside(inside, process.getuid?.() ?? 0);
  const elsewhere = readPointer(dataFolder);
  if (elsewhere !== null) return succeed(locationForRoot(elsewhere));
  const isNew = !existsSync(path.join(inside, 'cluster'));
  const user = isNew ? null : userOf(inside);
  if (canEnter(user ?? NOBODY, dataFolder)) return succeed(locationForRoot(inside));
  if (!isNew) {
    return fail(
      'conflict',
      `PostgreSQL (user ${user?.uid}) can no longer enter ${inside}: a folder above it was closed. Let others enter it again (chmod o+x), or move the data folder.`,
    );
  }
  const folder = makePointer(dataFolder);
  log(
    `storing the database in ${folder}, because PostgreSQL does not run as root and its user cannot access ${dataFolder}`,
  );
  return succeed(locationForRoot(folder));
}

function locationInside(inside: string, uid: number): Result<PostgresLocation> {
  mkdirSync(inside, { recursive: true, mode: 0o700 });
  const owner = statSync(inside).uid;
  if (owner === uid) return succeed({ folder: inside, user: null, isShared: false });
  return fail(
    'conflict',
    `${inside} belongs to user ${owner}, you are user ${uid}: Hone was started as another user before (root?). Start it as that user, or set HONE_DATA_DIR to another folder.`,
  );
}

/** A new location gets a dedicated user, stored as the group of its folder. */
function locationForRoot(folder: string): PostgresLocation {
  if (!existsSync(path.join(folder, 'cluster')) && !isOwnId(ownersOf(folder)?.gid ?? 0)) {
    mkdirSync(folder, { recursive: true });
    closeFolder(folder, unusedUser());
  }
  const user = userOf(folder);
  return { folder, user, isShared: user.uid === NOBODY.uid };
}

/** Returns the user of a cluster. A cluster created by an ordinary user keeps its owner when root starts Hone. */
function userOf(folder: string): ServerUser {
  const owners = ownersOf(folder);
  if (owners === null) return NOBODY;
  if (owners.uid !== 0) return owners;
  return isOwnId(owners.gid) ? { uid: owners.gid, gid: owners.gid } : NOBODY;
}

function ownersOf(folder: string): ServerUser | null {
  const found = statSync(folder, { throwIfNoEntry: false });
  return found === undefined ? null : { uid: found.uid, gid: found.gid };
}

/** Restricts a folder: only root and `user` can enter it, and only root can change its entries. */
function closeFolder(folder: string, user: ServerUser): void {
  chownSync(folder, 0, user.gid);
  chmodSync(folder, 0o710);
}

/**
 * Gives a shared cluster a dedicated user. Only allowed while no server runs on it. If it is interrupted, the next start repeats it,
 * because the folder's group is set last.
 */
export function assignServerUser(location: PostgresLocation): PostgresLocation {
  if (!location.isShared) return location;
  const user = unusedUser();
  // From here on, no other user can add links or files.
  lchownSync(location.folder, 0, 0);
  chmodSync(location.folder, 0o700);
  changeOwner(path.join(location.folder, 'cluster'), user);
  const log = path.join(location.folder, 'postgres.log');
  if (existsSync(log)) lchownSync(log, 0, 0);
  closeFolder(location.folder, user);
  return { folder: location.folder, user, isShared: false };
}

/** Changes the owner recursively from the top down. Once a folder is changed, its old owner can no longer swap its entries. */
export function changeOwner(folder: string, user: ServerUser): void {
  lchownSync(folder, user.uid, user.gid);
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const below = path.join(folder, entry.name);
    if (entry.isDirectory()) changeOwner(below, user);
    else lchownSync(below, user.uid, user.gid);
  }
}

const pointerSchema = z.object({ folder: z.string(), dataFolder: z.string() });

/**
 * Returns the location stored in the data folder. A copied data folder (the original still exists) gets a new database, because two servers
 * must not share one.
 */
function readPointer(dataFolder: string): string | null {
  const pointer = parsePointer(dataFolder);
  if (pointer === null) return null;
  const here = realpathSync(dataFolder);
  if (pointer.dataFolder === here) return pointer.folder;
  if (parsePointer(pointer.dataFolder)?.folder === pointer.folder) return null;
  writePointer(dataFolder, { folder: pointer.folder, dataFolder: here });
  return pointer.folder;
}

/** Returns true if this data directory has a database, inside it or at the location it points to. */
export function hasDatabase(dataFolder: string): boolean {
  return existsSync(path.join(dataFolder, 'postgres')) || parsePointer(dataFolder) !== null;
}

function parsePointer(dataFolder: string): z.infer<typeof pointerSchema> | null {
  const file = path.join(dataFolder, 'postgres-place.json');
  return existsSync(file) ? pointerSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
}

function makePointer(dataFolder: string): string {
  const here = realpathSync(dataFolder);
  const folder = path.join(
    LOCATION_FOR_ROOT,
    createHash('sha256').update(here).update(randomUUID()).digest('hex').slice(0, 16),
  );
  writePointer(dataFolder, { folder, dataFolder: here });
  return folder;
}

function writePointer(dataFolder: string, pointer: z.infer<typeof pointerSchema>): void {
  const file = path.join(dataFolder, 'postgres-place.json');
  writeFileSync(`${file}.new`, `${JSON.stringify(pointer, null, 2)}\n`);
  renameSync(`${file}.new`, file);
}

/** Returns the major version of a cluster's data, or null if there is no cluster. */
export function clusterMajor(cluster: string): number | null {
  const file = path.join(cluster, 'PG_VERSION');
  return existsSync(file) ? Number.parseInt(readFileSync(file, 'utf8'), 10) : null;
}

/** Returns the major version of the PostgreSQL programs in a folder with `bin/`. */
export function programsMajor(binaries: string): number {
  const program = path.join(binaries, 'bin/postgres');
  const answer = spawnSync(program, ['-V'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [, major] = /\(PostgreSQL\) (\d+)/.exec(answer.stdout ?? '') ?? [];
  if (major === undefined) throw new Error(`${program} does not report its PostgreSQL version`);
  return Number(major);
}

/** Returns instructions if the cluster has another major version than the programs, or null if they match. */
export function clusterMismatch({
  cluster,
  binaries,
  dataFolder,
}: {
  cluster: string;
  binaries: string;
  dataFolder: string;
}): string | null {
  const [stored, brought] = [clusterMajor(cluster), programsMajor(binaries)];
  if (stored === null || stored === brought) return null;
  const [newest] = listBackups(backupFolder(dataFolder));
  const fromBackup =
    newest === undefined
      ? ''
      : `\n- Go back to the last backup, made at ${newest.madeAt}: ${commandLine('restore', path.join(backupFolder(dataFolder), newest.name))} (keeps a copy of the current data).`;
  return `The data in ${cluster} was written by PostgreSQL ${stored}. This version of Hone uses PostgreSQL ${brought}, which can't read it. Nothing was changed. What to do, one of:\n- Move the data to PostgreSQL ${brought}: ${commandLine('upgrade')} (downloads PostgreSQL ${stored} with npm and makes a backup first).${fromBackup}\n- Start the version of Hone that you used before.`;
}
