import { describe, expect, test } from 'vitest';
import { parseEnvironment } from '#lib/environment.ts';
import type { Actor } from './actor.ts';
import { openRateLimits, tooManyRequests } from './rate-limits.ts';

function limitsOf(text: string | undefined, nowMs: () => number = () => 0) {
  const read = parseEnvironment({ HONE_RATE_LIMITS: text });
  if (!read.ok) throw new Error(read.problem.message);
  return openRateLimits(read.value.rateLimits, nowMs);
}

const ada: Actor = { id: 'ada', name: 'Ada', role: 'owner', memberId: 'ada', address: '198.51.100.1' };
const bob: Actor = { ...ada, id: 'bob', name: 'Bob', memberId: 'bob' };
const token = (id: string): Actor => ({ ...ada, id: `token:${id}`, scopes: ['runs:read'] });

/** Returns the number of accepted requests. */
function letIn(times: number, ask: () => number | null): number {
  return Array.from({ length: times }, ask).filter((seconds) => seconds === null).length;
}

describe('requests', () => {
  test('of one person are limited, independently of others at the same IP address', () => {
    const limits = limitsOf('requests=10');
    const ask = (actor: Actor) => () => limits.takeOfPerson(null, actor);
    expect(letIn(15, ask(ada))).toBe(10);
    expect(letIn(15, ask(bob))).toBe(10);
  });

  test('of one API token, and of all tokens of a person, are limited without limiting the person', () => {
    const limits = limitsOf('requests=10');
    const ask = (actor: Actor) => () => limits.takeOfPerson(null, actor);
    expect(letIn(15, ask(token('one')))).toBe(10);
    expect(['two', 'three', 'four', 'five', 'six'].map((id) => letIn(15, ask(token(id))))).toEqual([10, 10, 10, 0, 0]);
    expect(letIn(15, ask(ada))).toBe(10);
  });

  test('without authentication are limited by IP address, like all requests of one address', () => {
    const limits = limitsOf('requests=10');
    expect(letIn(15, () => limits.takeOfAnonymous('198.51.100.1'))).toBe(10);
    expect(letIn(15, () => limits.takeOfAnonymous('2001:db8::1'))).toBe(10);
    expect(letIn(15, () => limits.takeOfAnonymous('2001:db8::2'))).toBe(0);
    expect(letIn(15, () => limits.takeOfAnonymous('::ffff:198.51.100.1'))).toBe(0);
    const waits = Array.from({ length: 150 }, () => limits.takeOfAddress('198.51.100.7'));
    expect(waits.filter((seconds) => seconds === null)).toHaveLength(100);
    expect(waits.at(-1)).toBe(1);
  });

  test('over the limit get a retry time and are accepted then', () => {
    let now = 0;
    const limits = limitsOf('requests=2', () => now);
    const ask = () => limits.takeOfPerson(null, ada);
    expect(letIn(2, ask)).toBe(2);
    expect(ask()).toBe(30);
    expect(tooManyRequests(30)).toMatchObject({
      problem: { code: 'rate_limited', message: expect.stringContaining('in 30 seconds'), retryAfterSeconds: 30 },
    });
    now = 30_000;
    expect(letIn(2, ask)).toBe(1);
  });

  test.each([
    ['starting runs', 'start', 'start' as const],
    ['expensive pages', 'read', 'read' as const],
    ['imports', 'import', 'import' as const],
    ['connection tests', 'test', 'test' as const],
    ['backups', 'backup', 'backup' as const],
    ['password links', 'password', 'password' as const],
  ])('for %s are counted separately', (_name, kind, limit) => {
    const limits = limitsOf(`${kind}=5`);
    expect(letIn(9, () => limits.takeOfPerson(limit, ada))).toBe(5);
    expect(letIn(9, () => limits.takeOfPerson(limit, token('one')))).toBe(5);
    expect(letIn(9, () => limits.takeOfPerson(null, ada))).toBe(9);
  });

  test('are not limited if the limits are off', () => {
    const limits = limitsOf('off');
    expect(letIn(20_000, () => limits.takeOfPerson('read', ada))).toBe(20_000);
    expect(limits.takeOfAddress('198.51.100.7')).toBeNull();
  });

  test('of a script with ten API calls per second for an hour are accepted', () => {
    let now = 0;
    const limits = limitsOf('', () => now);
    for (const limit of [null, 'start' as const]) {
      const asked = letIn(36_000, () => {
        now += 100;
        return limits.takeOfPerson(limit, token('ci'));
      });
      expect({ limit, asked }).toEqual({ limit, asked: 36_000 });
    }
  });
});

test('passwords are limited by IP address, and by browser in known browsers', () => {
  const limits = limitsOf('password=5');
  expect(letIn(8, () => limits.takePassword({ address: '198.51.100.1' }))).toBe(5);
  expect(letIn(8, () => limits.takePassword({ address: '198.51.100.2' }))).toBe(5);
  expect(letIn(8, () => limits.takePassword({ browser: 'x' }))).toBe(5);
});
