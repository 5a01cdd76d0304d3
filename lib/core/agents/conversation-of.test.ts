import { expect, test } from 'vitest';
import { type AgentTurn, EMPTY_HISTORY, type History } from '../history.ts';
import { NO_SPEND } from '../token-usage.ts';
import { conversationOf } from './conversation-of.ts';

const AT = { createdAt: '2026-01-05T10:00:00.000Z' };

function turn(number: number, changes: Partial<AgentTurn> = {}): AgentTurn {
  const calls = [{ id: `${number}.0`, tool: 'search', arguments: '{}' }];
  const defaults = { thought: `thought ${number}`, calls, callsLeftOut: 0, answer: null, finishReason: 'stop' };
  return {
    ...NO_SPEND,
    ...AT,
    version: 0,
    number,
    agent: 'main',
    delegation: null,
    step: 2 * number,
    ...defaults,
    ...changes,
  };
}

function history(turns: AgentTurn[], text: (number: number) => string): History {
  const observations = turns.flatMap(({ version, calls, step, number }) =>
    calls.map(({ id, tool }) => ({
      ...{ ...AT, version, callId: id, tool, status: 'ok' as const, text: text(number), durationMs: 1, step: step + 1 },
    })),
  );
  return { ...EMPTY_HISTORY, turns, observations };
}

test('prompts an agent that returned an empty turn', () => {
  const messages = conversationOf(
    history([turn(0, { calls: [], thought: '' })], () => ''),
    0,
    null,
  );
  expect(messages).toEqual([
    { role: 'assistant', text: '', calls: [] },
    { role: 'user', text: expect.stringContaining('neither used a tool nor answered') },
  ]);
});

test.each([
  [1, '1 more use of a tool in this turn was not performed: at most 16 a turn. Ask again for those you still need.'],
  [24, '24 more uses of tools in this turn were not performed: at most 16 a turn. Ask again for those you still need.'],
])('reports %i omitted tool calls, also to a worker', (callsLeftOut, words) => {
  const worker = { agent: 'reader', delegation: '0.0', callsLeftOut };
  const withTurns = history([turn(0, { callsLeftOut }), turn(0, worker)], () => 'x');
  for (const delegation of [null, '0.0'])
    expect(conversationOf(withTurns, 0, delegation)).toEqual([
      expect.objectContaining({ role: 'assistant' }),
      expect.objectContaining({ role: 'tool' }),
      { role: 'user', text: words },
    ]);
});

test('omits turns of other versions and of workers', () => {
  const others = [turn(0), turn(0, { version: 1 }), turn(0, { agent: 'reader', delegation: '0.0', calls: [] })];
  expect(
    conversationOf(
      history(others, () => 'x'),
      1,
      null,
    ),
  ).toHaveLength(2);
});

test('truncates older results of a very long conversation and keeps the newest in full', () => {
  const turns = Array.from({ length: 200 }, (_, number) => turn(number));
  const messages = conversationOf(
    history(turns, (number) => `${number} `.padEnd(20_000, 'x')),
    0,
    null,
  );
  const results = messages.flatMap((message) =>
    message.role === 'tool' ? message.results.map(({ text }) => text) : [],
  );
  expect(results).toHaveLength(200);
  expect(results.filter(({ length }) => length === 20_000)).toHaveLength(20);
  expect(results[0]).toMatch(/^0 x+ … \(an old result: 19700 more characters are left out\)$/);
  expect(JSON.stringify(messages).length).toBeLessThan(600_000);
});
