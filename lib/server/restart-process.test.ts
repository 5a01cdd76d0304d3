import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const PROGRAM = `
import { fstatSync, readFileSync } from 'node:fs';
import { restartProcess } from '${path.resolve('lib/server/restart-process.mjs')}';
restartProcess();
console.log(JSON.stringify({
  flags: process.execArgv.slice(0, 2),
  args: process.argv.slice(2),
  secret: process.env.SECRET,
  shown: readFileSync('/proc/self/environ', 'utf8').includes('SECRET='),
  keepsInput: !fstatSync(0).isCharacterDevice(),
}));`;
const FLAGS = ['--input-type=module', '--stack-size=900'];

function run(args: readonly string[], variables: Record<string, string>): unknown {
  const env = { PATH: process.env.PATH, NODE_ENV: 'production' as const, ...variables };
  return JSON.parse(execFileSync(process.execPath, [...FLAGS, '-e', PROGRAM, ...args], { env, encoding: 'utf8' }));
}

test('a process with secrets begins again: it has them, its flags and its arguments, and others cannot read them', () => {
  const secret = 'a "secret"\nof two lines';
  expect(run(['--', 'x', 'two words'], { SECRET: secret })).toEqual({
    flags: FLAGS,
    args: expect.arrayContaining(['two words']),
    secret,
    shown: false,
    keepsInput: false,
  });
});

test('a process without secrets goes on', () => {
  expect(run([], {})).toMatchObject({ shown: false, keepsInput: true });
});
