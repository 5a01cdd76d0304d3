import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type DiffBlock,
  type DiffRow,
  type DiffSide,
  diffParts,
  diffRows,
  foldRows,
  mergeChanges,
  overlayTokens,
} from './diff-rows.ts';

/** Formats a diff as text: `=` same, `-` before, `+` after, changed words in brackets. */
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
    { name: 'identical texts', before: 'a\nb', after: 'a\nb', expected: ['= 1 a', '= 2 b'] },
    { name: 'two empty texts', before: '', after: '', expected: [] },
    { name: 'ignores a final line ending', before: 'a\nb\n', after: 'a\nb', expected: ['= 1 a', '= 2 b'] },
    {
      name: 'ignores different line endings',
      before: 'a\r\nb',
      after: 'a\nb',
      expected: ['= 1 a', '= 2 b'],
    },
    {
      name: 'a changed word in a line',
      before: 'wait a while',
      after: 'wait a minute',
      expected: ['- 1 wait a [while]', '+ 1 wait a [minute]'],
    },
    {
      name: 'adjacent changed words form one mark',
      before: 'say ONE TWO now',
      after: 'say a b now',
      expected: ['- 1 say [ONE TWO] now', '+ 1 say [a b] now'],
    },
    { name: 'an added line', before: 'a\nc', after: 'a\nb\nc', expected: ['= 1 a', '+ 2 [b]', '= 2 c'] },
    { name: 'a removed line', before: 'a\nb\nc', after: 'a\nc', expected: ['= 1 a', '- 2 [b]', '= 3 c'] },
    { name: 'an empty old text', before: '', after: 'a\nb', expected: ['+ 1 [a]', '+ 2 [b]'] },
    { name: 'an empty new text', before: 'a', after: '', expected: ['- 1 [a]'] },
    {
      name: 'more lines than before',
      before: 'one\nend',
      after: 'two\nthree\nend',
      expected: ['- 1 [one]', '+ 1 [two]', '+ 2 [three]', '= 2 end'],
    },
    { name: 'an empty line counts as a line', before: 'a\n\nb', after: 'a\nb', expected: ['= 1 a', '- 2 []', '= 3 b'] },
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

  test('both texts can be reconstructed from the rows', () => {
    const before = 'a b c\n\nd\ne';
    const after = 'a x c\nd\nf\ng';
    const rows = diffRows(before, after).flatMap((block) => block.rows);
    const text = (pick: 'before' | 'after') =>
      rows.flatMap((row) => row[pick]?.pieces.map((part) => part.text).join('') ?? []).join('\n');
    expect(text('before')).toBe(before);
    expect(text('after')).toBe(after);
  });

  /** Returns the CPU time of a comparison on this thread, in milliseconds. */
  function timeOf(before: string, after: string): number {
    const startedAt = process.threadCpuUsage();
    diffRows(before, after);
    return process.threadCpuUsage(startedAt).user / 1_000;
  }

  const numbered = (count: number, line: (at: number) => string) => Array.from({ length: count }, (_, at) => line(at));
  test.each<[string, string[], string[]]>([
    [
      'a changed word in each of 12,000 lines',
      numbered(12_000, (at) => `line ${at}`),
      numbered(12_000, (at) => `line ${at} x`),
    ],
    ['only punctuation', numbered(60, () => '!?'.repeat(950)), numbered(60, () => '?.'.repeat(950))],
    [
      'changes in every other line',
      numbered(40_000, String),
      numbered(40_000, (at) => (at % 2 === 0 ? `${at}` : `-${at}`)),
    ],
    ['lines in reverse order', numbered(20_000, String), numbered(20_000, String).reverse()],
    ['one line of 3 MB', ['a b '.repeat(750_000)], ['b a '.repeat(750_000)]],
  ])('compares hostile texts within the time limit: %s', (_name, before, after) => {
    expect(timeOf(before.join('\n'), after.join('\n'))).toBeLessThan(3_000);
  });

  test('marks whole lines after many changed words and keeps the texts complete', () => {
    const before = numbered(60, (at) => `${at} ${'!?'.repeat(950)}`);
    const after = numbered(60, (at) => `${at} ${'?.'.repeat(950)}`);
    const [change] = diffRows(before.join('\n'), after.join('\n'));
    const pieces = (change?.rows ?? []).map((row) => row.after?.pieces ?? []);
    expect(pieces[0]?.[0]).toEqual({ text: '0 ', changed: false });
    expect(pieces.at(-1)).toEqual([{ text: after.at(-1), changed: true }]);
  });

  test('keeps the common first and last lines of texts that are too long to compare', () => {
    const same = 'x'.repeat(1_100_000);
    expect(drawn(diffRows(`${same}\none\ntwo\nlast`, `${same}\n1\ntwo\nlast`)).slice(1)).toEqual([
      '- 2 [one]',
      '+ 2 [1]',
      '= 3 two',
      '= 4 last',
    ]);
  });

  test('returns in time for very long, entirely different texts, as one change', () => {
    const before = Array.from({ length: 20_000 }, (_, index) => `b${index * 7}`).join('\n');
    const after = Array.from({ length: 20_000 }, (_, index) => `a${index * 3}`).join('\n');
    const started = performance.now();
    const blocks = diffRows(before, after);
    expect(performance.now() - started).toBeLessThan(5_000);
    expect(blocks).toHaveLength(1);
    expect(blocks[0]?.rows).toHaveLength(20_000);
  });
});

