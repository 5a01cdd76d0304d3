import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { findJsonError } from './json-errors.ts';

describe('findJsonError', () => {
  test.each([
    ['an empty text', '', 1, 1, 'the end of the text'],
    ['a bare word', 'hello', 1, 1, '"h"'],
    ['a missing value', '{"a": }', 1, 7, '"}"'],
    ['a trailing comma in an object', '{"a": 1,}', 1, 9, '"}"'],
    ['a trailing comma in a list', '[1,]', 1, 4, '"]"'],
    ['a missing comma on line 3', '{\n  "a": 1\n  "b": 2\n}', 3, 3, '"\\""'],
    ['a missing colon', '{"a" 1}', 1, 6, '"1"'],
    ['single quotes', "{'a': 1}", 1, 2, '"\'"'],
    ['an unclosed string', '{"a": "b', 1, 7, '"\\""'],
    ['an unclosed object', '{"a": 1', 1, 8, 'the end of the text'],
    ['a mismatched bracket', '[1}', 1, 3, '"}"'],
    ['two values', '{} {}', 1, 4, '"{"'],
    ['a leading zero', '[01]', 1, 3, '"1"'],
    ['a comment', '// x\n{}', 1, 1, '"/"'],
    ['NaN', '[NaN]', 1, 2, '"N"'],
  ])('%s', (_name, text, line, column, found) => {
    expect(() => JSON.parse(text)).toThrow();
    expect(findJsonError(text)).toEqual({ line, column, found });
  });

  test('agrees with JSON.parse on valid JSON', () => {
    fc.assert(fc.property(fc.json(), (text) => findJsonError(text) === null));
    const piece = fc.constantFrom('{', '}', '[', ']', ',', ':', '"a"', '1', 'null', ' ', '"', '-', '0', '\n');
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const text = pieces.join('');
        expect(findJsonError(text) === null).toBe(parses(text));
      }),
      { numRuns: 3000 },
    );
  });

  test('handles deep nesting and long texts without recursion', () => {
    expect(findJsonError(`${'['.repeat(200_000)}`)).toMatchObject({ column: 200_001 });
    expect(findJsonError(`"${'x'.repeat(5_000_000)}"`)).toBeNull();
    expect(findJsonError(`"${'\\n'.repeat(5_000_000)}" x`)).toMatchObject({ column: 10_000_004 });
  });
});

function parses(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
