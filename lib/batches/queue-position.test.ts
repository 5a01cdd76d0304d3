import { describe, expect, test } from 'vitest';
import { type QueueFacts, queuePosition } from './queue-position.ts';

const NOW = new Date('2026-11-22T12:00:00Z');
const later = (ms: number) => new Date(NOW.getTime() + ms);
const QUEUED: QueueFacts = {
  status: 'queued',
  ahead: 0,
  triedAgainAt: null,
  rateLimit: null,
  disconnected: null,
  processes: [{ slots: 4, busy: 1 }],
  limits: [],
  budgets: [],
  now: NOW,
};
const BOX = { provider: 'box', maxConcurrency: 2, held: 2, nextCallAt: null };

describe('reasons of a queued run', () => {
  test.each<[string, Partial<QueueFacts>, [kind: string, message: RegExp][]]>([
    ['none if it starts soon', {}, [['begins', /^A worker is free/]]],
    ['none if it starts together with others', { ahead: 2 }, [['begins', /in a moment/]]],
    ['no worker is running', { processes: [{ slots: 0, busy: 0 }] }, [['no_worker', /npm run worker.*It starts next/]]],
    [
      'all slots are in use',
      {
        processes: [
          { slots: 4, busy: 4 },
          { slots: 2, busy: 3 },
        ],
        ahead: 1_200,
      },
      [['slots_full', /^All 6 worker slots are in use. 1,200 runs start before it/]],
    ],
    [
      'the only slot is in use',
      { processes: [{ slots: 1, busy: 1 }], ahead: 1 },
      [['slots_full', /^The one worker slot is in use. 1 run starts/]],
    ],
    ['other runs are ahead', { ahead: 3 }, [['earlier_runs', /^3 runs start before it/]]],
    [
      'it waits for a retry',
      { triedAgainAt: later(9_000), ahead: 5 },
      [['tried_again', /tries it again automatically/]],
    ],
    [
      'its target is not connected',
      { disconnected: 'my-app' },
      [['target_not_connected', /^No worker of the target my-app is connected. Start the app/]],
    ],
    [
      'its provider is at its concurrency limit',
      { limits: [BOX] },
      [['provider_slots', /^All 2 places for calls of box are in use/]],
    ],
    [
      'its provider allows one call at a time',
      { limits: [{ ...BOX, maxConcurrency: 1 }] },
      [['provider_slots', /^The one place for calls of box is in use/]],
    ],
    [
      'all slots are in use and its provider is at its limit',
      { processes: [{ slots: 1, busy: 1 }], limits: [{ ...BOX, nextCallAt: later(30_000) }] },
      [
        ['slots_full', /./],
        ['provider_rate', /^The limit of calls per minute to box/],
      ],
    ],
    [
      'a budget is used up',
      {
        budgets: [
          { budget: 'month', unit: 'usd', spent: 5, limit: 5 },
          { budget: 'experiment', unit: 'tokens', spent: 900, limit: 1_000 },
        ],
      },
      [['budget', /^The month's budget is used up \(\$5.00 of \$5.00\)/]],
    ],
    ['none if its provider has capacity', { limits: [{ ...BOX, held: 1, nextCallAt: later(500) }] }, [['begins', /./]]],
  ])('%s', (_name, facts, expected) => {
    const position = queuePosition({ ...QUEUED, ...facts });
    expect(position.reasons.map(({ kind }) => kind)).toEqual(expected.map(([kind]) => kind));
    for (const [at, [, message]] of expected.entries()) expect(position.reasons[at]?.message).toMatch(message);
    expect(position.ahead).toBe(facts.ahead ?? 0);
  });
});

test('a running run has only reasons that delay its calls', () => {
  const running: QueueFacts = {
    ...QUEUED,
    status: 'running',
    processes: [],
    limits: [{ ...BOX, nextCallAt: later(40_000) }],
  };
  expect(queuePosition(running)).toEqual({
    status: 'running',
    ahead: null,
    reasons: [{ kind: 'provider_rate', message: expect.any(String), until: '2026-11-22T12:00:40.000Z' }],
  });
});

test.each(['waiting', 'finished', 'failed', 'stopped'] as const)(
  'a run with status %s waits for no worker',
  (status) => {
    expect(queuePosition({ ...QUEUED, status, limits: [BOX] })).toEqual({ status, ahead: null, reasons: [] });
  },
);
