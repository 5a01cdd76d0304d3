import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, test } from 'vitest';
import { ProposalPane } from './proposal-pane.tsx';
import { summaryOf } from './summary-of.test-support.ts';
import type { CaseResults, PromptCaseResult } from './tuning-grid.ts';

const SETTINGS = { tune: { references: true } } as Parameters<typeof ProposalPane>[0]['settings'];

const result = (version: number, score: number | null): PromptCaseResult => ({
  ...{ version, score, satisfactory: score === 1, output: 'An answer', criteriaScores: {}, feedback: '', detail: '' },
  ...{ finishReason: 'stop', paidBefore: false },
});

/** Case at `position` with the scores of the parent and of the proposal. Undefined: not tested. */
function caseOf(position: number, ...scores: (number | null | undefined)[]): CaseResults {
  const tries = scores.flatMap((score, version) => (score === undefined ? [] : [result(version, score)]));
  return { position, split: 'train', input: `Case ${position}`, reference: null, tries };
}

/** Text of the pane for the second version of a run. */
function textOf(cases: CaseResults[]): string {
  const { versions } = summaryOf([{}, { minibatch: { positions: [], before: 1, after: 1, of: cases.length } }]);
  const [, version] = versions;
  if (version === undefined) throw new Error('the summary has no proposal');
  const effect = { version: 1, parent: 0, cases };
  const pane = createElement(ProposalPane, { version, effect, settings: SETTINGS, isEnded: true });
  return renderToString(pane).replaceAll(/<!-- -->|<[^>]+>/g, '');
}

test('counts cases without a score of both prompts apart from unchanged ones', () => {
  const cases = [caseOf(0, 1, 1), caseOf(1, 0, 1), caseOf(2, 1, 0), caseOf(3, null, 1), caseOf(4, 0)];
  expect(textOf(cases)).toContain('▲ 1 fixed or better, ▼ 1 broken or worse, 1 the same, 2 without a comparison.');
});

test('does not mention missing comparisons if there are none', () => {
  expect(textOf([caseOf(0, 1, 1), caseOf(1, 0, 1)])).toContain('▲ 1 fixed or better, ▼ 0 broken or worse, 1 the same.');
});
