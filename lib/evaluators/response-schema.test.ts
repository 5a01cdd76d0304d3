import { describe, expect, test } from 'vitest';
import { promptOptionsSchema } from '#lib/core/prompt-options.ts';
import { toolAnswerText } from '#lib/formats/tool-answer.ts';
import { promptOptionsProblem, responseSchemaFaults } from './response-schema.ts';

const TOOL = { name: 'refund', parameters: { type: 'object', properties: {} } };
const LABEL = {
  schema: { type: 'object', required: ['label'], properties: { label: { enum: ['bug', 'other'] } } },
};
const labelled = promptOptionsSchema.parse({ responseSchema: LABEL });

describe('output with a response schema', () => {
  test.each<[string, string, RegExp | null]>([
    ['a matching value', '{"label": "bug"}', null],
    ['a matching value in a code block', '```json\n{"label": "bug"}\n```', null],
    ['another value', '{"label": "billing"}', /label/],
    ['a missing member', '{}', /label/],
    ['prose', 'It is a bug.', /not JSON/],
  ])('%s', async (_name, output, fault) => {
    const { faults, note } = await responseSchemaFaults(labelled, output);
    expect(note).toBe('');
    if (fault === null) expect(faults).toEqual([]);
    else expect(faults.join('\n')).toMatch(fault);
  });

  test('does not apply the response schema to tool calls', async () => {
    const options = promptOptionsSchema.parse({ tools: [TOOL], responseSchema: LABEL });
    expect(await responseSchemaFaults(options, toolAnswerText('', [{ tool: 'refund', arguments: '{}' }]))).toEqual({
      faults: [],
      note: '',
    });
  });

  test('that could not be checked is no mismatch', async () => {
    const recursive = { $defs: { a: { $ref: '#/$defs/a' } }, type: 'object', properties: { x: { $ref: '#/$defs/a' } } };
    const options = promptOptionsSchema.parse({ responseSchema: { schema: recursive } });
    const found = await responseSchemaFaults(options, '{"x": 1}');
    expect(found.faults).toEqual([]);
    expect(found.note).toMatch(/not checked: .*endlessly/);
  });
});

test.each<[string, object, string]>([
  [
    'parameters',
    { tools: [TOOL, { ...TOOL, name: 'b', parameters: { type: 'object', $ref: '#/$defs/x' } }] },
    'tools.1.parameters',
  ],
  ['a response schema', { responseSchema: { schema: { type: 'object', pattern: '(' } } }, 'responseSchema.schema'],
])('names %s that cannot be compiled', async (_name, options, key) => {
  expect((await promptOptionsProblem(promptOptionsSchema.parse(options)))?.key).toBe(key);
});
