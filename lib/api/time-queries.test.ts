import { expect, test } from 'vitest';
import { parseInput } from '#lib/input/parse-input.ts';
import { ROUTES } from './routes.ts';

const times = ROUTES.flatMap(({ name, query }) =>
  Object.entries(query?.shape ?? {}).flatMap(([field, schema]) =>
    schema.safeParse('2026-01-31T00:00:00Z').success && !schema.safeParse('text').success
      ? [{ name, field, schema }]
      : [],
  ),
);

test('finds the times in queries', () => {
  expect(times.map(({ field }) => field)).toEqual(expect.arrayContaining(['from', 'to', 'since']));
});

test.each(times)('$name rejects a $field in the year 0, which PostgreSQL has not', ({ field, schema }) => {
  expect(parseInput(schema, '0000-01-01T00:00:00Z', [field])).toMatchObject({
    ok: false,
    problem: { code: 'invalid', field },
  });
});
