import { expect, test } from 'vitest';
import { parseInput, storedTime, timeInput } from './parse-input.ts';

const REFUSED = ['0000-01-01T00:00:00Z', '0000-12-31T23:59:59.999Z'];

test.each(['0001-01-01T00:00:00Z', '2026-01-31T00:00:00Z', '9999-12-31T23:59:59.999Z'])(
  'accepts the time %s',
  (time) => {
    expect(parseInput(timeInput('must be a time'), time)).toEqual({ ok: true, value: time });
  },
);

test.each(REFUSED)('rejects the time %s, which PostgreSQL has not', (time) => {
  const refused = parseInput(timeInput('must be a time'), time, ['from']);
  expect(refused).toMatchObject({ ok: false, problem: { field: 'from', message: 'from must be after the year 0' } });
});

test.each([...REFUSED, '0001-01-01T00:00:00Z', '1969-12-31T23:59:59.999Z'])('rejects %s as a stored time', (time) => {
  expect(parseInput(storedTime('must be a time'), time)).toMatchObject({
    ok: false,
    problem: { message: expect.stringContaining('must be a time from 1970 to 9999') },
  });
});
