import { spawnSync } from 'node:child_process';
import path from 'node:path';

const packages = path.resolve(import.meta.dirname, '../../node_modules');

/**
 * Returns the problems that publint and attw report for a tarball, such as missing exports and unresolvable types. Empty if there are none.
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
