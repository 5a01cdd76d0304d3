import { describe, expect, test } from 'vitest';
import { settingsOf } from '#lib/core/history-of.test-support.ts';
import type { RunStatus } from '#lib/core/run-statuses.ts';
import type { TuningGain } from '#lib/statistics/tuning-gain.ts';
import {
  agentNotSaved,
  decisionReason,
  leadsLabel,
  phaseCount,
  restLabel,
  stateLabel,
  tuningOutcome,
  tuningPhase,
} from './labels.ts';
import { type SummaryVersion, summaryOf } from './summary-of.test-support.ts';

const settings = settingsOf({ mode: 'tune', prompts: { generate: '{{input}}' }, maxIterations: 5 });
const minibatch = { positions: [0, 1, 2], before: 1, after: 2, of: 3 };

const evidence = { against: 0, n: 8, better: 5, worse: 1, same: 2, difference: 0.5, p: 0.21875 };

describe('state of a prompt', () => {
  test.each<{ name: string; version: SummaryVersion; says: string }>([
    {
      name: 'accepted for validation',
      version: { state: 'accepted', minibatch },
      says: 'Mean 0.33 → 0.67 on its 3 cases: moves on to validation.',
    },
    {
      name: 'rejected',
      version: { state: 'rejected', minibatch: { ...minibatch, after: 1 } },
      says: 'Mean 0.33 → 0.33 on its 3 cases: not validated.',
    },
    {
      name: 'kept',
      version: { minibatch, evidence: { ...evidence, verdict: 'not_enough_evidence' } },
      says: 'Mean 0.33 → 0.67 on its 3 cases. 5 better, 1 worse on 8 cases (p = 0.22): not enough evidence of a difference to v0.',
    },
    {
      name: 'better',
      version: { minibatch, evidence: { ...evidence, better: 8, worse: 0, p: 0.0078, verdict: 'better' } },
      says: 'Mean 0.33 → 0.67 on its 3 cases. 8 better, 0 worse on 8 cases (p = 0.008): better than v0.',
    },
    {
      name: 'shown to be worse',
      version: {
        state: 'rejected',
        minibatch,
        evidence: { ...evidence, better: 0, worse: 20, p: 0.000002, verdict: 'worse' },
      },
      says: 'Mean 0.33 → 0.67 on its 3 cases. 0 better, 20 worse on 8 cases (p < 0.001): worse than v0.',
    },
    {
      name: 'held back',
      version: {
        state: 'held_back',
        problems: [
          { kind: 'truncated', text: 'The reply ended at its limit of tokens.' },
          { kind: 'copied_example', text: 'It quotes case 3.' },
        ],
      },
      says: 'The reply ended at its limit of tokens.',
    },
    {
      name: 'worse on an anchor case',
      version: { state: 'rejected', lostAnchors: [4] },
      says: 'Lower score than the original prompt on the anchor case 5.',
    },
    { name: 'not tested', version: { state: 'untried' }, says: '' },
  ])('$name: $says', ({ version, says }) => {
    const [, made] = summaryOf([{}, version]).versions;
    expect(made && decisionReason(made)).toBe(says);
  });

  test.each<{ version: SummaryVersion; says: string }>([
    { version: { evidence: { ...evidence, verdict: 'better' } }, says: 'better' },
    { version: { evidence: { ...evidence, verdict: 'not_enough_evidence' } }, says: 'kept' },
    {
      version: { evidence: { ...evidence, n: 3, verdict: 'not_enough_evidence' } },
      says: 'validated on too few cases',
    },
    { version: { state: 'rejected', evidence: { ...evidence, verdict: 'worse' } }, says: 'worse' },
    { version: { state: 'rejected' }, says: 'dropped' },
    { version: { state: 'rejected', lostAnchors: [4] }, says: 'worse' },
  ])('short label: $says', ({ version, says }) => {
    const [, made] = summaryOf([{}, version]).versions;
    expect(made && stateLabel(made, true)).toBe(says);
  });

  test('an untested proposal reads “not tested” after the run ends', () => {
    const [, made] = summaryOf([{}, { state: 'untried' }]).versions;
    expect(made && [stateLabel(made, false), stateLabel(made, true)]).toEqual(['not tested yet', 'not tested']);
  });
});

