import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { applyEdits, readEdits, type TextEdit } from './targeted-edit.ts';

const DRAFT = 'One cat sat.\nTwo cats sat.\r\nThree dogs ran.\n';

function edit(find: string, replace: string, occurrence: number | null = null): TextEdit {
  return { find, replace, occurrence };
}

describe('applies edits', () => {
  test.each<[string, TextEdit[], string]>([
    ['applies one edit', [edit('Three dogs', 'Four dogs')], 'One cat sat.\nTwo cats sat.\r\nFour dogs ran.\n'],
    [
      'applies several edits in any order',
      [edit('Three', '3'), edit('One', '1')],
      '1 cat sat.\nTwo cats sat.\r\n3 dogs ran.\n',
    ],
    [
      'applies adjacent edits',
      [edit('One ', '1 '), edit('cat sat', 'dog sat')],
      '1 dog sat.\nTwo cats sat.\r\nThree dogs ran.\n',
    ],
    [
      'applies an edit to a numbered occurrence',
      [edit('sat', 'lay', 2)],
      'One cat sat.\nTwo cats lay.\r\nThree dogs ran.\n',
    ],
    [
      'applies edits to both occurrences',
      [edit('sat', 'lay', 2), edit('sat', 'ran', 1)],
      'One cat ran.\nTwo cats lay.\r\nThree dogs ran.\n',
    ],
    ['removes text', [edit('Two cats sat.\r\n', '')], 'One cat sat.\nThree dogs ran.\n'],
    ['keeps the line endings of the draft', [edit('Two cats sat.\nThree', 'A\nB')], 'One cat sat.\nA\r\nB dogs ran.\n'],
    [
      'matches all edits against the original draft',
      [edit('One', 'Three'), edit('Three', 'One')],
      'Three cat sat.\nTwo cats sat.\r\nOne dogs ran.\n',
    ],
    [
      'takes pattern characters literally',
      [edit('dogs ran.', '$& (.*) $1')],
      'One cat sat.\nTwo cats sat.\r\nThree $& (.*) $1\n',
    ],
  ])('%s', (_name, edits, output) => {
    expect(applyEdits(DRAFT, edits)).toEqual({ ok: true, output });
  });
});

describe('rejects invalid edits with the reason', () => {
  test.each<[string, TextEdit[], RegExp[]]>([
    ['no edits', [], [/no edit/]],
    ['text that does not occur', [edit('Five', '5')], [/edit 1: "Five" is not in the draft$/]],
    ['different white space', [edit('One  cat', '1')], [/with these spaces and line breaks/]],
    ['text that occurs twice', [edit('sat', 'lay')], [/occurs 2 times in the draft: find a longer text/]],
    ['an occurrence that does not exist', [edit('sat', 'lay', 3)], [/no occurrence 3 of "sat"/]],
    ['an empty search text', [edit('', 'x')], [/no text to find/]],
    ['overlapping edits', [edit('cat sat.\nTwo', 'x'), edit('One cat', 'y')], [/edits 1 and 2 overlap/]],
    ['the same edit twice', [edit('One', '1'), edit('One', '1')], [/edits 1 and 2 overlap/]],
    [
      'one invalid edit among valid ones',
      [edit('One', '1'), edit('Nine', '9'), edit('sat', 'x')],
      [/edit 2/, /edit 3/],
    ],
    ['an edit without effect', [edit('One', 'One')], [/change nothing/]],
    ['too many edits', Array.from({ length: 201 }, () => edit('One', '1')), [/201 edits/]],
    ['a result without text', [edit(DRAFT, ' ')], [/leave nothing/]],
  ])('%s', (_name, edits, expected) => {
    const revised = applyEdits(DRAFT, edits);
    if (revised.ok) throw new Error(`applied: ${revised.output}`);
    expect(revised.wrong).toHaveLength(expected.length);
    for (const [at, wrong] of revised.wrong.entries()) expect(wrong).toMatch(expected[at] ?? /^$/);
  });
});

