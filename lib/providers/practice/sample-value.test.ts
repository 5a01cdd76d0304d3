import { Ajv2020 } from 'ajv/dist/2020.js';
import { expect, test } from 'vitest';
import { sampleValue } from './sample-value.ts';

const TEXT = 'Order 7 came broken. Please refund 12.5 euros to Ada, reason: damaged.';
const member = (schema: object) => ({ type: 'object', properties: { one: schema }, required: ['one'] });

test.each<[string, object]>([
  ['an object without properties', { type: 'object', properties: {} }],
  ['required properties without a schema', { type: 'object', required: ['a', 'b'] }],
  ['a constant', member({ const: { fixed: [1] } })],
  ['an enum', member({ enum: ['billing', 'damaged', 3] })],
  ['an integer in a range', member({ type: 'integer', minimum: 20, maximum: 22 })],
  ['a range with an exclusive bound', member({ type: 'integer', exclusiveMinimum: 99, exclusiveMaximum: 101 })],
  ['a multiple', member({ type: 'integer', multipleOf: 5, minimum: 13 })],
  ['a number', member({ type: 'number' })],
  ['a number below 0', member({ type: 'number', maximum: -3 })],
  ['a number in a small range', member({ type: 'number', exclusiveMinimum: 0, maximum: 0.3 })],
  ['a number below an exclusive maximum', member({ type: 'number', exclusiveMaximum: -30 })],
  ['a multiple below 0', member({ type: 'integer', multipleOf: 5, maximum: -3 })],
  ['a short text', member({ type: 'string', maxLength: 3 })],
  ['a long text', member({ type: 'string', minLength: 500 })],
  ['a pattern', member({ type: 'string', pattern: '^[A-Z]{3}-\\d{4}$' })],
  ['a pattern with an escape', member({ type: 'string', pattern: '^v\\d+\\.[0-9a-f]{2,4}$' })],
  ['a list', member({ type: 'array', items: { type: 'boolean' }, minItems: 2, maxItems: 3 })],
  ['a list with at most zero items', member({ type: 'array', maxItems: 0 })],
  ['a tuple', member({ type: 'array', prefixItems: [{ type: 'string' }, { type: 'integer' }], items: false })],
  ['a text or null', member({ type: ['null', 'string'] })],
  ['null', member({ type: 'null' })],
  ['oneOf', member({ oneOf: [{ type: 'null' }, { type: 'object', required: ['x'] }] })],
  ['allOf', member({ allOf: [{ type: 'object', required: ['a'] }, { properties: { a: { type: 'integer' } } }] })],
  [
    'a recursive definition',
    {
      ...{ type: 'object', required: ['tree'], properties: { tree: { $ref: '#/$defs/node' } } },
      $defs: {
        node: {
          type: 'object',
          properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/node' } } },
          required: ['name', 'children'],
        },
      },
    },
  ],
  [
    'a recursive schema',
    { type: 'object', properties: { name: { type: 'string' }, next: { $ref: '#' } }, required: ['name'] },
  ],
])('a value for %s fits its schema, and is the same each time', (_name, schema) => {
  // Serialized as when sent, because JSON has no NaN.
  const made: unknown = JSON.parse(JSON.stringify(sampleValue(schema, TEXT)));
  const ajv = new Ajv2020({ strict: false });
  expect(ajv.validate(schema, made), JSON.stringify([made, ajv.errors])).toBe(true);
  expect(sampleValue(schema, TEXT)).toEqual(made);
});

test('limits the size of nested lists', () => {
  const list = (depth: number): object =>
    depth === 0 ? { type: 'integer' } : { type: 'array', minItems: 100, items: list(depth - 1) };
  expect(JSON.stringify(sampleValue(list(8), TEXT)).length).toBeLessThan(2_000_000);
});

test.each<[string, object]>([
  ['long texts', { type: 'string', minLength: 10_000 }],
  ['long patterns', { type: 'string', pattern: `^${'\\d{1000}'.repeat(50)}` }],
  ['long constants', { const: 'a'.repeat(10_000) }],
  ['long names', { type: 'object', required: ['a'.repeat(10_000)] }],
])('the total length of many %s is limited', (_name, items) => {
  const list = { type: 'array', minItems: 100, items };
  expect(JSON.stringify(sampleValue(list, TEXT)).length).toBeLessThan(250_000);
});

test('takes values from the text', () => {
  const schema = {
    type: 'object',
    properties: {
      order: { type: 'integer' },
      order_id: { type: 'string' },
      amount: { type: 'number', minimum: 10 },
      kind: { enum: ['praise', 'damaged'] },
      note: { type: 'string' },
    },
  };
  expect(sampleValue(schema, TEXT)).toEqual({
    ...{ order: 7, order_id: '7', amount: 12.5, kind: 'damaged', note: 'Order 7 came broken. Please refund' },
  });
});
