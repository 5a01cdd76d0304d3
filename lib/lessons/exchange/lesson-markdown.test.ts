import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { LESSON_FIELDS, LESSON_KINDS, LESSON_STATUSES, type LessonKind } from '#lib/core/lesson-schema.ts';
import { visibleName } from '#lib/core/visible-name.ts';
import {
  type ExchangedLesson,
  exchangedLessonSchema,
  lessonPath,
  readLessonLine,
  writeLessonLine,
} from './exchanged-lesson.ts';
import { readLessonMarkdown, writeLessonMarkdown } from './lesson-markdown.ts';

const FAILURE = exchangedLessonSchema.parse({
  kind: 'failure',
  status: 'promoted',
  agent: 'Researcher Agent',
  taskType: 'web scraping',
  tools: ['fetch', 'a "quoted", tool'],
  fields: {
    whatHappened: 'The call timed out.',
    whatWentWrong: 'The API timeout was not handled.',
    why: 'No limit was set.',
    whatToDoDifferently: 'Set one:\n\n## Why\n\nso that it ends.',
  },
  sourceInput: 'Fetch\nthe page: now',
  sourceScore: 0.25,
  createdBy: 'practice/practice-1',
  createdAt: '2026-03-01T09:30:00.000Z',
});

const FILE = `---
kind: failure
status: promoted
agent: Researcher Agent
taskType: web scraping
tools: [fetch, "a \\"quoted\\", tool"]
block: reflexion_lessons
sourceInput: "Fetch\\nthe page: now"
sourceScore: 0.25
createdBy: practice/practice-1
createdAt: 2026-03-01T09:30:00.000Z
---

# Reflection: 2026-03-01 - Researcher Agent - api timeout not handled

## What happened?

The call timed out.

## What went wrong?

The API timeout was not handled.

## Why did it go wrong?

No limit was set.

## What should I do differently?

Set one:

\\## Why

so that it ends.
`;

const PATH = 'memory/reflections/researcher-agent/2026-03-01-api-timeout-not-handled.md';

test('writes a lesson as a file and returns its path', () => {
  expect(writeLessonMarkdown(FAILURE)).toBe(FILE);
  expect(lessonPath(FAILURE)).toBe(PATH);
  expect(readLessonMarkdown(PATH, FILE)).toEqual({ ok: true, value: FAILURE });
});

const word = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 20 }),
  fc.constantFrom(
    '## Why',
    '\\## Why',
    '---',
    '# Title',
    'a: b',
    '\n',
    '\r\n',
    '\n\n',
    '"',
    "'",
    '[x]',
    '#',
    'null',
    'true',
    '42',
    '\u2028',
    '\\',
  ),
);
const text = fc.array(word, { minLength: 1, maxLength: 6 }).map((words) => words.join('').trim() || 'text');
/** A name with only invisible characters is invalid. */
const name = text.map((given) => visibleName(given.slice(0, 100).toWellFormed()).trim() || 'name');

/** Generates any lesson that a library can contain. */
const lesson: fc.Arbitrary<ExchangedLesson> = fc
  .record({
    kind: fc.constantFrom(...LESSON_KINDS),
    status: fc.constantFrom(...LESSON_STATUSES),
    texts: fc.array(text, { minLength: 6, maxLength: 6 }),
    skipped: fc.boolean(),
    block: name,
    agent: fc.option(name),
    taskType: fc.option(name),
    tools: fc.array(name, { maxLength: 3 }),
    sourceInput: fc.oneof(text, fc.constant('')),
    sourceScore: fc.option(fc.double({ min: 0, max: 1, noNaN: true })),
    createdBy: name,
    createdAt: fc.option(
      fc
        .date({ min: new Date('1970-01-01'), max: new Date('2100-01-01'), noInvalidDate: true })
        .map((date) => date.toISOString()),
    ),
  })
  .map(({ texts, skipped, kind, ...others }) =>
    exchangedLessonSchema.parse({ kind, ...others, ...contentOf(kind, texts, skipped) }),
  );

function contentOf(kind: LessonKind, texts: string[], skipped: boolean) {
  const form = LESSON_FIELDS[kind].filter(({ required }) => required || !skipped);
  if (form.length === 0) return { text: texts[0] };
  return { fields: Object.fromEntries(form.map((field, index) => [field.name, texts[index] ?? 'text'])) };
}