describe('tuningOutcome', () => {
  const outcome = (
    versions: SummaryVersion[],
    accepted: number,
    best: number | null,
    status: RunStatus = 'finished',
    gain: TuningGain | null = null,
  ) =>
    tuningOutcome(
      {
        status,
        experimentId: 'e',
        convergenceReason: status === 'running' ? null : 'max_iterations',
        finalVersion: null,
        bestVersion: best,
      },
      summaryOf(versions, { accepted, gain }),
      settings,
      null,
    );

  test('is null while the run continues', () => {
    expect(outcome([{}], 0, 0, 'running')).toBeNull();
  });

  test('does not mention the original prompt if none could be written', () => {
    expect(outcome([], 0, null, 'failed')).toMatchObject({
      title: 'No proposals.',
      detail: expect.not.stringContaining('stays'),
    });
  });

  test('suggests that an app whose scores never changed may not use the texts', () => {
    const tested = { minibatch: { ...minibatch, after: 1 }, evidence: null };
    const target = { name: 'my-app', components: { rules: 'Be brief.' }, tuned: 'rules' };
    const ofApp = settingsOf({ mode: 'tune', generator: { provider: 'practice', model: 'practice-1', target } });
    const record = {
      ...{ status: 'finished' as const, experimentId: 'e', convergenceReason: 'max_iterations' as const },
      ...{ finalVersion: null, bestVersion: 0 },
    };
    const labelFor = (version: SummaryVersion, of = ofApp) =>
      tuningOutcome(record, summaryOf([{ mean: 0.5 }, { state: 'rejected', ...version }]), of, null);
    expect(labelFor(tested)?.detail).toContain('does not use the texts in `components`');
    expect(labelFor(tested)?.next[0]?.href).toBe('/docs/how-to/connect-your-app#components');
    expect(labelFor({ minibatch, evidence: null })?.detail).not.toContain('components');
    expect(labelFor(tested, settings)?.detail).not.toContain('components');
  });

  test('names a single proposal and states that the original prompt stays', () => {
    expect(outcome([{ mean: 0.5 }, { state: 'rejected' }], 0, 0)).toEqual({
      title: '1 proposal, none kept after validation.',
      detail:
        'The original prompt stays. All 5 proposals were used. The proposal was no better than its parent on its training cases. Allow more proposals, or choose a stronger reflection model.',
      next: [{ label: 'Allow more proposals', href: '/experiments/e/edit?open=loop', needs: 'editor' }],
    });
    expect(outcome([{ mean: 0.5 }], 0, 0)?.title).toBe('No proposals.');
  });

  test.each([
    { accepted: 1, shownBetter: 0, says: '1 kept after validation, none shown to be better than its parent.' },
    { accepted: 3, shownBetter: 0, says: '3 kept after validation, none shown to be better than their parents.' },
    { accepted: 3, shownBetter: 1, says: '3 kept after validation, 1 shown to be better than its parent.' },
    { accepted: 3, shownBetter: 2, says: '3 kept after validation, 2 shown to be better than their parents.' },
  ])('counts each kind: $says', ({ says, ...counts }) => {
    const kinds = ['proposal', 'proposal', 'combination', 'merge', 'examples'] as const;
    const ended = { status: 'finished', experimentId: 'e', finalVersion: 0, bestVersion: 0 } as const;
    const summary = summaryOf([{ mean: 0.5 }, ...kinds.map((kind) => ({ kind }))], counts);
    expect(tuningOutcome({ ...ended, convergenceReason: 'max_iterations' }, summary, settings, null)?.title).toBe(
      `2 proposals, 1 combination, 1 merge, 1 prompt with examples, ${says}`,
    );
  });

  test('notes that a best prompt was validated on too few cases, and suggests a remedy', () => {
    const evidence = {
      against: 0,
      n: 3,
      better: 3,
      worse: 0,
      same: 0,
      difference: 1,
      p: 0.25,
      verdict: 'not_enough_evidence',
    } as const;
    const found = outcome([{ mean: 0 }, { mean: 1, evidence }], 0, 1);
    expect(found?.title).toBe('1 proposal, none validated on enough cases.');
    expect(found?.detail).toContain(
      'A conclusion requires at least 6 validation cases that a prompt was not derived from. Add cases.',
    );
    expect(found?.next).toEqual([{ label: 'Add cases', href: '/datasets', needs: 'editor' }]);
  });

  test('proposals that were all rejected by checks before testing', () => {
    const held = { state: 'held_back' } as const;
    expect(outcome([{ mean: 0 }, held, held], 0, 0)?.title).toBe(
      '2 proposals, none tested. Checks rejected them, see below.',
    );
  });

  test.each([
    ['max_iterations', 'not shown to be better or worse on 8 validation cases. More validation cases', 'Add cases'],
    ['cost_budget', 'The budget was used up before', 'Raise the budget'],
  ] as const)(
    'ended by %s without a confirmed improvement: gives the reason and the next step',
    (convergenceReason, why, label) => {
      const versions = [
        { mean: 0.5 },
        { mean: 0.6, evidence: { ...evidence, verdict: 'not_enough_evidence' as const } },
      ];
      const ended = { status: 'finished', experimentId: 'e', finalVersion: 1, bestVersion: 1 } as const;
      const found = tuningOutcome(
        { ...ended, convergenceReason },
        summaryOf(versions, { accepted: 1 }),
        settings,
        null,
      );
      expect(found?.detail).toContain(why);
      expect(found?.next[0]?.label).toBe(label);
    },
  );

  test('shows for how many training cases the reflection model saw the reference', () => {
    const summary = summaryOf([{ mean: 0.5 }, { state: 'rejected' }], { referencesSeen: 3 });
    const ended = {
      status: 'finished',
      experimentId: 'e',
      convergenceReason: 'max_iterations',
      finalVersion: 0,
      bestVersion: 0,
    } as const;
    expect(tuningOutcome(ended, summary, settings, null)?.detail).toContain(
      'The reflection model saw the references of 3 training cases.',
    );
  });

  test('compares the first and best prompt on validation and held-out cases', () => {
    const mean = (value: number) => ({ n: 2, mean: value, low: null, high: null });
    expect(
      outcome(
        [
          { mean: 0.5, heldOut: mean(0.4) },
          { mean: 0.7, heldOut: mean(0.6) },
        ],
        1,
        1,
        'finished',
        {
          version: 1,
          chosenBy: {
            n: 4,
            lift: 0.2,
            low: -0.1,
            high: 0.4,
            isNoise: true,
            p: 0.3,
            verdict: 'not_enough_evidence',
            pairs: null,
          },
          heldOut: { n: 2, lift: 0.2, low: 0.1, high: 0.3, isNoise: false, p: 0.01, verdict: 'better', pairs: 34 },
        },
      ),
    ).toEqual({
      title: 'v1 is better than the original prompt on 2 held-out cases.',
      detail:
        '1 proposal, 1 kept after validation, none shown to be better than its parent. v1 compared with the original prompt: 0.50 → 0.70 (not enough evidence of a difference) on the cases used for selection. On 2 held-out cases: 0.40 → 0.60 (+0.20, 95% +0.10 to +0.30, by a sequential test of 34 pairs). All 5 proposals were used.',
      next: [],
    });
  });

  test.each([
    ['its budget, if it had one', 'max_iterations', 10, 'because the rest of the budget did not allow all of them.'],
    ['no reason without a budget', 'max_iterations', null, 'Not tested on held-out cases. '],
    ['no reason after a manual stop', 'user_stopped', 10, 'Not tested on held-out cases. '],
  ] as const)('a run that did not try the held-out cases names %s', (_name, convergenceReason, maxCalls, says) => {
    const ended = {
      status: 'finished',
      experimentId: 'e',
      finalVersion: 1,
      bestVersion: 1,
      convergenceReason,
    } as const;
    const summary = summaryOf([{ mean: 0.5 }, { mean: 0.7 }], { accepted: 1 });
    const limited = { ...settings, budget: { ...settings.budget, maxCalls } };
    expect(tuningOutcome(ended, summary, limited, null)?.detail).toContain(says);
  });

  test('nothing left to improve: lists what was tested and the next steps', () => {
    const ended = {
      status: 'finished',
      experimentId: 'e',
      convergenceReason: 'nothing_to_mend',
      finalVersion: 0,
      bestVersion: 0,
    } as const;
    const summary = summaryOf([{ mean: 0.5 }], { redraw: { toTraining: [4, 6], toValidation: [1] } });
    const found = tuningOutcome(ended, summary, settings, 'd');
    expect(found?.detail).toContain(
      '2 missed validation cases became training cases, replaced by 1 unseen training case. All scores refer to the new validation set.',
    );
    expect(found?.detail).toContain('To continue, add harder cases, raise the quality threshold or add criteria.');
    expect(found?.next).toEqual([
      { label: 'Edit threshold and criteria', href: '/experiments/e/edit?open=criteria', needs: 'editor' },
      { label: 'Add cases', href: '/datasets/d', needs: 'editor' },
    ]);
  });

  test('no solved cases for worked examples: suggests a better prompt, not harder cases', () => {
    const ended = {
      status: 'finished',
      experimentId: 'e',
      convergenceReason: 'nothing_to_mend',
      finalVersion: 0,
      bestVersion: 0,
    } as const;
    const fewShot = { ...settings, tune: { ...settings.tune, strategy: 'few_shot' } } as const;
    const found = tuningOutcome(ended, summaryOf([{ mean: 0 }]), fewShot, 'd');
    expect(found?.detail).toContain('Worked examples are training cases that the prompt solves.');
    expect(found?.detail).not.toContain('harder cases');
    expect(found?.next[0]).toEqual({
      ...{ label: 'Choose another strategy', href: '/experiments/e/edit?open=tuning', needs: 'editor' },
    });
  });
});

