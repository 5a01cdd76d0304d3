import { expect, test } from 'vitest';
import { AuthorizationError } from '#lib/auth/authorization-error.ts';
import { consoleToLog, jsonLog } from '#lib/log/json-log.ts';
import { logRefusals } from './log-refusals.ts';

/** Sets up the console like the start script and collects the lines of both streams. */
function written() {
  const lines: string[] = [];
  const errors: string[] = [];
  const nothing = () => undefined;
  const target: Pick<Console, 'log' | 'info' | 'debug' | 'warn' | 'error'> = {
    log: nothing,
    info: nothing,
    debug: nothing,
    warn: nothing,
    error: nothing,
  };
  const log = jsonLog({ write: (line) => lines.push(line) }, { write: (line) => errors.push(line) });
  consoleToLog(log, target);
  logRefusals(log, target);
  return { target, lines, errors };
}

test.each<[string, unknown[]]>([
  ['a missing role', ['⨯', new AuthorizationError(403, 'It needs more.', { needed: 'owner', held: 'viewer' })]],
  ['an expired session', [new AuthorizationError(401, 'It needs more.')]],
])('%s is logged on one line, without a stack and not as an error', (_name, printed) => {
  const { target, lines, errors } = written();
  target.error(...printed);
  expect(errors).toEqual([]);
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'info', message: 'access denied: It needs more.' },
  ]);
  expect(lines.join('')).not.toContain('.ts:');
});

test('logs a bug as an error with its stack', () => {
  const { target, lines, errors } = written();
  target.error('⨯', Object.assign(new Error('broken'), { digest: '123456' }));
  expect(lines).toEqual([]);
  expect(JSON.parse(errors[0] ?? '')).toMatchObject({ level: 'error', error: expect.stringContaining('at ') });
});
