import { describe, expect, test } from 'vitest';
import { readToolAnswer, toolAnswerText } from './tool-answer.ts';

describe('response with tool calls', () => {
  test('is JSON with its text and calls, and can be read back', () => {
    const text = toolAnswerText(' On it. ', [{ tool: 'refund', arguments: '{"order":7}' }]);
    expect(JSON.parse(text)).toEqual({ text: 'On it.', toolCalls: [{ name: 'refund', arguments: { order: 7 } }] });
    expect(readToolAnswer(text)).toEqual({ text: 'On it.', toolCalls: [{ name: 'refund', arguments: { order: 7 } }] });
  });

  test('keeps arguments that are not valid JSON as text', () => {
    expect(readToolAnswer(toolAnswerText('', [{ tool: 'refund', arguments: '{"order":' }]))).toMatchObject({
      toolCalls: [{ arguments: '{"order":' }],
    });
  });

  test.each([
    '',
    'Hello',
    '{"toolCalls": []}',
    '{"toolCalls": [{"name"',
    '[{"name":"refund"}]',
    '{"text": "", "toolCalls": []}',
    '{"text": 7, "toolCalls": [{"name": "refund", "arguments": {}}]}',
    '{"text": "", "toolCalls": [{"name": "refund", "arguments": {}}, null]}',
    '{"text": "", "toolCalls": [{"name": 7, "arguments": {}}]}',
    '{"text": "", "toolCalls": {"name": "refund"}}',
  ])('is not %j', (output) => {
    expect(readToolAnswer(output)).toBeNull();
  });
});