describe('tuningPhase', () => {
  test.each<{ name: string; versions: SummaryVersion[]; isProposing?: boolean; says: string; counts?: string }>([
    { name: 'at the start', versions: [], says: 'Original prompt' },
    { name: 'a description of the task', versions: [], isProposing: true, says: 'Writing the first prompt' },
    {
      name: 'validating the first prompt',
      versions: [{ tried: { train: 0, validation: 1, heldOut: 0 } }],
      says: 'Validating v0',
      counts: '1 of 4 cases',
    },
    {
      name: 'between rounds',
      versions: [{ tried: { train: 0, validation: 4, heldOut: 0 } }],
      says: 'Finding failed cases for v1',
    },
    { name: 'proposing', versions: [{}], isProposing: true, says: 'Writing proposals (v1 and later)' },
    { name: 'a minibatch', versions: [{}, { state: 'untried' }], says: 'v1 on its own cases' },
    {
      name: 'minibatches',
      versions: [{}, { state: 'untried', step: 5 }, { state: 'rejected', step: 5 }, { state: 'untried', step: 5 }],
      says: 'v1 and v3 on their own cases',
    },
    {
      name: 'combining',
      versions: [{}, { state: 'accepted', step: 5 }, { state: 'accepted', step: 5 }],
      isProposing: true,
      says: 'Combining v1 and v2',
    },
    {
      name: 'validating the combined prompt',
      versions: [
        {},
        { state: 'combined', step: 5, combinedInto: 3 },
        { state: 'combined', step: 5, combinedInto: 3 },
        { kind: 'combination', state: 'accepted', tried: { train: 0, validation: 3, heldOut: 0 } },
      ],
      says: 'Validating v3',
      counts: '3 of 4 cases',
    },
    {
      name: 'validating several prompts',
      versions: [
        {},
        { state: 'accepted', step: 5, tried: { train: 0, validation: 3, heldOut: 0 } },
        { state: 'accepted', step: 5 },
      ],
      says: 'Validating v1 and v2',
      counts: '3 of 8 cases',
    },
    {
      name: 'testing on held-out cases',
      versions: [{ tried: { train: 3, validation: 4, heldOut: 1 } }],
      says: 'v0 on the held-out cases',
      counts: '1 of 2 cases',
    },
  ])('$name: $says', ({ versions, isProposing = false, says, counts = '' }) => {
    const phase = tuningPhase({ status: 'running', versions: [] }, summaryOf(versions), isProposing);
    expect(phase?.label).toBe(says);
    expect(phase && phaseCount(phase)).toBe(counts);
  });

  test('shows the final test with its number of pairs', () => {
    const summary = summaryOf([{}, { mean: 0.7 }], { finalTest: { version: 1, pairs: 24 } });
    expect(tuningPhase({ status: 'running', versions: [] }, summary, false)?.label).toBe('Final test of v1, 24 pairs');
  });

  test('is null while the run waits', () => {
    expect(tuningPhase({ status: 'waiting', versions: [] }, summaryOf([{}]), false)).toBeNull();
  });
});

