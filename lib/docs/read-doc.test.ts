import { describe, expect, test } from 'vitest';
import { docHref, headingId, parseDoc, searchDocs } from './read-doc.ts';

const TEXT = `---
title: Back up
description: Write the database into one file.
---

Intro.

## First, \`backup\`

\`\`\`sh
## not a heading
\`\`\`

### A [link](other.md) inside
`;

describe('documentation page', () => {
  test('is split into front matter, body and headings', () => {
    const doc = parseDoc('operations/backup', TEXT);
    expect(doc).toMatchObject({ title: 'Back up', description: 'Write the database into one file.' });
    expect(doc.body.startsWith('Intro.')).toBe(true);
    expect(doc.headings).toEqual([
      { level: 2, text: 'First, backup', id: 'first-backup' },
      { level: 3, text: 'A link inside', id: 'a-link-inside' },
    ]);
  });

  test('without a title is refused', () => {
    expect(() => parseDoc('operations/backup', '---\ndescription: x\n---\n\nText')).toThrow();
  });
});

test.each([
  ['Team mode', 'team-mode'],
  ['Does a lesson help?', 'does-a-lesson-help'],
  ['`GET /ready` and /health', 'get-ready-and-health'],
  ['Größe: 2 MB', 'größe-2-mb'],
])('the anchor of %j is %s, as on GitHub', (text, id) => {
  expect(headingId(text)).toBe(id);
});

test.each([
  ['loop.md', '/docs/concepts/loop'],
  ['../how-to/import-cases.md#errors', '/docs/how-to/import-cases#errors'],
  ['#the-order', '#the-order'],
  ['https://example.org/a.md', 'https://example.org/a.md'],
  ['/models', '/models'],
])('a link to %s from a concept page resolves to %s', (href, target) => {
  expect(docHref('concepts/criteria', href)).toBe(target);
});

describe('searchDocs', () => {
  test('finds a section by words of its text and ranks headings first', () => {
    const [first, ...others] = searchDocs('rolling restart', 12);
    expect(first).toMatchObject({ href: '/docs/operations/scaling#rolling-restart', section: 'Rolling restart' });
    expect(others.length).toBeGreaterThan(0);
  });

  test('requires every word to match', () => {
    expect(searchDocs('rolling zebra', 12)).toEqual([]);
  });

  test('returns nothing without words, and at most the requested number', () => {
    expect(searchDocs('   ', 12)).toEqual([]);
    expect(searchDocs('run', 3)).toHaveLength(3);
  });
});
