import { describe, expect, test } from 'vitest';
import { consoleToLog, jsonLog } from './json-log.ts';
import { plainLog, withoutSecrets } from './log.ts';

const SECRETS: [string, string][] = [
  ['an OpenAI key', 'Incorrect key sk-proj-CANARY_1234567890abcdef given'],
  ['a Google key', 'key=AIzaCANARY1234567890abcdefghijk'],
  ['an API token', 'token hone_CANARY1234567890abcdefghijk refused'],
  ['a bearer token', 'headers: { authorization: "Bearer CANARY.abc-123" }'],
  ['a password in a URL', 'connect postgresql://hone:CANARY@db:5432/hone failed'],
  ['a user in a URL', 'connect postgresql://CANARY@db:5432/hone failed'],
  ['a property named apiKey', '{"name":"x","apiKey":"CANARY 1"}'],
  ['an assignment', 'HONE_SECRET: CANARYCANARY'],
  ['a session cookie', 'cookie: hone.session=CANARY.CANARY; theme=CANARY'],
  ['a Set-Cookie header', 'Set-Cookie: hone=CANARY; HttpOnly'],
  ['a key in a query string', 'GET https://models.example/v1?api_key=CANARY&x=1 failed'],
  ['a token in a query string', 'https://hooks.example/x?access_token=CANARY#a'],
  ['a sign-in link', 'http://127.0.0.1:3000/join/CANARY-canary_x'],
];

describe('withoutSecrets', () => {
  test.each(SECRETS)('removes %s', (_name, text) => {
    expect(withoutSecrets(text)).not.toContain('CANARY');
  });

  test.each([
    'TypeError: x is not a function\n    at findRun (lib/runs/find-run.ts:12:7)',
    'ready at http://127.0.0.1:3000 (Ctrl-C stops it)',
    'GET https://models.example/v1?page=2',
    'backup in /srv/data/backups/hone-20261122T224700Z.backup',
    'at keyboardNavigationOf (lib/x.ts:1:1)',
  ])('keeps %j', (text) => {
    expect(withoutSecrets(text)).toBe(text);
  });

  test('truncates text to 4,000 characters', () => {
    expect(withoutSecrets('word '.repeat(2_000))).toHaveLength(4_000);
  });
});

describe('jsonLog', () => {
  function written() {
    const lines: string[] = [];
    const errors: string[] = [];
    const log = jsonLog({ write: (line) => lines.push(line) }, { write: (line) => errors.push(line) });
    return { log, lines, errors };
  }

  test('writes one object per line with level, time, message and facts', () => {
    const { log, lines, errors } = written();
    log.request({ method: 'GET', path: '/join/{token}', status: 200, ms: 3.5, actor: 'token:0199a' });
    expect(errors).toEqual([]);
    expect(lines[0]).toMatch(/^\{.*\}\n$/);
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
      app: 'hone',
      message: 'request',
      path: '/join/{token}',
      status: 200,
      actor: 'token:0199a',
    });
  });

  test.each(SECRETS)('removes secrets from message, facts and stack: %s', (_name, text) => {
    const { log, lines, errors } = written();
    log.info(text, { said: text });
    log.error(text, new Error(text), { said: text });
    expect([...lines, ...errors].join('')).not.toContain('CANARY');
    expect(JSON.parse(errors[0] ?? '')).toMatchObject({ level: 'error', error: expect.stringContaining('at ') });
  });

  test('omits facts whose names suggest a secret', () => {
    const { log, lines } = written();
    log.warn('x', { sessionToken: 'CANARY', cookie: 'CANARY', runId: 'r1' });
    expect(lines.join('')).not.toContain('CANARY');
    expect(JSON.parse(lines[0] ?? '')).toMatchObject({ level: 'warn', runId: 'r1' });
  });

  test('writes a message with a line break as one line', () => {
    const { log, lines } = written();
    log.info('one\n{"level":"info","message":"forged"}');
    expect(lines.join('').trimEnd().split('\n')).toHaveLength(1);
  });
});

test('writes the console output of libraries as log lines', () => {
  const lines: string[] = [];
  const sink = { write: (line: string) => lines.push(line) };
  const target = {
    log: () => {},
    info: () => {},
    debug: () => {},
    warn: () => {},
    error: (..._values: unknown[]) => {},
  };
  const printing: Parameters<typeof consoleToLog>[1] & object = target;
  consoleToLog(jsonLog(sink, sink), printing);
  printing.log('\u001b[32m✓\u001b[39m Ready in %d ms', 300);
  printing.error('⨯', new Error('postgresql://a:CANARY@db failed'));
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { level: 'info', message: '✓ Ready in 300 ms' },
    { level: 'error', error: expect.stringContaining('postgresql://[user]@db failed') },
  ]);
  expect(lines.join('')).not.toContain('CANARY');
});

test('plain log lines contain no secrets', () => {
  const printed: string[] = [];
  const original = console.error;
  console.error = (line: string) => void printed.push(line);
  plainLog.error('queue', new Error('postgresql://hone:CANARY@db failed'), { runId: 'r1' });
  console.error = original;
  expect(printed).toEqual([
    expect.stringMatching(/^hone: queue \(runId r1\): Error: postgresql:\/\/\[user\]@db failed/),
  ]);
});
