import { describe, expect, test } from 'vitest';
import { readTurn } from './read-turn.ts';
import { MAX_CALLS_PER_TURN } from './tool-calls.ts';

const MAIN = { agent: 'main', delegation: null, number: 3 };
const WORKER = { agent: 'reader', delegation: '3.1', number: 0 };
const call = (tool: string, given = '{}') => ({ id: 'call_1', tool, arguments: given });

describe('readTurn parses', () => {
  test.each<[string, Parameters<typeof readTurn>[0], Partial<ReturnType<typeof readTurn>>]>([
    ['an answer', { text: ' It is 4. ', finishReason: 'stop' }, { thought: '', calls: [], answer: 'It is 4.' }],
    ['no answer if the text is blank', { text: ' \n', finishReason: 'stop' }, { thought: '', calls: [], answer: null }],
    [
      'a thought and an answer',
      { text: 'Thought 2: two and two\nFinal Answer: 4\nor four', finishReason: 'stop' },
      { thought: 'two and two', answer: '4\nor four' },
    ],
    [
      'an answer that contains another final answer',
      { text: 'Two and two:\nFinal Answer: 4', finishReason: 'stop' },
      { thought: '', answer: 'Two and two:\nFinal Answer: 4' },
    ],
    [
      'a thought that the model returned separately',
      { text: '4', thought: 'two and two', finishReason: 'stop' },
      { thought: 'two and two', answer: '4' },
    ],
    [
      'a thought without an answer',
      { text: '', thought: 'hm', finishReason: 'stop' },
      { thought: 'hm', calls: [], answer: null },
    ],
    [
      'tool calls, numbered by position because models repeat ids',
      { text: 'look', finishReason: 'tool-calls', toolCalls: [call('a'), call('b')] },
      {
        thought: 'look',
        calls: [
          { id: '3.0', tool: 'a', arguments: '{}' },
          { id: '3.1', tool: 'b', arguments: '{}' },
        ],
        answer: null,
      },
    ],
    ['a truncated turn', { text: 'It is', finishReason: 'length' }, { finishReason: 'length' }],
  ])('%s', (_name, response, expected) => {
    expect(readTurn(response, MAIN)).toMatchObject(expected);
  });
});

test("prefixes a worker's call ids with its task", () => {
  const { calls } = readTurn({ text: '', finishReason: 'stop', toolCalls: [call('a')] }, WORKER);
  expect(calls.map(({ id }) => id)).toEqual(['3.1/0.0']);
});

test.each([
  ['the maximum number', MAX_CALLS_PER_TURN, undefined, 0],
  ['one more than the maximum', MAX_CALLS_PER_TURN + 1, undefined, 1],
  ['including calls omitted earlier', MAX_CALLS_PER_TURN, 24, 24],
  ['of both kinds', MAX_CALLS_PER_TURN + 2, 24, 26],
])('counts omitted tool calls: %s', (_name, count, callsLeftOut, expected) => {
  const toolCalls = Array.from({ length: count }, () => call('a'));
  const read = readTurn({ text: '', finishReason: 'stop', toolCalls, callsLeftOut }, MAIN);
  expect([read.calls.length, read.callsLeftOut]).toEqual([MAX_CALLS_PER_TURN, expected]);
});

test('truncates and sanitizes hostile texts', () => {
  const toolCalls = Array.from({ length: 100 }, () => call('\u0000'.repeat(10_000), '\ud800'.repeat(1_000_000)));
  const { calls } = readTurn({ text: '', finishReason: 'stop', toolCalls }, MAIN);
  expect(calls).toHaveLength(MAX_CALLS_PER_TURN);
  expect(calls[0]?.tool).toBe('\uFFFD'.repeat(200));
  expect(calls[0]?.arguments.length).toBe(200_000);
  expect(calls[0]?.arguments.isWellFormed()).toBe(true);
});
