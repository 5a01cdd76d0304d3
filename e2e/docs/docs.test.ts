import { globSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { PAGES, type PageHelp, type PageRules } from '#lib/auth/pages.ts';
import { caseInputSchema } from '#lib/datasets/case-input.ts';
import { DOC_PATHS, type DocPath, isDocPath } from '#lib/docs/navigation.ts';
import { docHref, readDoc } from '#lib/docs/read-doc.ts';
import { validatorRequestSchema } from '#lib/evaluators/evaluator.ts';
import { importLineSchema } from '#lib/exchange/import-line.ts';
import { readGateOptions } from '#lib/gate/run-gate.ts';
import { pauseRequestSchema } from '#lib/worker/webhooks/pause-delivery.ts';
import { findStrings } from '../text/find-strings.ts';
import { gradeOf, sentencesOf } from './readability.ts';
import { referencePages } from './reference-pages.ts';

test('the navigation lists every documentation file', () => {
  const files = globSync('docs/*/*.md').map((file) => file.slice('docs/'.length, -'.md'.length));
  expect(files.sort()).toEqual([...DOC_PATHS].sort());
});

test.each(Object.entries(referencePages()))('docs/reference/%s matches the output of `npm run docs`', (file, text) => {
  expect(readFileSync(`docs/reference/${file}`, 'utf8')).toBe(text);
});

/** Returns the link targets in a Markdown text, except those in code and images. */
function linksOf(markdown: string): string[] {
  const prose = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '').replaceAll(/`[^`\n]*`/g, '');
  return [...prose.matchAll(/(?<!!\[[^\]]*)\]\(([^)\s]+)\)/g)].map(([, href = '']) => href);
}

test.each([...DOC_PATHS])('%s has no broken links', (from) => {
  const dead = linksOf(readDoc(from).body).filter((href) => {
    const target = docHref(from, href);
    if (/^https?:/.test(target)) return false;
    const [page = '', anchor] = target.split('#');
    const to = page === '' ? from : page.replace('/docs/', '');
    return !isDocPath(to) || (anchor !== undefined && !readDoc(to).headings.some(({ id }) => id === anchor));
  });
  expect(dead).toEqual([]);
});

describe('page help links', () => {
  const helps = Object.entries<PageRules>(PAGES);

  test.each(helps.flatMap(([page, { help }]) => (help === null ? [] : [{ page, ...help }])))(
    '$page links to an existing section: $at',
    ({ at }: PageHelp) => {
      const [docPath = '', anchor] = at.split('#');
      expect(isDocPath(docPath) && readDoc(docPath).headings.map(({ id }) => id)).toContain(anchor);
    },
  );

  test('are missing only on the docs pages, the join page and the sign-in page', () => {
    const without = helps.filter(([, { help }]) => help === null).map(([page]) => page);
    expect(without).toEqual(['/docs', '/docs/{section}/{page}', '/join/{token}', '/sign-in']);
  });
});

test.each(['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/architecture.md'])(
  '%s has no broken links to files',
  (file) => {
    const dead = linksOf(readFileSync(file, 'utf8')).filter((href) => {
      const [target = ''] = href.split('#');
      return !/^[a-z]+:/.test(href) && target !== '' && globSync(path.join(path.dirname(file), target)).length === 0;
    });
    expect(dead).toEqual([]);
  },
);

test('every picture in the docs and the README exists in both themes, is small and is used', async () => {
  const texts = [readFileSync('README.md', 'utf8'), ...DOC_PATHS.map((docPath) => readDoc(docPath).body)];
  const used = texts.flatMap((text) =>
    [...text.matchAll(/pictures\/([\w-]+)-light\.png/g)].map(([, name = '']) => name),
  );
  const files = globSync('docs/pictures/*');
  const expected = [...new Set(used)].flatMap((name) =>
    ['dark', 'light'].flatMap((theme) => [
      `docs/pictures/${name}-${theme}.png`,
      `docs/pictures/${name}-${theme}-narrow.webp`,
    ]),
  );
  expect(files.toSorted()).toEqual(expected.toSorted());
  expect(files.length).toBeGreaterThan(0);
  for (const file of files) {
    const { width, height } = await sharp(file).metadata();
    const [size, mostBytes] = file.endsWith('.webp')
      ? [{ width: 720, height: 456 }, 40_000]
      : [{ width: 1200, height: 760 }, 150_000];
    expect({ file, width, height, isSmall: statSync(file).size < mostBytes }).toEqual({ file, ...size, isSmall: true });
  }
});

test('the README has at most 150 lines', () => {
  expect(readFileSync('README.md', 'utf8').split('\n').length).toBeLessThanOrEqual(151);
});

describe('readability', () => {
  const help = findStrings().filter(({ text }) => /[.!?]$/.test(text));
  test.each([
    ...DOC_PATHS.map((docPath) => ({ name: docPath, sentences: sentencesOf(readDoc(docPath).body) })),
    { name: 'help of the app', sentences: help.flatMap(({ text }) => sentencesOf(text.replaceAll('{…}', 'name'))) },
  ])('$name has at most 18 words per sentence and a Flesch-Kincaid grade of at most 9', ({ sentences }) => {
    const words = sentences.reduce((sum, sentence) => sum + sentence.split(' ').length, 0);
    expect(words / sentences.length).toBeLessThanOrEqual(18);
    expect(gradeOf(sentences)).toBeLessThanOrEqual(9);
  });
});

/** Source code of the app, joined into one line. */
const SOURCE = globSync('{app,components,lib}/**/*.{ts,tsx}', { exclude: ['lib/database/generated/**'] })
  .filter((file) => !file.includes('.test'))
  .map((file) => readFileSync(file, 'utf8'))
  .join(' ')
  .replaceAll('’', "'")
  .replaceAll(/\s+/g, ' ');

test.each([...DOC_PATHS])('every bold label in %s exists in the app', (docPath) => {
  // Bold sentences are not labels. An arrow separates two labels.
  const bold = [...readDoc(docPath).body.matchAll(/\*\*([^*]+)\*\*/g)].map(([, text = '']) => text);
  const labels = bold
    .filter((text) => !text.endsWith('.'))
    .flatMap((text) => text.split('→').map((part) => part.trim()));
  const missing = labels.filter(
    (label) => !new RegExp(`(?<![a-z])${label.replaceAll(/[^\w ]/g, '.')}(?![a-z])`, 'i').test(SOURCE),
  );
  expect(missing).toEqual([]);
});

test.each<[DocPath, z.ZodObject]>([
  ['how-to/score-with-a-webhook', validatorRequestSchema.extend({ run: z.string() })],
  ['how-to/use-webhooks', pauseRequestSchema],
  ['how-to/import-runs', importLineSchema],
  ['how-to/import-cases', caseInputSchema],
])('the first JSON sample of %s is what Hone sends or takes', (docPath, schema) => {
  const [, sample = ''] = /^```json\n([\s\S]*?)^```$/m.exec(readDoc(docPath).body) ?? [];
  expect(schema.strict().safeParse(JSON.parse(sample)).error?.issues ?? []).toEqual([]);
});

test('the guide to hosted models uses the same error messages as Hone', () => {
  const [, table = ''] = readDoc('how-to/connect-a-model').body.split('## If the test fails');
  const messages = [...table.matchAll(/^\| ([^|]+?)(?: within 300 s| the model)?(?: \(HTTP \d+\))? \|.*\|.*\|$/gm)]
    .map(([, message = '']) => message)
    .slice(1);
  const source = readFileSync('lib/providers/call/failure-of.ts', 'utf8');
  expect(messages.length).toBeGreaterThan(5);
  expect(messages.filter((message) => !source.includes(message)).filter((message) => !/^-+$/.test(message))).toEqual(
    [],
  );
});

test('the gate guide lists every option with its default', () => {
  const { body } = readDoc('how-to/gate-a-pull-request');
  const rows = [...body.matchAll(/^\| `--([\w-]+)[^`]*` \|([^|]*)\|/gm)].map(([, name, value]) => [
    name,
    value?.trim(),
  ]);
  const defaults = Object.fromEntries(rows);
  const id = '00000000-0000-4000-8000-000000000000';
  const baseline = '00000000-0000-4000-8000-000000000001';
  const options = readGateOptions(['--experiment', id, '--baseline', baseline], {});
  expect(options).toMatchObject({
    ok: true,
    value: {
      metric: null,
      margin: Number(defaults.margin),
      leastCases: Number(defaults['least-cases']),
      isJson: false,
    },
  });
  expect(Object.keys(defaults)).toEqual([
    'experiment',
    'baseline',
    'metric',
    'margin',
    'least-cases',
    'address',
    'json',
  ]);
});

test.each([...DOC_PATHS])('the JSON samples in %s parse', (docPath) => {
  for (const [, sample = ''] of readDoc(docPath).body.matchAll(/^```json\n([\s\S]*?)^```$/gm))
    expect(() => JSON.parse(sample)).not.toThrow();
});
