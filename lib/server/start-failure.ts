import path from 'node:path';
import type { Result } from '#lib/core/problem.ts';
import { commandLine, project } from '#lib/system/installation.mjs';

/** The reason Hone cannot start. Shown to the person at the terminal without a stack trace. */
export class StartFailure extends Error {
  override name = 'StartFailure';
}

/** Returns the value of a result. Throws a StartFailure for an expected failure, which ends the start. */
export function valueOrFail<Value>(result: Result<Value>): Value {
  if (result.ok) return result.value;
  throw new StartFailure(result.problem.message);
}

const SYSTEM_ERRORS: Readonly<Record<string, string>> = {
  ENOSPC:
    'A disk is full. Free some space on the disks of Hone, its data directory and the temporary folder, then try again.',
  EDQUOT: 'The disk quota of your user is used up. Free some space, then try again.',
  EROFS: 'The file system is read-only. Mount it writable, or set HONE_DATA_DIR to a writable folder.',
  EACCES: 'The permissions are missing. Give your user access to the file, or start Hone as its owner.',
  EPERM: 'The permissions are missing. Give your user access to the file, or start Hone as its owner.',
  EMFILE: 'The limit of open files is too low. Raise it (ulimit -n 4096), then try again.',
};

const READ_ONLY_BUILD = `Hone cannot build its pages in a read-only folder. Mount it writable, or run \`${commandLine('build')}\` in it before you mount it read-only.`;

/** Returns the message of an error of the operating system with its remedy. Null for other errors, which are bugs. */
export function describeSystemError(error: unknown): string | null {
  if (!(error instanceof Error) || !('code' in error)) return null;
  const isOfBuild = 'path' in error && isBuildPath(String(error.path));
  const remedy = error.code === 'EROFS' && isOfBuild ? READ_ONLY_BUILD : SYSTEM_ERRORS[String(error.code)];
  return remedy === undefined ? null : `${error.message}. ${remedy}`;
}

/** Returns true for the built pages and the generated database client. */
function isBuildPath(file: string): boolean {
  const [top = ''] = path.relative(project, file).split(path.sep);
  return top === 'lib' || top.startsWith('.next');
}
