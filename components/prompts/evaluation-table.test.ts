import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { expect, test } from 'vitest';
import { EvaluationTable } from './evaluation-table.tsx';

test('a model is the header of its three columns', () => {
  const models = ['small', 'large'].map((model) => ({ provider: 'practice', model }));
  const pairs = models.map((model) => ({ model, before: null, after: null, effect: null }));
  const one = { position: 0, split: 'train', input: '1 + 2', reference: null, isCut: false } as const;
  const rows = [{ case: { ...one, tags: [], fields: [] }, pairs }];
  const table = createElement(EvaluationTable, { rows, models, before: 'v1', chosen: null, onChoose: () => undefined });
  expect(renderToStaticMarkup(table)).toMatch(/<th colSpan="3" scope="colgroup">small<\/th>/i);
});