test('any lesson is read back unchanged from its file', () => {
  fc.assert(
    fc.property(lesson, (given) => {
      expect(readLessonMarkdown(lessonPath(given), writeLessonMarkdown(given))).toEqual({ ok: true, value: given });
    }),
    { numRuns: 500 },
  );
});

test('any lesson is read back unchanged from its line', () => {
  fc.assert(
    fc.property(lesson, (given) => {
      expect(readLessonLine(writeLessonLine(given), 'line 1')).toEqual({ ok: true, value: given });
    }),
  );
});

test('paths are unique, in lower case with hyphens and at most five words', () => {
  fc.assert(
    fc.property(fc.array(lesson, { maxLength: 8 }), (given) => {
      const taken = new Set<string>();
      for (const one of [...given, ...given]) taken.add(lessonPath(one, taken));
      expect(taken.size).toBe(given.length * 2);
      for (const path of taken) {
        expect(path).toBe(path.toLowerCase());
        expect(path).toMatch(
          /^memory\/reflections\/[^/\s]+\/(?:archive\/(?:\d{4}|undated)\/)?(?:\d{4}-\d\d-\d\d|undated)-[^/\s-]+(?:-[^/\s-]+){0,4}(?:-\d+)?\.md$/,
        );
      }
    }),
  );
});

test.each([
  ['a second lesson with the same name', FAILURE, [PATH], PATH.replace('.md', '-2.md')],
  ['a third lesson with the same name', FAILURE, [PATH, PATH.replace('.md', '-2.md')], PATH.replace('.md', '-3.md')],
  [
    'an archived lesson',
    { ...FAILURE, status: 'archived' as const },
    [],
    PATH.replace('researcher-agent/', 'researcher-agent/archive/2026/'),
  ],
  ['a lesson for any agent', { ...FAILURE, agent: null }, [], PATH.replace('researcher-agent', 'any')],
  ['a lesson without a time', { ...FAILURE, createdAt: null }, [], PATH.replace('2026-03-01', 'undated')],
])('path of %s', (_name, given, taken, expected) => {
  expect(lessonPath(given, new Set(taken))).toBe(expected);
});

