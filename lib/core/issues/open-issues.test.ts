import { describe, expect, test } from 'vitest';
import type { Critique, History } from '../history.ts';
import { historyOf, settingsOf, type VersionGiven } from '../history-of.test-support.ts';
import { nextStep } from '../next-step.ts';
import { reflectionPrompt } from '../prompts/reflection-prompt.ts';
import { NO_SPEND } from '../token-usage.ts';
import { foundIssueIds, issueLedger, issuesForCritic, openIssues } from './open-issues.ts';

const SETTINGS = settingsOf();
const TASK = { input: 'Explain rate limits', reference: null, tags: [], metadata: {} };

function naming(...texts: string[]): VersionGiven {
  return { score: 0.5, issues: texts.map((text) => ({ criterion: null, text })) };
}

/** A run whose issues come only from critiques, which cover all versions but the last. */
function critiqued(scores: number[], ...issues: string[][]): History {
  const history = historyOf(SETTINGS, scores);
  const critiques = history.critiques.map(
    (critique, at): Critique => ({
      ...critique,
      issues: (issues[at] ?? []).map((text) => ({ criterion: null, text, scope: 'local' })),
    }),
  );
  return { ...history, critiques };
}

function openAt(history: History, number: number): string[] {
  const version = history.versions[number];
  if (version === undefined) throw new Error(`there is no version ${number}`);
  return openIssues(history, version).map(({ id, text }) => `${id} ${text}`);
}

describe('openIssues', () => {
  test.each<[string, VersionGiven[], string[]]>([
    ['none before the first version', [0.5], []],
    ['those of the previous version', [naming('Vague', 'Rude'), 0.5], ['i1 Vague', 'i2 Rude']],
    ['no resolved ones', [naming('Vague', 'Rude'), naming('Rude'), 0.5], ['i2 Rude']],
    ['those before an unscored version', [naming('Vague'), null, 0.5], ['i1 Vague']],
    [
      'those of the source if a version is based on an earlier one',
      [naming('Vague'), naming('Rude'), { score: 0.5, parent: 0 }],
      ['i2 Rude', 'i1 Vague'],
    ],
    ['those with the latest wording', [naming('Too vague.'), naming('TOO VAGUE'), 0.5], ['i1 TOO VAGUE']],
  ])('%s', (_name, versions, expected) => {
    expect(openAt(historyOf(SETTINGS, versions), versions.length - 1)).toEqual(expected);
  });

  test('uses only earlier versions, even for a later re-evaluation', () => {
    const history = historyOf(SETTINGS, [naming('Vague'), naming('Rude'), naming('Long')]);
    expect(openAt(history, 1)).toEqual(['i1 Vague']);
  });

  test('returns at most 20', () => {
    const many = Array.from({ length: 50 }, (_one, at) => `Fault ${at}`);
    expect(openAt(historyOf(SETTINGS, [naming(...many), 0.5]), 1)).toHaveLength(20);
  });
});

describe('issues found only by critiques', () => {
  test('are in the ledger, with no state for the last version yet', () => {
    const history = critiqued(
      [0.5, 0.5, 0.5],
      ['No example is given.', 'Too vague.'],
      ['An example is still missing.'],
    );
    expect(issueLedger(history).map(({ id, states }) => [id, states])).toEqual([
      ['i1', { 0: 'opened', 1: 'open' }],
      ['i2', { 0: 'opened', 1: 'resolved' }],
    ]);
    expect(foundIssueIds(history, 2)).toBeNull();
    expect(openAt(history, 2)).toEqual(['i1 An example is still missing.']);
  });

  test('are resolved by a satisfactory version', () => {
    const history = critiqued([0.5, 0.9], ['Too vague.']);
    expect(issueLedger(history).map(({ states }) => states)).toEqual([{ 0: 'opened', 1: 'resolved' }]);
  });

  test('end the loop when three critiques repeat them, even reworded', () => {
    const settings = settingsOf({ convergence: null });
    const same = [['No example is given.'], ['An example is still missing.'], ['It lacks an example.']];
    const now = new Date('2026-01-05T11:00:00.000Z');
    expect(nextStep(critiqued([0.5, 0.5, 0.5, 0.5], ...same), settings, now)).toMatchObject({
      type: 'stop',
      ending: { reason: 'repeated_issues', bestVersion: 3 },
    });
    const other = [['No example is given.'], ['It is rude.'], ['It lacks an example.']];
    expect(nextStep(critiqued([0.5, 0.5, 0.5, 0.5], ...other), settings, now)).toMatchObject({ type: 'proceed' });
  });
});

describe('critic', () => {
  const step = { type: 'critique', version: 1, trigger: 'completion' } as const;

  test('receives each issue of the evaluation once, with its id', () => {
    const history = historyOf(SETTINGS, [naming('Vague'), naming('VAGUE', 'Rude')]);
    expect(issuesForCritic(history, { number: 1, parents: [0] }).map(({ id, text }) => [id, text])).toEqual([
      ['i1', 'VAGUE'],
      ['i2', 'Rude'],
    ]);
    const { prompt } = reflectionPrompt(history, SETTINGS, TASK, step);
    expect(prompt).toContain('<open_issues>\n- i1: VAGUE\n- i2: Rude\n</open_issues>');
    expect(prompt).toContain('"sameAs"');
    expect(prompt.match(/VAGUE/g)).toHaveLength(1);
  });

  test('receives the full text of an issue too long for the list', () => {
    const long = `Vague ${'word '.repeat(200)}end`;
    const { prompt } = reflectionPrompt(historyOf(SETTINGS, [0.5, naming(long)]), SETTINGS, TASK, step);
    expect(prompt).toContain(`<feedback>\n- ${long}\n</feedback>`);
  });

  test('receives issues of earlier critiques if the evaluation has none', () => {
    const history = critiqued([0.5, 0.5], ['Too vague.']);
    const { prompt } = reflectionPrompt(history, SETTINGS, TASK, step);
    expect(prompt).toContain('<open_issues>\n- i1: Too vague.\n</open_issues>');
  });

  test('gets an unchanged prompt for a first version without issues', () => {
    const { prompt } = reflectionPrompt(historyOf(SETTINGS, [0.5]), SETTINGS, TASK, { ...step, version: 0 });
    expect(prompt).not.toMatch(/open_issues|sameAs/);
  });
});

test('includes a manual critique in the findings', () => {
  const history = critiqued([0.5, 0.5], ['Too vague.']);
  const manual: Critique = {
    ...NO_SPEND,
    version: 0,
    trigger: 'manual',
    text: '',
    issues: [{ criterion: null, text: 'It is rude.' }],
    suggestions: [],
    createdAt: '',
    step: history.step,
  };
  const both = { ...history, critiques: [...history.critiques, manual] };
  expect([...(foundIssueIds(both, 0) ?? [])]).toEqual(['i1', 'i2']);
});
