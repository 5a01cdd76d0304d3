import { spawnSync } from 'node:child_process';
import path from 'node:path';

const packages = path.resolve(import.meta.dirname, '../../node_modules');

/**
 * What publint and attw object to in a tarball: an entry of its exports that is missing or is no module, and types that do not resolve as
 * Node resolves them. Empty when they find nothing.
 */
export function exportProblems(tarball: string, folder: string): string {
  const checks = [
    ['publint/src/cli.js', 'run', `./${tarball}`, '--strict'],
    ['@arethetypeswrong/cli/dist/index.js', tarball, '--profile', 'esm-only', '--format', 'ascii'],
  ] as const;
  return checks
    .map(([tool, ...args]) =>
      spawnSync(process.execPath, [path.join(packages, tool), ...args], { cwd: folder, encoding: 'utf8' }),
    )
    .map(({ status, stdout, stderr }) => (status === 0 ? '' : stdout + stderr))
    .join('');
}