test.each([
  {
    expected: { calls: 40, costUsd: 0.05 },
    most: { calls: 120, costUsd: 0.16 },
    says: 'About $0.0500 more, about $0.160 if every proposal is validated',
  },
  {
    expected: { calls: 40, costUsd: null },
    most: { calls: 1_200, costUsd: null },
    says: 'About 40 calls more, about 1,200 calls if every proposal is validated',
  },
  { expected: null, most: { calls: 120, costUsd: null }, says: 'About 120 calls more if every proposal is validated' },
])('estimate of the remainder: $says', ({ expected, most, says }) => {
  expect(restLabel({ expected, most })).toBe(says);
});

test.each([
  { cases: 0, leadsCriteria: [], says: '' },
  { cases: 1, leadsCriteria: [], says: 'Highest score on 1 case.' },
  {
    cases: 3,
    leadsCriteria: ['right', 'brief'],
    says: 'Highest score on 3 cases and by the mean of right, brief.',
  },
])('cases on which a candidate has the best score: $says', ({ cases, leadsCriteria, says }) => {
  expect(leadsLabel(cases, { leadsCriteria })).toBe(says);
});

test('notes that the agent of a tuned prompt is not saved', () => {
  expect(agentNotSaved(settings)).toBeNull();
  const base = { type: 'react' as const, tools: ['calculator'] };
  const generator = { provider: 'practice', model: 'practice-1', base };
  const ofAgent = settingsOf({ mode: 'tune', prompts: { generate: '{{input}}' }, generator });
  expect(agentNotSaved(ofAgent)).toContain('a single call without tools');
});
