import fc from 'fast-check';
import Papa from 'papaparse';
import { describe, expect, test } from 'vitest';
import { type CellValue, csvCell, csvRow, exactCell, textOfCell } from './csv-cell.ts';

describe('csvCell', () => {
  test.each<[string, CellValue, string]>([
    ['a word', 'plain', 'plain'],
    ['an empty text', null, ''],
    ['a negative number', -0.5, '-0.5'],
    ['a boolean', true, 'true'],
    ['a formula', '=HYPERLINK("http://x")', `"'=HYPERLINK(""http://x"")"`],
    ['a formula that starts with a plus', '+1', "'+1"],
    ['a negative number as text', '-1+cmd', "'-1+cmd"],
    ['a formula that starts with an at sign', '@SUM(A1)', "'@SUM(A1)"],
    ['a tab before a formula', '\t=1', `"'\t=1"`],
    ['a carriage return before a formula', '\r=1', `"'\r=1"`],
    ['a line feed before a formula', '\n=1', `"'\n=1"`],
    ['a full-width formula', '＝1', "'＝1"],
    ['an apostrophe before a formula', "'=1", "''=1"],
    ['an apostrophe before a word', "'tis", "'tis"],
    ['another delimiter', 'a;b', '"a;b"'],
    ['an equals sign later in the text', 'a=b', 'a=b'],
    ['a comma', 'a,b', '"a,b"'],
    ['a line break', 'a\nb', '"a\nb"'],
    ['a quote', 'say "a"', '"say ""a"""'],
  ])('%s', (_name, value, cell) => {
    expect(csvCell(value)).toBe(cell);
  });

  test('a CSV reader reads any text back, and no cell starts a formula', () => {
    fc.assert(
      fc.property(
        fc.array(fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^'{0,2}[=-]?a?$/)), {
          minLength: 1,
          maxLength: 5,
        }),
        (texts) => {
          // The delimiter is set because this reader would otherwise guess, and take a row of tabs as tab-separated.
          const row = Papa.parse<string[]>(csvRow(['first', ...texts.map(exactCell)]), {
            newline: '\r\n',
            delimiter: ',',
          }).data[0];
          const read = row?.slice(1) ?? [];
          expect(read.map(textOfCell)).toEqual(texts);
          expect(read.filter((cell) => /^[=+\-@\t\r\n＝＋－＠]/.test(cell))).toEqual([]);
        },
      ),
      { numRuns: 50 },
    );
  });
});
