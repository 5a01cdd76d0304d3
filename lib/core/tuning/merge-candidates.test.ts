import { describe, expect, test } from 'vitest';
import { hookOf } from '../decisions.ts';
import { decided, decisionOf } from '../history-of.test-support.ts';
import type { ExperimentSettings } from '../settings.ts';
import { joinComponents, wholeText } from '../targets/component-texts.ts';
import { tuningHistory } from '../tuning-history.test-support.ts';
import { candidateState } from './candidate-state.ts';
import { chooseComponent, dueTuningStep } from './due-tuning-step.ts';
import { plannedMerge } from './merge-candidates.ts';
import { performTuningStep } from './perform-tuning-step.ts';
import { proposalProblems } from './proposal-problems.ts';
import { tuningSettingsOf } from './simulated-tunings.test-support.ts';

const NAMES = ['planner', 'writer'];
const settingsOf = (tune: Partial<ExperimentSettings['tune']> = {}) =>
  tuningSettingsOf({
    qualityThreshold: 1,
    prompts: {},
    generator: {
      provider: 'app',
      model: '(target)',
      target: { name: 'app', components: { planner: 'P0', writer: 'W0' }, tuned: NAMES },
    },
    tune,
  });
const textOf = (planner: string, writer: string) =>
  joinComponents(
    new Map([
      ['planner', planner],
      ['writer', writer],
    ]),
  );

/** Validation cases 2 to 5: one candidate solves the first half, the other the second. */
const GIVEN = { output: textOf('P0', 'W0'), scores: { 0: 0, 1: 0, 2: 0, 3: 0, 4: 0, 5: 0 }, evaluated: true };
const PLANNED = {
  output: textOf('P1', 'W0'),
  parent: 0,
  minibatch: [0],
  scores: { 0: 1, 2: 1, 3: 1, 4: 0, 5: 0 },
  evaluated: true,
};
const WRITTEN = {
  output: textOf('P0', 'W1'),
  parent: 0,
  minibatch: [1],
  scores: { 1: 1, 2: 0, 3: 0, 4: 1, 5: 0 },
  evaluated: true,
};

const historyOf = (settings: ExperimentSettings, ...more: Parameters<typeof tuningHistory>[2]) =>
  tuningHistory(settings, { train: 2, validation: 4 }, [GIVEN, ...more]);

describe('candidates that improved different components', () => {
  const settings = settingsOf();
  const history = historyOf(settings, PLANNED, WRITTEN);

  test('are merged, the better one first, and scored on cases where they differ', () => {
    expect(plannedMerge(history, settings)).toEqual({
      parents: [1, 2],
      text: textOf('P1', 'W1'),
      positions: expect.arrayContaining([2, 3, 4]),
    });
    expect(dueTuningStep(history, settings)).toMatchObject({ type: 'merge' });
  });

  test('become a version with two parents without a call', async () => {
    const step = dueTuningStep(history, settings);
    if (step?.type !== 'merge') throw new Error('a merge is due');
    const context = { history, settings, now: () => new Date('2026-01-05T12:00:00.000Z') };
    // No other part of the context is used, so no call can be made.
    const result = await performTuningStep(step, context as Parameters<typeof performTuningStep>[1]);
    expect(result).toMatchObject({
      type: 'version',
      version: { number: 3, parents: [1, 2], origin: 'merged', output: textOf('P1', 'W1'), proposal: { merged: true } },
    });
  });

  test.each([
    { name: 'equal to the better one on these cases', scores: { 2: 1, 3: 1, 4: 0, 5: 0 }, state: 'accepted' },
    { name: 'better than both', scores: { 2: 1, 3: 1, 4: 1, 5: 0 }, state: 'accepted' },
    { name: 'worse than the better one', scores: { 2: 1, 3: 0, 4: 0, 5: 0 }, state: 'rejected' },
  ])('$name: $state', ({ scores, state }) => {
    const merged = { output: textOf('P1', 'W1'), parent: 1, minibatch: [2, 3, 4], scores };
    const after = historyOf(settings, PLANNED, WRITTEN, merged);
    const version = after.versions[3];
    if (version?.proposal === undefined || version.proposal === null) throw new Error('there is a merged version');
    const made = { ...version, parents: [1, 2], proposal: { ...version.proposal, merged: true as const } };
    expect(candidateState({ ...after, versions: [...after.versions.slice(0, 3), made] }, settings, made)).toBe(state);
  });

  test('are not merged twice', () => {
    const merged = {
      output: textOf('P1', 'W1'),
      parent: 1,
      minibatch: [2],
      scores: { 2: 1, 3: 1, 4: 1, 5: 1 },
      evaluated: true,
    };
    expect(plannedMerge(historyOf(settings, PLANNED, WRITTEN, merged), settings)).toBeNull();
  });

  test('wait while a reviewer chooses the next prompt', () => {
    const ordered = decisionOf('revise', { version: 1, guidance: 'be brief', by: 'person', pauseId: 'p' });
    const after = decided({ ...history, step: history.step + 1 }, ordered);
    expect(dueTuningStep(after, settings)?.type).not.toBe('merge');
  });

  test('are reviewed like revisions', () => {
    const merged = { round: 2, positions: [2], diagnosis: '', problems: [], merged: true as const };
    expect(hookOf({ origin: 'merged', proposal: merged })).toBe('onRevision');
    expect(hookOf({ origin: 'merged', proposal: null })).toBeNull();
  });

  test('are not merged if disabled', () => {
    expect(plannedMerge(history, settingsOf({ merge: false }))).toBeNull();
  });
});

