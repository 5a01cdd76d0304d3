import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findPageEntry } from './find-page-entry.ts';
import { listEntries } from './list-entries.test-support.mjs';
import { roleAllows } from './role.ts';

const ENTRIES = listEntries().entries;
const PROJECT = path.resolve(import.meta.dirname, '../..');

/** The links in a source file to pages for more than viewers that do not say whom they need. */
function openLinks(file: string, source: string): string[] {
  // What is filled in is one segment of a path.
  const plain = source.replace(/\$\{[^{}]*\}/g, 'x');
  const found = [
    ...plain.matchAll(/<Link\b[^>]*?\bhref=(?:"([^"]+)"|\{`([^`]+)`\})[^>]*>/g),
    ...plain.matchAll(/\{[^{}]*\b(?:href|path): (?:'([^']+)'|`([^`]+)`)[^{}]*\}/g),
  ];
  return found
    .filter(([text]) => !/\bneeds: /.test(text))
    .map(([, quoted, template]) => quoted ?? template ?? '')
    .filter((address) => {
      const page = findPageEntry(address.replace(/[?#].*$/s, ''));
      return page !== null && !roleAllows(roleOf(file), page.role);
    });
}

/** Who sees a file for certain: those who may open the page that it is. */
function roleOf(file: string) {
  return ENTRIES.find((entry) => entry.kind === 'page' && entry.file === file)?.role ?? 'viewer';
}

describe('links to pages above viewer', () => {
  test('say whom they need (MayLink, MayTextLink, or `needs` in a list of places)', () => {
    const files = globSync('{app,components}/**/*.{ts,tsx}', { cwd: PROJECT }).filter(
      // The API's own paths look like those of pages.
      (file) => !file.includes('.test.') && !file.startsWith('app/api/'),
    );
    expect(files.length).toBeGreaterThan(300);
    const open = files.flatMap((file) =>
      openLinks(file, readFileSync(path.join(PROJECT, file), 'utf8')).map((address) => `${file}: ${address}`),
    );
    expect(open).toEqual([]);
  });

  test.each([
    ['a fixed path', '<Link\n className="link" href="/lessons/recall">', ['/lessons/recall']],
    ['a path with an id', `<Link href={\`/experiments/\${id}/edit\`}>`, ['/experiments/x/edit']],
    ['a query', '<Link href="/settings?tab=a">', ['/settings?tab=a']],
    ['a place in a list', "{ href: '/settings', label: 'Settings' }", ['/settings']],
    ['a place that says whom it needs', "{ href: '/settings', label: 'Settings', needs: 'owner' }", []],
    ['a page for all', '<Link href="/lessons">', []],
    ['a link that asks', '<MayTextLink needs="reviewer" href="/lessons/recall">', []],
  ])('are found: %s', (_name, source, expected) => {
    expect(openLinks('components/a.tsx', source)).toEqual(expected);
  });

  test('may stand plain on a page for those who may open both', () => {
    const crumbs = "[{ label: 'Settings', href: '/settings' }]";
    expect(openLinks('app/settings/team/page.tsx', crumbs)).toEqual([]);
    expect(openLinks('app/lessons/page.tsx', crumbs)).toEqual(['/settings']);
  });
});
