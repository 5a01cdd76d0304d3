import { createHash, randomUUID } from 'node:crypto';
import {
  chownSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { z } from 'zod';
import { canEnter, NOBODY, type ServerUser } from '#lib/db/server-user.ts';
import { fail, type Result, succeed } from '#lib/reflection/problem.ts';

/** Where the cluster lives, and as whom the server runs (null: as the user who started Hone). */
export type PostgresPlace = { folder: string; user: ServerUser | null };

/** For root below a folder that no other user may enter. */
export const PLACE_FOR_ROOT = '/var/lib/hone';

/**
 * Chooses `<dataFolder>/postgres`; for root, where PostgreSQL's user cannot get there, a folder below /var/lib/hone that
 * the data folder points to (`postgres-place.json`), so that the database follows when the data folder is moved.
 */
export function choosePostgresPlace(dataFolder: string, say: (line: string) => void): Result<PostgresPlace> {
  const inside = path.join(dataFolder, 'postgres');
  if (process.getuid?.() !== 0) return ownPlace(inside, process.getuid?.() ?? 0);
  const elsewhere = readPointer(dataFolder);
  if (elsewhere !== null) return succeed({ folder: elsewhere, user: userOf(elsewhere) });
  const isNew = !existsSync(path.join(inside, 'cluster'));
  const user = isNew ? NOBODY : userOf(inside);
  makeFolder(inside, user);
  if (canEnter(user, inside)) return succeed({ folder: inside, user });
  if (!isNew) {
    return fail(
      'conflict',
      `PostgreSQL (user ${user.uid}) can no longer enter ${inside}: a folder above it was closed. Let others enter it again (chmod o+x), or move the data folder.`,
    );
  }
  rmdirSync(inside);
  const folder = makePointer(dataFolder);
  makeFolder(folder, user);
  say(
    `keeping the database in ${folder}, since PostgreSQL does not run as root and its user cannot enter ${dataFolder}`,
  );
  return succeed({ folder, user });
}

function ownPlace(inside: string, uid: number): Result<PostgresPlace> {
  mkdirSync(inside, { recursive: true, mode: 0o700 });
  const owner = statSync(inside).uid;
  if (owner === uid) return succeed({ folder: inside, user: null });
  return fail(
    'conflict',
    `${inside} belongs to user ${owner}, you are user ${uid}: Hone was started as another user before (root?). Start it as that user, or set HONE_DATA_DIR to another folder.`,
  );
}

/** A cluster made by an ordinary user stays theirs when root starts Hone. */
function userOf(folder: string): ServerUser {
  const { uid, gid } = existsSync(folder) ? statSync(folder) : NOBODY;
  return uid === 0 ? NOBODY : { uid, gid };
}

function makeFolder(folder: string, user: ServerUser): void {
  mkdirSync(folder, { recursive: true, mode: 0o711 });
  chownSync(folder, user.uid, user.gid);
}

const pointerSchema = z.object({ folder: z.string(), dataFolder: z.string() });

/** A copied data folder (the original is still there) gets a database of its own: two servers must not share one. */
function readPointer(dataFolder: string): string | null {
  const pointer = parsePointer(dataFolder);
  if (pointer === null) return null;
  const here = realpathSync(dataFolder);
  if (pointer.dataFolder === here) return pointer.folder;
  if (parsePointer(pointer.dataFolder)?.folder === pointer.folder) return null;
  writePointer(dataFolder, { folder: pointer.folder, dataFolder: here });
  return pointer.folder;
}

function parsePointer(dataFolder: string): z.infer<typeof pointerSchema> | null {
  const file = path.join(dataFolder, 'postgres-place.json');
  return existsSync(file) ? pointerSchema.parse(JSON.parse(readFileSync(file, 'utf8'))) : null;
}

function makePointer(dataFolder: string): string {
  const here = realpathSync(dataFolder);
  const folder = path.join(
    PLACE_FOR_ROOT,
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
