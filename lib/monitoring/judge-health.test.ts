import { describe, expect, test } from 'vitest';
import { type HealthFacts, judgeHealth } from './find-health.ts';

const QUEUE = { ready: 0, later: 0, active: 0, oldestSeconds: 0 };
const REST: NonNullable<HealthFacts['rest']> = {
  processes: [{ kind: 'web', slots: 4, busy: 0 }],
  queue: QUEUE,
  failing: [],
  clockSkewMs: 3,
  backupFailure: null,
};
const GB = 1024 ** 3;
const WELL: HealthFacts = {
  databaseAnswers: true,
  worker: 'working',
  trouble: null,
  rest: REST,
  disk: { freeBytes: 80 * GB, totalBytes: 100 * GB },
  isDatabaseOnDisk: true,
};
const WEB_ONLY = [{ kind: 'web' as const, slots: 0, busy: 0 }];

test('returns ok without reasons or warnings', () => {
  expect(judgeHealth(WELL)).toEqual({ status: 'ok', reasons: [], warnings: [] });
});

describe('status ok', () => {
  test.each<[string, Partial<HealthFacts>]>([
    ['at startup before the first heartbeat', { rest: { ...REST, processes: [] } }],
    [
      'if another process performs runs',
      { worker: 'elsewhere', rest: { ...REST, processes: [...WEB_ONLY, { kind: 'worker', slots: 2, busy: 2 }] } },
    ],
    [
      'if runs wait because all slots are in use',
      {
        rest: {
          ...REST,
          processes: [{ kind: 'web', slots: 4, busy: 4 }],
          queue: { ...QUEUE, ready: 900, oldestSeconds: 4_000 },
        },
      },
    ],
    ['if runs have waited only briefly', { rest: { ...REST, queue: { ...QUEUE, ready: 3, oldestSeconds: 2 } } }],
    ['if the disk is small but not full', { disk: { freeBytes: GB, totalBytes: 10 * GB } }],
    ['if the disk cannot be read', { disk: null }],
  ])('%s', (_name, facts) => {
    expect(judgeHealth({ ...WELL, ...facts }).status).toBe('ok');
  });
});

describe('status unavailable', () => {
  test.each<[string, Partial<HealthFacts>, RegExp]>([
    ['without a database', { databaseAnswers: false, rest: null }, /^The database does not respond/],
    ['before its worker has started', { worker: 'starting' }, /is starting/],
    ['during shutdown', { worker: 'stopped' }, /is stopped/],
    ['if a newer version migrated the database', { worker: 'outdated' }, /newer version/],
    ['if the disk of the database is full', { disk: { freeBytes: 0, totalBytes: 10 * GB } }, /is full/],
    ['with the reason why it takes no runs', { worker: 'outdated', trouble: 'Replace this one.' }, /^Replace this one/],
  ])('%s', (_name, facts, reason) => {
    expect(judgeHealth({ ...WELL, ...facts })).toMatchObject({
      status: 'unavailable',
      reasons: [expect.stringMatching(reason)],
    });
  });
});

describe('status degraded', () => {
  test.each<[string, Partial<HealthFacts>, RegExp]>([
    [
      'if no process performs runs',
      { worker: 'elsewhere', rest: { ...REST, processes: WEB_ONLY, queue: { ...QUEUE, ready: 2 } } },
      /^No process performs runs, and 2 runs wait. Start one: npm run worker/,
    ],
    [
      'if the queue is stuck',
      { rest: { ...REST, queue: { ...QUEUE, ready: 1, oldestSeconds: 61 } } },
      /^The queue is stuck: 1 run may begin, the oldest since 61 s, although 4 worker slots are free/,
    ],
    [
      'if a provider fails',
      { rest: { ...REST, failing: [{ provider: 'box', failures: 5, kind: 'rate_limited' }] } },
      /^The provider box has failed the last 5 calls \(rate limited\)/,
    ],
    ['if the clocks differ', { rest: { ...REST, clockSkewMs: -3_400 } }, /clock is 3.4 s behind/],
    [
      'if the scheduled backup failed',
      {
        rest: {
          ...REST,
          backupFailure: { at: '2026-03-01T04:05:06.000Z', host: 'box', message: 'ENOSPC: no space left.', tries: 3 },
        },
      },
      /^The scheduled backup on box failed at 1 Mar 2026, 04:05 UTC: ENOSPC: no space left. It failed 3 times, and is tried again.$/,
    ],
    ['if the disk is nearly full', { disk: { freeBytes: 400_000_000, totalBytes: 10 * GB } }, /400 MB are left/],
    [
      'if a disk without the database is full',
      { disk: { freeBytes: 0, totalBytes: 10 * GB }, isDatabaseOnDisk: false },
      /0 MB are left/,
    ],
    ['if a large disk is nearly full', { disk: { freeBytes: GB, totalBytes: 4_000 * GB } }, /nearly full/],
  ])('%s', (_name, facts, warning) => {
    expect(judgeHealth({ ...WELL, ...facts })).toMatchObject({
      status: 'degraded',
      reasons: [],
      warnings: [expect.stringMatching(warning)],
    });
  });
});
