import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import type { ImportPreview } from './import-draft.ts';
import { ImportPreviewTable } from './import-mapping.tsx';

function drawPreview(count: number): string {
  const rows: ImportPreview['rows'] = Array.from({ length: count }, (_row, at) => ({
    line: at + 1,
    state: 'ready',
    input: `input ${at + 1}.`,
    reference: null,
    tags: [],
    metadata: [],
    split: null,
  }));
  const preview = { ready: count, wrong: 0, same: 0, rows, faults: [] };
  return renderToStaticMarkup(createElement(ImportPreviewTable, { preview }));
}

test('the preview of an import shows the first 10 lines, and a button for the rest', () => {
  const html = drawPreview(40);
  expect(html).toContain('input 10.');
  expect(html).not.toContain('input 11.');
  expect(html).toContain('40 ready (first 10 shown)');
  expect(html).toContain('Show 30 more lines');
});

test('a preview of 10 lines shows all of them without a button', () => {
  const html = drawPreview(10);
  expect(html).toContain('input 10.');
  expect(html).not.toContain('shown');
  expect(html).not.toContain('<button');
});
