import { describe, expect, test } from 'vitest';
import { MAX_OBSERVATION_LENGTH } from '#lib/core/agents/agent-records.ts';
import { calculatorTool } from './calculator-tool.ts';
import { makeToolbox, type Tool, type ToolAnswer } from './toolbox.ts';

const LIVE = new AbortController().signal;
const ANY_OBJECT = { type: 'object' };

function tool(name: string, run: Tool['run'], parameters: Record<string, unknown> = ANY_OBJECT): Tool {
  return { definition: { name, description: '', parameters }, timeoutMs: null, run };
}

const answering = (text: string) => async (): Promise<ToolAnswer> => ({ status: 'ok', text });
const never = () => new Promise<ToolAnswer>(() => undefined);

const BOX = makeToolbox(
  [
    calculatorTool,
    tool('throws', async () => Promise.reject(new Error('the disk is full'))),
    tool('throws_at_once', () => {
      throw new Error('at once');
    }),
    tool('throws_a_word', async () => Promise.reject('no')),
    tool('hangs', never),
    tool(
      'slow_within_its_own_time',
      async () => new Promise((settle) => setTimeout(settle, 60, { status: 'ok', text: 'at last' })),
    ),
    tool('large', answering('x'.repeat(MAX_OBSERVATION_LENGTH + 1))),
    tool('unclean', answering('a\u0000b\ud800c')),
    tool('lies_about_its_schema', answering('used all the same'), { type: 'no such type' }),
    tool('leads_astray', answering('used all the same'), { $ref: '#/$defs/nowhere' }),
    tool('strict', answering('fits'), {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer', maximum: 7 } },
      required: ['city'],
      additionalProperties: false,
    }),
    tool('strict', answering('another of the same name')),
    tool('unwilling', async () => ({ status: 'failed', text: 'no such city' })),
  ].map((one) => (one.definition.name === 'slow_within_its_own_time' ? { ...one, timeoutMs: 5_000 } : one)),
  { timeoutMs: 30 },
);

function use(name: string, given: string) {
  return BOX.use({ id: '0.0', tool: name, arguments: given }, LIVE);
}

