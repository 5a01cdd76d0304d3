import { expect, test } from 'vitest';
import { z } from 'zod';
import { integerBetween } from '#lib/core/setting-parts.ts';
import { parseInput } from './parse-input.ts';

test.each([[10n], [{ ten: 10n }], [Number.NaN], [Number.POSITIVE_INFINITY], [new Map()], [Symbol.iterator]])(
  'rejects the number %o',
  (times) => {
    const refused = parseInput(z.strictObject({ times: integerBetween(1, 20) }), { times });
    expect(refused).toMatchObject({ ok: false, problem: { code: 'invalid', field: 'times' } });
  },
);

test.each<[string, z.ZodType, unknown, string]>([
  ['a number that is too large', z.number().max(5_000), 6_000, 'x must be at most 5,000, got 6000'],
  ['a number that is too small', z.number().min(0.5), 0.25, 'x must be at least 0.5, got 0.25'],
  ['a number that must be larger', z.number().gt(0), 0, 'x must be more than 0, got 0'],
  ['a number that must be smaller', z.number().lt(1), 1, 'x must be less than 1, got 1'],
  ['a long text', z.string().max(2_000), 'a'.repeat(2_500), 'x must be at most 2,000 characters long, got 2,500'],
  [
    'a text beyond the limit that a schema declares',
    z.string().trim().max(500, { error: 'must be at most 500 characters' }),
    ` ${'a'.repeat(1_500)}`,
    'x must be at most 500 characters, got 1,500',
  ],
  ['a short text', z.string().min(8), 'abc', 'x must be at least 8 characters long, got 3'],
  ['an empty text', z.string().min(1), '', 'x must not be empty'],
  ['a text of spaces', z.string().trim().min(1), '  ', 'x must not be empty'],
  ['a long list', z.array(z.int()).max(2), [1, 2, 3], 'x must contain at most 2 entries, got 3'],
  ['a short list', z.array(z.int()).min(2), [1], 'x must contain at least 2 entries, got 1'],
  ['an empty list', z.array(z.int()).min(1), [], 'x must contain at least 1 entry, got 0'],
])('names the limit and the value of %s', (_name, schema, x, message) => {
  expect(parseInput(z.strictObject({ x: schema }), { x })).toMatchObject({ ok: false, problem: { message } });
});
