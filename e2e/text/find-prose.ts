import { globSync, readFileSync } from 'node:fs';
import type { FoundString } from './find-strings.ts';

const PROSE = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CHANGELOG.md', 'docs/**/*.md', 'examples/**/*.md'];

/** Returns the texts of the documentation in file order. */
export function findProse(): FoundString[] {
  return PROSE.flatMap((files) => globSync(files).sort()).flatMap((file) => proseOf(file, readFileSync(file, 'utf8')));
}

/** Returns the texts of one page: each paragraph, list item, heading or cell. Code, front matter and test names are excluded. */
export function proseOf(file: string, markdown: string): FoundString[] {
  const found: FoundString[] = [];
  let isCode = false;
  let open: FoundString | null = null;
  const lines = markdown.replace(/^---\n[\s\S]*?\n---\n/, (front) => '\n'.repeat(front.split('\n').length - 1));
  for (const [at, line] of lines.split('\n').entries()) {
    if (/^\s*(```|~~~)/.test(line)) isCode = !isCode;
    const isBlank = isCode || line.trim() === '' || /^\s*(```|~~~|\|[\s|:-]+\|$)/.test(line);
    if (isBlank || /^\s*([-*#>|]|\d+\.)/.test(line)) open = null;
    if (isBlank) continue;
    const isTable = /^\s*\|/.test(line);
    for (const part of isTable ? line.split(/(?<!\\)\||<br>/) : [line.replace(/^\s*([-*#>]+|\d+\.)\s+/, '')]) {
      const text = plain(part);
      if (!/\p{L}{2}/u.test(text)) continue;
      if (open !== null) open.text += ` ${text}`;
      else {
        open = { file, line: at + 1, text };
        found.push(open);
      }
      if (isTable) open = null;
    }
  }
  return found;
}

/** Removes Markdown syntax and replaces code by `…`. A test name follows `›`. */
function plain(markdown: string): string {
  return markdown
    .replaceAll(/`[^`]*`/g, '…')
    .replaceAll(/\]\([^)]*\)|[[*]|<[^>]+>/g, '')
    .replace(/ › .*$/, '')
    .trim();
}
