import { expect, test } from 'vitest';
import { parseArguments } from './read-arguments.ts';

const accepted = { options: { only: { type: 'string' }, json: { type: 'boolean' } }, operands: [1, 2] } as const;

test('returns options and operands', () => {
  expect(parseArguments(['a', '--only=x', '--json'], accepted)).toEqual({
    ok: true,
    value: { values: { only: 'x', json: true }, operands: ['a'] },
  });
});

test.each([
  ['an unknown option', ['a', '--lift'], "Unknown option '--lift'."],
  ['a missing value', ['a', '--only'], "Option '--only <value>' argument missing."],
  ['a superfluous value', ['a', '--json=yes'], "Option '--json' does not take an argument."],
  ['a missing operand', [], 'An argument is missing.'],
  ['a superfluous operand', ['a', 'b', 'c'], "Unexpected argument 'c'."],
])('refuses %s', (_name, args, message) => {
  expect(parseArguments(args, accepted)).toMatchObject({ ok: false, problem: { message } });
});
