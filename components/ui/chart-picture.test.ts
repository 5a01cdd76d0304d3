import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { drawChartPicture } from './chart-picture.ts';

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