describe('file written by hand', () => {
  test('takes missing fields from the path and accepts other section names and CRLF', () => {
    const file = [
      '---',
      '# by hand',
      'kind: failure',
      "tools: ['it''s', fetch]",
      'taskType: null',
      '---',
      '# Reflection: 2026-03-01 - researcher-agent - a timeout',
      '## What happened?',
      'It timed out.',
      '## What went wrong?',
      'No limit.',
      '## Why did it go wrong?',
      'Nobody thought of it.',
      '## What should I do differently?',
      'Set one.',
      '## Tactical rule candidate',
    ].join('\r\n');
    expect(readLessonMarkdown(`export/${PATH}`, file)).toEqual({
      ok: true,
      value: {
        kind: 'failure',
        status: 'candidate',
        text: 'What happened: It timed out.\nWhat went wrong: No limit.\nWhy: Nobody thought of it.\nWhat to do differently: Set one.',
        fields: {
          whatHappened: 'It timed out.',
          whatWentWrong: 'No limit.',
          why: 'Nobody thought of it.',
          whatToDoDifferently: 'Set one.',
        },
        block: 'reflexion_lessons',
        agent: 'researcher-agent',
        taskType: null,
        tools: ["it's", 'fetch'],
        sourceInput: '',
        sourceScore: null,
        createdBy: 'import',
        createdAt: '2026-03-01T00:00:00.000Z',
      },
    });
  });

  test('a lesson without fields needs no sections', () => {
    expect(readLessonMarkdown('a.md', '---\nkind: lesson\n---\nName the unit.\n')).toMatchObject({
      ok: true,
      value: { text: 'Name the unit.', agent: null, createdAt: null },
    });
  });

  test.each([
    ['no front matter', '# Reflection\n', 'line 1: must begin with a front matter'],
    ['unclosed front matter', '---\nkind: lesson\n', 'line 1: the front matter is not closed'],
    ['no kind', '---\nagent: x\n---\ntext', 'line 1: kind must be one of lesson, failure'],
    ['an unknown kind', '---\nagent: x\nkind: idea\n---\ntext', 'line 3: kind must be one of lesson, failure'],
    ['an unknown entry', '---\nkind: lesson\nmood: good\n---\ntext', 'line 3: mood is no entry of a lesson'],
    ['a repeated entry', '---\nkind: lesson\nkind: failure\n---\ntext', 'line 3: kind is given twice'],
    ['a malformed entry', '---\nkind: lesson\njust words\n---\ntext', 'line 3: must be written as "key: value"'],
    [
      'an unsupported YAML value',
      '---\nkind: lesson\nagent: &a x\n---\ntext',
      "line 3: agent has a value that can't be read",
    ],
    ['an unclosed list', '---\nkind: lesson\ntools: [a, "b\n---\ntext', "line 3: tools has a value that can't be read"],
    ['an alias', '---\nkind: lesson\ntools: [a, *a]\n---\ntext', "line 3: tools has a value that can't be read"],
    [
      'deeply nested lists',
      `---\nkind: lesson\ntools: ${'['.repeat(90_000)}\n---\ntext`,
      "line 3: tools has a value that can't be read",
    ],
    ['a text instead of a list', '---\nkind: lesson\ntools: fetch\n---\ntext', 'line 3: tools must be a list'],
    ['a score out of range', '---\nkind: lesson\nsourceScore: 7\n---\ntext', 'line 3: sourceScore'],
    [
      'a time before 1970',
      '---\nkind: lesson\ncreatedAt: 1969-12-31T00:00:00Z\n---\ntext',
      'line 3: createdAt must be a time from 1970 to 9999',
    ],
    ['an invalid time', '---\nkind: lesson\ncreatedAt: yesterday\n---\ntext', 'line 3: createdAt must be a time'],
    [
      'an unknown section',
      '---\nkind: success\n---\n## Strategy\nx\n## Luck\ny',
      'line 6: "Luck" is not a section of the kind success',
    ],
    [
      'a repeated section',
      '---\nkind: success\n---\n## Strategy\nx\n## Strategy\ny',
      'line 6: the section "Strategy" appears twice',
    ],
    ['a missing section', '---\nkind: success\n---\n## Strategy\nx', 'line 4: Why it worked must not be empty'],
    [
      'an empty section',
      '---\nkind: success\n---\n## Strategy\nx\n## Why it worked\n\n',
      'line 6: Why it worked must not be empty',
    ],
    ['text outside of a section', '---\nkind: success\n---\nwell\n## Strategy\nx', 'line 4: text must be in a section'],
    ['no text', '---\nkind: lesson\n---\n', 'line 4: text must not be empty'],
    [
      'a text that is too long',
      `---\nkind: lesson\n---\n## Lesson\n${'x'.repeat(2001)}`,
      'line 4: text must be at most 2,000 characters',
    ],
  ])('is rejected with its name and line: %s', (_name, file, message) => {
    const read = readLessonMarkdown('memory/x.md', file);
    expect(read).toMatchObject({
      ok: false,
      problem: { code: 'invalid', field: 'memory/x.md', message: expect.stringContaining(`memory/x.md, ${message}`) },
    });
  });
});

test.each([
  ['not JSON', '{', 'line 1 is not JSON'],
  ['not an object', '7', 'line 1: the lesson must be an object'],
  [
    'an unknown property',
    '{"kind": "lesson", "text": "a", "mood": 1}',
    'line 1: the lesson has parts that no lesson has: mood',
  ],
  ['no text', '{"kind": "lesson"}', 'line 1: text must not be empty'],
  [
    'a field of another kind',
    '{"kind": "success", "fields": {"strategy": "a", "whyItWorked": "b", "goal": "c"}}',
    'line 1: fields.goal is no field of the kind success',
  ],
  [
    'an empty field',
    '{"kind": "success", "fields": {"strategy": "a", "whyItWorked": " "}}',
    'line 1: fields.whyItWorked must not be empty',
  ],
])('rejects a line with its number: %s', (_name, given, message) => {
  expect(readLessonLine(given, 'line 1')).toMatchObject({
    ok: false,
    problem: { message: expect.stringContaining(message) },
  });
});

test.each([
  ['in the heading', `#${' '.repeat(2_000)}x`],
  ['in the date', `# Reflection: 2026${' '.repeat(90_000)}03`],
  ['in the label of a section', `# Reflection: 2026-03-01 - writer - Tides\n\n## What${' '.repeat(90_000)}happened`],
  ['in a later heading', `# Reflection: 2026-03-01 - writer - Tides\n\n#${' '.repeat(2_000)}x`],
])('rejects a file with many spaces %s at once', (_name, text) => {
  const startedAt = performance.now();
  expect(readLessonMarkdown('lesson.md', text).ok).toBe(false);
  expect(performance.now() - startedAt).toBeLessThan(500);
});
