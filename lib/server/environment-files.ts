import { hkdfSync, randomBytes } from 'node:crypto';
import {
  accessSync,
  chmodSync,
  constants,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { type Environment, parseEnvironment } from '#lib/environment.ts';
import { settingsFolder } from '#lib/system/installation.mjs';
import { StartFailure, valueOrFail } from './start-failure.ts';

/** Returns the settings from the environment and `.env`. Throws StartFailure that names every invalid variable. */
export function readEnvironment(): Environment {
  const file = path.join(settingsFolder, '.env');
  if (existsSync(file)) process.loadEnvFile(file);
  return valueOrFail(parseEnvironment(process.env));
}

/**
 * Returns the 32-byte key that encrypts provider keys. Derived from HONE_SECRET if given, otherwise read from `secret.key` in the data
 * folder, which is created once with mode 0600. Throws if the file is not 32 bytes long.
 */
export function readSecret(dataFolder: string, configured: string | null): Buffer {
  if (configured !== null) return Buffer.from(hkdfSync('sha256', configured, 'hone', 'provider keys', 32));
  const file = path.join(dataFolder, 'secret.key');
  const secret = readOrMake(file, () => randomBytes(32));
  if (secret.length !== 32) {
    throw new StartFailure(
      `${file} has ${secret.length} bytes instead of 32. Restore the old file, or delete it and enter the provider keys again.`,
    );
  }
  return secret;
}

/** Like `readSecret`, but returns null instead of creating a missing key. */
export function findSecret(dataFolder: string, configured: string | null): Buffer | null {
  return configured === null && !existsSync(path.join(dataFolder, 'secret.key'))
    ? null
    : readSecret(dataFolder, configured);
}

/**
 * Returns the token of the start link when HONE_START_TOKEN is set: the text of `start-token` in the data folder, which is created once
 * with mode 0600. Throws if the file contains a token that is too short.
 */
export function readStartToken(dataFolder: string): string {
  const file = path.join(dataFolder, 'start-token');
  const token = readOrMake(file, () => randomBytes(32).toString('base64url'))
    .toString('utf8')
    .trim();
  if (!/^[\w-]{32,}$/.test(token))
    throw new StartFailure(
      `${file} must contain 32 or more letters, digits, dashes and underscores. Delete it. The next start creates a new one.`,
    );
  return token;
}

function readOrMake(file: string, make: () => string | Buffer): Buffer {
  makeOnce(file, make);
  if ((statSync(file).mode & 0o077) !== 0) chmodSync(file, 0o600);
  return readFileSync(file);
}

/** Creates a file atomically: writes it under another name and links it, which fails if the file exists. */
function makeOnce(file: string, make: () => string | Buffer): void {
  if (statSync(file, { throwIfNoEntry: false })) return;
  const unfinished = `${file}.${process.pid}`;
  writeFileSync(unfinished, make(), { mode: 0o600, flush: true });
  try {
    linkSync(unfinished, file);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
  } finally {
    rmSync(unfinished, { force: true });
  }
}

/** Creates the data folder without access for other users. Returns its real path. */
export function prepareDataFolder(configured: string): Result<string> {
  const folder = path.resolve(configured);
  try {
    const isNew = statSync(folder, { throwIfNoEntry: false }) === undefined;
    makeFolder(folder);
    // As root, the separate PostgreSQL user may traverse this folder to reach its own, but nobody else may list it.
    if (isNew) chmodSync(folder, process.getuid?.() === 0 ? 0o711 : 0o700);
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    return succeed(realpathSync(folder));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return fail(
      'unavailable',
      `The data directory ${folder} can't be used: ${reason}. Fix its permissions, or set HONE_DATA_DIR to a directory that you own.`,
    );
  }
}

/** Replaces Node's recursive mkdir, which loops forever where the system keeps returning ENOENT (below /proc). */
function makeFolder(folder: string): void {
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory()) return;
  if (path.dirname(folder) !== folder) makeFolder(path.dirname(folder));
  mkdirSync(folder);
}
