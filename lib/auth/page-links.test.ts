import { globSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { findPageEntry } from './find-page-entry.ts';
import { listEntries } from './list-entries.test-support.mjs';
import { roleAllows } from './role.ts';

const ENTRIES = listEntries().entries;
const PROJECT = path.resolve(import.meta.dirname, '../..');

/** Returns the links in a source file to pages above viewer that do not state the required role. */
function openLinks(file: string, source: string): string[] {
  // An interpolated value is one segment of a path.
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

/** Returns the lowest role that sees a file: the role of its page, else viewer. */
function roleOf(file: string) {
  return ENTRIES.find((entry) => entry.kind === 'page' && entry.file === file)?.role ?? 'viewer';
}

describe('links to pages above viewer', () => {
  test('state the required role (MayLink, MayTextLink, or `needs` in a list of links)', () => {
    const files = globSync('{app,components}/**/*.{ts,tsx}', { cwd: PROJECT }).filter(
      // API paths look like page paths.
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
    ['an entry of a list of links', "{ href: '/settings', label: 'Settings' }", ['/settings']],
    ['an entry with its required role', "{ href: '/settings', label: 'Settings', needs: 'owner' }", []],
    ['a page for all roles', '<Link href="/lessons">', []],
    ['a link that checks the role', '<MayTextLink needs="reviewer" href="/lessons/recall">', []],
  ])('are found: %s', (_name, source, expected) => {
    expect(openLinks('components/a.tsx', source)).toEqual(expected);
  });

  test('need no role on a page that requires the same role', () => {
    const crumbs = "[{ label: 'Settings', href: '/settings' }]";
    expect(openLinks('app/settings/team/page.tsx', crumbs)).toEqual([]);
    expect(openLinks('app/lessons/page.tsx', crumbs)).toEqual(['/settings']);
  });
});
