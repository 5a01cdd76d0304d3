import { type ComponentProps, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { EvaluatedCase, EvaluationTable } from './evaluation-table.tsx';

const one = { split: 'train', reference: null, isCut: false, tags: [], fields: [] } as const;

function markup(names: string[], inputs: string[], changes: Partial<ComponentProps<typeof EvaluationTable>> = {}) {
  const models = names.map((model) => ({ provider: 'practice', model }));
  const pairs = models.map((model) => ({ model, before: null, after: null, effect: null }));
  const rows = inputs.map((input, position) => ({ case: { ...one, tags: [], fields: [], position, input }, pairs }));
  const props = { rows, models, before: 'v1', chosen: null, onChoose: () => undefined, details: null, ...changes };
  return renderToStaticMarkup(createElement(EvaluationTable, props));
}

test('a model is the header of its three columns', () => {
  expect(markup(['small', 'large'], ['1 + 2'])).toMatch(/<th colSpan="3" scope="colgroup">small<\/th>/i);
});

test('the details of the selected case are below its row', () => {
  const html = markup(['small'], ['alpha', 'beta', 'gamma'], { chosen: 1, details: 'DETAILS' });
  expect(html.match(/alpha|beta|gamma|DETAILS/g)).toEqual(['alpha', 'beta', 'DETAILS', 'gamma']);
});

test('a row looks clickable as a whole', () => {
  expect(markup(['small'], ['alpha'])).toMatch(/<tr class="cursor-pointer"[^>]*><td[^>]*><button[^>]*>alpha/);
});

test('a case that cannot be scored is shown as skipped, with the reason in its details', () => {
  const models = [{ provider: 'practice', model: 'small' }];
  const pairs = models.map((model) => ({ model, before: null, after: null, effect: null }));
  const skipped = { criterion: 'exact', missing: 'reference' } as const;
  const row = { case: { ...one, tags: [], fields: [], position: 3, input: 'alpha', skipped }, pairs };
  const props = { rows: [row], models, before: 'v1', chosen: null, onChoose: () => undefined, details: null };
  expect(renderToStaticMarkup(createElement(EvaluationTable, props)).match(/ skipped</g)).toHaveLength(2);
  const details = renderToStaticMarkup(createElement(EvaluatedCase, { row, before: 'v1', onTryAgain: null }));
  expect(details).toContain('Not scored: the case has no reference.');
  expect(details).not.toContain('Not evaluated yet');
});
