import { describe, expect, test } from 'vitest';
import { type DiffBlock, type DiffSide, diffRows } from './diff-rows.ts';

/** Draws a diff as text: `=` same, `-` before, `+` after, changed words in brackets. */
function drawn(blocks: DiffBlock[]): string[] {
  return blocks.flatMap((block) =>
    block.kind === 'same'
      ? block.rows.map((row) => `= ${side(row.before)}`)
      : block.rows.flatMap((row) =>
          [row.before ? `- ${side(row.before)}` : [], row.after ? `+ ${side(row.after)}` : []].flat(),
        ),
  );
}

function side(part: DiffSide | null): string {
  return part === null
    ? ''
    : `${part.line} ${part.pieces.map(({ text, changed }) => (changed ? `[${text}]` : text)).join('')}`;
}

describe('diffRows', () => {
  test.each([
    { name: 'same texts', before: 'a\nb', after: 'a\nb', expected: ['= 1 a', '= 2 b'] },
    { name: 'nothing at all', before: '', after: '', expected: [] },
    { name: 'a last line end is no difference', before: 'a\nb\n', after: 'a\nb', expected: ['= 1 a', '= 2 b'] },
    {
      name: 'line ends of another system are no difference',
      before: 'a\r\nb',
      after: 'a\nb',
      expected: ['= 1 a', '= 2 b'],
    },
    {
      name: 'a word in a line',
      before: 'wait a while',
      after: 'wait a minute',
      expected: ['- 1 wait a [while]', '+ 1 wait a [minute]'],
    },
    {
      name: 'changed words in a row are one mark',
      before: 'say ONE TWO now',
      after: 'say a b now',
      expected: ['- 1 say [ONE TWO] now', '+ 1 say [a b] now'],
    },
    { name: 'a line added', before: 'a\nc', after: 'a\nb\nc', expected: ['= 1 a', '+ 2 [b]', '= 2 c'] },
    { name: 'a line removed', before: 'a\nb\nc', after: 'a\nc', expected: ['= 1 a', '- 2 [b]', '= 3 c'] },
    { name: 'all new', before: '', after: 'a\nb', expected: ['+ 1 [a]', '+ 2 [b]'] },
    { name: 'all gone', before: 'a', after: '', expected: ['- 1 [a]'] },
    {
      name: 'more lines than before',
      before: 'one\nend',
      after: 'two\nthree\nend',
      expected: ['- 1 [one]', '+ 1 [two]', '+ 2 [three]', '= 2 end'],
    },
    { name: 'an empty line is a line', before: 'a\n\nb', after: 'a\nb', expected: ['= 1 a', '- 2 []', '= 3 b'] },
  ])('$name', ({ before, after, expected }) => {
    expect(drawn(diffRows(before, after))).toEqual(expected);
  });

  test('numbers the changes and counts their words', () => {
    const blocks = diffRows('one two\nsame\nold line here', 'one three four\nsame\n');
    expect(blocks.filter((block) => block.kind === 'change')).toMatchObject([
      { number: 1, wordsRemoved: 1, wordsAdded: 2 },
      { number: 2, wordsRemoved: 3, wordsAdded: 0 },
    ]);
  });

  test('both sides can be put together again from the rows', () => {
    const before = 'a b c\n\nd\ne';
    const after = 'a x c\nd\nf\ng';
    const rows = diffRows(before, after).flatMap((block) => block.rows);
    const text = (pick: 'before' | 'after') =>
      rows.flatMap((row) => row[pick]?.pieces.map((part) => part.text).join('') ?? []).join('\n');
    expect(text('before')).toBe(before);
    expect(text('after')).toBe(after);
  });

  test('very long and wholly different texts come back in time, as one change', () => {
    const before = Array.from({ length: 20_000 }, (_, index) => `b${index * 7}`).join('\n');
    const after = Array.from({ length: 20_000 }, (_, index) => `a${index * 3}`).join('\n');
    const started = performance.now();
    const blocks = diffRows(before, after);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(blocks).toHaveLength(1);
    expect(blocks[0]?.rows).toHaveLength(20_000);
  });
});
