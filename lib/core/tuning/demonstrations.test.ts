import { describe, expect, test } from 'vitest';
import { takeExamples } from '../prompts/worked-examples.ts';
import { noAnswer, scripted } from '../scripted-step.test-support.ts';
import type { ExperimentSettingsInput } from '../settings.ts';
import { type PromptGiven, tuningHistory } from '../tuning-history.test-support.ts';
import { candidateState } from './candidate-state.ts';
import { plannedDemonstrations } from './demonstrations.ts';
import { dueTuningStep } from './due-tuning-step.ts';
import { performTuningStep } from './perform-tuning-step.ts';
import { plannedRedraw } from './redraw-validation.ts';
import { tuningSettingsOf } from './simulated-tunings.test-support.ts';

/** 4 training, 2 validation and 1 held-out case. The first prompt solves training cases 0 and 1 and fails 2. */
const COUNTS = { train: 4, validation: 2, held_out: 1 };
const FIRST: PromptGiven = {
  output: 'Sort it.\n\nMail: {{input}}',
  scores: { 0: 1, 1: 1, 2: 0, 4: 0.5, 5: 1, 6: 1 },
  evaluated: true,
};

function planned(
  tune: ExperimentSettingsInput['tune'] = {},
  given: PromptGiven[] = [FIRST],
  counts: Parameters<typeof tuningHistory>[1] = COUNTS,
) {
  const settings = tuningSettingsOf({ tune: { demonstrations: 2, ...tune } });
  const history = tuningHistory(settings, counts, given);
  return { settings, history, plan: plannedDemonstrations(history, settings) };
}

