import { describe, expect, test } from 'vitest';
import { askScript, evaluateWith, settingsWith } from '#lib/core/ask.test-support.ts';
import { schemaProblem } from './check-schema.ts';
import { withinTime } from './compile-schema.ts';

type Schema = Parameters<typeof schemaProblem>[0];
type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

async function evaluation(schema: { [key: string]: Json }, output: string) {
  const outcome = await evaluateWith({
    settings: settingsWith([{ name: 'form', evaluator: 'json_schema', config: { schema } }]),
    output,
    case: { input: '', reference: 'secret', tags: [], metadata: {} },
    ask: askScript([]).ask,
  });
  if (!outcome.ok) throw new Error(outcome.failure.message);
  return outcome.evaluation;
}

const PERSON = {
  type: 'object',
  required: ['name'],
  properties: { name: { type: 'string', minLength: 2 }, tags: { type: 'array', items: { enum: ['a', 'b'] } } },
  additionalProperties: false,
};

describe('json_schema evaluator', () => {
  test.each<[string, { [key: string]: Json }, string]>([
    ['a matching value', PERSON, '{"name":"Ada","tags":["a"]}'],
    ['surrounding white space', PERSON, '\n {"name":"Ada"}\n'],
    ['a code fence', PERSON, 'Here it is:\n```json\n{"name":"Ada"}\n```\nDone.'],
    [
      'the last code fence with JSON',
      PERSON,
      '```json\n{"no":1}\n```\nBetter:\n```\n{"name":"Ada"}\n```\n```sh\nls\n```',
    ],
    ['a value that is not an object', { type: 'integer' }, '7'],
    ['any JSON for an empty schema', {}, 'null'],
    ['unknown keywords, which are ignored', { type: 'string', colour: 'red', format: 'email' }, '"x"'],
    ['patterns of the linear-time engine', { pattern: '^\\p{Lu}' }, '"Ada"'],
    ['two separate patterns', { allOf: [{ pattern: '^A' }, { pattern: 'a$' }] }, '"Ada"'],
    ['internal references', { $defs: { n: { type: 'number' } }, items: { $ref: '#/$defs/n' } }, '[1, 2]'],
    ['keywords of 2020-12', { prefixItems: [{ type: 'string' }], unevaluatedItems: false }, '["a"]'],
    [
      'a schema that names its draft',
      { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'null' },
      'null',
    ],
    ['unique items', { uniqueItems: true }, '[1, "1", {"a":1}, {"a":2}, [1]]'],
  ])('1: %s', async (_name, schema, output) => {
    const made = await evaluation(schema, output);
    expect(made).toMatchObject({ overallScore: 1, satisfactory: true, issues: [], feedback: 'form: met', costUsd: 0 });
  });

  test.each<[string, { [key: string]: Json }, string, string[]]>([
    ['a missing member', PERSON, '{}', ["The value must have required property 'name'"]],
    [
      'inherited members, which do not count',
      { required: ['toString'] },
      '{}',
      ["The value must have required property 'toString'"],
    ],
    ['a wrong type, with its position', PERSON, '{"name":7}', ['/name must be string']],
    [
      'all errors',
      PERSON,
      '{"name":"x","age":1}',
      ['The value must NOT have additional properties: "age"', '/name must NOT have fewer than 2 characters'],
    ],
    [
      'an enum, with the allowed values',
      PERSON,
      '{"name":"Ada","tags":["c"]}',
      ['/tags/0 must be equal to one of the allowed values: ["a","b"]'],
    ],
    ['a pattern', { pattern: '^B' }, '"Ada"', ['The value must match pattern "^B"']],
    [
      'the second of two patterns',
      { allOf: [{ pattern: '^A' }, { pattern: '^B' }] },
      '"Ada"',
      ['The value must match pattern "^B"'],
    ],
    [
      'duplicate items',
      { uniqueItems: true },
      '[{"a":1,"b":2},{"b":2,"a":1}]',
      ['The value must NOT have duplicate items'],
    ],
    ['text without JSON', PERSON, 'Her name is Ada.', ['The output is not JSON.']],
    ['invalid JSON in a code fence', PERSON, '```json\n{"name":\n```', ['The output is not JSON.']],
    ['empty', PERSON, '', ['The output is not JSON.']],
    ['very deep nesting', PERSON, '['.repeat(100_000), ['The output is not JSON.']],
  ])('0: %s', async (_name, schema, output, issues) => {
    const made = await evaluation(schema, output);
    expect(made).toMatchObject({ overallScore: 0, status: 'scored' });
    expect(made.issues.map(({ text }) => text)).toEqual(issues);
    for (const issue of issues) expect(made.feedback).toContain(`- ${issue}`);
  });

  test('lists the first ten of many errors, and the total', async () => {
    const made = await evaluation({ items: { type: 'string' } }, JSON.stringify(Array.from({ length: 50 }, () => 1)));
    expect(made.issues).toHaveLength(10);
    expect(made.reasons.form).toContain('the first 10 of 50 errors');
  });

  test.each<[string, { [key: string]: Json }, string, number | null]>([
    ['a catastrophic pattern', { pattern: '^(a+)+$' }, JSON.stringify(`${'a'.repeat(5_000)}!`), 0],
    [
      'tens of thousands of unique items',
      { uniqueItems: true },
      JSON.stringify(Array.from({ length: 40_000 }, (_, at) => ({ at }))),
      1,
    ],
    ['a million errors', { items: { type: 'string' } }, `[${'1,'.repeat(1_000_000)}1]`, 0],
    ['a text too long for its pattern', { pattern: '(x|y[a-z]{200}){4}q' }, JSON.stringify('x'.repeat(400_000)), null],
    [
      'alternatives that double at every level',
      {
        anyOf: [
          { required: ['z'], properties: { a: { $ref: '#' } } },
          { properties: { a: { $ref: '#' } }, required: ['z'] },
        ],
      },
      `${'{"a":'.repeat(60)}1${'}'.repeat(60)}`,
      null,
    ],
  ])('evaluates a hostile schema without blocking this thread: %s', async (_name, schema, output, score) => {
    const startedAt = process.threadCpuUsage();
    expect((await evaluation(schema, output)).overallScore).toBe(score);
    expect(process.threadCpuUsage(startedAt).user / 1_000).toBeLessThan(1_000);
  });
});

