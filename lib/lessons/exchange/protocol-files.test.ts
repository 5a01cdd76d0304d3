import { describe, expect, test } from 'vitest';
import { LESSON_FIELDS, LESSON_KINDS } from '#lib/core/lesson-schema.ts';
import { type ExchangedLesson, exchangedLessonSchema, hasForm, lessonPath } from './exchanged-lesson.ts';
import { readLessonMarkdown, writeLessonMarkdown } from './lesson-markdown.ts';

const FAILED = `# Reflection: 2026-03-01 - researcher-agent - Collect release notes from the vendor API

## What happened?

The task was to collect the release notes of twelve versions. Three of twelve came back.

## What went wrong?

Step 4, the fourth request: the tool \`http_get\` timed out and the loop ended.

\`\`\`sh
## the call
curl -m 5 "$URL"
\`\`\`

## Why did it go wrong?

- No limit per request was set.
- The API answers slowly - up to 20 s - after midnight.

## What should I do differently?

1. Set a timeout of 30 s.
2. Retry twice, then go on with the next version.

## Tactical rule candidate

"Always validate API response status before parsing the body."
`;

const PARTIAL = `# Reflection: 2026-03-02 - writer-agent - Release announcement in two languages

## What happened?
English is done, German is missing two paragraphs.

## What went wrong?
The glossary was read too late.

## What should I do differently?
Read the glossary before the first sentence.
`;

const PROCEDURE = `# Procedure: 2026-03-03 - researcher-agent - Compare three price lists

## Strategy
Normalize the units first, then join by article number.

## Why it worked
Every difference that was left was a real one.
`;

const DECISION = `# Decision Reflection: 2026-03-04 - planner-agent - Where to keep the index

## What was the decision?
Keep it in PostgreSQL.

## What alternatives existed?
A vector database; files.

## Why was this option chosen?
One backup covers everything.
`;

const path = (name: string, agent = 'researcher-agent') => `memory/reflections/${agent}/${name}.md`;

function read(at: string, file: string): ExchangedLesson {
  const result = readLessonMarkdown(at, file);
  if (!result.ok) throw new Error(result.problem.message);
  return result.value;
}

describe('reflection protocol file without front matter', () => {
  test('reads a failed task with its five fields', () => {
    const lesson = read(path('2026-03-01-vendor-api-timeout'), FAILED);
    expect(lesson).toMatchObject({
      ...{ kind: 'failure', agent: 'researcher-agent', status: 'candidate', createdAt: '2026-03-01T00:00:00.000Z' },
      sourceInput: 'Collect release notes from the vendor API',
    });
    expect(Object.keys(lesson.fields)).toEqual(LESSON_FIELDS.failure.map(({ name }) => name));
    expect(lesson.fields.whatWentWrong).toContain('## the call');
    expect(lesson.fields.why).toContain('slowly - up to 20 s - after');
    expect(lesson.fields.tacticalRule).toBe('"Always validate API response status before parsing the body."');
  });

  test.each<[string, string, Partial<ExchangedLesson>]>([
    [
      'a partially solved task with its three fields',
      PARTIAL,
      { kind: 'partial', agent: 'writer-agent', createdAt: '2026-03-02T00:00:00.000Z' },
    ],
    ['a procedure with its two fields', PROCEDURE, { kind: 'success', sourceInput: 'Compare three price lists' }],
    ['a decision with its three fields', DECISION, { kind: 'decision', agent: 'planner-agent' }],
    [
      'a decision under the heading of a reflection',
      DECISION.replace('# Decision Reflection:', '# Reflection:'),
      { kind: 'decision' },
    ],
    [
      'parts in brackets, an em dash and Windows line endings',
      PARTIAL.replace(/^#.*/, '# Reflection: [2026-03-02] – [writer-agent] – [An announcement - in two]').replaceAll(
        '\n',
        '\r\n',
      ),
      { kind: 'partial', agent: 'writer-agent', sourceInput: 'An announcement - in two' },
    ],
    ['empty lines before the heading', `\uFEFF\n\n${PROCEDURE}`, { kind: 'success' }],
  ])('%s', (_name, file, expected) => {
    expect(read('notes.md', file)).toMatchObject(expected);
  });

  test('the heading takes priority over the path', () => {
    expect(read(path('2026-01-01-x', 'other'), PARTIAL)).toMatchObject({
      ...{ agent: 'writer-agent', createdAt: '2026-03-02T00:00:00.000Z' },
    });
  });
});