describe('text outside of edits is kept byte for byte', () => {
  const piece = fc.string({
    unit: fc.constantFrom('a', 'b', ' ', '\n', '\r\n', '$&', '😀', 'é', '</find>'),
    maxLength: 8,
  });

  test('for any draft and edits', () => {
    // Each text to find contains its number, so that it occurs once in the draft.
    const property = fc.property(
      piece,
      fc.array(fc.record({ kept: piece, found: piece, put: piece }), { minLength: 1, maxLength: 6 }),
      fc.integer(),
      (tail, parts, seed) => {
        const named = parts.map((part, at) => ({ ...part, found: `[${at}${part.found}${at}]` }));
        const draft = named.map(({ kept, found }) => kept + found).join('') + tail;
        const edits = named.map(({ found, put: replacement }) => edit(found, replacement));
        const turned = seed % edits.length;
        const revised = applyEdits(draft, [...edits.slice(turned), ...edits.slice(0, turned)]);
        const expected = named.map(({ kept, put: replacement }) => kept + replacement).join('') + tail;
        if (expected.trim() === '') expect(revised.ok).toBe(false);
        else expect(revised).toEqual({ ok: true, output: expected });
      },
    );
    fc.assert(property, { numRuns: 500 });
  });

  test('arbitrary edits are rejected or leave all other characters unchanged', () => {
    const unit = fc.constantFrom('a', 'b', 'c', 'd', '\n');
    const some = fc.string({ unit, minLength: 4, maxLength: 16 });
    const short = fc.string({ unit, maxLength: 2 });
    const edits = fc.array(
      fc.record({
        find: short,
        replace: fc.constantFrom('X', '', 'XX'),
        occurrence: fc.option(fc.integer({ min: 1, max: 2 })),
      }),
      { minLength: 1, maxLength: 3 },
    );
    let applied = 0;
    fc.assert(
      fc.property(some, edits, (draft, given) => {
        const revised = applyEdits(draft, given);
        if (!revised.ok) {
          expect(revised.wrong.length).toBeGreaterThan(0);
          return;
        }
        applied++;
        // The draft contains no X, so removing every X leaves the draft without the found texts.
        const kept = revised.output.replaceAll('X', '');
        expect(kept.length).toBe(draft.length - given.reduce((sum, { find }) => sum + find.length, 0));
        expect(isSubsequence(kept, draft)).toBe(true);
      }),
      { numRuns: 2_000 },
    );
    expect(applied).toBeGreaterThan(50);
  });
});

describe('readEdits', () => {
  const one = { edits: [{ find: 'a\nb', replace: 'c', occurrence: null }] };

  test.each<[string, string, ReturnType<typeof readEdits>]>([
    ['JSON', JSON.stringify(one), one],
    ['JSON without an occurrence, in a fence', '```json\n{"edits":[{"find":"a\\nb","replace":"c"}]}\n```', one],
    ['tags', '<find>\na\nb\n</find>\n<replace>\nc\n</replace>', one],
    ['tags within text', 'Sure:\n\n<find>\na\nb\n</find>\n\nbecomes\n<replace>\nc\n</replace>\nDone.', one],
    ['tags on one line', '<find>a</find><replace>b</replace>', { edits: [edit('a', 'b')] }],
    [
      'a numbered occurrence',
      '<find occurrence="2">\na\n</find>\n<replace>\nb\n</replace>',
      { edits: [edit('a', 'b', 2)] },
    ],
    ['a removal', '<find>\na\n</find>\n<replace>\n</replace>', { edits: [edit('a', '')] }],
    ['indented text', '<find>\n  a\n</find>\n<replace>\n\n  b\n\n</replace>', { edits: [edit('  a', '\n  b\n')] }],
    ['an escaped tag', '<find>\n<\u200b/find>\n</find>\n<replace>\nx\n</replace>', { edits: [edit('</find>', 'x')] }],
    ['a truncated edit', '<find>\na\n</find>\n<replace>\nb', { wrong: ['the answer breaks off inside an edit'] }],
    ['prose', 'I would change the opening.', { wrong: ['there is no edit in the answer'] }],
    [
      'two search texts in one edit',
      '<find>a</find><find>b</find>',
      { wrong: ['edit 1 is not a text to find followed by its replacement'] },
    ],
  ])('%s', (_name, response, expected) => {
    expect(readEdits(response)).toEqual(expected);
  });

  test('parses a hostile response quickly', () => {
    const started = process.threadCpuUsage();
    for (const unit of ['<find>', '<find>a</find>', '<find ', '<replace>\n', '{"edits":[', '</find>'])
      readEdits(unit.repeat(100_000));
    expect(process.threadCpuUsage(started).user / 1_000).toBeLessThan(5_000);
  });
});

function isSubsequence(part: string, whole: string): boolean {
  let at = 0;
  for (const sign of whole) if (sign === part[at]) at++;
  return at === part.length;
}
