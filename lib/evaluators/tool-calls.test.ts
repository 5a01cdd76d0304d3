import { describe, expect, test } from 'vitest';
import { askScript, evaluateWith, settingsWith } from '#lib/core/ask.test-support.ts';
import { toolAnswerText } from '#lib/formats/tool-answer.ts';
import { expectedCalls, toolCallFault } from './tool-calls.ts';

const called = (...calls: [string, object][]) =>
  toolAnswerText(
    '',
    calls.map(([tool, given]) => ({ tool, arguments: JSON.stringify(given) })),
  );

describe('tool calls of an output against the reference', () => {
  test.each<[string, string, string, RegExp | null]>([
    ['the same call', called(['refund', { order: 7 }]), '{"name": "refund", "arguments": {"order": 7}}', null],
    [
      'additional arguments',
      called(['refund', { order: 7, why: 'late' }]),
      '[{"name": "refund", "arguments": {"order": 7}}]',
      null,
    ],
    [
      'arguments in another order',
      called(['f', { a: { x: 1, y: [2] } }]),
      '[{"name": "f", "arguments": {"a": {"y": [2], "x": 1}}}]',
      null,
    ],
    ['any arguments', called(['refund', { order: 7 }]), '[{"name": "refund"}]', null],
    ['a reference in the output format', called(['refund', { order: 7 }]), called(['refund', { order: 7 }]), null],
    ['no call if none is expected', 'Sorry, no.', '[]', null],
    ['another tool', called(['search', { order: 7 }]), '[{"name": "refund"}]', /right tool/],
    [
      'another value',
      called(['refund', { order: 8 }]),
      '[{"name": "refund", "arguments": {"order": 7}}]',
      /wrong argument/,
    ],
    [
      'a string instead of a number',
      called(['refund', { order: '7' }]),
      '[{"name": "refund", "arguments": {"order": 7}}]',
      /wrong argument/,
    ],
    ['an extra call', called(['refund', {}], ['refund', {}]), '[{"name": "refund"}]', /right number/],
    ['plain text', 'refund 7', '[{"name": "refund"}]', /right number/],
  ])('%s', (_name, output, reference, fault) => {
    const expected = expectedCalls(reference);
    if (expected === null) throw new Error('the reference can be read');
    const found = toolCallFault(output, expected);
    if (fault === null) expect(found).toBeNull();
    else expect(found).toMatch(fault);
  });

  test.each(['', 'refund', '{"order": 7}', '[1]'])('refuses the unreadable reference %j', (reference) => {
    expect(expectedCalls(reference)).toBeNull();
  });
});

test.each([
  ['a prompt that offers tools', [{ name: 'refund', description: 'Pays back.' }], 1, /^Correct/],
  ['a prompt without tools', [], null, /^Not scored: the prompt offers no tools\.$/],
])('scores tool calls in the output of %s', async (_name, tools, score, reason) => {
  const outcome = await evaluateWith({
    settings: settingsWith([{ name: 'calls', evaluator: 'reference', config: { match: 'tool_calls' } }], {
      generator: { provider: 'practice', model: 'practice-1', tools },
    }),
    case: { input: 'Broken.', reference: '[{"name": "refund", "arguments": {"order": 7}}]', tags: [], metadata: {} },
    output: called(['refund', { order: 7 }]),
    ask: askScript([]).ask,
  });
  expect(outcome).toMatchObject({
    ok: true,
    evaluation: { criteriaScores: { calls: score }, reasons: { calls: expect.stringMatching(reason) } },
  });
});