describe('round trip', () => {
  test.each([
    ['a failed task', FAILED],
    ['a partially solved task', PARTIAL],
    ['a procedure', PROCEDURE],
    ['a decision', DECISION],
  ])('%s is unchanged after export and import', (_name, file) => {
    const lesson = read('notes.md', file);
    expect(read(lessonPath(lesson), writeLessonMarkdown(lesson))).toEqual(lesson);
  });

  test.each(LESSON_KINDS)('reads an exported %s without its front matter', (kind) => {
    const fields = Object.fromEntries(LESSON_FIELDS[kind].map(({ name }) => [name, `The ${name} of it.`]));
    const text = hasForm(kind) ? {} : { text: 'Name the unit.' };
    const lesson = exchangedLessonSchema.parse({ kind, fields, ...text, agent: 'clerk' });
    const bare = writeLessonMarkdown(lesson).replace(/^---\n[\s\S]*?\n---\n/, '');
    expect(read('a.md', bare)).toMatchObject({ kind, fields: lesson.fields, text: lesson.text, agent: 'clerk' });
  });
});

test.each<[string, string, string]>([
  ['empty text', '\n\n', 'line 1: the file is empty'],
  [
    'prose',
    'It went wrong.',
    'line 1: must begin with a front matter (a line of three dashes) or a heading such as "# ',
  ],
  ['a heading without its parts', '\n# Reflection\n', 'line 2: must begin with a front matter'],
  ['an unknown heading', '# Diary: 2026-03-01 - a - b', 'line 1: "Diary" is no heading of a lesson'],
  ['no summary', '# Reflection: 2026-03-01 - researcher-agent', 'line 1: the heading must be written as "# Reflection'],
  ['an invalid date', FAILED.replace('2026-03-01', '2026-02-30'), 'line 1: the date must be such as 2026-03-01'],
  [
    'a date in another format',
    FAILED.replace('2026-03-01', '01.03.2026'),
    'line 1: the date must be such as 2026-03-01',
  ],
  ['an agent name that is too long', FAILED.replace('researcher-agent', 'a'.repeat(121)), 'line 1: agent must be at'],
  [
    'an unknown section',
    FAILED.replace('## Why did it go wrong?', '## Whose fault was it?'),
    'line 16: "Whose fault was it?" is not a section',
  ],
  [
    'a failed task without its root cause',
    FAILED.replace(/## Why did[\s\S]*?(?=## What should)/, ''),
    'line 2: Why must not be empty',
  ],
  [
    'a partial task without what to do differently',
    PARTIAL.replace(/## What should[\s\S]*/, ''),
    'line 2: What to do differently must not be empty',
  ],
  ['an empty section', PARTIAL.replace('The glossary was read too late.', ''), 'line 6: What went wrong must not be'],
  ['a repeated section', `${PROCEDURE}\n## Strategy\nAgain.\n`, 'line 9: the section "Strategy" appears twice'],
  [
    'text before the first section',
    FAILED.replace('\n\n## What happened', '\n\nHm.\n## What happened'),
    'line 3: text must',
  ],
  ['two lessons', `${PROCEDURE}\n${DECISION}`, 'line 9: a file can contain only one lesson'],
])('is rejected with its name and line: %s', (_name, file, message) => {
  const result = readLessonMarkdown('memory/x.md', file);
  expect(result).toMatchObject({
    ok: false,
    problem: { code: 'invalid', field: 'memory/x.md', message: expect.stringContaining(`memory/x.md, ${message}`) },
  });
});
