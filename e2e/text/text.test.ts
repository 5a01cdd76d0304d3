import { describe, expect, test } from 'vitest';
import { findProse, proseOf } from './find-prose.ts';
import { type FoundString, findStrings, stringsOf } from './find-strings.ts';
import { lintText } from './lint-text.ts';

const textsOf = (source: string) => stringsOf('part.ts', source).map(({ text }) => text);

describe('stringsOf', () => {
  test('finds element texts, visible attributes and messages, with their lines', () => {
    const source = `export function Part() {
  return (
    <p className="flex gap-2" title="Opens the run">
      Retry {count} runs
    </p>
  );
}
fail('invalid', \`The case \${name} has no input. Add one.\`);
`;
    expect(stringsOf('part.tsx', source)).toEqual([
      { file: 'part.tsx', line: 3, text: 'Opens the run' },
      { file: 'part.tsx', line: 3, text: 'Retry' },
      { file: 'part.tsx', line: 4, text: 'runs' },
      { file: 'part.tsx', line: 8, text: 'The case {…} has no input. Add one.' },
    ]);
  });

  test('ignores SQL, class names, imports and single keys', () => {
    const source = `import x from 'some where';
const sql = 'SELECT id FROM runs';
database.query('which one is it');
const kind = 'best_version';
const style = classNames('text-sm font-medium', 'p-2 m-2');
`;
    expect(stringsOf('part.ts', source)).toEqual([]);
  });

  test.each([
    ["'use client';"],
    ["const rule = '@font-face{font-family: Geist; src: url(a)}';"],
    ['const picture = \'<svg width="9"><rect/>;</svg>\';'],
    ["const example = 'const response = await fetch(url);\\nconst text = await response.text();';"],
    ['const field = \'form [aria-invalid="true"]\';'],
    ["readApi('GET /api/v1/docs');"],
  ])('ignores code: %s', (source) => {
    expect(stringsOf('part.tsx', source)).toEqual([]);
  });

  test('decodes HTML entities, whose semicolons join no clauses', () => {
    expect(stringsOf('part.tsx', 'const part = <p>Training&nbsp;set</p>;')).toMatchObject([{ text: 'Training set' }]);
  });

  test('finds descriptions of fields with any name', () => {
    const source =
      "z.object({ name: z.string().meta({ description: 'Name of the webhook.' }), type: 'not shown to people' });";
    expect(textsOf(source)).toEqual(['Name of the webhook.']);
  });

  test('ignores texts for models', () => {
    const source = `const INSTRUCTIONS = 'You compare two answers.';
const checkResponseSchema = z.object({ reason: z.string().describe('what made the difference') });
ask({ instructions: 'You answer short questions.', message: 'The model responded.' });
`;
    expect(textsOf(source)).toEqual(['The model responded.']);
  });

  test.each([
    ['columns', 'step int, ordinal int, fingerprint text, role text, provider text, model text'],
    ['part of a query', '(SELECT count(*) FROM runs r WHERE r.batch_id = b.id)'],
    ['a named column', 'count(*) AS "runs", total'],
    ['a function', 'function evaluate({ output }) { return output.length; }'],
    ['a statement', 'const reason = String(said.reason);'],
    ['a style sheet', ':root { --ink: #1c1e21; --line: #d9dde2; }'],
    ['a regular expression', '(?:is|was|are) (?:the|my) secret'],
    ['a header', 'attachment; filename="runs.csv"'],
    ['stop words', Array.from({ length: 30 }, () => 'word').join(' ')],
  ])('ignores %s', (_name, text) => {
    expect(textsOf(`const code = \`${text.replaceAll('`', '')}\`;`)).toEqual([]);
  });

  test.each([
    [
      'that contains an SQL keyword',
      'Run DELETE FROM settings WHERE key = 1 on the database, then restart this process.',
    ],
    ['that begins with a placeholder', '{{reference}} is only for judges. Remove it.'],
    ['with an example', 'must define a function, such as function evaluate({ output }) { return 1 }'],
  ])('finds a text %s', (_name, text) => {
    expect(textsOf(`const message = "${text}";`)).toEqual([text]);
  });

  test('finds each line of a help text and each text of an HTML page', () => {
    const source = `const USAGE = \`Usage: npm run gate

Compares two experiments.
  --json  print JSON\`;
const PAGE = \`<!doctype html><title>Open Hone</title><p>Go to the <code>terminal</code>.</p>\`;
`;
    expect(textsOf(source)).toEqual([
      'Usage: npm run gate',
      'Compares two experiments.',
      '--json print JSON',
      'Open Hone',
      'Go to the <code>terminal</code>.',
    ]);
  });

  test('finds the texts of the app', () => {
    expect(findStrings('components/inbox/*.tsx').length).toBeGreaterThan(50);
  });
});

describe('lintText', () => {
  test.each([
    'Split cases',
    'The provider returned 401. Check the API key in Settings > Models.',
    'A key is only sent to the base URL it was saved with.',
    'Scored where the runs come from',
    'Resume continues where it was.',
  ])('accepts %j', (text) => {
    expect(lintText(text)).toEqual([]);
  });

  test.each([
    ['This page is not yours to open', 1],
    ['It is retried; then the run ends.', 1],
    ['Null where it was never changed.', 1],
    ['Parted by commas, and mended by itself.', 3],
    [`${'word '.repeat(26)}end.`, 1],
  ])('rejects %j', (text, findings) => {
    expect(lintText(text)).toHaveLength(findings);
  });
});

test('proseOf returns headings, paragraphs, list items and cells, without code and test names', () => {
  const markdown = `---
title: Import cases
---
# Import cases

Open **Datasets**, then
use \`import\`.

- One [file](file.md) at a time
- Two

\`\`\`sh
not a text
\`\`\`

| State | Test |
| --- | --- |
| works | import.test.ts › takes what is asked |
`;
  expect(proseOf('page.md', markdown)).toEqual([
    { file: 'page.md', line: 4, text: 'Import cases' },
    { file: 'page.md', line: 6, text: 'Open Datasets, then use ….' },
    { file: 'page.md', line: 9, text: 'One file at a time' },
    { file: 'page.md', line: 10, text: 'Two' },
    { file: 'page.md', line: 16, text: 'State' },
    { file: 'page.md', line: 16, text: 'Test' },
    { file: 'page.md', line: 18, text: 'works' },
    { file: 'page.md', line: 18, text: 'import.test.ts' },
  ]);
});

/** Folders that must have no style violations. */
const CLEAN = ['app', 'components', 'lib'];

const findingsIn = (texts: FoundString[]) =>
  texts.flatMap(({ file, line, text }) => lintText(text).map((finding) => `${file}:${line} ${text}: ${finding}`));

test.each(CLEAN)(
  'no text in %s violates a style rule',
  (folder) => {
    expect(findingsIn(findStrings(`${folder}/**/*.{ts,tsx,mjs}`))).toEqual([]);
    // Parses every source of the folder.
  },
  60_000,
);

test('no text in the documentation violates a style rule', () => {
  expect(findingsIn(findProse())).toEqual([]);
});
