import { describe, expect, test } from 'vitest';
import { answerForm, promptOptionsSchema } from './prompt-options.ts';
import { settingsSchema } from './settings.ts';

const TOOL = { name: 'refund', description: 'Pays back.', parameters: { type: 'object', properties: {} } };
const SCHEMA = { name: 'label', schema: { type: 'object', properties: { label: { type: 'string' } } } };

describe('tools and response schema', () => {
  test.each<[string, object, RegExp]>([
    ['a name with a space', { tools: [{ ...TOOL, name: 'pay back' }] }, /letters, digits, _ and -/],
    ['a name that starts with a digit', { tools: [{ ...TOOL, name: '2x' }] }, /begin with a letter/],
    ['a name of 65 letters', { tools: [{ ...TOOL, name: 'a'.repeat(65) }] }, /at most 64/],
    ['two tools with one name', { tools: [TOOL, TOOL] }, /two tools with the same name/],
    ['65 tools', { tools: Array.from({ length: 65 }, (_, at) => ({ ...TOOL, name: `t${at}` })) }, /at most 64 tools/],
    ['parameters that are a list', { tools: [{ ...TOOL, parameters: { type: 'array' } }] }, /"type": "object"/],
    ['parameters that are text', { tools: [{ ...TOOL, parameters: '{' }] }, /must be a JSON Schema/],
    ['a text as response schema', { responseSchema: { schema: { type: 'string' } } }, /"type": "object"/],
    [
      'a schema that is too large',
      { responseSchema: { schema: { type: 'object', title: 'x'.repeat(50_001) } } },
      /50,000/,
    ],
  ])('reject %s', (_name, options, problem) => {
    const read = promptOptionsSchema.safeParse(options);
    expect(read.success).toBe(false);
    expect(read.error?.issues[0]?.message).toMatch(problem);
  });

  test('are omitted from a request if empty', () => {
    expect(answerForm({ tools: [], responseSchema: null })).toEqual({ output: null });
  });

  test.each<[string, object, string]>([
    ['an agent', { base: { type: 'react', tools: [] } }, 'an agent has its own tools'],
    ['a target', { target: { name: 'app' } }, 'not sent to the target'],
  ])('cannot be combined with %s', (_name, generator, words) => {
    const read = settingsSchema.safeParse({
      mode: 'revise',
      taskType: 'Explanation',
      generator: { provider: 'p', model: 'm', tools: [TOOL], responseSchema: SCHEMA, ...generator },
      criteria: [{ name: 'good', evaluator: 'llm' }],
    });
    const issues = read.error?.issues.filter(({ message }) => message.includes(words)) ?? [];
    expect(issues.map(({ path }) => path.join('.'))).toEqual(['generator.tools', 'generator.responseSchema']);
  });
});
