import { describe, expect, test } from 'vitest';
import { DOC_PATHS } from '#lib/docs/navigation.ts';
import { readDoc } from '#lib/docs/read-doc.ts';
import { type DocPictures, renderDoc } from './doc-html.ts';

const image = (src: string, width: number, height: number) => ({ src, width, height });
const PICTURES: DocPictures = {
  'run-light.png': {
    light: [image('/light.png', 1440, 900), image('/light.webp', 720, 450)],
    dark: [image('/dark.png', 1440, 900), image('/dark.webp', 720, 450)],
  },
};

function render(body: string): string {
  return renderDoc({ path: 'how-to/tune-a-prompt', body }, PICTURES);
}

describe('renderDoc', () => {
  test('adds an anchor to a heading', () => {
    expect(render('## Stop *now*')).toMatch(
      /<h2 id="stop-now"[^>]*>Stop <em>now<\/em> <a [^>]*href="#stop-now" aria-label="Link to Stop now">#<\/a><\/h2>/,
    );
  });

  test('removes a javascript: link', () => {
    expect(render('[a](javascript:alert(1))')).toBe('<p><span>a</span></p>');
  });

  test('starts a section at each second-level heading', () => {
    const tags = [...render('a\n\n## B\n\nc\n\n### D\n\n## E').matchAll(/<(\/?[a-z]+\d?)/g)].map(([, tag]) => tag);
    expect(tags.filter((tag) => !/^\/?(p|a|h\d)$/.test(tag ?? ''))).toEqual([
      'section',
      '/section',
      'section',
      '/section',
    ]);
  });

  test('rewrites a link to another page to its URL in Hone', () => {
    expect(render('[API](../reference/api.md#runs)')).toContain(
      '<a class="link" href="/docs/reference/api#runs">API</a>',
    );
  });

  test('sends no referrer to external sites', () => {
    expect(render('[gepa](https://pypi.org/)')).toContain('rel="noreferrer noopener"');
  });

  test('renders a table that the keyboard can scroll before client code measures it', () => {
    expect(render('| a |\n| - |\n| 1 |')).toContain(
      '<div data-scroll-x="Table 1" tabindex="0" role="region" aria-label="Table 1"',
    );
  });

  test('labels tables by number, each in its own scroll container', () => {
    expect(render('| a |\n| - |\n| 1 |\n\n| b |\n| - |\n| 2 |')).toMatch(
      /<div data-scroll-x="Table 1"[^>]*><table .*<div data-scroll-x="Table 2"[^>]*><table /s,
    );
  });

  test('drops line breaks between blocks and keeps those within text', () => {
    expect(render('- *a*\n  *b*\n- c')).toBe('<ul><li><em>a</em>\n<em>b</em></li><li>c</li></ul>');
  });

  test('highlights and escapes code and adds a copy button', () => {
    const html = render('```ts\nconst a = "<b>";\n```');
    expect(html).toContain('<span class="k-word">const</span> a = <span class="k-text">"&#x3C;b>"</span>;</pre>');
    expect(html).toContain('data-copy');
  });

  test('only escapes inline code', () => {
    expect(render('Send `<b>`.')).toBe('<p>Send <code>&#x3C;b></code>.</p>');
  });

  test('renders a picture in the theme of the system and one in the other theme', () => {
    const [system, other] = render('![A run](../pictures/run-light.png)').split('</picture>');
    expect(system).toMatch(
      /<source media="\(prefers-color-scheme: dark\)" srcset="\/dark\.png"><img src="\/light\.png"/,
    );
    expect(other).toMatch(
      /<source media="\(prefers-color-scheme: dark\)" srcset="\/light\.png"><img src="\/dark\.png"/,
    );
  });

  test('renders a smaller copy of a picture on phones', () => {
    const [system] = render('![A run](../pictures/run-light.png)').split('</picture>');
    const sources = [...(system ?? '').matchAll(/<source media="([^"]*)" srcset="([^"]*)">/g)];
    expect(sources.map(([, media, src]) => [media, src])).toEqual([
      ['(max-width: 40rem) and (prefers-color-scheme: dark)', '/dark.webp'],
      ['(max-width: 40rem)', '/light.webp'],
      ['(prefers-color-scheme: dark)', '/dark.png'],
    ]);
  });

  test.each([
    ['at once at the top', '', 1],
    ['when it is near below a heading', '## Run it\n\n', 2],
  ])('loads the picture %s', (_name, before, lazy) => {
    const html = render(`${before}![A run](../pictures/run-light.png)`);
    expect(html.match(/<img [^>]*width="1440" height="900" alt="A run"/g)).toHaveLength(2);
    expect(html.match(/loading="lazy"/g)).toHaveLength(lazy);
  });

  test('drops HTML within Markdown', () => {
    expect(render('a <script>alert(1)</script> b')).not.toContain('<script');
  });
});

test.each([...DOC_PATHS])('%s has an anchor for each heading', (path) => {
  const doc = readDoc(path);
  const html = renderDoc(doc, PICTURES);
  expect([...html.matchAll(/<h[23] id="([^"]*)"/g)].map(([, id]) => id)).toEqual(doc.headings.map(({ id }) => id));
});
