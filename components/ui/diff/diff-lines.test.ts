import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { DiffView } from './diff-view.tsx';

const drawn = (before: string, after: string) =>
  renderToString(createElement(DiffView, { before, after, layout: 'split', label: 'Changes' }));

test('compares short texts during server rendering', () => {
  expect(drawn('wait a while', 'wait a minute')).toContain('<ins>minute</ins>');
});

test('defers long texts to the browser', () => {
  const lines = (word: string) => Array.from({ length: 12_000 }, (_, at) => `${word} ${at}`).join('\n');
  const page = drawn(lines('old'), lines('new'));
  expect(page).toContain('Comparing texts');
  expect(page.length).toBeLessThan(200);
});

test('people copy visible white space as it is in the text', () => {
  const shown = renderToString(
    createElement(DiffView, {
      ...{ before: 'a  b', after: 'a\t\u00a0b ', layout: 'unified' as const, label: 'Changes' },
      showSpace: true,
    }),
  );
  const text = shown.replaceAll(/<span class="sr-only">[^<]*<\/span>|<[^>]+>/g, '');
  expect(text).toContain('a  b');
  expect(text).toContain('a\t\u00a0b ');
  expect(text).not.toMatch(/[·→⍽¶\u200b]/);
});