test('does not merge a candidate with its parent', () => {
  const settings = settingsOf();
  const child = { ...WRITTEN, output: textOf('P1', 'W1'), parent: 1 };
  expect(plannedMerge(historyOf(settings, PLANNED, child), settings)).toBeNull();
});

test('takes a component that both changed from the better candidate', () => {
  const settings = settingsOf();
  const both = { ...WRITTEN, output: textOf('P2', 'W1') };
  expect(plannedMerge(historyOf(settings, PLANNED, both), settings)?.text).toBe(textOf('P1', 'W1'));
});

describe('component that a proposal improves', () => {
  test("each in turn, starting after the parent's", () => {
    const settings = settingsOf();
    expect(chooseComponent(historyOf(settings), settings, { parent: 0, positions: [0] })).toBe('planner');
    expect(chooseComponent(historyOf(settings, PLANNED), settings, { parent: 0, positions: [0] })).toBe('writer');
    expect(chooseComponent(historyOf(settings, PLANNED, WRITTEN), settings, { parent: 0, positions: [0] })).toBe(
      'planner',
    );
  });

  test('the one named in feedback', () => {
    const settings = settingsOf({ components: 'blame' });
    const history = historyOf(settings);
    const blaming = {
      ...history,
      tries: history.tries.map((one) => ({ ...one, feedback: 'The Writer omitted the date.' })),
    };
    expect(chooseComponent(history, settings, { parent: 0, positions: [0, 1] })).toBe('planner');
    expect(chooseComponent(blaming, settings, { parent: 0, positions: [0, 1] })).toBe('writer');
  });

  test('none if all are improved together or only one is tuned', () => {
    const settings = settingsOf({ components: 'all' });
    expect(chooseComponent(historyOf(settings), settings, { parent: 0, positions: [0] })).toBeUndefined();
  });
});

describe('guards', () => {
  const settings = settingsOf();
  const history = historyOf(settings, PLANNED);
  const parent = { output: textOf('P0', 'W0') };
  const found = (prompt: string, component?: string) =>
    proposalProblems({ prompt, problem: null }, history, settings, parent, new Map(), component).map(
      ({ kind }) => kind,
    );

  test.each([
    { name: 'a new text for one component', prompt: 'W1', component: 'writer', expected: [] },
    { name: 'an unchanged component', prompt: 'W0', component: 'writer', expected: ['unchanged'] },
    { name: 'the text of another version', prompt: 'P1', component: 'planner', expected: ['repeated'] },
    {
      name: 'changes outside of the component',
      prompt: textOf('P', 'W'),
      component: 'writer',
      expected: ['missing_variable'],
    },
    { name: 'all components at once', prompt: textOf('P2', 'W2'), component: undefined, expected: [] },
    {
      name: 'a text before the first component',
      prompt: `Note.\n${textOf('P2', 'W2')}`,
      component: undefined,
      expected: ['missing_variable'],
    },
    {
      name: 'a missing component',
      prompt: '{{component "planner"}}\nP2',
      component: undefined,
      expected: ['missing_variable'],
    },
  ])('$name', ({ prompt, component, expected }) => {
    expect(found(prompt, component)).toEqual(expected);
  });

  test('check roles in each component', () => {
    const chat = (system: string) => `{{role "system"}}\n${system}\n\n{{role "user"}}\n{{input}}`;
    const problems = (prompt: string) =>
      proposalProblems({ prompt, problem: null }, history, settings, { output: textOf(chat('A'), 'W0') }).map(
        ({ kind }) => kind,
      );
    expect(problems(textOf(chat('B'), 'W1'))).toEqual([]);
    expect(problems(textOf('plain {{input}}', 'W1'))).toEqual(['changed_roles']);
  });

  test('check the length of each component', () => {
    const short = settingsOf({ maxPromptTokens: 30 });
    const words = (count: number) => Array.from({ length: count }, (_word, at) => `rule${at}`).join(' ');
    const kinds = (prompt: string) =>
      proposalProblems({ prompt, problem: null }, history, short, parent).map(({ kind }) => kind);
    expect(kinds(textOf(words(12), words(13)))).toEqual([]);
    expect(kinds(textOf(words(80), 'W1'))).toEqual(['too_long']);
  });

  test('wholeText keeps the other components', () => {
    expect(wholeText('W9', parent.output, 'writer')).toBe(textOf('P0', 'W9'));
  });
});
