import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Log } from '#lib/log/log.ts';
import { quietOutages } from './quiet-outages.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const refused = () => Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' });

function watched() {
  const state = { isDown: false };
  const lines: string[] = [];
  const log: Log = {
    info: (line) => void lines.push(line),
    warn: (line) => void lines.push(line),
    request: () => undefined,
    error: (line, thrown) => void lines.push(thrown === undefined ? line : `${line} with a stack`),
  };
  const probe = async () => {
    if (state.isDown) throw refused();
  };
  return { state, lines, ...quietOutages(log, probe) };
}

test('an outage is one line when it begins, one per minute and one when it ends', async () => {
  const { state, lines, log, isAway } = watched();
  state.isDown = true;
  for (let second = 0; second < 150; second++) {
    for (const name of ['queue', 'heartbeat', 'webhooks']) log.error(name, refused());
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(isAway()).toBe(true);
  state.isDown = false;
  await vi.advanceTimersByTimeAsync(1_000);
  expect(isAway()).toBe(false);
  expect(lines).toEqual([
    'the database is unreachable: connect ECONNREFUSED 127.0.0.1:5432. Runs keep their results and continue when it is back',
    'the database has been unreachable for 60 s: connect ECONNREFUSED 127.0.0.1:5432',
    'the database has been unreachable for 120 s: connect ECONNREFUSED 127.0.0.1:5432',
    'the database is reachable again after 151 s. Errors not logged: 450',
  ]);
});

test('an error is logged with its stack if the database can be reached', async () => {
  const { lines, log, isAway } = watched();
  log.error('queue', refused());
  await vi.advanceTimersByTimeAsync(0);
  expect(lines).toEqual(['queue with a stack']);
  expect(isAway()).toBe(false);
});

test('other errors are logged during an outage', async () => {
  const { state, lines, log } = watched();
  state.isDown = true;
  log.error('queue', refused());
  await vi.advanceTimersByTimeAsync(0);
  log.error('a bug', new TypeError('x is not a function'));
  log.error('a file', Object.assign(new Error('ENOENT: open'), { code: 'ENOENT', path: '/nowhere' }));
  log.error('a line');
  expect(lines.slice(1)).toEqual(['a bug with a stack', 'a file with a stack', 'a line']);
});

const full = () => Object.assign(new Error('could not extend file "base/5/1"'), { code: '53100' });

test('a full disk is one line per minute and one when its errors end', async () => {
  const { lines, log, isAway } = watched();
  for (let second = 0; second < 90; second++) {
    for (const name of ['queue', 'heartbeat', 'webhooks']) log.error(name, full());
    await vi.advanceTimersByTimeAsync(1_000);
  }
  expect(isAway()).toBe(false);
  await vi.advanceTimersByTimeAsync(60_000);
  const remedy = 'could not extend file "base/5/1". Free some space. Hone then continues without a restart';
  expect(lines).toEqual([
    `the disk of the database is full: ${remedy}`,
    `the disk of the database is full: ${remedy}`,
    'no error of a full disk for 60 s. Errors not logged: 268',
  ]);
});

test('a full disk of files is named by the error of the file', async () => {
  const { lines, log } = watched();
  log.error('files', Object.assign(new Error("ENOSPC: no space left on device, open '/data/x'"), { code: 'ENOSPC' }));
  expect(lines).toEqual([
    "a disk is full: ENOSPC: no space left on device, open '/data/x'. Free some space. Hone then continues without a restart",
  ]);
});