describe('outcome of a tool call', () => {
  test.each([
    ['it responds', 'calculator', '{"expression": "6 * 7"}', 'ok', /^42$/],
    ['arguments in a code fence', 'calculator', 'Here:\n```json\n{"expression": "1"}\n```', 'ok', /^1$/],
    ['missing arguments if none are required', 'unclean', '  ', 'ok', /^a\uFFFDb\uFFFDc$/],
    ['it reports a failure', 'unwilling', '{}', 'failed', /^no such city$/],
    ['an invalid calculation', 'calculator', '{"expression": "2 +"}', 'failed', /something is missing after/],
    [
      'an unknown tool',
      'calculater',
      '{}',
      'unknown_tool',
      /no tool "calculater"\. Use one of these: calculator, throws,/,
    ],
    ['a hostile name', `x\ud800${'y'.repeat(500)}`, '{}', 'unknown_tool', /^There is no tool "x\uFFFDy{78}"/],
    [
      'truncated arguments',
      'calculator',
      '{"expression": "6 *',
      'malformed',
      /are not JSON .*fits this schema:\n\{"type":"object"/s,
    ],
    ['arguments that are a list', 'calculator', '["6 * 7"]', 'malformed', /are JSON, but no object/],
    ['arguments that are a string', 'calculator', '"6 * 7"', 'malformed', /are JSON, but no object/],
    ['arguments of null', 'calculator', 'null', 'malformed', /are JSON, but no object/],
    ['a missing argument', 'strict', '{}', 'malformed', /must have required property 'city'/],
    [
      'arguments of the wrong type',
      'strict',
      '{"city": 1, "days": 9, "x": 0}',
      'malformed',
      /x.*\/city must be string; \/days must be <= 7/s,
    ],
    [
      'deeply nested arguments',
      'calculator',
      `{"expression": ${'['.repeat(9_999)}${']'.repeat(9_999)}}`,
      'malformed',
      /nested deeper than 200/,
    ],
    ['very long arguments', 'calculator', ' '.repeat(200_000), 'malformed', /longer than 100,000 characters/],
    ['it throws', 'throws', '{}', 'failed', /^throws failed: the disk is full$/],
    ['it throws synchronously', 'throws_at_once', '{}', 'failed', /at once/],
    ['it throws a value that is not an error', 'throws_a_word', '{}', 'failed', /no reason was given/],
    ['it hangs', 'hangs', '{}', 'timed_out', /^hangs did not respond within 0\.03 seconds/],
    ['it is slow within its timeout', 'slow_within_its_own_time', '{}', 'ok', /^at last$/],
    ['its response is too large', 'large', '{}', 'ok', /x\n\[cut: the answer is 20,001 characters long/],
    ['its schema is invalid', 'lies_about_its_schema', '{"a": 1}', 'ok', /used all the same/],
    ['its schema has an unresolved reference', 'leads_astray', '{"a": 1}', 'ok', /used all the same/],
    ['the first of two tools with the same name', 'strict', '{"city": "Bern"}', 'ok', /^fits$/],
  ] as const)('%s', async (_name, name, given, status, text) => {
    const outcome = await use(name, given);
    expect(outcome).toEqual({ status, text: expect.stringMatching(text), durationMs: expect.any(Number) });
    expect(outcome?.text.length).toBeLessThanOrEqual(MAX_OBSERVATION_LENGTH);
  });

  test('an aborted call returns null, before or during the call', async () => {
    const before = AbortSignal.abort();
    expect(await BOX.use({ id: '0.0', tool: 'calculator', arguments: '{"expression": "1"}' }, before)).toBeNull();
    const stopping = new AbortController();
    let received: AbortSignal | undefined;
    const box = makeToolbox([
      tool('listens', (_given, signal) => {
        received = signal;
        stopping.abort();
        return never();
      }),
    ]);
    expect(await box.use({ id: '0.0', tool: 'listens', arguments: '{}' }, stopping.signal)).toBeNull();
    expect(received?.aborted).toBe(true);
  });

  test('an empty toolbox reports that it has no tools', async () => {
    const outcome = await makeToolbox([]).use({ id: '0.0', tool: 'x', arguments: '{}' }, LIVE);
    expect(outcome).toMatchObject({ status: 'unknown_tool', text: expect.stringContaining('answer without one') });
  });
});

test('lists each tool once for models', () => {
  expect(BOX.definitions.map(({ name }) => name)).toEqual([...new Set(BOX.definitions.map(({ name }) => name))]);
  expect(BOX.definitions.find(({ name }) => name === 'strict')?.parameters).toHaveProperty('required');
});

test('starts tools in call order, even if their arguments take longer to validate', async () => {
  const started: number[] = [];
  const parameters = {
    type: 'object',
    properties: { long: { type: 'array', items: { type: 'string', minLength: 2 } } },
  };
  const run: Tool['run'] = async ({ at }) => {
    started.push(Number(at));
    return { status: 'ok', text: '' };
  };
  const box = makeToolbox([tool('noting', run, parameters)]);
  const given = [15_000, 10, 1_000, 0, 'no array', 5].map((count, at) => ({
    at,
    long: typeof count === 'number' ? Array.from({ length: count }, () => 'x'.repeat(2)) : count,
  }));
  const uses = given.map((one, at) => ({ id: String(at), tool: 'noting', arguments: JSON.stringify(one) }));
  const outcomes = await Promise.all(uses.map((use) => box.use(use, LIVE)));
  expect(outcomes.map((outcome) => outcome?.status)).toEqual(['ok', 'ok', 'ok', 'ok', 'malformed', 'ok']);
  expect(started).toEqual([0, 1, 2, 3, 5]);
});
