import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';

const PROGRAM = `
import { restartProcess } from '${path.resolve('lib/server/restart-process.mjs')}';
restartProcess();
console.log(JSON.stringify({ flags: process.execArgv.slice(0, 1), kept: process.env.SECRET, args: process.argv.slice(2) }));`;

test('a process that begins again has small young space, its variables and its arguments', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM, '--', 'x', 'two words'], {
    env: { PATH: process.env.PATH, SECRET: 'a "secret"\nof two lines', NODE_ENV: 'production' },
    encoding: 'utf8',
  });
  expect(JSON.parse(output)).toEqual({
    flags: ['--max-semi-space-size=4'],
    kept: 'a "secret"\nof two lines',
    args: expect.arrayContaining(['two words']),
  });
});

test('a process that has nothing to hide begins again too', () => {
  const output = execFileSync(process.execPath, ['--input-type=module', '-e', PROGRAM], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    encoding: 'utf8',
  });
  expect(JSON.parse(output)).toMatchObject({ flags: ['--max-semi-space-size=4'] });
});