const middle = { first: false, last: false };

test.each([
  { name: 'unchanged lines between changes', count: 9, edges: middle, expected: [2, 5, 2] },
  { name: 'too few lines to fold', count: 6, edges: middle, expected: [6, 0, 0] },
  { name: 'just enough lines to fold', count: 7, edges: middle, expected: [2, 3, 2] },
  { name: 'unchanged lines at the start', count: 6, edges: { first: true, last: false }, expected: [0, 4, 2] },
  { name: 'unchanged lines at the end', count: 6, edges: { first: false, last: true }, expected: [2, 4, 0] },
  { name: 'no changes', count: 6, edges: { first: true, last: true }, expected: [0, 6, 0] },
])('$name: $count lines', ({ count, edges, expected }) => {
  const rows: DiffRow[] = Array.from({ length: count }, (_, index) => ({
    before: { line: index + 1, pieces: [] },
    after: null,
  }));
  const { head, folded, tail } = foldRows(rows, edges);
  expect([head.length, folded.length, tail.length]).toEqual(expected);
  expect([...head, ...folded, ...tail]).toEqual(rows);
});

describe('overlayTokens', () => {
  test('splits changes at token boundaries', () => {
    const pieces = [
      { text: 'ab', changed: false },
      { text: 'cd', changed: true },
    ];
    const tokens = [
      { text: 'abc', kind: 'word' as const },
      { text: 'd', kind: null },
    ];
    expect(overlayTokens(pieces, tokens)).toEqual([
      { text: 'ab', changed: false, kind: 'word' },
      { text: 'c', changed: true, kind: 'word' },
      { text: 'd', changed: true, kind: null },
    ]);
  });

  test('ignores tokens of another line', () => {
    expect(overlayTokens([{ text: 'ab', changed: true }], [{ text: 'x', kind: 'word' }])).toEqual([
      { text: 'ab', changed: true, kind: null },
    ]);
  });
});

const lines = fc
  .array(fc.constantFrom('one', 'two', 'three', '', '  four'), { maxLength: 12 })
  .map((list) => list.join('\n'));
const unified = (text: string) => text.replaceAll('\r\n', '\n');

describe('mergeChanges', () => {
  test.each<[string, string, string, number[], string]>([
    ['the first of two changes', 'a\nb\nc\nd', 'A\nb\nc\nD', [1], 'A\nb\nc\nd'],
    ['the second of two changes', 'a\nb\nc\nd', 'A\nb\nc\nD', [2], 'a\nb\nc\nD'],
    ['an added line that is not taken', 'a\nc', 'a\nb\nc', [], 'a\nc'],
    ['a removed line that is kept', 'a\nb\nc', 'a\nc', [], 'a\nb\nc'],
    ['the line ending of the text that contains the last line', 'a\nb\n', 'A\nb\nc', [1], 'A\nb\n'],
    ['the other line ending if the other text contains the last line', 'a\nb\n', 'A\nb\nc', [2], 'a\nb\nc'],
    ['Windows line endings', 'a\r\nb', 'a\r\nB', [1], 'a\nB'],
    ['an empty old text', '', 'a\n', [1], 'a\n'],
    ['an empty new text', 'a\n', '', [1], ''],
    ['two empty texts', '', '', [], ''],
    ['a difference only in line endings, which is no change', 'a\n', 'a', [1], 'a\n'],
  ])('%s', (_name, before, after, taken, merged) => {
    expect(mergeChanges(before, after, (change) => taken.includes(change))).toBe(merged);
  });

  test('taking all changes gives the new text, taking none the old text', () => {
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        // A trailing newline is not a change, so there is nothing to take.
        fc.pre(diffParts(before, after).some(({ kind }) => kind === 'change'));
        expect(mergeChanges(before, after, () => true)).toBe(unified(after));
        expect(mergeChanges(before, after, () => false)).toBe(unified(before));
      }),
      { numRuns: 1_000 },
    );
  });

  test('works on whole lines if texts are too long to compare', () => {
    const long = `${'x'.repeat(2_100_000)}\n`;
    fc.assert(
      fc.property(lines, lines, (before, after) => {
        const parts = diffParts(`${before}\n${long}${before}`, `${after}\n${long}${after}`);
        for (const part of parts)
          for (const text of part.kind === 'same' ? [part.text] : [part.before, part.after])
            expect(text === '' || text.endsWith('\n')).toBe(true);
        expect(mergeChanges(`${before}\n${long}${before}`, `${after}\n${long}${after}`, () => true)).toBe(
          before === after ? `${before}\n${long}${before}` : unified(`${after}\n${long}${after}`),
        );
      }),
      { numRuns: 30 },
    );
  });

  test('contains only lines of either text, and every unchanged line', () => {
    fc.assert(
      fc.property(lines, lines, fc.func(fc.boolean()), (before, after, isTaken) => {
        const merged = mergeChanges(before, after, isTaken);
        const known = new Set([...before.split('\n'), ...after.split('\n'), '']);
        expect(merged.split('\n').every((line) => known.has(line))).toBe(true);
        const kept = diffParts(before, after).flatMap((part) => (part.kind === 'same' ? part.text.split('\n') : []));
        expect(merged.split('\n').length + 1).toBeGreaterThanOrEqual(kept.filter((line) => line !== '').length);
      }),
    );
  });
});
