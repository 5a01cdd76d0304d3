import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { applyChanges, readChanges, type SectionChange } from './incremental.ts';
import { sectionsOf } from './sections-of.ts';

const DRAFT = '\n# Title\nIntro.\n\n\n  Body.\n \n```js\nlet a;\n\nlet b;\n```\nAfter.\n';

describe('sections', () => {
  test.each<[string, string, string[]]>([
    ['no sections', ' \n\n ', []],
    ['one section', 'a\nb', ['a\nb']],
    ['separates at blank lines, including those with spaces', 'a\n\nb\n \t\n\nc\n', ['a', 'b', 'c']],
    ['handles CR LF', 'a\r\nb\r\n\r\nc\r\n', ['a\r\nb', 'c']],
    [
      'treats fenced code as one section',
      DRAFT,
      ['# Title\nIntro.', '  Body.', '```js\nlet a;\n\nlet b;\n```\nAfter.'],
    ],
    ['accepts other fences', '~~~~\na\n\n~~~\n~~~~', ['~~~~\na\n\n~~~\n~~~~']],
    ['treats an unclosed fence as one section', '```\na\n\nb', ['```\na', 'b']],
  ])('%s', (_name, text, sections) => {
    expect(sectionsOf(text).map(({ start, end }) => text.slice(start, end))).toEqual(sections);
  });

  // Reading a line calls trim, so counting those calls shows that the work is linear in the text length.
  test.each(['```\n', '```\n\n', '```a\n', '\n', '~~~x\n\n'])(
    'reads each line of a hostile text of %j only a few times',
    (unit) => {
      const text = unit.repeat(3_000);
      const lines = text.split('\n').length;
      const looks = vi.spyOn(String.prototype, 'trim');
      try {
        sectionsOf(text);
        expect(looks.mock.calls.length).toBeGreaterThanOrEqual(lines / 2);
        expect(looks.mock.calls.length).toBeLessThanOrEqual(2 * lines);
      } finally {
        looks.mockRestore();
      }
    },
  );
});

function fix(section: number, text: string): SectionChange {
  return { change: 'fix', section, text };
}
function add(section: number, text: string): SectionChange {
  return { change: 'add_after', section, text };
}

describe('applies changes', () => {
  test.each<[string, string, SectionChange[], string]>([
    ['adds a section', 'a\n\nb\n', [add(1, 'new')], 'a\n\nnew\n\nb\n'],
    ['adds a section at the end', 'a\n\nb\n', [add(2, 'new\n\n')], 'a\n\nb\n\nnew\n'],
    ['adds a section at the beginning', '\na\n', [add(0, 'new')], '\nnew\n\na\n'],
    ['adds a section to an empty draft', '', [add(0, 'new')], 'new'],
    ['adds two sections after one, in order', 'a', [add(1, 'x'), add(1, 'y')], 'a\n\nx\n\ny'],
    ['replaces a section', 'a\n\n\n b\n\nc', [fix(2, '\n B\n')], 'a\n\n\n B\n\nc'],
    ['replaces a section and adds one after it', 'a\n\nb', [add(1, 'x'), fix(1, 'A')], 'A\n\nx\n\nb'],
    ['keeps CR LF', 'a\r\n\r\nb', [add(1, 'x\ny')], 'a\r\n\r\nx\r\ny\r\n\r\nb'],
  ])('%s', (_name, draft, changes, output) => {
    expect(applyChanges(draft, changes)).toEqual({ ok: true, output });
  });
});

describe('rejects invalid changes with the reason', () => {
  test.each<[string, SectionChange[], RegExp]>([
    ['no changes', [], /no new or changed section/],
    ['an unknown section', [fix(4, 'x')], /no section 4: the draft has sections 1 to 3/],
    ['a replacement at position 0', [fix(0, 'x')], /no section 0/],
    ['a fractional section number', [add(1.5, 'x')], /no section 1.5/],
    ['empty content', [add(1, ' \n')], /text is empty/],
    ['an unchanged section', [fix(2, '  Body.')], /changes nothing/],
    ['a section replaced twice', [fix(1, 'x'), fix(1, 'y')], /change 2: section 1 is fixed a second time/],
  ])('%s', (_name, changes, wrong) => {
    expect(applyChanges(DRAFT, changes)).toEqual({ ok: false, wrong: [expect.stringMatching(wrong)] });
  });
});

test('for any draft and changes: keeps all other sections and separators byte for byte', () => {
  const draftOf = fc.string({ unit: fc.constantFrom('a', 'b', ' ', '\n', '\n\n', '\t', '```\n', '😀'), maxLength: 40 });
  const change = fc.record({
    change: fc.constantFrom('fix' as const, 'add_after' as const),
    section: fc.integer({ min: 0, max: 3 }),
    text: fc.constantFrom('X', 'X\nX', '\nX\n', 'X\n\nX'),
  });
  let applied = 0;
  fc.assert(
    fc.property(draftOf, fc.array(change, { minLength: 1, maxLength: 3 }), (draft, changes) => {
      const revised = applyChanges(draft, changes);
      if (!revised.ok) {
        expect(revised.wrong.length).toBeGreaterThan(0);
        return;
      }
      applied++;
      const sections = sectionsOf(draft);
      const bare = (text: string) => text.replaceAll(/^\n|\n$/g, '');
      const addedAfter = (section: number) =>
        changes.filter((one) => one.change === 'add_after' && one.section === section).map(({ text }) => bare(text));
      // Rebuilt section by section, with the draft's own bytes between them.
      let expected = draft.slice(0, sections[0]?.start ?? draft.length);
      for (const text of addedAfter(0)) expected += sections.length === 0 ? text : `${text}\n\n`;
      sections.forEach(({ start, end }, at) => {
        const fixed = changes.find((one) => one.change === 'fix' && one.section === at + 1);
        expected += fixed === undefined ? draft.slice(start, end) : bare(fixed.text);
        for (const text of addedAfter(at + 1)) expected += `\n\n${text}`;
        expected += draft.slice(end, sections[at + 1]?.start ?? draft.length);
      });
      expect(revised.output).toBe(expected);
    }),
    { numRuns: 2_000 },
  );
  expect(applied).toBeGreaterThan(200);
});

describe('readChanges', () => {
  const both = { changes: [add(3, 'new\n\ntext'), fix(2, 'other')] };

  test.each<[string, string, ReturnType<typeof readChanges>]>([
    ['JSON', JSON.stringify(both), both],
    ['numbers as text', '{"changes":[{"change":"fix","section":"2","text":"x"}]}', { changes: [fix(2, 'x')] }],
    ['tags', '<add after="3">\nnew\n\ntext\n</add>\n<fix section="2">\nother\n</fix>', both],
    [
      'tags with stray characters around them',
      "<add after=1>\nx\n</add> <fix section='2'>y</fix>",
      { changes: [add(1, 'x'), fix(2, 'y')] },
    ],
    ['prose', 'Nothing to do.', { changes: [] }],
    ['a section without a number', '<add>\nx\n</add>', { wrong: ['change 1 names no section'] }],
    ['a truncated section', '<add after="1">\nx', { wrong: ['the answer breaks off inside a section'] }],
  ])('%s', (_name, response, expected) => {
    expect(readChanges(response)).toEqual(expected);
  });
});
