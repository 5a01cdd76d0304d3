import { randomUUID } from 'node:crypto';
import {
  chmodSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { hostname } from 'node:os';
import path from 'node:path';
import { z } from 'zod';
import { isAlive, processStart } from '#lib/embedded-database/stop-postgres.ts';

const NOT_SERVED = new Set(['cache', 'dev', 'diagnostics', 'lock', 'trace', 'trace-build', 'turbopack', 'types']);
/** Folder with a file for each process that serves the build. */
const USERS = 'hone-users';
const PREFIX = '.next-';
const UNFINISHED = '.unfinished';

/** Returns the folder of the copy that is served of the present build. Null without a build. It may not exist yet. */
export function servedBuild(project: string): string | null {
  const file = path.join(project, '.next/BUILD_ID');
  if (!existsSync(file)) return null;
  // At the same depth as `.next`, because the code of a build refers to its project by relative paths.
  return path.join(project, `${PREFIX}${readFileSync(file, 'utf8').trim()}`);
}

/**
 * Copies the present build for the processes that serve it, because a later build empties `.next`. The files are hard links where possible.
 * Deletes the copies of earlier builds that no process serves. Requires the lock of the build.
 */
export function copyBuild(project: string): string {
  const folder = servedBuild(project);
  if (folder === null) throw new Error(`${project}/.next contains no build`);
  const unfinished = `${folder}${UNFINISHED}`;
  for (const made of [folder, unfinished]) rmSync(made, { recursive: true, force: true });
  copyFolder(path.join(project, '.next'), unfinished, NOT_SERVED);
  makeUserFolder(path.join(unfinished, USERS));
  renameSync(unfinished, folder);
  for (const name of readdirSync(project).filter((name) => name.startsWith(PREFIX))) {
    const other = path.join(project, name);
    if (other !== folder && isUnusedCopy(other)) rmSync(other, { recursive: true, force: true });
  }
  return folder;
}

/** Makes a folder in which the processes of all users can mark themselves, and delete only their own marks. */
function makeUserFolder(folder: string): void {
  mkdirSync(folder);
  chmodSync(folder, 0o1777);
}

function copyFolder(from: string, to: string, omitted: ReadonlySet<string> = new Set()): void {
  mkdirSync(to);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (omitted.has(entry.name)) continue;
    const [source, copy] = [path.join(from, entry.name), path.join(to, entry.name)];
    if (entry.isDirectory()) copyFolder(source, copy);
    else if (entry.isSymbolicLink()) symlinkSync(readlinkSync(source), copy);
    else linkOrCopy(source, copy);
  }
}

function linkOrCopy(source: string, copy: string): void {
  try {
    linkSync(source, copy);
  } catch {
    // Another file system, or one without hard links.
    cpSync(source, copy);
  }
}

const userSchema = z.object({ processId: z.int().positive(), processStart: z.string().nullable(), host: z.string() });

/** Marks the copy as served by this process. Returns false if another process has deleted it. */
export function markServed(folder: string): boolean {
  const user = { processId: process.pid, processStart: processStart(process.pid), host: hostname() };
  const users = path.join(folder, USERS);
  try {
    for (const file of marksIn(folder)) if (!isServing(file)) removeMark(file);
    // Renamed when it is complete, because another process deletes what it cannot read.
    const unfinished = path.join(users, `.${randomUUID()}`);
    // Another user can write to this folder, so an existing link is not followed.
    writeFileSync(unfinished, JSON.stringify(user), { flag: 'wx' });
    renameSync(unfinished, path.join(users, `${hostname()}-${process.pid}`));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false;
    // The copy is read-only, so no later build deletes it.
  }
  return existsSync(path.join(folder, 'BUILD_ID'));
}

/** Removes a mark unless it belongs to another user. */
function removeMark(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It does not count as serving, and is deleted with the copy.
  }
}

/** False for other folders whose names begin like that of a copy. */
function isUnusedCopy(folder: string): boolean {
  if (folder.endsWith(UNFINISHED)) return true;
  return existsSync(path.join(folder, USERS)) && !marksIn(folder).some(isServing);
}

/** Returns the files of the processes that serve a copy, without unfinished ones. */
function marksIn(folder: string): string[] {
  const users = path.join(folder, USERS);
  return readdirSync(users, { withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map(({ name }) => path.join(users, name));
}

/** Time for which a process in another container counts as alive, in milliseconds, because its id means nothing here. */
const OTHER_HOST_MS = 30 * 86_400_000;

function isServing(file: string): boolean {
  try {
    const user = userSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    if (user.host !== hostname()) return Date.now() - statSync(file).mtimeMs < OTHER_HOST_MS;
    return isAlive(user.processId) && user.processStart === processStart(user.processId);
  } catch {
    return false;
  }
}
