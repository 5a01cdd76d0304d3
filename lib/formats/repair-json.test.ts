import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { repairJson } from './json-errors.ts';

describe('repairJson', () => {
  test.each<[string, string, { column: number; message: string; repaired: string | null }]>([
    [
      'inserts a missing comma',
      '{"input": "Which events are sent again?" "tags": ["webhooks"]}',
      {
        column: 42,
        message: 'a comma is missing before `"tags"`',
        repaired: '{"input": "Which events are sent again?", "tags": ["webhooks"]}',
      },
    ],
    [
      'inserts a missing colon',
      '{"input" "a"}',
      { column: 10, message: 'a colon is missing before `"a"`', repaired: '{"input": "a"}' },
    ],
    [
      'removes a trailing comma',
      '{"input": "a",}',
      { column: 15, message: 'there is a comma too many', repaired: '{"input": "a"}' },
    ],
    [
      'removes a comma after the object',
      '{"input": "a"},',
      { column: 15, message: 'there is a comma too many', repaired: '{"input": "a"}' },
    ],
    [
      'adds a missing end',
      '{"input": "a", "tags": ["b"',
      { column: 28, message: '`]}` is missing at the end', repaired: '{"input": "a", "tags": ["b"]}' },
    ],
    [
      'suggests nothing if several edits would be needed',
      '{input: a}',
      { column: 2, message: 'this is not JSON: unexpected "i"', repaired: null },
    ],
  ])('%s', (_name, text, { column, message, repaired }) => {
    const fault = repairJson(text, 4);
    expect(fault).toMatchObject({ line: 4, column, message });
    const repair = fault?.mend ?? null;
    expect(repair?.kind === 'edit' ? edited(text, repair) : null).toBe(repaired);
  });

  test('counts the position from the start of the file', () => {
    expect(repairJson('{\n "a": 1\n "b": 2}', 7, 5)).toMatchObject({
      line: 9,
      column: 2,
      mend: { line: 8, column: 8 },
    });
    expect(repairJson('{"a" 1}', 7, 5)).toMatchObject({ line: 7, column: 10 });
  });

  test('every suggested repair makes the text valid JSON', () => {
    const broken = fc
      .tuple(fc.jsonValue(), fc.nat(60), fc.constantFrom('', ',', ' ', '"', '}', 'x'))
      .map(
        ([value, at, inserted]) => JSON.stringify(value).slice(0, at) + inserted + JSON.stringify(value).slice(at + 1),
      );
    fc.assert(
      fc.property(broken, (text) => {
        const fault = repairJson(text, 1);
        const repair = fault?.mend ?? null;
        if (repair?.kind === 'edit') expect(() => JSON.parse(edited(text, repair))).not.toThrow();
      }),
    );
  });
});

function edited(
  text: string,
  repair: { line?: number; column?: number; remove?: number; insert?: string } | null,
): string {
  const at = (repair?.column ?? 1) - 1;
  return text.slice(0, at) + (repair?.insert ?? '') + text.slice(at + (repair?.remove ?? 0));
}
