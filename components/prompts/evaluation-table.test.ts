import { type ComponentProps, createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { EvaluationTable } from './evaluation-table.tsx';

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
