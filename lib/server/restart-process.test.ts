import { execFileSync, spawnSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const PROGRAM = `
import { fstatSync, readFileSync } from 'node:fs';
import { restartProcess } from '${path.resolve('lib/server/restart-process.mjs')}';
restartProcess();
console.log(JSON.stringify({
  flags: process.execArgv.slice(0, 2),
  args: process.argv.slice(1),
  secret: process.env.SECRET,
  shown: readFileSync('/proc/self/environ', 'utf8').includes('SECRET='),
  keepsInput: !fstatSync(0).isCharacterDevice(),
}));`;
const FLAGS = ['--input-type=module', '--stack-size=900'];

function run(args: readonly string[], variables: Record<string, string>): unknown {
  const env = { PATH: process.env.PATH, NODE_ENV: 'production' as const, ...variables };
  return JSON.parse(execFileSync(process.execPath, [...FLAGS, '-e', PROGRAM, ...args], { env, encoding: 'utf8' }));
}

test('restarts a process with secrets: keeps flags, arguments and variables, and hides the secrets from /proc', () => {
  const secret = 'a "secret"\nof two lines';
  expect(run(['--', 'x', 'two words'], { SECRET: secret })).toEqual({
    flags: FLAGS,
    args: ['x', 'two words'],
    secret,
    shown: false,
    keepsInput: false,
  });
});

test('does not restart a process without secrets', () => {
  expect(run([], {})).toMatchObject({ flags: FLAGS, keepsInput: true });
});

test.runIf(process.platform === 'linux')('starts without hiding the secrets if the temporary folder is full', () => {
  const env = { PATH: process.env.PATH, NODE_ENV: 'production' as const, SECRET: 'x'.repeat(4_000) };
  // A limit of 1 kB for files has the effect of a full disk.
  const script = 'trap "" XFSZ; ulimit -f 2; exec "$@"';
  const args = ['-c', script, 'sh', process.execPath, ...FLAGS, '-e', PROGRAM];
  const { stdout, stderr } = spawnSync('/bin/sh', args, { env, encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toMatchObject({ shown: true, secret: env.SECRET });
});
