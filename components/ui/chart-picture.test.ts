import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { drawChartPicture, wrapText } from './chart-picture.ts';

class FontFaceRule {
  style = { getPropertyValue: (name: string) => ({ 'font-family': 'Geist', src: 'url(/geist.woff2)' })[name] ?? '' };
}

beforeEach(() => {
  vi.stubGlobal('CSSFontFaceRule', FontFaceRule);
  vi.stubGlobal('getComputedStyle', () => ({ fontFamily: 'Geist, sans-serif', getPropertyValue: () => '#000' }));
  vi.stubGlobal('document', {
    baseURI: 'http://127.0.0.1:3000/',
    styleSheets: [{ href: null, cssRules: [new FontFaceRule()] }],
    createElement: () => ({ getContext: () => null }),
  });
});
afterEach(() => void vi.unstubAllGlobals());

test.each([
  ['the connection is lost', () => Promise.reject(new TypeError('Failed to fetch'))],
  ['the server returns an error page', () => Promise.resolve(new Response('<h1>Not found</h1>', { status: 404 }))],
])('draws the picture in the system font if %s', async (_name, fetch) => {
  vi.stubGlobal('fetch', fetch);
  const { svg } = await drawChartPicture([], { title: 'Scores', notes: [], source: 'Hone' });
  expect(svg).toContain('<style>text{');
  expect(svg).toContain('>Scores</text>');
});

const lettersOf = (text: string) => [...text].length;

describe('wrapText', () => {
  test.each([
    { name: 'keeps words that fit on one line', text: 'one two three', width: 7, lines: ['one two', 'three'] },
    { name: 'splits at any white space', text: ' one\n\ttwo ', width: 9, lines: ['one two'] },
    { name: 'splits a word that is too wide', text: 'ab abcdefgh c', width: 4, lines: ['ab', 'abcd', 'efgh', 'c'] },
    { name: 'splits between characters, never within one', text: '😀😀😀', width: 2, lines: ['😀😀', '😀'] },
    { name: 'returns no lines for an empty text', text: '', width: 5, lines: [] },
  ])('$name', ({ text, width, lines }) => {
    expect(wrapText(text, width, lettersOf)).toEqual(lines);
  });
});