describe('worked examples', () => {
  test('are solved training cases, and the prompt is first scored on others that it fails', () => {
    const { plan } = planned();
    expect(plan).toMatchObject({ parent: 0, demonstrations: [0, 1], positions: [2, 3] });
    expect(plan?.text.split('\n\n')[0]).toBe('Sort it.');
    expect(plan?.text.split('\n\n').at(-1)).toBe('Mail: {{input}}');
    const quoted = [...(plan?.text.matchAll(/<input>\n(.*)\n<\/input>\n<output>\n(.*)\n<\/output>/g) ?? [])];
    expect(quoted.map(([, input, output]) => [input, output]).sort()).toEqual([
      ['input of case 0', 'answer of 0 to 0'],
      ['input of case 1', 'answer of 0 to 1'],
    ]);
  });

  test('hold the metadata that the prompt uses', () => {
    const output = 'Translate to {{metadata.target-language}}.\n\nMail: {{input}}';
    const { settings, history } = planned({}, [{ ...FIRST, output }]);
    const metadata = { 'target-language': 'de', tests: 'assert secret' };
    const cases = history.cases.map((one) => ({ ...one, metadata }));
    const { text } = plannedDemonstrations({ ...history, cases }, settings) ?? { text: '' };
    expect(text).toMatch(/<input>\n.*\n<\/input>\n<target_language>\nde\n<\/target_language>\n<output>/);
    expect(text).not.toContain('secret');
  });

  test('prefix metadata whose name is taken or starts with a digit', () => {
    const names = ['input', 'output', 'examples', '2nd-level'];
    const output = `${names.map((name) => `{{metadata.${name}}}`).join(' ')}\n\nMail: {{input}}`;
    const { settings, history } = planned({}, [{ ...FIRST, output }]);
    const metadata = Object.fromEntries(names.map((name) => [name, `the ${name}`]));
    const cases = history.cases.map((one) => ({ ...one, metadata }));
    const { text } = plannedDemonstrations({ ...history, cases }, settings) ?? { text: '' };
    const [example] = takeExamples(text).examples;
    expect(example).toEqual({
      input: expect.stringMatching(/^input of case/),
      metadata_input: 'the input',
      metadata_output: 'the output',
      metadata_examples: 'the examples',
      metadata_2nd_level: 'the 2nd-level',
      output: expect.stringMatching(/^answer of/),
    });
  });

  test('number metadata whose names differ only in hyphens', () => {
    const names = ['a-b', 'a_b', 'a_b_2', 'absent', 'metadata_input', 'input'];
    const output = `${names.map((name) => `{{metadata.${name}}}`).join(' ')}\n\nMail: {{input}}`;
    const { settings, history } = planned({}, [{ ...FIRST, output }]);
    const values = Object.fromEntries(names.map((name) => [name, `the ${name}`]));
    // The names do not depend on which values a case has.
    const cases = history.cases.map((one) => ({
      ...one,
      metadata: { ...values, 'a-b': one.position === 0 ? null : 'the a-b', absent: undefined },
    }));
    const { text } = plannedDemonstrations({ ...history, cases }, settings) ?? { text: '' };
    const fields = takeExamples(text).examples.map(({ input: _input, output: _output, ...rest }) => rest);
    const rest = {
      a_b_2: 'the a_b',
      a_b_2_2: 'the a_b_2',
      metadata_input: 'the metadata_input',
      metadata_input_2: 'the input',
    };
    expect(fields.toSorted((one, other) => Object.keys(one).length - Object.keys(other).length)).toEqual([
      rest,
      { a_b: 'the a-b', ...rest },
    ]);
  });

  test.each<[string, ReturnType<typeof planned>]>([
    ['unless enabled', planned({ demonstrations: 0 })],
    ['before enough cases are solved', planned({}, [{ ...FIRST, scores: { ...FIRST.scores, 1: 0.9 } }])],
    ['before the prompt is validated', planned({}, [{ ...FIRST, evaluated: false }])],
    [
      'if candidates are validated on training cases',
      planned({}, [{ ...FIRST, scores: { ...FIRST.scores, 3: 0 } }], { train: 7 }),
    ],
    ['if the prompt would be too long', planned({ maxPromptTokens: 20 })],
    ['if the prompt solves all training cases', planned({}, [{ ...FIRST, scores: { ...FIRST.scores, 2: 1, 3: 1 } }])],
  ])('are not added %s', (_name, { plan }) => {
    expect(plan).toBeNull();
  });

  test('never use a case whose input is also a validation or held-out case, or contains a variable', () => {
    const { settings, history } = planned();
    const withInput = (position: number, input: string) => ({
      ...history,
      cases: history.cases.map((one) => (one.position === position ? { ...one, input } : one)),
    });
    for (const input of ['input of case 6', 'Hello {{input}}'])
      expect(plannedDemonstrations(withInput(0, input), settings)).toBeNull();
    expect(plannedDemonstrations(withInput(0, 'Hello'), settings)).not.toBeNull();
  });

  test('become a version without a call, once per prompt, and pass the copy guards', async () => {
    const { history, settings, plan } = planned();
    const step = dueTuningStep(history, settings);
    expect(step).toMatchObject({ type: 'demonstrate', plan });
    if (step?.type !== 'demonstrate') throw new Error('no step');
    const { context, requests } = scripted(history, settings, () => noAnswer('unavailable'));
    const made = await performTuningStep(step, context);
    if (made?.type !== 'version') throw new Error('no version');
    expect(requests).toEqual([]);
    expect(made.version).toMatchObject({
      ...{ number: 1, parents: [0], iteration: 1, costUsd: 0 },
      proposal: { positions: [2, 3], demonstrations: [0, 1], problems: [] },
    });
    const next = { ...history, versions: [...history.versions, made.version] };
    expect(candidateState(next, settings, made.version)).toBe('untried');
    expect(plannedDemonstrations(next, settings)).toBeNull();
    expect(dueTuningStep(next, settings)).toMatchObject({ type: 'try', purpose: 'minibatch' });
  });

  test('never become validation cases', () => {
    const { history, settings, plan } = planned();
    const [first] = history.versions;
    if (first === undefined || plan === null) throw new Error('no version');
    const { positions, demonstrations } = plan;
    const proposal = { round: 0, positions, demonstrations, diagnosis: '', problems: [] };
    const versions = [first, { ...first, number: 1, parents: [0], proposal }];
    expect(plannedRedraw({ ...history, versions: [first] }, settings, 0)?.toValidation).toHaveLength(1);
    expect(plannedRedraw({ ...history, versions }, settings, 0)?.toValidation).toEqual([]);
  });
});
