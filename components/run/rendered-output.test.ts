import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import Markdown from 'react-markdown';
import remarkGfm from 'remark-gfm';
import { describe, expect, test } from 'vitest';
import { canRenderMarkdown } from './rendered-output.tsx';

/** Fragments that slow parsers down when repeated. */
const PIECES = [
  '- ',
  '> ',
  '1. ',
  '*a ',
  '*a_ ',
  '__a ',
  '**a*b ',
  '***',
  '[',
  '![',
  ']',
  '[a](',
  '[a](b',
  '[a][b]',
  '`a``b',
  '|a',
  '|a|\n|-|\n',
  '<a ',
  '<',
  '&a;',
  '~a~~ ',
  '[^1]',
  '[^1]: a\n',
  'http://a ',
  '<http://a',
  'www.a',
  'a@b ',
  '[a]: b\n',
  'a\n',
  '<div>\n',
  '    a\n',
  '> a\n- b\n',
  '# a\n',
  '\\*',
  '\t',
  'a|b\n-|-\nc|d\n',
  '- a\n  ',
  '- > ',
  '[![a](b)](',
  '* * ',
  '-\n',
  `${'>'.repeat(16)} a\n`,
  `${'- '.repeat(16)}a\n`,
  '_a_*b*~c~',
  '\n',
];

function millisecondsFor(text: string): number {
  const started = process.threadCpuUsage();
  renderToStaticMarkup(createElement(Markdown, { remarkPlugins: [remarkGfm] }, text));
  const { user, system } = process.threadCpuUsage(started);
  return (user + system) / 1_000;
}

describe('rendered text takes less than two seconds', () => {
  test.each(PIECES.map((piece) => ({ piece })))('up to 50 kB of $piece', ({ piece }) => {
    let text = piece.repeat(Math.floor(50_000 / piece.length));
    while (!canRenderMarkdown(text)) text = text.slice(0, text.length * 0.8);
    expect(text.length).toBeGreaterThan(0);
    expect(millisecondsFor(text)).toBeLessThan(2_000);
  });

  test('nested lists, one level per line', () => {
    const text = Array.from({ length: 200 }, (_, level) => `${'  '.repeat(level)}- a`).join('\n');
    expect(canRenderMarkdown(text)).toBe(true);
    expect(millisecondsFor(text)).toBeLessThan(2_000);
  });
});

test.each([
  ['9,990 list markers', '- '.repeat(9_990)],
  ['20,000 quote markers', '> '.repeat(20_000)],
  ['a million characters', 'a'.repeat(1_000_000)],
  ['8,000 headings', '# a\n'.repeat(8_000)],
])('shows %s as plain text', (_name, text) => {
  expect(canRenderMarkdown(text)).toBe(false);
});

test.each([
  ['a list of 500 items', '- one item with **bold** words\n'.repeat(500)],
  ['a list in a quote', '> - one\n> - two\n>   - three\n'],
  ['a table of 300 rows', `|a|b|\n|-|-|\n${'|1|2|\n'.repeat(300)}`],
  ['an article', 'A paragraph with a [link](https://example.com) and `code`.\n\n'.repeat(300)],
])('renders %s', (_name, text) => {
  expect(canRenderMarkdown(text)).toBe(true);
});