describe('schemaProblem', () => {
  const doubled = Object.fromEntries(
    Array.from({ length: 40 }, (_, at) => [
      `d${at}`,
      { allOf: [{ $ref: `#/$defs/d${at + 1}` }, { $ref: `#/$defs/d${at + 1}` }] },
    ]),
  );
  test.each<[string, Schema, RegExp | null]>([
    ['a valid schema', PERSON, null],
    ['a schema recursive through its members', { properties: { child: { $ref: '#' } } }, null],
    [
      'an unknown type',
      { type: 'text' },
      /^is not a JSON Schema: the schema\/type must be equal to one of the allowed values/,
    ],
    ['a wrong keyword value', { minLength: -1 }, /the schema\/minLength must be >= 0/],
    ['another draft', { $schema: 'http://json-schema.org/draft-07/schema#' }, /names another draft under \$schema/],
    [
      'an external reference',
      { $ref: 'https://example.com/person.json' },
      /refers to "https:\/\/example.com\/person.json", which it does not contain/,
    ],
    ['a missing reference target', { $ref: '#/$defs/none' }, /refers to "#\/\$defs\/none"/],
    ['a pattern that does not compile', { pattern: '(' }, /holds the pattern "\(" does not compile/],
    ['a lookahead', { properties: { a: { pattern: 'a(?=b)' } } }, /look-around and back-references are not supported/],
    ['a pattern for member names', { patternProperties: { '(a': {} } }, /holds the pattern/],
    ['a schema that references itself directly', { $ref: '#' }, /refers to itself endlessly/],
    ['an asynchronous schema', { $async: true }, /must not contain \$async/],
  ])('%s', async (_name, schema, expected) => {
    const startedAt = process.threadCpuUsage();
    const problem = await schemaProblem(schema);
    expect(process.threadCpuUsage(startedAt).user / 1_000).toBeLessThan(1_000);
    if (expected === null) expect(problem).toBeNull();
    else expect(problem).toMatch(expected);
  });

  const many = (count: number, schema: (at: number) => Json) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, schema(at)]));
  test.each<[string, Schema, RegExp]>([
    ['depth', JSON.parse(`${'{"not":'.repeat(60)}{}${'}'.repeat(60)}`), /deeper than 40 levels\. Move inner parts to/],
    ['length', { description: 'x'.repeat(60_000) }, /more than 50,000 characters as JSON\. Leave out/],
    [
      'objects',
      { properties: many(2_500, () => ({})) },
      /more than 2,000 objects in it\. Check parts of the output by/,
    ],
    ['references', { properties: many(600, () => ({ $ref: '#' })) }, /more than 500 references \(\$ref\)/],
    ['patterns', { properties: many(101, () => ({ pattern: 'a' })) }, /more than 100 patterns\. Use enum/],
    ['patterns for member names', { patternProperties: many(101, () => ({})) }, /more than 100 patterns\. Use enum/],
    ['one pattern', { pattern: 'a'.repeat(1_001) }, /a pattern of more than 1,000 characters\. Use/],
    [
      'mutually recursive definitions',
      { $defs: { ...doubled, d40: {} }, $ref: '#/$defs/d0' },
      /unfolds to more than 20,000 parts\. Let fewer/,
    ],
  ])('names the limit of %s and a remedy', async (_name, schema, expected) => {
    expect(await schemaProblem(schema)).toMatch(expected);
  });

  test.each<[string, Schema]>([
    ['a schema with many members', { properties: many(700, (at) => ({ type: 'string', minLength: at })) }],
    ['a list of two hundred types', { anyOf: Array.from({ length: 200 }, (_, at) => ({ const: at })) }],
    [
      'widely shared definitions',
      { $defs: { name: { type: 'string' } }, properties: many(400, () => ({ $ref: '#/$defs/name' })) },
    ],
  ])('within the limits: %s', async (_name, schema) => {
    expect(await schemaProblem(schema)).toBeNull();
  });

  test('queues many concurrent checks without blocking this thread', async () => {
    let turns = 0;
    const timer = setInterval(() => turns++, 5);
    const schemas = Array.from({ length: 6 }, (_, at) => ({ properties: many(400, () => ({ minLength: at })) }));
    expect(await Promise.all(schemas.map(schemaProblem))).toEqual(schemas.map(() => null));
    clearInterval(timer);
    expect(turns).toBeGreaterThan(10);
  });
});

describe('withinTime', () => {
  test('returns the result of the work and rethrows its errors', () => {
    expect(withinTime(100, () => 7)).toEqual({ value: 7 });
    expect(() => withinTime(100, () => JSON.parse('{'))).toThrow(SyntaxError);
  });

  test('stops endless work', () => {
    const startedAt = process.threadCpuUsage();
    const endless = () => {
      for (let at = 0; ; at++) if (at < 0) return at;
    };
    expect(withinTime(50, endless)).toBeNull();
    expect(process.threadCpuUsage(startedAt).user / 1_000).toBeLessThan(1_000);
  });
});
