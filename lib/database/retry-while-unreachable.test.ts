import { describe, expect, test } from 'vitest';
import { errorReason, isUnreachable, retryWhileUnreachable } from './retry-while-unreachable.ts';

const never = new AbortController().signal;

function failure(message: string, code?: string): Error {
  return code === undefined ? new Error(message) : Object.assign(new Error(message), { code });
}

function adapterFailure(cause: object): Error {
  return Object.assign(new Error('failed'), { code: 'P1001', meta: { driverAdapterError: { cause } } });
}

describe('isUnreachable', () => {
  test.each([
    { name: 'refused connection', error: failure('connect', 'ECONNREFUSED'), away: true },
    { name: 'missing socket', error: failure('connect', 'ENOENT'), away: true },
    { name: 'server shutdown', error: failure('terminating connection', '57P01'), away: true },
    { name: 'server startup', error: failure('the database system is starting up', '57P03'), away: true },
    { name: 'full disk', error: failure('could not extend file', '53100'), away: true },
    { name: 'connection lost during a query', error: failure('Connection terminated unexpectedly'), away: true },
    { name: 'server that stops responding', error: failure('LISTEN/NOTIFY heartbeat timed out'), away: true },
    { name: 'unreachable server in Prisma', error: adapterFailure({ kind: 'DatabaseNotReachable' }), away: true },
    {
      name: 'server shutdown in Prisma',
      error: adapterFailure({ kind: 'postgres', originalCode: '57P01' }),
      away: true,
    },
    {
      name: 'unique violation in Prisma',
      error: adapterFailure({ kind: 'UniqueConstraintViolation', originalCode: '23505' }),
      away: false,
    },
    { name: 'unique violation', error: failure('duplicate key', '23505'), away: false },
    { name: 'a bug', error: failure('x is not a function'), away: false },
    {
      name: 'several errors of one outage',
      error: new AggregateError([failure('connect', 'ECONNREFUSED'), adapterFailure({ kind: 'ConnectionClosed' })]),
      away: true,
    },
    {
      name: 'several errors with a bug',
      error: new AggregateError([failure('connect', 'ECONNREFUSED'), failure('x is not a function')]),
      away: false,
    },
    { name: 'no errors', error: new AggregateError([]), away: false },
    { name: 'no error', error: 'ECONNREFUSED', away: false },
  ])('$name', ({ error, away }) => {
    expect(isUnreachable(error)).toBe(away);
  });
});

test('the reason of several failed addresses names each', () => {
  const error = new AggregateError([
    failure('connect ECONNREFUSED ::1:5432'),
    failure('connect ECONNREFUSED 127.0.0.1:5432'),
  ]);
  expect(errorReason(error)).toBe('connect ECONNREFUSED ::1:5432; connect ECONNREFUSED 127.0.0.1:5432');
});

describe('retryWhileUnreachable', () => {
  test('retries until the database is back and passes true if an earlier attempt may have succeeded', async () => {
    const tries: boolean[] = [];
    const work = async (again: boolean) => {
      tries.push(again);
      if (tries.length < 3) throw failure('connect', 'ECONNREFUSED');
      return 'saved';
    };
    expect(await retryWhileUnreachable(work, never, 10_000)).toBe('saved');
    expect(tries).toEqual([false, true, true]);
  });

  test.each([
    {
      name: 'an error unrelated to the connection',
      error: failure('duplicate key', '23505'),
      limitMs: 10_000,
      signal: never,
    },
    { name: 'an exceeded time limit', error: failure('connect', 'ECONNREFUSED'), limitMs: -1, signal: never },
    {
      name: 'a stopping worker',
      error: failure('connect', 'ECONNREFUSED'),
      limitMs: 10_000,
      signal: AbortSignal.abort(),
    },
  ])('throws on $name', async ({ error, limitMs, signal }) => {
    let tries = 0;
    const work = async () => {
      tries++;
      throw error;
    };
    await expect(retryWhileUnreachable(work, signal, limitMs)).rejects.toBe(error);
    expect(tries).toBe(1);
  });
});
